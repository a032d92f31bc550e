package io.bellwether.ingestion.event;

import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * Reads events of the current schema where they lie, which most are: not byte by byte from a stream
 * as Avro's own reader of messages does. Confined to one thread.
 */
final class EventBody<T extends SpecificRecordBase> {

  private final DatumReader<T> reader;
  private @Nullable BinaryDecoder decoder;

  EventBody(Schema schema, SpecificData model) {
    this.reader = model.createDatumReader(schema);
  }

  @SuppressWarnings("NullAway") // Avro takes null for nothing to use again.
  T read(byte[] bytes, int from, int length) throws IOException {
    decoder = DecoderFactory.get().binaryDecoder(bytes, from, length, decoder);
    return reader.read(null, decoder);
  }
}
