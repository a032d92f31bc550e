package io.bellwether.trainer.gate;

import io.bellwether.trainer.survey.StageProgress;
import io.bellwether.trainer.survey.SurveyJob;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.util.SerializedThrowable;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of one evaluation in this process, and says how far they are. Owns the small
 * cluster that they share, from the first job until {@link #close}. Confined to one thread.
 */
final class EvaluationJobs implements AutoCloseable {

  private final EvaluationFolder folder;
  private final int parallelism;
  private final long transitions;
  private final Consumer<String> progress;
  private @Nullable MiniCluster cluster;

  /**
   * @param transitions that each job reads
   */
  EvaluationJobs(
      EvaluationFolder folder, int parallelism, long transitions, Consumer<String> progress) {
    this.folder = folder;
    this.parallelism = parallelism;
    this.transitions = transitions;
    this.progress = progress;
  }

  /**
   * Looks at a log.
   *
   * @throws IOException when the source or the folder fails
   */
  void run(SurveyJob job) throws IOException {
    execute(SurveyJob.STAGE, "read", job::addTo);
  }

  /**
   * Scores a log.
   *
   * @throws TargetRefused where a policy cannot be asked about the log
   * @throws IOException when the source or the folder fails
   */
  void run(ScoringJob job) throws IOException {
    execute(ScoreParts.STAGE, "scored", job::addTo);
  }

  private void execute(String stage, String done, Consumer<StreamExecutionEnvironment> graph)
      throws IOException {
    StageProgress.clear(folder.path(), stage);
    try (StageFollower follower =
        new StageFollower(folder.path(), stage, count -> say(done, count))) {
      execute(stage, graph);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during the " + stage, e);
    } catch (Exception e) {
      throw failure(stage, e);
    } finally {
      StageProgress.clear(folder.path(), stage);
    }
  }

  private void execute(String stage, Consumer<StreamExecutionEnvironment> graph) throws Exception {
    if (cluster == null) {
      cluster = start();
    }
    try (StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration())) {
      graph.accept(environment);
      StreamGraph stream =
          PipelineExecutorUtils.getStreamGraph(environment.getStreamGraph(), configuration());
      stream.setJobName("evaluate: " + stage);
      stream.serializeUserDefinedInstances();
      JobID job = cluster.submitJob(stream).get().getJobID();
      cluster
          .requestJobResult(job)
          .get()
          .toJobExecutionResult(EvaluationJobs.class.getClassLoader());
    }
  }

  private void say(String done, long count) {
    if (transitions > 0) {
      progress.accept(
          "%s %d of %d transitions, %d %%"
              .formatted(done, count, transitions, 100 * count / transitions));
    }
  }

  private static IOException failure(String stage, Exception e) {
    Throwable cause = e;
    while (cause != null) {
      if (cause instanceof TargetRefused refused) {
        throw refused;
      }
      Throwable original =
          cause instanceof SerializedThrowable serialized
              ? serialized.deserializeError(EvaluationJobs.class.getClassLoader())
              : cause;
      cause = original == cause ? cause.getCause() : original;
    }
    return new IOException("the evaluation failed in its " + stage, e);
  }

  private MiniCluster start() throws Exception {
    Files.createDirectories(folder.spill());
    MiniCluster started =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration())
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(parallelism)
                .build());
    started.start();
    return started;
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    // Hadoop's login code does not start on Java 25; local files need none of it.
    configuration.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(CoreOptions.TMP_DIRS, folder.spill().toString());
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(128));
    // Most of what is exchanged is small, and several exchanges run side by side.
    configuration.set(NettyShuffleEnvironmentOptions.NETWORK_SORT_SHUFFLE_MIN_BUFFERS, 64);
    return configuration;
  }

  @Override
  public void close() throws IOException {
    if (cluster == null) {
      return;
    }
    try {
      cluster.closeAsync().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the jobs ended", e);
    } catch (ExecutionException e) {
      throw new IOException("the jobs did not end", e);
    } finally {
      cluster = null;
      EvaluationRuns.delete(folder.spill());
    }
  }
}
