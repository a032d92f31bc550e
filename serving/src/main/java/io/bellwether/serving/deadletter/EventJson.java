package io.bellwether.serving.deadletter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonFields;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;

/**
 * An event's fields as JSON, under their own names, and back: bytes are base64, numbers that are
 * none are the texts {@code NaN}, {@code Infinity} and {@code -Infinity}, what is absent is null.
 * Writing and reading gives the same event.
 */
final class EventJson {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private EventJson() {}

  /** The fields of an event. */
  static ObjectNode write(IndexedRecord event) {
    ObjectNode object = JSON.objectNode();
    for (Schema.Field field : event.getSchema().getFields()) {
      object.set(field.name(), write(event.get(field.pos()), field.schema()));
    }
    return object;
  }

  private static JsonNode write(@Nullable Object value, Schema schema) {
    if (value == null) {
      return JSON.nullNode();
    }
    return switch (schema.getType()) {
      case RECORD -> write((IndexedRecord) value);
      case UNION -> write(value, present(schema));
      case ARRAY -> {
        ArrayNode array = JSON.arrayNode();
        ((List<?>) value).forEach(each -> array.add(write(each, schema.getElementType())));
        yield array;
      }
      case MAP -> {
        ObjectNode object = JSON.objectNode();
        ((Map<?, ?>) value)
            .forEach(
                (name, each) -> object.set(name.toString(), write(each, schema.getValueType())));
        yield object;
      }
      case BYTES -> JSON.textNode(base64((ByteBuffer) value));
      case BOOLEAN -> JSON.booleanNode((boolean) value);
      case INT -> JSON.numberNode((int) value);
      case LONG -> JSON.numberNode((long) value);
      case DOUBLE -> number((double) value);
      default -> JSON.textNode(value.toString());
    };
  }

  private static JsonNode number(double value) {
    return Double.isFinite(value) ? JSON.numberNode(value) : JSON.textNode(Double.toString(value));
  }

  private static String base64(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return Base64.getEncoder().encodeToString(copy);
  }

  /** The kind of what is there, in a union with null. */
  private static Schema present(Schema union) {
    return union.getTypes().stream()
        .filter(type -> type.getType() != Schema.Type.NULL)
        .findFirst()
        .orElseThrow();
  }

  /** The fields after a merge patch (RFC 7396). Both are left as they are. */
  static ObjectNode merged(ObjectNode fields, ObjectNode patch) {
    ObjectNode merged = fields.deepCopy();
    for (Iterator<Map.Entry<String, JsonNode>> each = patch.fields(); each.hasNext(); ) {
      Map.Entry<String, JsonNode> change = each.next();
      JsonNode before = merged.path(change.getKey());
      if (change.getValue() instanceof ObjectNode inner) {
        ObjectNode within = before instanceof ObjectNode object ? object : JSON.objectNode();
        merged.set(change.getKey(), merged(within, inner));
      } else if (change.getValue().isNull()) {
        merged.remove(change.getKey());
      } else {
        merged.set(change.getKey(), change.getValue());
      }
    }
    return merged;
  }

  /**
   * The event with these fields.
   *
   * @param pointer where they stand in the request
   * @throws ProblemException 400 that names the first field that is none of this kind of event's
   */
  static IndexedRecord read(JsonNode fields, Schema schema, String pointer) {
    if (!fields.isObject()) {
      throw wrong(pointer, fields, "an object");
    }
    Iterator<String> names = fields.fieldNames();
    while (names.hasNext()) {
      String name = names.next();
      if (schema.getField(name) == null) {
        throw new ProblemException(
            Problem.at(
                Slug.UNKNOWN_FIELD,
                pointer + "/" + JsonFields.escaped(name),
                "is no field of " + schema.getName()));
      }
    }
    IndexedRecord event = (IndexedRecord) SpecificData.getForSchema(schema).newRecord(null, schema);
    for (Schema.Field field : schema.getFields()) {
      String at = pointer + "/" + field.name();
      event.put(field.pos(), value(fields.path(field.name()), field.schema(), at));
    }
    return event;
  }

  private static @Nullable Object value(JsonNode node, Schema schema, String at) {
    return switch (schema.getType()) {
      case UNION -> node.isNull() || node.isMissingNode() ? null : value(node, present(schema), at);
      case RECORD -> read(node, schema, at);
      case ARRAY -> {
        if (!node.isArray()) {
          throw wrong(at, node, "an array");
        }
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
          list.add(value(node.get(i), schema.getElementType(), at + "/" + i));
        }
        yield list;
      }
      case MAP -> {
        if (!node.isObject()) {
          throw wrong(at, node, "an object");
        }
        Map<String, @Nullable Object> map = new HashMap<>();
        node.fields()
            .forEachRemaining(
                each ->
                    map.put(
                        each.getKey(),
                        value(
                            each.getValue(),
                            schema.getValueType(),
                            at + "/" + JsonFields.escaped(each.getKey()))));
        yield map;
      }
      case ENUM -> {
        if (!node.isTextual() || !schema.getEnumSymbols().contains(node.textValue())) {
          throw wrong(at, node, "one of " + String.join(", ", schema.getEnumSymbols()));
        }
        yield SpecificData.getForSchema(schema).createEnum(node.textValue(), schema);
      }
      case BYTES -> ByteBuffer.wrap(bytes(node, at));
      case STRING -> {
        if (!node.isTextual()) {
          throw wrong(at, node, "a text");
        }
        yield node.textValue();
      }
      case BOOLEAN -> {
        if (!node.isBoolean()) {
          throw wrong(at, node, "true or false");
        }
        yield node.booleanValue();
      }
      case INT -> {
        if (!node.isIntegralNumber() || !node.canConvertToInt()) {
          throw wrong(at, node, "a whole number of 32 bits");
        }
        yield node.intValue();
      }
      case LONG -> {
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
          throw wrong(at, node, "a whole number of 64 bits");
        }
        yield node.longValue();
      }
      case DOUBLE -> number(node, at);
      default -> throw new IllegalStateException("no event has a field of " + schema.getType());
    };
  }

  private static double number(JsonNode node, String at) {
    if (node.isNumber()) {
      return node.doubleValue();
    }
    return switch (node.asText("")) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> throw wrong(at, node, "a number");
    };
  }

  /**
   * The bytes of a base64 text.
   *
   * @throws ProblemException 400 where it is none
   */
  static byte[] bytes(JsonNode node, String at) {
    try {
      if (node.isTextual()) {
        return Base64.getDecoder().decode(node.textValue());
      }
    } catch (IllegalArgumentException e) {
      // Told below.
    }
    throw wrong(at, node, "bytes in base64");
  }

  private static ProblemException wrong(String at, JsonNode found, String right) {
    return new ProblemException(
        Problem.at(
            Slug.INVALID_REQUEST, at, "is " + JsonFields.found(found) + ", must be " + right));
  }
}
