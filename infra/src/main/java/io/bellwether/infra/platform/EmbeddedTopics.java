package io.bellwether.infra.platform;

import io.bellwether.ingestion.event.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/** The topics of the event contract on the embedded platform, and how they come into being. */
public final class EmbeddedTopics {
  /**
   * In production, decisions, outcomes, transitions and items have 12 partitions. On one machine
   * the jobs run with a parallelism of about its two cores; a partition beyond a few only costs
   * open files, memory and the joins' idle sources. Equal for all of them: the join is
   * co-partitioned.
   */
  private static final int DATA_PARTITIONS = 4;

  private static final int DEAD_LETTER_PARTITIONS = 3;
  private static final long TIMEOUT_SECONDS = 60;

  private EmbeddedTopics() {}

  /** The topics that this version uses. */
  public static List<Topic> all() {
    return List.of(
        Topic.kept(Topics.DECISIONS, DATA_PARTITIONS, Duration.ofDays(7)),
        Topic.kept(Topics.OUTCOMES, DATA_PARTITIONS, Duration.ofDays(7)),
        Topic.kept(Topics.TRAINING, DATA_PARTITIONS, Duration.ofDays(14)),
        Topic.compacted(Topics.ITEMS, DATA_PARTITIONS),
        Topic.kept(Topics.EXPOSURES, DATA_PARTITIONS, Duration.ofDays(7)),
        Topic.compacted(Topics.EXPERIMENT_METRICS, 1),
        Topic.compacted(Topics.ERASURES, 1),
        Topic.kept(Topics.DEAD_LETTERS, DEAD_LETTER_PARTITIONS, Duration.ofDays(30)));
  }

  /** Creates those that are absent; what exists is left as it is. */
  public static void createMissing(String bootstrap, List<Topic> topics)
      throws PlatformFailed, InterruptedException {
    Map<String, Object> client = Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    try (Admin admin = Admin.create(client)) {
      Set<String> present = admin.listTopics().names().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      List<NewTopic> missing = new ArrayList<>();
      for (Topic topic : topics) {
        if (!present.contains(topic.name())) {
          missing.add(newTopic(topic));
        }
      }
      admin.createTopics(missing).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw new PlatformFailed(
            "The topics could not be created on " + bootstrap + ": " + e.getMessage(),
            "See the platform's log.",
            e);
      }
    }
  }

  private static NewTopic newTopic(Topic topic) {
    Map<String, String> settings = new HashMap<>(topic.settings());
    // Retention counts from a record's arrival. By the producer's time, imported logs of last year
    // would be deleted as soon as they are written, and clocks that run ahead would be refused.
    settings.put("message.timestamp.type", "LogAppendTime");
    return new NewTopic(topic.name(), topic.partitions(), (short) 1).configs(settings);
  }
}
