package io.bellwether.ingestion.event;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** Reads outcomes field by field, of which there are most. Confined to one thread. */
final class OutcomeBody implements EventBody<Outcome> {

  private static final List<String> FIELDS =
      List.of(
          "outcomeId",
          "decisionId",
          "itemId",
          "signal",
          "value",
          "occurredAtMicros",
          "receivedAtMicros",
          "properties");

  private final EventCursor cursor = new EventCursor();

  OutcomeBody(Schema schema) {
    List<String> fields = schema.getFields().stream().map(Schema.Field::name).toList();
    if (!fields.equals(FIELDS)) {
      throw new IllegalStateException("outcomes have other fields: " + fields);
    }
  }

  @Override
  public Outcome read(byte[] bytes, int from) throws IOException {
    try {
      cursor.begin(bytes, from);
      return new Outcome(
          cursor.readText(),
          cursor.readText(),
          cursor.readIndex(2) == 0 ? null : cursor.readName(),
          cursor.readName(),
          cursor.readDouble(),
          cursor.readLong(),
          cursor.readLong(),
          readProperties());
    } finally {
      cursor.end();
    }
  }

  private Map<String, String> readProperties() throws IOException {
    Map<String, String> properties = new HashMap<>(0);
    for (long left = cursor.readBlock(); left > 0; left = cursor.readBlock()) {
      for (long i = 0; i < left; i++) {
        properties.put(cursor.readText(), cursor.readText());
      }
    }
    return properties;
  }
}
