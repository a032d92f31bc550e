package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.wire.Names;
import io.bellwether.ingestion.wire.Wire;
import io.bellwether.ingestion.wire.WireFormat;
import io.bellwether.ingestion.wire.WireType;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Events on their way to what keeps state of them. */
final class EventWire implements WireFormat<Event> {

  static final WireType<Event> TYPE = new WireType<>(Event.class, new EventWire());

  private static final long serialVersionUID = 1L;

  private final Names names = new Names();

  @Override
  public void write(Event event, DataOutputView out) throws IOException {
    Received record = event.record();
    Wire.writeText(event.decisionId(), out);
    out.writeLong(event.progressMillis());
    Wire.writeText(record.topic(), out);
    out.writeInt(record.partition());
    out.writeLong(record.offset());
    out.writeLong(record.writtenAtMillis());
    Wire.writeBytesOrNull(record.key(), out);
    Wire.writeBytesOrNull(record.value(), out);
  }

  @Override
  public Event read(DataInputView in) throws IOException {
    return new Event(
        Wire.readText(in),
        in.readLong(),
        new Received(
            names.read(in),
            in.readInt(),
            in.readLong(),
            in.readLong(),
            Wire.readBytesOrNull(in),
            Wire.readBytesOrNull(in)));
  }
}
