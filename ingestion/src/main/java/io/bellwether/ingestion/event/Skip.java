package io.bellwether.ingestion.event;

import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;

/** Passes a value in Avro's binary form, looking at no more of it than where it ends. */
@FunctionalInterface
interface Skip {

  void over(EventCursor cursor) throws IOException;

  /** Passes values of a schema that does not contain itself. */
  static Skip of(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> cursor -> {};
      case BOOLEAN -> cursor -> cursor.skip(1);
      case INT -> EventCursor::readInt;
      case LONG -> EventCursor::readLong;
      case FLOAT -> cursor -> cursor.skip(Float.BYTES);
      case DOUBLE -> cursor -> cursor.skip(Double.BYTES);
      case STRING, BYTES -> EventCursor::skipLengthAndBytes;
      case FIXED -> {
        int size = schema.getFixedSize();
        yield cursor -> cursor.skip(size);
      }
      case ENUM -> {
        int symbols = schema.getEnumSymbols().size();
        yield cursor -> cursor.readIndex(symbols);
      }
      case UNION -> union(schema.getTypes().stream().map(Skip::of).toList());
      case RECORD -> all(schema.getFields().stream().map(field -> of(field.schema())).toList());
      case ARRAY -> blocks(of(schema.getElementType()));
      case MAP -> blocks(all(List.of(EventCursor::skipLengthAndBytes, of(schema.getValueType()))));
    };
  }

  private static Skip union(List<Skip> branches) {
    Skip[] each = branches.toArray(Skip[]::new);
    return cursor -> each[cursor.readIndex(each.length)].over(cursor);
  }

  private static Skip all(List<Skip> parts) {
    Skip[] each = parts.toArray(Skip[]::new);
    return cursor -> {
      for (Skip part : each) {
        part.over(cursor);
      }
    };
  }

  private static Skip blocks(Skip element) {
    return cursor -> {
      for (long left = cursor.readBlock(); left > 0; left = cursor.readBlock()) {
        for (long i = 0; i < left; i++) {
          element.over(cursor);
        }
      }
    };
  }
}
