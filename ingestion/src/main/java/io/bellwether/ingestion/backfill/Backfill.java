package io.bellwether.ingestion.backfill;

import io.bellwether.ingestion.archive.ArchiveSink;
import io.bellwether.ingestion.attribution.AttributionJob;
import io.bellwether.ingestion.attribution.AttributionSettings;
import io.bellwether.ingestion.attribution.EventTimeSettings;
import io.bellwether.ingestion.attribution.Received;
import io.bellwether.ingestion.erasure.ErasureTopic;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * Joins a range of decisions and outcomes once more, through the operators of the job that runs,
 * and writes the transitions to an archive of its own. Whoever joins live notices nothing: this
 * belongs to no consumer group, opens no transaction, writes to no topic and not to Redis, and
 * reads no faster than it may.
 *
 * <p>All that was read is held until its end, so that it does not matter in which order partitions
 * are read: the heap bounds the range. Sessions begin with the range.
 */
public final class Backfill {

  private static final Duration NEVER_IDLE = Duration.ofDays(3650);
  private static final Duration CHECKPOINTS = Duration.ofSeconds(5);

  private Backfill() {}

  /**
   * Runs it, in this process.
   *
   * @throws IOException when Kafka or the archive fails; what is in the folder then is not complete
   */
  public static void run(BackfillRequest request) throws IOException, InterruptedException {
    if (Files.exists(request.into())) {
      throw new IllegalArgumentException(
          request.into() + " is there already: a backfill fills an archive of its own");
    }
    AttributionSettings live = AttributionSettings.defaults();
    Duration outcomesFor = Duration.ZERO;
    for (Surface surface : request.surfaces().get()) {
      Duration counts = surface.longestWindow().plus(live.retention().of(surface));
      outcomesFor = counts.compareTo(outcomesFor) > 0 ? counts : outcomesFor;
    }
    OffsetRange range = OffsetRange.of(request.kafka(), request.from(), request.to(), outcomesFor);
    Configuration configuration = configuration(request.into());
    try (StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration)) {
      environment.setParallelism(1);
      new AttributionJob(
              request.surfaces(),
              source(request, range),
              new DiscardingSink<>(),
              ArchiveSink.into(request.into()),
              new DiscardingSink<>(),
              new DiscardingSink<>(),
              new DiscardingSink<>(),
              settings(live, request, outcomesFor),
              Clock.systemUTC())
          .addTo(environment);
      environment.execute("bellwether-backfill");
    } catch (IOException | InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the backfill failed", e);
    }
  }

  private static KafkaSource<Received> source(BackfillRequest request, OffsetRange range) {
    return KafkaSource.<Received>builder()
        .setBootstrapServers(request.kafka())
        .setTopics(Topics.DECISIONS, Topics.OUTCOMES)
        .setStartingOffsets(OffsetsInitializer.offsets(range.from()))
        .setBounded(OffsetsInitializer.offsets(range.until()))
        .setProperty("commit.offsets.on.checkpoint", "false")
        .setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")
        .setProperty("max.partition.fetch.bytes", "262144")
        .setProperty("fetch.max.bytes", "1048576")
        .setDeserializer(new PacedRecords(request.eventsPerSecond()))
        .build();
  }

  /** Only what is read moves event time, and an outcome waits as long as there is anything. */
  private static AttributionSettings settings(
      AttributionSettings live, BackfillRequest request, Duration outcomesFor) {
    Duration all = Duration.between(request.from(), request.to()).plus(outcomesFor);
    return new AttributionSettings(
            new EventTimeSettings(live.eventTime().disorder(), NEVER_IDLE, Duration.ZERO),
            live.retention(),
            all.plusDays(1),
            live.historyTtl(),
            live.metrics())
        .honouring(new ErasureTopic(request.kafka()));
  }

  private static Configuration configuration(Path into) {
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINTS);
    configuration.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY,
        into.toAbsolutePath()
            .resolveSibling(into.getFileName() + ".checkpoints")
            .toUri()
            .toString());
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(16));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(16));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(16));
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    configuration.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
    return configuration;
  }
}
