package io.bellwether.ingestion;

import io.bellwether.ingestion.attribution.AttributionJob;
import io.bellwether.ingestion.attribution.DeadLetter;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.redis.RedisValue;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The attribution job over {@link UpgradeStory}, in this JVM, with all that comes of it. */
final class StoryJob implements AutoCloseable {

  private final MiniCluster cluster;
  private final JobID job;
  private final KeptIn<Transition> transitions;
  private final KeptIn<RedisValue> online;
  private final KeptIn<VariantNumbers> numbers;
  private final KeptIn<DeadLetter> deadLetters;

  private StoryJob(MiniCluster cluster, JobID job, String name) {
    this.cluster = cluster;
    this.job = job;
    this.transitions = new KeptIn<>(name + " transitions");
    this.online = new KeptIn<>(name + " online");
    this.numbers = new KeptIn<>(name + " numbers");
    this.deadLetters = new KeptIn<>(name + " dead letters");
  }

  /**
   * Starts it.
   *
   * @param name one per start
   * @param until how many records there are yet
   * @param backend {@code hashmap} or {@code rocksdb}
   */
  static StoryJob start(
      String name, int until, int parallelism, String backend, Optional<Path> savepoint)
      throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, backend);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(16));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(16));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(32));
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    configuration.setString("parallelism.default", Integer.toString(parallelism));
    configuration.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
    savepoint.ifPresent(
        path -> configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, path.toUri().toString()));

    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    StoryJob plan;
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(parallelism)
                .withRandomPorts()
                .build());
    cluster.start();
    try {
      JobID id = JobID.generate();
      plan = new StoryJob(cluster, id, name);
      new AttributionJob(
              UpgradeStory::surfaces,
              new GivenRecords(UpgradeStory::records, until),
              plan.transitions,
              new KeptIn<>(name + " archive"),
              plan.online,
              plan.numbers,
              plan.deadLetters,
              UpgradeStory.settings(),
              UpgradeStory.clock())
          .addTo(environment);
      cluster
          .submitJob(environment.getStreamGraph().getJobGraph(StoryJob.class.getClassLoader(), id))
          .get();
      return plan;
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
  }

  KeptIn<Transition> transitions() {
    return transitions;
  }

  KeptIn<RedisValue> online() {
    return online;
  }

  KeptIn<VariantNumbers> numbers() {
    return numbers;
  }

  KeptIn<DeadLetter> deadLetters() {
    return deadLetters;
  }

  /**
   * Throws what the job died of.
   *
   * @throws IllegalStateException where it has ended
   */
  void checkRunning() throws Exception {
    JobStatus status = cluster.getJobStatus(job).get();
    if (status.isGloballyTerminalState()) {
      throw new IllegalStateException(
          "the job is " + status,
          cluster.requestJobResult(job).get().getSerializedThrowable().orElse(null));
    }
  }

  /** Stops with a savepoint in a folder below that. */
  void stop(Path folder, SavepointFormatType format) throws Exception {
    cluster
        .stopWithSavepoint(job, folder.toUri().toString(), false, format)
        .get(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }
}
