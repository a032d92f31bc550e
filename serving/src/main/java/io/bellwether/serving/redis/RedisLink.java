package io.bellwether.serving.redis;

import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.outage.Breaker;
import io.bellwether.serving.outage.BreakerMeters;
import io.bellwether.serving.outage.Patience;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One shared connection to Redis. Every command answers within {@code bellwether.redis-timeout} or
 * fails. When several in a row fail, the connection is given up and commands fail at once, until a
 * new connection has answered; that is tried several times a second. Nothing queues meanwhile.
 *
 * <p>A thread of its own opens connections, one after another, and looks whether the store is the
 * one that was met before ({@link StoreIdentity}); callbacks of the client only count, and issue no
 * commands. Owns the client and its threads. Thread-safe.
 */
@Singleton
public final class RedisLink {

  private static final Logger LOG = Logger.getLogger(RedisLink.class);

  /** The pauses and the time to connect together stay under a second, in which we are back. */
  private static final Patience PATIENCE =
      new Patience(5, Duration.ofMillis(200), Duration.ofMillis(400));

  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
  private static final Duration RETRY = Duration.ofMillis(50);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  /** Commands that may wait for their answers at once; more would only time out. */
  private static final int MAX_WAITING = 2048;

  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  private final RedisURI uri;
  private final Duration timeout;
  private final StoreIdentity identity;
  private final Breaker breaker = new Breaker(PATIENCE, System::nanoTime);
  private final Thread opener = new Thread(this::keepOpen, "redis-opener");
  private final AtomicReference<@Nullable Line> line = new AtomicReference<>();
  private volatile @Nullable ClientResources resources;
  private volatile @Nullable RedisClient client;
  private volatile boolean settled;
  private volatile boolean closed;

  /** A connection that has answered. */
  private static final class Line {

    private final StatefulRedisConnection<String, byte[]> connection;

    /** Counted down when the connection is of no use any more. */
    private final CountDownLatch lost = new CountDownLatch(1);

    Line(StatefulRedisConnection<String, byte[]> connection) {
      this.connection = connection;
    }
  }

  RedisLink(ServingConfig config, MeterRegistry registry) {
    String address = config.redis();
    uri = RedisURI.create(address.contains("://") ? address : "redis://" + address);
    uri.setTimeout(CONNECT_TIMEOUT);
    timeout = config.redisTimeout();
    identity = new StoreIdentity(config.redisIdentity());
    opener.setDaemon(true);
    BreakerMeters.show(registry, "redis", breaker);
    Gauge.builder("bellwether.redis.wrong.store", identity, i -> i.mistaken() ? 1 : 0)
        .description("1 while the store at Redis' address is another one than before")
        .register(registry);
  }

  void start(@Observes StartupEvent event) {
    opener.start();
  }

