package io.bellwether.ingestion;

import io.bellwether.ingestion.archive.ArchiveSink;
import io.bellwether.ingestion.archive.Declarations;
import io.bellwether.ingestion.attribution.AttributionJob;
import io.bellwether.ingestion.attribution.AttributionSettings;
import io.bellwether.ingestion.attribution.KafkaEnds;
import io.bellwether.ingestion.erasure.ErasureTopic;
import io.bellwether.ingestion.redis.RedisSink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The attribution job as its options want it, wherever it will run. Immutable. */
record StreamsPlan(StreamsOptions options, AttributionSettings settings) {

  private static final Logger LOG = LoggerFactory.getLogger(StreamsPlan.class);

  StreamsPlan {
    settings = settings.honouring(new ErasureTopic(options.kafka()));
  }

  /** Name, consumer group, and beginning of the transactions' ids. */
  static final String JOB = "bellwether-attribution";

  /**
   * Fails for good when it fails this often in a short time: somebody has to look. What fails now
   * and then, or waits for a Kafka that is away, goes on for ever.
   */
  private static final int RESTARTS = 20;

  private static final Duration RESTARTS_WITHIN = Duration.ofMinutes(3);

  private static final Duration RESTART_DELAY = Duration.ofSeconds(3);

  /** A slow sink must not restart the whole job. */
  private static final int FAILED_CHECKPOINTS = 10;

  Path checkpoints() {
    return options.data().resolve("checkpoints");
  }

  /**
   * What the job asks for; a cluster's own settings come on top.
   *
   * @param newest that it continues from
   */
  Configuration configuration(Optional<Path> newest) {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, options.stateBackend());
    if (options.stateBackend().equals("rocksdb")) {
      configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    }
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints().toUri().toString());
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, options.checkpointInterval());
    configuration.set(
        CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS,
        options.checkpointInterval().dividedBy(2));
    configuration.set(
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
    configuration.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 2);
    configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, FAILED_CHECKPOINTS);

    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "failure-rate");
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_MAX_FAILURES_PER_INTERVAL, RESTARTS);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_FAILURE_RATE_INTERVAL,
        RESTARTS_WITHIN);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_DELAY, RESTART_DELAY);

    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    // Events are immutable, so that neighbours may share them.
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    configuration.setString("parallelism.default", Integer.toString(options.parallelism()));
    // Hadoop's login does not work on Java 25, and nothing here logs in.
    configuration.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
    newest.ifPresent(
        path -> {
          configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, path.toUri().toString());
          // It becomes ours, and goes when newer ones have replaced it.
          configuration.set(StateRecoveryOptions.RESTORE_MODE, RecoveryClaimMode.CLAIM);
        });
    return configuration;
  }

  /** Looks whether it can work, creates what is missing in Kafka, and adds the job. */
  void addTo(StreamExecutionEnvironment environment) throws InterruptedException {
    DeclaredSurfaces surfaces = new DeclaredSurfaces(options.surfaces().toString());
    LOG.info("Surfaces: {}", surfaces.get().stream().map(s -> s.name()).toList());
    KafkaEnds kafka = KafkaEnds.connect(options.kafka(), JOB);
    LOG.info("A transaction may stay open for {}", kafka.transactionTimeout());
    Preflight.check(options, settings, surfaces.get(), kafka.transactionTimeout());
    Path archive = options.data().resolve("archive");
    keepDeclarations(archive);
    new AttributionJob(
            surfaces,
            kafka.records(),
            kafka.transitions(),
            ArchiveSink.into(archive),
            new RedisSink(options.redis(), settings.historyTtl()),
            kafka.numbers(),
            kafka.deadLetters(),
            settings.honouring(new ErasureTopic(options.kafka())),
            Clock.systemUTC())
        .addTo(environment);
  }

  /**
   * Beside what is logged under them.
   *
   * @throws IllegalStateException where what is logged cannot follow them
   */
  private void keepDeclarations(Path archive) {
    try {
      new Declarations(archive).keepFolder(options.surfaces());
    } catch (IOException e) {
      throw new IllegalStateException(String.valueOf(e.getMessage()), e);
    }
  }

  StreamGraph graph(StreamExecutionEnvironment environment) throws InterruptedException {
    addTo(environment);
    StreamGraph graph = environment.getStreamGraph();
    graph.setJobName(JOB);
    return graph;
  }
}
