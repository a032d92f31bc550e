package io.bellwether.ingestion.wire;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.UndecodableEventException;
import java.io.IOException;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** Events as they stand in Kafka, with their length. */
public final class AvroWire<T extends SpecificRecordBase> implements WireFormat<T> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private transient volatile @Nullable EventCodec<T> codec;

  private AvroWire(Class<T> type) {
    this.type = type;
  }

  /** The type of a stream of events. */
  public static <T extends SpecificRecordBase> WireType<T> of(Class<T> type) {
    return new WireType<>(type, new AvroWire<>(type));
  }

  private EventCodec<T> codec() {
    EventCodec<T> known = codec;
    if (known == null) {
      known = EventCodec.of(type);
      codec = known;
    }
    return known;
  }

  @Override
  public void write(T event, DataOutputView out) throws IOException {
    Wire.writeBytes(codec().encode(event), out);
  }

  @Override
  public T read(DataInputView in) throws IOException {
    try {
      return codec().decode(Wire.readBytes(in));
    } catch (UndecodableEventException e) {
      throw new IOException(e);
    }
  }
}
