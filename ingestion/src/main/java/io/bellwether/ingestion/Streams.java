package io.bellwether.ingestion;

import io.bellwether.ingestion.attribution.AttributionSettings;
import io.bellwether.ingestion.monitoring.ScrapeReporterFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attribution job in a Flink cluster inside this JVM. It continues from the newest checkpoint
 * in its data folder. Whoever starts it closes it. Thread-safe.
 */
final class Streams implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Streams.class);

  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(8);

  private final MiniCluster cluster;
  private final JobID job;
  private final Optional<Path> restoredFrom;
  private final Path checkpoints;
  private final EraseFromArchive erasures;

  private Streams(
      MiniCluster cluster,
      JobID job,
      Optional<Path> restoredFrom,
      Path checkpoints,
      EraseFromArchive erasures) {
    this.cluster = cluster;
    this.erasures = erasures;
    this.job = job;
    this.restoredFrom = restoredFrom;
    this.checkpoints = checkpoints;
  }

  /** Starts the job and returns when it runs. */
  static Streams start(StreamsOptions options, AttributionSettings settings) throws Exception {
    StreamsPlan plan = new StreamsPlan(options, settings);
    CheckpointFolder folder = new CheckpointFolder(plan.checkpoints());
    Optional<Path> newest = folder.newest();
    List<Path> leftovers = newest.map(folder::leftovers).orElse(List.of());
    LOG.info("Continuing from {}", newest.map(Path::toString).orElse("the beginning"));
    Configuration configuration = plan.configuration(newest);
    addLimits(configuration, options.stateBackend());
    options
        .metricsPort()
        .ifPresent(
            port ->
                ScrapeReporterFactory.addTo(configuration, port, options.kafka(), StreamsPlan.JOB));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    JobGraph graph =
        plan.graph(environment).getJobGraph(Streams.class.getClassLoader(), JobID.generate());

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
      JobID job = cluster.submitJob(graph).get().getJobID();
      Streams streams =
          new Streams(
              cluster,
              job,
              newest,
              plan.checkpoints(),
              EraseFromArchive.beside(options, plan.settings()));
      streams.awaitRunning();
      streams.erasures.start();
      // Not before: should the newest one be damaged, these are all that is left.
      leftovers.forEach(CheckpointFolder::delete);
      LOG.info("Job {} runs", job);
      return streams;
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  /** What a cluster inside this JVM may take and show. */
  private static void addLimits(Configuration configuration, String stateBackend) {
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(24));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(24));
    // RocksDB's caches and write buffers are in it; with less than this it would do nothing but
    // flush.
    boolean onDisk = stateBackend.equals("rocksdb");
    configuration.set(
        TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(onDisk ? 256 : 16));
    configuration.set(JobManagerOptions.ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
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
    erasures.close();
    cluster.close();
  }
}
