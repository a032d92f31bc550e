package io.bellwether.loadtest.ingestion;

import io.bellwether.ingestion.archive.ArchiveSink;
import io.bellwether.ingestion.attribution.AttributionJob;
import io.bellwether.ingestion.attribution.AttributionSettings;
import io.bellwether.ingestion.attribution.EventTimeSettings;
import io.bellwether.ingestion.attribution.KafkaEnds;
import io.bellwether.ingestion.attribution.Received;
import io.bellwether.ingestion.metrics.MetricsSettings;
import io.bellwether.ingestion.redis.RedisSink;
import io.bellwether.ingestion.session.Retention;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.util.Collector;

/** A Flink cluster of two slots in this JVM, and the jobs that are compared on it. */
final class LocalCluster implements AutoCloseable {

  private static final Duration DEADLINE = Duration.ofHours(6);

  private static final int ATTEMPTS = 3;

  /** As on one machine. */
  private static final Duration VISIBLE_EACH = Duration.ofSeconds(1);

  private final MiniCluster cluster;

  private LocalCluster(MiniCluster cluster) {
    this.cluster = cluster;
  }

  static LocalCluster start() throws Exception {
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration())
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(RecordSource.READERS)
                .withRandomPorts()
                .build());
    cluster.start();
    return new LocalCluster(cluster);
  }

  private static Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, "hashmap");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(24));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(24));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(16));
    configuration.setString("parallelism.default", Integer.toString(RecordSource.READERS));
    configuration.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
    return configuration;
  }

  /** Source, shuffle by key, and nothing. */
  static JobGraph emptyPipeline(Source<Received, ?, ?> records) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration());
    environment
        .fromSource(records, WatermarkStrategy.noWatermarks(), "events")
        .keyBy(LocalCluster::key)
        .process(new Nothing())
        .sinkTo(new DiscardingSink<>());
    return graph(environment);
  }

  private static String key(Received record) {
    byte[] key = record.key();
    return key == null ? "" : new String(key, StandardCharsets.UTF_8);
  }

  private static final class Nothing extends KeyedProcessFunction<String, Received, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public void processElement(Received record, Context context, Collector<Long> out) {}
  }

  /** The whole job, its transitions in the ledger of the run and all else thrown away. */
  static JobGraph join(EventPlan plan, Source<Received, ?, ?> records, String run) {
    return join(plan, records, run, configuration());
  }

  /** The job as production has it, from Kafka to Kafka, Redis and an archive. */
  static JobGraph joinOf(EventPlan plan, StreamsUnderTest system, Path work) throws Exception {
    KafkaEnds kafka = KafkaEnds.connect(system.kafka(), "bench");
    Configuration configuration =
        checkpointed(Files.createDirectories(work.resolve("checkpoints")), VISIBLE_EACH);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    new AttributionJob(
            new BenchSurface(),
            kafka.records(),
            kafka.transitions(),
            ArchiveSink.into(work.resolve("archive")),
            new RedisSink(system.redis(), settings().historyTtl()),
            kafka.numbers(),
            kafka.deadLetters(),
            settings(),
            ended(plan))
        .addTo(environment);
    return graph(environment);
  }

  /** The same with a checkpoint each interval, from a checkpoint where one is given. */
  static JobGraph checkpointedJoin(
      EventPlan plan,
      Source<Received, ?, ?> records,
      String run,
      Path checkpoints,
      Duration interval,
      Optional<Path> from) {
    Configuration configuration = checkpointed(checkpoints, interval);
    from.ifPresent(
        path -> configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, path.toUri().toString()));
    return join(plan, records, run, configuration);
  }

  private static Configuration checkpointed(Path checkpoints, Duration interval) {
    Configuration configuration = configuration();
    configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
    configuration.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 1);
    configuration.set(StateRecoveryOptions.RESTORE_MODE, RecoveryClaimMode.CLAIM);
    return configuration;
  }

  private static JobGraph join(
      EventPlan plan, Source<Received, ?, ?> records, String run, Configuration configuration) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    new AttributionJob(
            new BenchSurface(),
            records,
            new LedgerSink(run),
            new DiscardingSink<>(),
            new DiscardingSink<>(),
            new DiscardingSink<>(),
            new DiscardingSink<>(),
            settings(),
            ended(plan))
        .addTo(environment);
    return graph(environment);
  }

  private static Clock ended(EventPlan plan) {
    return Clock.fixed(Instant.EPOCH.plus(plan.endMicros(), ChronoUnit.MICROS), ZoneOffset.UTC);
  }

  /** As in production, but that no partition is ever idle: the plan's time is not the wall's. */
  private static AttributionSettings settings() {
    AttributionSettings defaults = AttributionSettings.defaults();
    return new AttributionSettings(
        new EventTimeSettings(Duration.ofSeconds(4), Duration.ofDays(30), Duration.ZERO),
        new Retention(Duration.ofSeconds(60)),
        defaults.patience(),
        defaults.historyTtl(),
        MetricsSettings.defaults());
  }

  private static JobGraph graph(StreamExecutionEnvironment environment) {
    StreamGraph graph = environment.getStreamGraph();
    return graph.getJobGraph(LocalCluster.class.getClassLoader(), JobID.generate());
  }

  /** Runs a bounded job to its end. */
  void run(JobGraph job) throws Exception {
    cluster.executeJobBlocking(job);
  }

  JobID start(JobGraph job) throws Exception {
    return cluster.submitJob(job).get().getJobID();
  }

  /**
   * Waits, at most that long, for a job's end.
   *
   * @return whether it has ended, which it must have done well
   */
  boolean endsWithin(JobID job, Duration time) throws Exception {
    long deadline = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < deadline) {
      JobStatus status = cluster.getJobStatus(job).get();
      if (status.isGloballyTerminalState()) {
        end(job);
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return false;
  }

  /** Waits for a job's end. */
  void end(JobID job) throws Exception {
    JobResult result =
        cluster.requestJobResult(job).get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    result.getSerializedThrowable().ifPresent(LocalCluster::rethrow);
  }

  private static void rethrow(Throwable failure) {
    throw new IllegalStateException("the job failed", failure);
  }

  /** Ends a job as a crash would. */
  void cancel(JobID job) throws Exception {
    cluster.cancelJob(job).get();
    cluster.requestJobResult(job).get();
  }

  /** The bytes of everything that a job holds now. */
  long stateBytes(JobID job, Path checkpoints) throws Exception {
    for (int attempt = 1; ; attempt++) {
      cluster.triggerCheckpoint(job, CheckpointType.FULL).get();
      Path newest = newestCheckpoint(checkpoints).orElseThrow();
      try (Stream<Path> files = Files.walk(newest)) {
        return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
      } catch (NoSuchFileException | UncheckedIOException replaced) {
        // Its files went while they were listed: take another.
        if (attempt == ATTEMPTS) {
          throw replaced;
        }
      }
    }
  }

  /** The newest complete checkpoint of any job in a folder. */
  static Optional<Path> newestCheckpoint(Path checkpoints) throws IOException {
    if (!Files.isDirectory(checkpoints)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(checkpoints, 3)) {
      return files
          .filter(file -> file.endsWith("_metadata"))
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .map(file -> file.toAbsolutePath().getParent());
    }
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }
}
