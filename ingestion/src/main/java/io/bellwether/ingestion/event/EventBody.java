package io.bellwether.ingestion.event;

import java.io.IOException;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Reads events of the current schema where they lie, which most are: not byte by byte from a stream
 * as Avro's own reader of messages does. Confined to one thread.
 */
@FunctionalInterface
interface EventBody<T extends SpecificRecordBase> {

  /** The event whose body begins at this place. */
  T read(byte[] bytes, int from) throws IOException;
}
