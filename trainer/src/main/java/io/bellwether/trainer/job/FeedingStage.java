package io.bellwether.trainer.job;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.RowEncoder;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The part of a training run before its learner: transitions are read and encoded in parallel, and
 * leave as {@link io.bellwether.trainer.data.FeederMessage}s.
 *
 * @param transitions a bounded source
 * @param encoder of the feeders
 * @param parallelism of source and feeders
 */
public record FeedingStage(
    Source<Transition, ?, ?> transitions, RowEncoder encoder, int parallelism) {

  /** What a run needs of its environment; a cluster's own settings come on top. */
  public static Configuration configuration() {
    return TrainingJob.configuration();
  }

  public DataStream<byte[]> addTo(StreamExecutionEnvironment environment) {
    return environment
        .fromSource(
            transitions,
            WatermarkStrategy.noWatermarks(),
            "transitions",
            new AvroTypeInfo<>(Transition.class))
        .uid("transitions")
        .setParallelism(parallelism)
        .transform(
            "feed learner",
            PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
            new FeedLearner(encoder))
        .uid("feed-learner")
        .setParallelism(parallelism);
  }
}
