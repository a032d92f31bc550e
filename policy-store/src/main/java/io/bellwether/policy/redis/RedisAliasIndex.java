package io.bellwether.policy.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.PolicyStore;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An index of alias moves in Redis: the latest move of each alias, and a channel on which each
 * newer one is published.
 *
 * <p>A move enters only if its sequence is higher than that of the one which is there, in one step
 * inside Redis; so moves may be recorded late, twice or out of order. All of it can be lost and
 * {@linkplain #rebuild rebuilt} from the store.
 *
 * <p>Thread-safe. Connects at the first use and owns its client; every call ends within the timeout
 * and throws {@link RedisException} while Redis is away, at once where the connection is known to
 * be broken. It reconnects by itself.
 */
public final class RedisAliasIndex implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RedisAliasIndex.class);

  /**
   * A move is one small command at a time; more waiting ones than this mean that Redis is stuck.
   */
  private static final int MAX_WAITING_COMMANDS = 256;

  /** The least that Lettuce accepts is two of each, and moves are rare. */
  private static final int THREADS = 2;

  /* One hash tag, so that both hashes live on one node of a cluster. */
  private static final String MOVES = "{bellwether:aliases}:moves";
  private static final String SEQUENCES = "{bellwether:aliases}:sequences";
  private static final String CHANNEL = "bellwether:aliases";

  /** Sets the move and publishes it if its sequence is newer; runs on Redis 6.2. */
  private static final String SET_IF_NEWER =
      """
      local latest = redis.call('HGET', KEYS[2], ARGV[1])
      if latest and tonumber(latest) >= tonumber(ARGV[2]) then
        return 0
      end
      redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
      redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
      redis.call('PUBLISH', ARGV[4], ARGV[3])
      return 1
      """;

  private final ClientResources resources;
  private final RedisClient client;
  private @Nullable StatefulRedisConnection<String, String> connection;

  /**
   * @param address such as {@code redis://127.0.0.1:6379}
   * @param timeout for connecting and for each command
   */
  public RedisAliasIndex(String address, Duration timeout) {
    RedisURI uri = RedisURI.create(address);
    uri.setTimeout(timeout);
    resources =
        ClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .build();
    client = RedisClient.create(resources, uri);
    client.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(MAX_WAITING_COMMANDS)
            .socketOptions(SocketOptions.builder().connectTimeout(timeout).build())
            .timeoutOptions(TimeoutOptions.enabled(timeout))
            .build());
  }

  /**
   * Enters a move if it is newer than the one that is there, and publishes it.
   *
   * @return whether it was newer
   */
  public boolean record(AliasMove move) {
    Long entered =
        commands()
            .eval(
                SET_IF_NEWER,
                ScriptOutputType.INTEGER,
                new String[] {MOVES, SEQUENCES},
                field(move.name(), move.alias()),
                Long.toString(move.sequence()),
                new String(move.toBytes(), UTF_8),
                CHANNEL);
    return entered == 1;
  }

  /** The latest move of an alias that the index knows; empty where it knows none. */
  public Optional<AliasMove> latestMove(String name, Alias alias) {
    return Optional.ofNullable(commands().hget(MOVES, field(name, alias)))
        .flatMap(RedisAliasIndex::read);
  }

  /**
   * The latest move of every alias that the index knows, in no particular order. What is there and
   * is no move is as if it were not there.
   */
  public List<AliasMove> latestMoves() {
    return commands().hvals(MOVES).stream().flatMap(json -> read(json).stream()).toList();
  }

  /**
   * Makes the index what the store says, and publishes it all. What the store does not have goes:
   * an index may be ahead of a store that was restored from a copy, or be left from another one.
   * Safe while aliases move, since the store is read after the index was emptied.
   *
   * @return how many aliases of the store the index had otherwise
   */
  public int rebuild(PolicyStore store) {
    Set<AliasMove> before = Set.copyOf(latestMoves());
    commands().del(MOVES, SEQUENCES);
    int otherwise = 0;
    for (AliasMove move : store.latestMoves()) {
      record(move);
      otherwise += before.contains(move) ? 0 : 1;
    }
    return otherwise;
  }

  /**
   * Calls the listener for each move that is published from now on, on a thread of the client: it
   * must not block. Subscribes again by itself after a lost connection; what was published
   * meanwhile is lost.
   */
  Subscription subscribe(Consumer<AliasMove> listener) {
    StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub();
    connection.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            read(message).ifPresent(listener);
          }
        });
    try {
      connection.sync().subscribe(CHANNEL);
      return connection::close;
    } catch (RedisException e) {
      connection.close();
      throw e;
    }
  }

  /** A hold on the feed; closing it ends the calls. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private synchronized RedisCommands<String, String> commands() {
    if (connection == null) {
      connection = client.connect();
    }
    return connection.sync();
  }

  private static String field(String name, Alias alias) {
    return name + "/" + alias.word();
  }

  /** Anybody who reaches Redis may have written it. */
  private static Optional<AliasMove> read(String json) {
    try {
      return Optional.of(AliasMove.fromBytes(json.getBytes(UTF_8)));
    } catch (UncheckedIOException | IllegalArgumentException | NullPointerException e) {
      LOG.warn("Redis has what is not a move of an alias: {}", e.toString());
      return Optional.empty();
    }
  }
}
