package io.bellwether.policy.redis;

import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.PolicyStore;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener which version each alias points to: at the start, and whenever one moves.
 *
 * <p>Moves come at once through Redis, and within one poll from the files of the store, which are
 * the truth: a lost message, or Redis away altogether, only makes it slower. Each poll also brings
 * the index in Redis up to the files. The listener sees sequences that only rise, and not
 * necessarily each move: of several it may see the latest alone. It is called on the watcher's one
 * thread; a call that throws is repeated at the next poll, or replaced by a newer move.
 *
 * <p>Thread-safe. Owns its thread and its subscription, not the index.
 */
public final class PolicyWatcher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PolicyWatcher.class);
  private static final long CLOSE_WAIT_SECONDS = 5;

  private final PolicyStore store;
  private final @Nullable RedisAliasIndex index;
  private final Duration poll;
  private final Consumer<AliasMove> listener;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread created = new Thread(task, "policy-watcher");
            created.setDaemon(true);
            return created;
          });

  /** Whether a look waits for the thread that a message asked for. */
  private final AtomicBoolean woken = new AtomicBoolean();

  // Confined to the watcher's thread.
  private final Map<Key, Long> seen = new HashMap<>();
  private RedisAliasIndex.@Nullable Subscription subscription;
  private boolean redisAway;

  /** Why the last look failed; empty where it did not. */
  private String trouble = "";

  /** Why the listener did not take the latest move of an alias. */
  private final Map<Key, String> untold = new HashMap<>();

  private record Key(String name, Alias alias) {}

  /**
   * @param index from which moves come at once; absent to poll the files alone
   * @param poll time between two looks at the files
   * @param listener is told of moves; may take its time
   */
  public PolicyWatcher(
      PolicyStore store,
      @Nullable RedisAliasIndex index,
      Duration poll,
      Consumer<AliasMove> listener) {
    this.store = store;
    this.index = index;
    this.poll = poll;
    this.listener = listener;
  }

  /** Begins to watch; the first look at the files comes at once, on the watcher's thread. */
  public void start() {
    // A look handles what it throws; there is no result to wait for.
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(this::look, 0, poll.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stops watching and waits for a call of the listener in progress, 5 s at most. */
  @Override
  public void close() {
    try {
      thread.execute(this::unsubscribe);
      thread.shutdown();
      if (!thread.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("The watcher was closed before");
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    attempt(
        () -> {
          subscribe();
          List<AliasMove> moves = store.latestMoves();
          moves.forEach(this::tell);
          mend(moves);
        });
  }

  /** A look may fail for days in the same way, at every poll: that is told once. */
  private void attempt(Runnable look) {
    try {
      look.run();
      if (!trouble.isEmpty()) {
        LOG.info("Moved aliases can be looked for again");
      }
      trouble = "";
    } catch (RuntimeException e) {
      if (!e.toString().equals(trouble)) {
        LOG.error("Cannot look for moved aliases; that is tried every {}", poll, e);
      }
      trouble = e.toString();
    }
  }

  private void subscribe() {
    if (index == null || subscription != null) {
      return;
    }
    try {
      subscription = index.subscribe(move -> published());
    } catch (RedisException e) {
      missRedis(e);
    }
  }

  /** Enters into Redis what it lacks; that costs one read while it lacks nothing. */
  private void mend(List<AliasMove> moves) {
    if (index == null) {
      return;
    }
    try {
      Map<Key, AliasMove> indexed = new HashMap<>();
      index.latestMoves().forEach(move -> indexed.put(keyOf(move), move));
      boolean sound = true;
      for (AliasMove move : moves) {
        AliasMove known = indexed.get(keyOf(move));
        if (known == null || known.sequence() < move.sequence()) {
          // It refuses where its number is a higher one, of a move that it does not have.
          sound &= index.record(move) || index.latestMove(move.name(), move.alias()).isPresent();
        }
      }
      Set<AliasMove> same = Set.copyOf(moves);
      // The rest may have moved since the store was read.
      if (!sound
          || !indexed.values().stream()
              .allMatch(move -> same.contains(move) || isOfTheStore(move))) {
        LOG.warn("Redis has moves that the store does not have: rebuilding the index");
        index.rebuild(store);
      }
      redisAway = false;
    } catch (RedisException e) {
      missRedis(e);
    }
  }

  private boolean isOfTheStore(AliasMove move) {
    AliasMove latest = store.latestMove(move.name(), move.alias()).orElse(null);
    return latest != null
        && (move.equals(latest)
            || (move.sequence() < latest.sequence()
                && store.history(move.name(), move.alias()).contains(move)));
  }

  /**
   * A message only says that there is something to look at: anybody may publish one, and as many as
   * they like, so that any number of them waits for one look.
   */
  private void published() {
    if (!woken.compareAndSet(false, true)) {
      return;
    }
    try {
      thread.execute(
          () -> {
            woken.set(false); // Before the look: what is published from now on asks for another.
            attempt(() -> store.latestMoves().forEach(this::tell));
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("A move came after the watcher closed");
    }
  }

  private void tell(AliasMove move) {
    if (move.sequence() <= seen.getOrDefault(keyOf(move), 0L)) {
      return;
    }
    try {
      listener.accept(move);
      seen.put(keyOf(move), move.sequence());
      untold.remove(keyOf(move));
    } catch (RuntimeException e) {
      if (e.toString().equals(untold.put(keyOf(move), e.toString()))) {
        return;
      }
      LOG.error(
          "Cannot follow move {} of the {} of {} to {}; that is tried every {}",
          move.sequence(),
          move.alias().word(),
          move.name(),
          move.to(),
          poll,
          e);
    }
  }

  private void missRedis(RedisException e) {
    if (!redisAway) {
      LOG.warn("Redis is away; moved aliases are found on the disk within {}", poll, e);
    }
    redisAway = true;
  }

  private void unsubscribe() {
    if (subscription != null) {
      subscription.close();
      subscription = null;
    }
  }

  private static Key keyOf(AliasMove move) {
    return new Key(move.name(), move.alias());
  }
}
