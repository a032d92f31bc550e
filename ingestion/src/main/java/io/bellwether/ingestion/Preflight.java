package io.bellwether.ingestion;

import io.bellwether.ingestion.attribution.AttributionSettings;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What would come out only after a start, as a restart loop or as lost data, and can be said before
 * it. What concerns Kafka's own settings {@link
 * io.bellwether.ingestion.attribution.KafkaEnds#connect} says.
 */
final class Preflight {

  private static final Logger LOG = LoggerFactory.getLogger(Preflight.class);

  static final String TRUSTED_PACKAGES = "org.apache.avro.SERIALIZABLE_PACKAGES";
  static final String OUR_EVENTS = "io.bellwether.ingestion.event";

  /** Two checkpoints in progress and one that fails must fit into a transaction. */
  private static final int CHECKPOINTS_IN_A_TRANSACTION = 3;

  /** As long as Kafka keeps events when we create its topics. */
  private static final Duration KEPT_IN_KAFKA = Duration.ofDays(7);

  private Preflight() {}

  /**
   * Checks all of it.
   *
   * @throws IllegalStateException naming each setting with its value, and what to change
   */
  static void check(
      StreamsOptions options,
      AttributionSettings settings,
      List<Surface> surfaces,
      Duration transactionTimeout) {
    List<String> problems = new ArrayList<>();
    Duration least = options.checkpointInterval().multipliedBy(CHECKPOINTS_IN_A_TRANSACTION);
    if (least.compareTo(transactionTimeout) > 0) {
      problems.add(
          "--checkpoint-interval is "
              + seconds(options.checkpointInterval())
              + ", but a transaction is open from one checkpoint to the next and Kafka ends it"
              + " after "
              + seconds(transactionTimeout)
              + " (transaction.max.timeout.ms): checkpoint at least every "
              + seconds(transactionTimeout.dividedBy(CHECKPOINTS_IN_A_TRANSACTION))
              + ", or raise that");
    }
    for (Surface surface : surfaces) {
      Duration kept = settings.retention().of(surface);
      if (kept.compareTo(KEPT_IN_KAFKA) > 0) {
        LOG.warn(
            "Decisions of surface '{}' are kept for {} days, and events in Kafka for {}: a start"
                + " without a checkpoint would not find the older ones again",
            surface.name(),
            kept.toDays(),
            KEPT_IN_KAFKA.toDays());
      }
    }
    if (!System.getProperty(TRUSTED_PACKAGES, "").contains(OUR_EVENTS)) {
      problems.add(
          "Avro does not trust our events: start this JVM and all TaskManagers with -D"
              + TRUSTED_PACKAGES
              + "="
              + OUR_EVENTS);
    }
    writable(options.data()).ifPresent(problems::add);
    if (!problems.isEmpty()) {
      throw new IllegalStateException(String.join("; ", problems));
    }
  }

  private static Optional<String> writable(Path folder) {
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, "preflight", ".tmp"));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "--data " + folder + " cannot be written, and every process of the job must: " + e);
    }
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() / 1000.0 + " s";
  }
}
