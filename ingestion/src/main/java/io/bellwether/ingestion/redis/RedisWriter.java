package io.bellwether.ingestion.redis;

import io.lettuce.core.ClientOptions;
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
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps for each key the latest value that Redis has not confirmed, and sends it as soon as there
 * is room on the way.
 *
 * <p>While Redis is away nothing is lost for the join: values wait, a newer one replaces an older,
 * and all are tried again every {@link #RETRY}. A value that failed {@link #MAX_ATTEMPTS} times, or
 * for which there is no room, is given up and counted; the next one of its key is whole again.
 * Confined to its task's thread; answers of Redis come back to it through the mailbox. Owns its
 * client and connection.
 */
final class RedisWriter implements SinkWriter<RedisValue> {

  private static final Logger LOG = LoggerFactory.getLogger(RedisWriter.class);

  /** On the way at once: enough to keep one connection full, some 100 kB. */
  private static final int MAX_IN_FLIGHT = 256;

  /** Waiting at most: with values of a kilobyte, some 20 MB. */
  private static final int MAX_WAITING = 20_000;

  private static final int MAX_ATTEMPTS = 300;
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

  /**
   * Longer than a command may take, so that a checkpoint waits for each answer, but not for more.
   */
  private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(2);

  private final RedisURI address;
  private final ClientResources resources;
  private final RedisClient client;
  private final Duration ttl;
  private final MailboxExecutor mailbox;
  private final ProcessingTimeService timers;
  private final Counter failures;
  private final Counter givenUp;

  private final LinkedHashMap<Place, Waiting> waiting = new LinkedHashMap<>();
  private @Nullable StatefulRedisConnection<String, byte[]> connection;
  private boolean connecting;
  private boolean retryScheduled;
  private boolean away;
  private boolean missed;
  private boolean closed;
  private int inFlight;

  /** Where a value belongs. */
  private record Place(String key, String field) {

    CompletionStage<?> set(
        StatefulRedisConnection<String, byte[]> open, byte[] value, Duration ttl) {
      if (field.isEmpty()) {
        return open.async().set(key, value, SetArgs.Builder.ex(ttl));
      }
      CompletionStage<?> set = open.async().hset(key, field, value);
      // Sent at once, so that both are on the way together.
      CompletionStage<?> expiry = open.async().expire(key, ttl);
      return set.thenCombine(expiry, (one, other) -> one);
    }
  }

  private static final class Waiting {
    private byte[] value;
    private boolean sent;
    private int attempts;

    Waiting(byte[] value) {
      this.value = value;
    }
  }

  RedisWriter(
      String uri,
      Duration ttl,
      MailboxExecutor mailbox,
      ProcessingTimeService timers,
      SinkWriterMetricGroup metrics) {
    this.resources =
        DefaultClientResources.builder().ioThreadPoolSize(2).computationThreadPoolSize(2).build();
    this.address = RedisURI.create(uri);
    address.setTimeout(COMMAND_TIMEOUT);
    this.client = RedisClient.create(resources, address);
    client.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(2 * MAX_IN_FLIGHT)
            .socketOptions(SocketOptions.builder().connectTimeout(COMMAND_TIMEOUT).build())
            .timeoutOptions(TimeoutOptions.enabled(COMMAND_TIMEOUT))
            .build());
    this.ttl = ttl;
    this.mailbox = mailbox;
    this.timers = timers;
    this.failures = metrics.counter("redisFailures");
    this.givenUp = metrics.counter("valuesGivenUp");
  }

  @Override
  public void write(RedisValue value, Context context) {
    Place place = new Place(value.key(), value.field());
    Waiting known = waiting.get(place);
    if (known == null) {
      makeRoom();
      waiting.put(place, new Waiting(value.value()));
    } else {
      // One that is on the way is sent again when it has been answered.
      known.value = value.value();
      known.attempts = 0;
    }
    send();
  }

  /** Waits for the answers to what is on the way; what Redis did not take waits on. */
  @Override
  public void flush(boolean endOfInput) throws InterruptedException {
    long deadline = System.nanoTime() + FLUSH_TIMEOUT.toNanos();
    while ((inFlight > 0 || connecting || (!away && !waiting.isEmpty()))
        && System.nanoTime() < deadline) {
      mailbox.yield();
    }
  }

  @Override
  public void close() {
    closed = true;
    client.shutdown(Duration.ZERO, FLUSH_TIMEOUT);
    resources.shutdown(0, FLUSH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void makeRoom() {
    if (waiting.size() < MAX_WAITING) {
      return;
    }
    Iterator<Map.Entry<Place, Waiting>> oldest = waiting.entrySet().iterator();
    while (oldest.hasNext()) {
      if (!oldest.next().getValue().sent) {
        oldest.remove();
        givenUp.inc();
        return;
      }
    }
  }

  private void send() {
    StatefulRedisConnection<String, byte[]> open = connection;
    if (open == null) {
      connect();
      return;
    }
    if (away) {
      return; // The next retry sends.
    }
    for (Map.Entry<Place, Waiting> entry : waiting.entrySet()) {
      if (inFlight >= MAX_IN_FLIGHT) {
        return;
      }
      if (!entry.getValue().sent) {
        send(open, entry.getKey(), entry.getValue());
      }
    }
  }

  private void send(StatefulRedisConnection<String, byte[]> open, Place place, Waiting next) {
    byte[] value = next.value;
    next.sent = true;
    inFlight++;
    place
        .set(open, value, ttl)
        .whenComplete((ok, error) -> later(() -> answered(place, value, error), "redis answer"));
  }

  private void answered(Place place, byte[] value, @Nullable Throwable error) {
    inFlight--;
    Waiting next = waiting.get(place);
    if (error != null) {
      failures.inc();
      away("Redis does not take values", error);
      if (next != null) {
        next.sent = false;
        if (++next.attempts >= MAX_ATTEMPTS) {
          waiting.remove(place);
          givenUp.inc();
        }
      }
      scheduleRetry();
      return;
    }
    if (missed) {
      LOG.info("Redis takes values again, {} are waiting", waiting.size());
    }
    away = false;
    missed = false;
    if (next != null) {
      next.sent = false;
      if (next.value == value) {
        waiting.remove(place);
      }
    }
    send();
  }

  private void connect() {
    if (connecting) {
      return;
    }
    connecting = true;
    RedisCodec<String, byte[]> codec = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
    client
        .connectAsync(codec, address)
        .whenComplete((open, error) -> later(() -> connected(open, error), "redis connection"));
  }

  private void connected(
      @Nullable StatefulRedisConnection<String, byte[]> open, @Nullable Throwable error) {
    connecting = false;
    if (error != null) {
      failures.inc();
      away("Redis at " + address + " cannot be reached", error);
      scheduleRetry();
      return;
    }
    connection = open;
    away = false;
    send();
  }

  /** Says it once, however long it lasts. */
  private void away(String what, Throwable error) {
    if (!missed) {
      LOG.warn("{}, trying again every {} s: {}", what, RETRY.toSeconds(), error.toString());
    }
    missed = true;
    away = true;
  }

  private void scheduleRetry() {
    if (retryScheduled) {
      return;
    }
    retryScheduled = true;
    timers.registerTimer(timers.getCurrentProcessingTime() + RETRY.toMillis(), time -> retry());
  }

  private void retry() {
    retryScheduled = false;
    if (connection != null) {
      away = false;
    }
    send();
  }

  /** Back to the task's thread, unless the task has ended meanwhile. */
  private void later(ThrowingRunnable<Exception> step, String what) {
    try {
      mailbox.execute(
          () -> {
            if (!closed) {
              step.run();
            }
          },
          what);
    } catch (RejectedExecutionException taskHasEnded) {
      LOG.debug("{} came after the end of its task", what);
    }
  }
}