  void stop(@Observes ShutdownEvent event) {
    closed = true;
    opener.interrupt();
    RedisClient open = client;
    if (open != null) {
      open.shutdown(Duration.ZERO, CLOSE_TIMEOUT);
    }
    ClientResources held = resources;
    if (held != null) {
      held.shutdown(0, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
  }

  /** Whether there is a connection now. */
  public boolean connected() {
    return line.get() != null;
  }

  /** Whether the first attempt to connect is over, with or without success. */
  public boolean settled() {
    return settled;
  }

  /** The values of those keys that exist, in one round trip. */
  public CompletionStage<Map<String, byte[]>> read(List<String> keys) {
    return call(commands -> commands.mget(keys.toArray(String[]::new)))
        .thenApply(
            values -> {
              Map<String, byte[]> found = new HashMap<>();
              for (KeyValue<String, byte[]> value : values) {
                value.ifHasValue(bytes -> found.put(value.getKey(), bytes));
              }
              return found;
            });
  }

  /**
   * Writes a value unless the key exists; whether it was written. A write that failed for want of
   * an answer may still happen later: then the key keeps this value, and whoever asks again gets
   * it.
   */
  public CompletionStage<Boolean> writeOnce(String key, byte[] value, Duration ttl) {
    return call(commands -> commands.set(key, value, SetArgs.Builder.nx().px(ttl)))
        .thenApply("OK"::equals);
  }

  /**
   * Some of the keys that match a pattern.
   *
   * @param cursor where to go on; {@code 0} after the last
   */
  public record Keys(List<String> keys, String cursor) {}

  /**
   * Goes on looking for keys. Whoever begins at the cursor {@code 0} and goes on until it comes
   * again has met every key that was there all the time, some of them twice.
   */
  public CompletionStage<Keys> scan(String cursor, String pattern, int about) {
    ScanArgs args = ScanArgs.Builder.matches(pattern).limit(about);
    return call(commands -> commands.scan(ScanCursor.of(cursor), args))
        .thenApply(found -> new Keys(found.getKeys(), found.getCursor()));
  }

  /** Deletes keys; how many there were. */
  public CompletionStage<Long> delete(List<String> keys) {
    return call(commands -> commands.del(keys.toArray(String[]::new)));
  }

  private <T> CompletionStage<T> call(
      Function<RedisAsyncCommands<String, byte[]>, RedisFuture<T>> command) {
    Line open = line.get();
    if (open == null) {
      return CompletableFuture.failedFuture(new RedisAwayException());
    }
    try {
      return command
          .apply(open.connection.async())
          .whenComplete((answer, failure) -> heard(open, failure));
    } catch (RedisException e) {
      heard(open, e);
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Counts an answer. That Redis refuses a command is one, too. */
  private void heard(Line open, @Nullable Throwable failure) {
    if (line.get() != open) {
      return;
    }
    if (failure == null || cause(failure) instanceof RedisCommandExecutionException) {
      breaker.succeeded();
      return;
    }
    breaker.failed();
    if (breaker.state() == Breaker.State.OPEN) {
      lose(open);
    }
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private void lose(Line open) {
    line.compareAndSet(open, null);
    open.lost.countDown();
  }

  /** The opener's life: a connection, until it is lost, and then the next. */
  private void keepOpen() {
    RedisClient opening = opened();
    boolean said = false;
    while (!closed) {
      if (!breaker.allows()) {
        pause();
        continue;
      }
      Optional<String> trouble = useUntilLost(opening, said);
      if (closed) {
        return;
      }
      if (trouble.isPresent() && !said) {
        LOG.warnf("Redis is away (%s); decisions go on without histories", trouble.get());
      }
      said = true;
      settled = true;
      pause();
    }
  }

  /** Opens a connection and waits until it is lost; why it could not be opened, if so. */
  private Optional<String> useUntilLost(RedisClient opening, boolean again) {
    StatefulRedisConnection<String, byte[]> connection = null;
    try {
      connection = opening.connect(CODEC);
      identity.check(connection.async(), CONNECT_TIMEOUT);
      Line open = new Line(connection);
      connection.addListener(loss(open));
      line.set(open);
      breaker.succeeded();
      settled = true;
      if (again) {
        LOG.info("Redis is there");
      }
      if (!connection.isOpen()) {
        lose(open);
      }
      open.lost.await();
      LOG.warn("Redis was lost; decisions go on without histories");
      return Optional.empty();
    } catch (RuntimeException | StoreIdentity.UnknownStoreException e) {
      // Whatever it is, it is tried again: without this thread Redis would stay away for ever.
      breaker.failed();
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      return Optional.empty();
    } finally {
      line.set(null);
      if (connection != null) {
        var unused = connection.closeAsync();
      }
    }
  }

  private RedisConnectionStateListener loss(Line open) {
    return new RedisConnectionStateListener() {
      @Override
      public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        lose(open);
      }
    };
  }

  private RedisClient opened() {
    ClientResources held =
        DefaultClientResources.builder().ioThreadPoolSize(2).computationThreadPoolSize(2).build();
    resources = held;
    RedisClient opening = RedisClient.create(held, uri);
    opening.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(MAX_WAITING)
            .timeoutOptions(TimeoutOptions.enabled(timeout))
            .socketOptions(
                SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT).keepAlive(true).build())
            .build());
    client = opening;
    return opening;
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY.toMillis());
    } catch (InterruptedException e) {
      // Only the end of the service interrupts, and then the loop ends.
    }
  }

  /** Redis cannot be reached now. */
  static final class RedisAwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RedisAwayException() {
      super("Redis cannot be reached now", null, false, false);
    }
  }
}
