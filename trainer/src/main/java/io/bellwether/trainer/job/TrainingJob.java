package io.bellwether.trainer.job;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.RowEncoder;
import java.time.Duration;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * The graph of a training run: transitions are read and encoded in parallel, and one learner trains
 * on all of them. Bounded: it ends when the learner has left its result in the run's folder.
 *
 * @param transitions a bounded source
 * @param encoder of the feeders
 * @param task of the learner
 * @param parallelism of source and feeders
 */
record TrainingJob(
    Source<Transition, ?, ?> transitions, RowEncoder encoder, LearnerTask task, int parallelism) {

  private static final int RESTARTS = 5;
  private static final Duration RESTART_DELAY = Duration.ofSeconds(1);

  void addTo(StreamExecutionEnvironment environment) {
    new FeedingStage(transitions, encoder, parallelism)
        .addTo(environment)
        .transform("learn", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO, new Learn(task))
        .uid("learn")
        .setParallelism(1)
        .sinkTo(new DiscardingSink<>())
        .uid("end")
        .setParallelism(1);
  }

  /** What the job needs of its environment; a cluster's own settings come on top. */
  static Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    // Feeders keep nothing of a transition: a copy of each would take as long as encoding it.
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    // Hadoop's login code does not start on Java 25; local files need none of it.
    configuration.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(32));
    return configuration;
  }

  /**
   * Lets the job begin again, as far as it must, when a process of its cluster is lost. What
   * training again would not change does not fail the job, and so is not repeated.
   */
  static void surviveLosses(Configuration configuration) {
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, RESTARTS);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, RESTART_DELAY);
  }
}
