package io.bellwether.loadtest.learning.speed;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.loadtest.learning.speed.LearningSpeed.Feeding;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.DataSet;
import io.bellwether.trainer.data.FeederMessage;
import io.bellwether.trainer.data.LearnerColumns;
import io.bellwether.trainer.data.RowEncoder;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.job.FeedingStage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.Collector;

/**
 * Feeds the same archive, in turn, into a learner's columns and through an empty keyed pipeline, on
 * one Flink cluster in this JVM. The feeding stage runs as training runs it; the learner takes its
 * rows in and does not train. The empty pipeline is Flink's fastest way: it streams.
 *
 * @param transitions in the archive
 */
record FeedingComparison(int transitions, long seed) {
  private static final int READERS = 2;

  List<Feeding> measure(int rounds, Path folder) throws Exception {
    ArchiveSource archive = new FeedArchive(transitions, seed).write(folder);
    Configuration cluster = FeedingStage.configuration();
    List<Feeding> results = new ArrayList<>();
    try (MiniCluster flink =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(cluster)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(READERS)
                .withRandomPorts()
                .build())) {
      flink.start();
      perSecond(flink, fed(archive, true));
      perSecond(flink, empty(archive));
      for (int i = 0; i < rounds; i++) {
        double empty = perSecond(flink, empty(archive));
        double fed = perSecond(flink, fed(archive, false));
        results.add(new Feeding(fed, perSecond(flink, fed(archive, true)), empty));
      }
    }
    return results;
  }

  private double perSecond(MiniCluster flink, StreamExecutionEnvironment environment)
      throws Exception {
    long began = System.nanoTime();
    flink.executeJobBlocking(
        environment
            .getStreamGraph()
            .getJobGraph(FeedingComparison.class.getClassLoader(), JobID.generate()));
    return transitions / ((System.nanoTime() - began) / 1e9);
  }

  private StreamExecutionEnvironment fed(ArchiveSource archive, boolean ordered)
      throws IOException {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(FeedingStage.configuration());
    RowEncoder encoder = new RowEncoder(FeedArchive.surface(), Subjects.all());
    new FeedingStage(archive.forFlink(), encoder, READERS)
        .addTo(environment)
        .transform(
            "take in",
            PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
            new TakeIn(transitions, ordered))
        .setParallelism(1)
        .sinkTo(new DiscardingSink<>())
        .setParallelism(1);
    return environment;
  }

  private static StreamExecutionEnvironment empty(ArchiveSource archive) throws IOException {
    Configuration configuration = FeedingStage.configuration();
    configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    environment.setParallelism(READERS);
    environment
        .fromSource(
            archive.forFlink(),
            WatermarkStrategy.noWatermarks(),
            "transitions",
            new AvroTypeInfo<>(Transition.class))
        .keyBy(Transition::getSessionId)
        .process(new Nothing())
        .sinkTo(new DiscardingSink<>());
    return environment;
  }

  private static final class Nothing extends KeyedProcessFunction<String, Transition, byte[]> {
    private static final long serialVersionUID = 1;

    @Override
    public void processElement(Transition transition, Context context, Collector<byte[]> out) {}
  }

  /**
   * A learner that has everything that it learns from, and stops there: before the rows are put
   * into order and columns, or after it. Emits nothing.
   */
  private static final class TakeIn extends AbstractStreamOperator<byte[]>
      implements OneInputStreamOperator<byte[], byte[]>, BoundedOneInput {
    private static final long serialVersionUID = 1;

    private final int expected;
    private final boolean ordered;
    private transient DataSet data = new DataSet();
    private transient long messages;

    TakeIn(int expected, boolean ordered) {
      this.expected = expected;
      this.ordered = ordered;
    }

    @Override
    public void open() throws Exception {
      super.open();
      data = new DataSet();
    }

    @Override
    public void processElement(StreamRecord<byte[]> element) {
      messages++;
      FeederMessage.deliver(element.getValue(), data);
    }

    @Override
    public void endInput() {
      // Each feeder's last message is what it found.
      long rows = ordered ? LearnerColumns.of(data.link()).rows() : messages - READERS;
      if (rows != expected) {
        throw new IllegalStateException(rows + " rows of " + expected + " transitions");
      }
    }
  }
}
