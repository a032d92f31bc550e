package io.bellwether.serving.rollout;

import io.bellwether.ingestion.event.Topics;
import io.bellwether.serving.ServingConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Which one of the replicas moves rollouts: whoever holds the partition of the experiments' numbers
 * in a consumer group. It holds the partition and reads nothing from it.
 *
 * <p>Leadership only saves double work. A replica that was paused or cut off may believe for a
 * moment that it still leads; what it then appends is refused by the journal. Owns its thread and
 * its consumer. Thread-safe.
 */
@Singleton
final class Leadership {

  private static final Logger LOG = Logger.getLogger(Leadership.class);

  static final String GROUP = "bellwether-rollout";

  /** The shortest that a broker allows by default. */
  private static final Duration SESSION = Duration.ofSeconds(6);

  private static final Duration HEARTBEAT = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration RETRY = Duration.ofMillis(300);
  private static final long JOIN_MILLIS = 2000;
  private static final TopicPartition OFFICE = new TopicPartition(Topics.EXPERIMENT_METRICS, 0);

  private final ServingConfig config;
  private final Thread thread = new Thread(this::run, "rollout-leadership");
  private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;

  /** By the monotonic clock: a time of day that is set back must not make an office last. */
  private volatile @Nullable Long provenAtNanos;

  private volatile boolean closed;
  private boolean held;

  Leadership(ServingConfig config) {
    this.config = config;
    thread.setDaemon(true);
  }

  void start(@Observes StartupEvent event) {
    thread.start();
  }

  void stop(@Observes ShutdownEvent event) throws InterruptedException {
    closed = true;
    KafkaConsumer<byte[], byte[]> open = consumer;
    if (open != null) {
      // Not interrupted: the consumer would then fail to leave its group.
      open.wakeup();
    }
    thread.join(JOIN_MILLIS);
  }

  /** Whether this replica held the office within the last session timeout. */
  boolean leads() {
    Long proven = provenAtNanos;
    return !closed && proven != null && System.nanoTime() - proven < SESSION.toNanos();
  }

  private void run() {
    while (!closed) {
      try (KafkaConsumer<byte[], byte[]> opened = new KafkaConsumer<>(properties())) {
        consumer = opened;
        opened.subscribe(List.of(Topics.EXPERIMENT_METRICS));
        while (!closed) {
          opened.poll(POLL);
          opened.pause(opened.assignment());
          observe(opened.assignment().contains(OFFICE), secondsSinceHeartbeat(opened));
        }
      } catch (WakeupException e) {
        return;
      } catch (RuntimeException e) {
        // Of whatever kind: without this thread this replica would never lead again.
        observe(false, 0);
        if (!closed) {
          LOG.debug("leadership starts again", e);
          pause();
        }
      }
    }
  }

  /** A group's member keeps its assignment while the broker is silent; then it proves nothing. */
  private void observe(boolean holds, double secondsSinceHeartbeat) {
    if (holds && secondsSinceHeartbeat < SESSION.toSeconds()) {
      provenAtNanos = System.nanoTime();
    } else if (!holds) {
      provenAtNanos = null;
    }
    if (holds != held) {
      held = holds;
      LOG.info(holds ? "this replica leads rollouts" : "this replica does not lead rollouts");
    }
  }

  /** 0 before the first one: joining the group was proof enough. */
  private static double secondsSinceHeartbeat(KafkaConsumer<byte[], byte[]> opened) {
    for (Map.Entry<MetricName, ? extends Metric> each : opened.metrics().entrySet()) {
      if (each.getKey().name().equals("last-heartbeat-seconds-ago")
          && each.getValue().metricValue() instanceof Number seconds) {
        return Math.max(0, seconds.doubleValue());
      }
    }
    return 0;
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafka());
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, "bellwether-serving-rollout");
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, GROUP);
    properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) SESSION.toMillis());
    properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, (int) HEARTBEAT.toMillis());
    // A replica that joins takes nothing from the one that leads.
    properties.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5000);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 4000);
    // A topic that does not exist yet is looked for this often.
    properties.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 5000);
    properties.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    properties.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    properties.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    return properties;
  }
}
