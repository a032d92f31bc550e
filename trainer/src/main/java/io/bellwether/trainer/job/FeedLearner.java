package io.bellwether.trainer.job;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.FeederMessage;
import io.bellwether.trainer.data.Findings;
import io.bellwether.trainer.data.RowEncoder;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * One of the parallel feeders: checks and encodes transitions, and at its end says what it found.
 * Keeps nothing but counts.
 */
final class FeedLearner extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<Transition, byte[]>, BoundedOneInput {

  private static final long serialVersionUID = 1;

  private final RowEncoder encoder;
  private transient Findings findings = new Findings();

  FeedLearner(RowEncoder encoder) {
    this.encoder = encoder;
  }

  @Override
  public void open() throws Exception {
    super.open();
    findings = new Findings();
  }

  @Override
  public void processElement(StreamRecord<Transition> element) {
    encoder.encode(
        element.getValue(),
        row -> output.collect(new StreamRecord<>(FeederMessage.of(row))),
        findings);
  }

  @Override
  public void endInput() {
    output.collect(new StreamRecord<>(FeederMessage.of(findings)));
  }
}
