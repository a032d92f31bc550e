package io.bellwether.trainer.survey;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.OutputTag;

/**
 * The graph of a survey: parts are read and checked in parallel, mentions of one decision meet and
 * are settled, and one task collects. Bounded: it ends when the survey is in the run's folder.
 *
 * @param parallelism changes nothing but the speed
 */
public record SurveyJob(SurveyTask task, int parallelism) {

  /** Under this name its tasks count what they have read. */
  public static final String STAGE = SurveyParts.STAGE;

  private static final TypeInformation<byte[]> BYTES =
      PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;

  /** Adds the graph to an environment. */
  public void addTo(StreamExecutionEnvironment environment) {
    OutputTag<byte[]> reports = new OutputTag<>("reports", BYTES);
    List<Integer> parts = IntStream.range(0, task.parts().size()).boxed().toList();
    SingleOutputStreamOperator<byte[]> mentions =
        environment
            .fromData(parts, Types.INT)
            .uid("parts")
            .rebalance()
            .transform("survey parts", BYTES, new SurveyParts(task, reports))
            .uid("survey-parts")
            .setParallelism(parallelism);
    mentions
        .keyBy(Mention::keyOf, Types.LONG)
        .transform("settle revisions", BYTES, new SettleRevisions())
        .uid("settle-revisions")
        .setParallelism(parallelism)
        .union(mentions.getSideOutput(reports))
        .transform("collect survey", BYTES, new CollectSurvey(task))
        .uid("collect-survey")
        .setParallelism(1)
        .sinkTo(new DiscardingSink<>())
        .uid("end")
        .setParallelism(1);
  }
}
