package io.bellwether.serving.redis;

import io.bellwether.serving.ServingConfig;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One shared connection to Redis. Every command answers within {@code bellwether.redis-timeout} or
 * fails; while Redis is away, commands fail at once, and half a second after its return they work
 * again. Owns the client and its threads. Thread-safe.
 */
@Singleton
public final class RedisLink {

  private static final Logger LOG = Logger.getLogger(RedisLink.class);

  private static final Duration RECONNECT_DELAY = Duration.ofMillis(500);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

  /** Commands that may wait for their answers at once; more would only time out. */
  private static final int MAX_WAITING = 2048;

  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  private final RedisURI uri;
  private final Duration timeout;
  private volatile @Nullable ClientResources resources;
  private volatile @Nullable RedisClient client;
  private volatile @Nullable StatefulRedisConnection<String, byte[]> connection;
  private volatile boolean settled;
  private volatile boolean closed;

  RedisLink(ServingConfig config) {
    String address = config.redis();
    uri = RedisURI.create(address.contains("://") ? address : "redis://" + address);
    uri.setTimeout(config.redisTimeout());
    timeout = config.redisTimeout();
  }

  void start(@Observes StartupEvent event) {
    Thread opener = new Thread(this::open, "redis-opener");
    opener.setDaemon(true);
    opener.start();
  }

  void stop(@Observes ShutdownEvent event) {
    closed = true;
    RedisClient open = client;
    if (open != null) {
      open.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
    ClientResources held = resources;
    if (held != null) {
      held.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  /** Whether there is a connection now. */
  public boolean connected() {
    StatefulRedisConnection<String, byte[]> open = connection;
    return open != null && open.isOpen();
  }

  /** Whether the first attempt to connect is over, with or without success. */
  public boolean settled() {
    return settled;
  }

  /** The values of those keys that exist, in one round trip. */
  public CompletionStage<Map<String, byte[]>> read(List<String> keys) {
    StatefulRedisConnection<String, byte[]> open = connection;
    if (open == null) {
      return away();
    }
    return open.async()
        .mget(keys.toArray(String[]::new))
        .thenApply(
            values -> {
              Map<String, byte[]> found = new HashMap<>();
              for (KeyValue<String, byte[]> value : values) {
                value.ifHasValue(bytes -> found.put(value.getKey(), bytes));
              }
              return found;
            });
  }

  /** Writes a value unless the key exists; whether it was written. */
  public CompletionStage<Boolean> writeOnce(String key, byte[] value, Duration ttl) {
    StatefulRedisConnection<String, byte[]> open = connection;
    if (open == null) {
      return away();
    }
    return open.async().set(key, value, SetArgs.Builder.nx().px(ttl)).thenApply("OK"::equals);
  }

  private static <T> CompletionStage<T> away() {
    return CompletableFuture.failedFuture(new RedisAwayException());
  }

  /** The first connection; Lettuce sees to all later ones. */
  private void open() {
    ClientResources held =
        DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .reconnectDelay(Delay.constant(RECONNECT_DELAY))
            .build();
    resources = held;
    RedisClient opening = RedisClient.create(held, uri);
    client = opening;
    opening.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(MAX_WAITING)
            .timeoutOptions(TimeoutOptions.enabled(timeout))
            .socketOptions(
                SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT).keepAlive(true).build())
            .build());
    boolean said = false;
    while (!closed) {
      try {
        connection = opening.connect(CODEC);
        settled = true;
        return;
      } catch (RuntimeException e) {
        settled = true;
        if (!said && !closed) {
          LOG.warnf("Redis is away (%s); decisions go on without histories", e.getMessage());
          said = true;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(RECONNECT_DELAY.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Redis has not been reached yet. */
  static final class RedisAwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RedisAwayException() {
      super("Redis has not been reached yet", null, false, false);
    }
  }
}
