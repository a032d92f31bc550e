package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.wire.Wire;
import io.bellwether.ingestion.wire.WireFormat;
import io.bellwether.ingestion.wire.WireType;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** What is known of decisions on its way to their subject. */
public final class ValuesWire implements WireFormat<DecisionValues> {

  public static final WireType<DecisionValues> TYPE =
      new WireType<>(DecisionValues.class, new ValuesWire());

  private static final long serialVersionUID = 1L;

  private ValuesWire() {}

  @Override
  public void write(DecisionValues values, DataOutputView out) throws IOException {
    Wire.writeText(values.surface(), out);
    Wire.writeText(values.subjectId(), out);
    Wire.writeText(values.decisionId(), out);
    out.writeBoolean(values.assigned());
    out.writeLong(values.decidedAtMicros());
    out.writeLong(values.newestMicros());
    int size = values.values().length;
    out.writeInt(size);
    for (int i = 0; i < size; i++) {
      out.writeInt(values.signals()[i]);
      out.writeInt(values.positions()[i]);
      out.writeDouble(values.values()[i]);
    }
  }

  @Override
  public DecisionValues read(DataInputView in) throws IOException {
    String surface = Wire.readText(in);
    String subjectId = Wire.readText(in);
    String decisionId = Wire.readText(in);
    boolean assigned = in.readBoolean();
    long decidedAtMicros = in.readLong();
    long newestMicros = in.readLong();
    int size = in.readInt();
    int[] signals = new int[size];
    int[] positions = new int[size];
    double[] values = new double[size];
    for (int i = 0; i < size; i++) {
      signals[i] = in.readInt();
      positions[i] = in.readInt();
      values[i] = in.readDouble();
    }
    return new DecisionValues(
        surface,
        subjectId,
        decisionId,
        assigned,
        decidedAtMicros,
        newestMicros,
        signals,
        positions,
        values);
  }
}
