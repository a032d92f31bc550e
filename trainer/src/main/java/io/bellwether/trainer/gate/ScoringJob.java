package io.bellwether.trainer.gate;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.scoring.DecisionSeed;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.OutputTag;

/**
 * The graph that scores a log: parts are read and scored in parallel, decisions that have several
 * transitions are settled first, and one task writes all of them as columns, another the support.
 * Bounded: it ends when both are in the run's folder.
 *
 * @param parallelism changes nothing but the speed
 */
record ScoringJob(ScoringTask task, int parallelism) {

  private static final TypeInformation<byte[]> BYTES =
      PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;

  void addTo(StreamExecutionEnvironment environment) {
    OutputTag<Transition> contested =
        new OutputTag<>("contested", new AvroTypeInfo<>(Transition.class));
    OutputTag<byte[]> support = new OutputTag<>("support", BYTES);
    List<Integer> parts = IntStream.range(0, task.parts().size()).boxed().toList();
    SingleOutputStreamOperator<byte[]> scored =
        environment
            .fromData(parts, Types.INT)
            .uid("parts")
            .rebalance()
            .transform("score parts", BYTES, new ScoreParts(task, contested, support))
            .uid("score-parts")
            .setParallelism(parallelism);
    SingleOutputStreamOperator<byte[]> settled =
        scored
            .getSideOutput(contested)
            .keyBy(
                transition -> DecisionSeed.seedOf(transition.getDecision().getDecisionId()),
                Types.LONG)
            .transform("score contested", BYTES, new ScoreContested(task, support))
            .uid("score-contested")
            .setParallelism(1);
    scored
        .union(settled)
        .keyBy(WriteColumns::unitOf, Types.LONG)
        .transform("write columns", BYTES, new WriteColumns(task.columns(), task.folder()))
        .uid("write-columns")
        .setParallelism(1)
        .sinkTo(new DiscardingSink<>())
        .uid("columns-end")
        .setParallelism(1);
    scored
        .getSideOutput(support)
        .union(settled.getSideOutput(support))
        .transform("collect support", BYTES, new CollectSupport(task.folder()))
        .uid("collect-support")
        .setParallelism(1)
        .sinkTo(new DiscardingSink<>())
        .uid("support-end")
        .setParallelism(1);
  }
}
