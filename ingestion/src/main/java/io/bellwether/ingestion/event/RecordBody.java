package io.bellwether.ingestion.event;

import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/** Reads events of any kind as their schema says. Confined to one thread. */
final class RecordBody<T extends SpecificRecordBase> implements EventBody<T> {

  private final DatumReader<T> reader;
  private @Nullable BinaryDecoder decoder;

  RecordBody(Schema schema, SpecificData model) {
    this.reader = model.createDatumReader(schema);
  }

  @Override
  @SuppressWarnings("NullAway") // Avro takes null for nothing to use again.
  public T read(byte[] bytes, int from) throws IOException {
    decoder = DecoderFactory.get().binaryDecoder(bytes, from, bytes.length - from, decoder);
    return reader.read(null, decoder);
  }
}
