package io.bellwether.ingestion.session;

import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.wire.Names;
import io.bellwether.ingestion.wire.Wire;
import io.bellwether.ingestion.wire.WireFormat;
import io.bellwether.ingestion.wire.WireType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Decisions and what became of them on their way to their subject. */
public final class JoinedWire implements WireFormat<JoinedDecision> {

  public static final WireType<JoinedDecision> TYPE =
      new WireType<>(JoinedDecision.class, new JoinedWire());

  private static final long serialVersionUID = 1L;

  private final Names names = new Names();

  private JoinedWire() {}

  @Override
  public void write(JoinedDecision joined, DataOutputView out) throws IOException {
    Wire.writeText(joined.surface(), out);
    Wire.writeText(joined.subjectId(), out);
    Wire.writeText(joined.decisionId(), out);
    out.writeLong(joined.decidedAtMicros());
    Wire.writeBytes(joined.decision(), out);
    out.writeBoolean(joined.closed());
    out.writeInt(joined.signals().size());
    for (SignalValue signal : joined.signals()) {
      Wire.writeText(signal.getSignal(), out);
      out.writeInt(signal.getPosition());
      out.writeDouble(signal.getValue());
      out.writeInt(signal.getOutcomes());
    }
    out.writeInt(joined.outcomeCount());
    out.writeInt(joined.outsideWindow());
    out.writeInt(joined.outcomes().size());
    for (Observation outcome : joined.outcomes()) {
      Wire.writeText(outcome.getOutcomeId(), out);
      Wire.writeText(outcome.getSignal(), out);
      out.writeInt(outcome.getPosition());
      out.writeDouble(outcome.getValue());
      out.writeLong(outcome.getOccurredAtMicros());
      out.writeLong(outcome.getReceivedAtMicros());
    }
  }

  @Override
  public JoinedDecision read(DataInputView in) throws IOException {
    return new JoinedDecision(
        names.read(in),
        Wire.readText(in),
        Wire.readText(in),
        in.readLong(),
        Wire.readBytes(in),
        in.readBoolean(),
        signals(in),
        in.readInt(),
        in.readInt(),
        outcomes(in));
  }

  private List<SignalValue> signals(DataInputView in) throws IOException {
    int size = in.readInt();
    List<SignalValue> signals = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      signals.add(new SignalValue(names.read(in), in.readInt(), in.readDouble(), in.readInt()));
    }
    return signals;
  }

  private List<Observation> outcomes(DataInputView in) throws IOException {
    int size = in.readInt();
    List<Observation> outcomes = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      outcomes.add(
          new Observation(
              Wire.readText(in),
              names.read(in),
              in.readInt(),
              in.readDouble(),
              in.readLong(),
              in.readLong()));
    }
    return outcomes;
  }
}
