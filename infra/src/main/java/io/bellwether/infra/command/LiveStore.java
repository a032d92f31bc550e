package io.bellwether.infra.command;

import io.bellwether.infra.local.LocalSystem;
import io.bellwether.infra.local.RunningSystem;
import io.bellwether.infra.process.FolderLock;
import io.bellwether.policy.redis.RedisAliasIndex;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.PolicyStore;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A policy store whose moves are told to the system that runs on it, if one does. The files are the
 * truth: serving finds a move there too, only later. Owns the connection.
 */
final class LiveStore implements AutoCloseable {
  private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(2);

  private final PolicyStore store;
  private final Terminal terminal;
  private final @Nullable RedisAliasIndex index;

  private LiveStore(
      StoreOption option,
      Path data,
      @Nullable RedisAliasIndex index,
      Clock clock,
      Terminal terminal) {
    this.index = index;
    this.terminal = terminal;
    this.store = option.forMoving(data, clock, this::announce);
  }

  /**
   * @param option names the store, given the data folder
   * @param data the data folder on which a system may run; it serves from {@code store} in there,
   *     and hears of no other store
   */
  static LiveStore open(StoreOption option, Path data, Clock clock, Terminal terminal)
      throws IOException, InterruptedException {
    Optional<RunningSystem> running =
        option.address(data).equals(StoreOption.own(data)) ? running(data) : Optional.empty();
    RedisAliasIndex index =
        running.map(system -> new RedisAliasIndex(system.redis(), REDIS_TIMEOUT)).orElse(null);
    return new LiveStore(option, data, index, clock, terminal);
  }

  PolicyStore store() {
    return store;
  }

  private void announce(AliasMove move) {
    if (index == null) {
      return;
    }
    try {
      index.record(move);
      terminal.progress("Told serving, which swaps it in without a pause");
    } catch (RedisException e) {
      terminal.progress("Redis does not answer; serving will find the move in the store: " + e);
    }
  }

  /** The file that says so may be left over from a system that was killed; its lock is not. */
  private static Optional<RunningSystem> running(Path data)
      throws IOException, InterruptedException {
    Optional<RunningSystem> said = RunningSystem.on(data);
    if (said.isEmpty()) {
      return said;
    }
    Optional<FolderLock> lock = FolderLock.take(data, LocalSystem.LOCK, Duration.ZERO);
    if (lock.isPresent()) {
      lock.get().close();
      return Optional.empty();
    }
    return said;
  }

  @Override
  public void close() {
    if (index != null) {
      index.close();
    }
  }
}
