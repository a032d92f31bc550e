package io.bellwether.ingestion;

import io.bellwether.ingestion.archive.ArchiveSink;
import io.bellwether.ingestion.attribution.AttributionJob;
import io.bellwether.ingestion.attribution.AttributionSettings;
import io.bellwether.ingestion.attribution.KafkaEnds;
import io.bellwether.ingestion.redis.RedisSink;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attribution job in a Flink cluster inside this JVM. It continues from the newest checkpoint
 * in its data folder. Whoever starts it closes it. Thread-safe.
 */
final class Streams implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Streams.class);

  private static final String JOB = "bellwether-attribution";

  /**
   * Fails for good when it fails this often in a short time: somebody has to look. What fails now
   * and then, or waits for a Kafka that is away, goes on for ever.
   */
  private static final int RESTARTS = 20;

  private static final Duration RESTARTS_WITHIN = Duration.ofMinutes(3);

  private static final Duration RESTART_DELAY = Duration.ofSeconds(3);

  /** A slow sink must not restart the whole job. */
  private static final int FAILED_CHECKPOINTS = 10;

  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(8);

  private final MiniCluster cluster;
  private final JobID job;
  private final Optional<Path> restoredFrom;
  private final Path checkpoints;

  private Streams(MiniCluster cluster, JobID job, Optional<Path> restoredFrom, Path checkpoints) {
    this.cluster = cluster;
    this.job = job;
    this.restoredFrom = restoredFrom;
    this.checkpoints = checkpoints;
  }

  /** Starts the job and returns when it runs. */
  static Streams start(StreamsOptions options, AttributionSettings settings) throws Exception {
    DeclaredSurfaces surfaces = new DeclaredSurfaces(options.surfaces().toString());
    LOG.info("Surfaces: {}", surfaces.get().stream().map(s -> s.name()).toList());
    KafkaEnds kafka = KafkaEnds.connect(options.kafka(), JOB);
    LOG.info("A transaction may stay open for {}", kafka.transactionTimeout());

    Path checkpoints = options.data().resolve("checkpoints");
    CheckpointFolder folder = new CheckpointFolder(checkpoints);
    Optional<Path> newest = folder.newest();
    List<Path> leftovers = newest.map(folder::leftovers).orElse(List.of());
    LOG.info("Continuing from {}", newest.map(Path::toString).orElse("the beginning"));
    Configuration configuration = configuration(options, checkpoints);
    newest.ifPresent(
        path -> configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, path.toUri().toString()));

    AttributionJob attribution =
        new AttributionJob(
            surfaces,
            kafka.records(),
            kafka.transitions(),
            ArchiveSink.into(options.data().resolve("archive")),
            new RedisSink(options.redis(), settings.historyTtl()),
            kafka.numbers(),
            kafka.deadLetters(),
            settings,
            Clock.systemUTC());
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    attribution.addTo(environment);
    StreamGraph graph = environment.getStreamGraph();
    graph.setJobName(JOB);
    JobGraph plan = graph.getJobGraph(Streams.class.getClassLoader(), JobID.generate());

    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(options.parallelism())
                .withRandomPorts()
                .build());
    try {
      cluster.start();
      JobID job = cluster.submitJob(plan).get().getJobID();
      Streams streams = new Streams(cluster, job, newest, checkpoints);
      streams.awaitRunning();
      // Not before: should the newest one be damaged, these are all that is left.
      leftovers.forEach(CheckpointFolder::delete);
      LOG.info("Job {} runs", job);
      return streams;
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  private static Configuration configuration(StreamsOptions options, Path checkpoints) {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, "hashmap");
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
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
    // The newest checkpoint becomes ours, and goes when newer ones have replaced it.
    configuration.set(StateRecoveryOptions.RESTORE_MODE, RecoveryClaimMode.CLAIM);

    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "failure-rate");
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_MAX_FAILURES_PER_INTERVAL, RESTARTS);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_FAILURE_RATE_INTERVAL,
        RESTARTS_WITHIN);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FAILURE_RATE_DELAY, RESTART_DELAY);

    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(24));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(24));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(16));

    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    // Events are immutable, so that neighbours may share them.
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    configuration.setString("parallelism.default", Integer.toString(options.parallelism()));
    // Hadoop's login does not work on Java 25, and nothing here logs in.
    configuration.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
    configuration.set(JobManagerOptions.ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
    return configuration;
  }

  private void awaitRunning() throws Exception {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    JobStatus status = status();
    while (status != JobStatus.RUNNING) {
      if (status.isGloballyTerminalState()) {
        throw new IllegalStateException(
            "the job is " + status, ended().get().getSerializedThrowable().orElse(null));
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "the job is still " + status + " after " + START_TIMEOUT.toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(50);
      status = status();
    }
  }

  JobStatus status() throws Exception {
    return cluster.getJobStatus(job).get();
  }

  String jobId() {
    return job.toHexString();
  }

  Optional<Path> restoredFrom() {
    return restoredFrom;
  }

  /** Completes when the job has ended, however it did. */
  CompletableFuture<JobResult> ended() {
    return cluster.requestJobResult(job);
  }

  /**
   * Stops in order: takes in nothing more, writes a savepoint and makes all results visible. Where
   * that takes too long, the newest checkpoint has to do.
   */
  void stop() throws Exception {
    try {
      String savepoint =
          cluster
              .stopWithSavepoint(
                  job, checkpoints.toUri().toString(), false, SavepointFormatType.NATIVE)
              .get(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      LOG.info("Stopped with {}", savepoint);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn(
          "Not stopped in order, the next start continues from a checkpoint: {}", e.toString());
      cancel();
    }
  }

  /** Ends the job as if it had been killed: nothing is finished that was begun. */
  void cancel() throws Exception {
    cluster.cancelJob(job).get(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    ended().get(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Ends the cluster, and the job where it still runs. */
  @Override
  public void close() throws Exception {
    cluster.close();
  }
}
