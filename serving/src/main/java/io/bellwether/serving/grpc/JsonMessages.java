package io.bellwether.serving.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Messages as the JSON of the REST interface, and back, by the names of their fields. Fields that
 * are not set are left out, so that whoever reads the JSON says what is missing. One message has
 * one JSON, byte for byte: members of a {@link Struct}, whose order on the wire is any, are sorted.
 * A refinement of the proto3 JSON mapping: whole numbers of a {@link Value} are written as such,
 * {@code int64} is a number, and what the mapping would drop (unknown fields) or put into a text
 * (NaN) is refused.
 */
final class JsonMessages {

  /** The years 1 to 9999, the range of a {@link Timestamp}. */
  private static final long MIN_SECONDS = -62_135_596_800L;

  private static final long MAX_SECONDS = 253_402_300_799L;
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  /** Whole numbers up to here are exact in a double. */
  private static final double MAX_EXACT = 1L << 53;

  private static final int TYPICAL_BYTES = 1024;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .build();

  private JsonMessages() {}

  /**
   * A request's JSON.
   *
   * @throws ProblemException where the message holds what JSON cannot
   */
  static byte[] json(Message message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_BYTES);
    try (JsonGenerator generator = FACTORY.createGenerator(bytes)) {
      write(message, generator);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written to", e);
    }
    return bytes.toByteArray();
  }

  private static void write(Message message, JsonGenerator to) throws IOException {
    if (message instanceof Struct struct) {
      writeStruct(struct, to);
    } else if (message instanceof Value value) {
      writeValue(value, to);
    } else if (message instanceof Timestamp time) {
      to.writeString(instant(time, to).toString());
    } else {
      to.writeStartObject();
      refuseUnknown(message, to);
      for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
        writeField(message, field, to);
      }
      to.writeEndObject();
    }
  }

  private static void writeField(Message message, FieldDescriptor field, JsonGenerator to)
      throws IOException {
    if (field.isRepeated()) {
      List<?> elements = (List<?>) message.getField(field);
      if (elements.isEmpty()) {
        return;
      }
      to.writeArrayFieldStart(field.getJsonName());
      for (Object element : elements) {
        writeScalarOrMessage(element, to);
      }
      to.writeEndArray();
    } else if (message.hasField(field)) {
      to.writeFieldName(field.getJsonName());
      writeScalarOrMessage(message.getField(field), to);
    }
  }

  private static void writeScalarOrMessage(Object value, JsonGenerator to) throws IOException {
    if (value instanceof Message nested) {
      write(nested, to);
    } else if (value instanceof String text) {
      to.writeString(text);
    } else if (value instanceof Boolean flag) {
      to.writeBoolean(flag);
    } else if (value instanceof Integer number) {
      to.writeNumber(number);
    } else if (value instanceof Long number) {
      to.writeNumber(number);
    } else if (value instanceof Double number) {
      writeNumber(number, to);
    } else {
      throw new IllegalStateException("a request with a field of " + value.getClass());
    }
  }

  private static void writeStruct(Struct struct, JsonGenerator to) throws IOException {
    to.writeStartObject();
    refuseUnknown(struct, to);
    for (Map.Entry<String, Value> member : new TreeMap<>(struct.getFieldsMap()).entrySet()) {
      to.writeFieldName(member.getKey());
      writeValue(member.getValue(), to);
    }
    to.writeEndObject();
  }

  private static void writeValue(Value value, JsonGenerator to) throws IOException {
    refuseUnknown(value, to);
    switch (value.getKindCase()) {
      case NUMBER_VALUE -> writeNumber(value.getNumberValue(), to);
      case STRING_VALUE -> to.writeString(value.getStringValue());
      case BOOL_VALUE -> to.writeBoolean(value.getBoolValue());
      case STRUCT_VALUE -> writeStruct(value.getStructValue(), to);
      case LIST_VALUE -> writeList(value.getListValue(), to);
      case NULL_VALUE, KIND_NOT_SET -> to.writeNull();
    }
  }

  private static void writeList(ListValue list, JsonGenerator to) throws IOException {
    to.writeStartArray();
    refuseUnknown(list, to);
    for (Value element : list.getValuesList()) {
      writeValue(element, to);
    }
    to.writeEndArray();
  }

  private static void writeNumber(double number, JsonGenerator to) throws IOException {
    if (!Double.isFinite(number)) {
      throw refused(Slug.VALUE_OUT_OF_RANGE, to, "is " + number + ", must be finite");
    }
    boolean negativeZero = number == 0 && 1 / number < 0;
    if (number == Math.rint(number) && Math.abs(number) <= MAX_EXACT && !negativeZero) {
      to.writeNumber((long) number);
    } else {
      to.writeNumber(number);
    }
  }

  private static Instant instant(Timestamp time, JsonGenerator to) {
    refuseUnknown(time, to);
    if (time.getSeconds() < MIN_SECONDS
        || time.getSeconds() > MAX_SECONDS
        || time.getNanos() < 0
        || time.getNanos() >= NANOS_PER_SECOND) {
      throw refused(
          Slug.VALUE_OUT_OF_RANGE,
          to,
          "is %d s and %d ns, must be a time in the years 1 to 9999"
              .formatted(time.getSeconds(), time.getNanos()));
    }
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }

  private static void refuseUnknown(Message message, JsonGenerator at) {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      throw refused(
          Slug.UNKNOWN_FIELD,
          at,
          "has field %d, which this version does not know"
              .formatted(message.getUnknownFields().asMap().keySet().iterator().next()));
    }
  }

  private static ProblemException refused(Slug slug, JsonGenerator at, String detail) {
    return new ProblemException(
        Problem.at(slug, "#" + at.getOutputContext().pathAsPointer(), detail));
  }

  /** Fills a message from an answer's JSON; fails where a member is of another type. */
  static <B extends Message.Builder> B read(JsonNode json, B into) {
    for (FieldDescriptor field : into.getDescriptorForType().getFields()) {
      JsonNode value = json.path(field.getJsonName());
      if (value.isMissingNode() || value.isNull()) {
        continue;
      }
      if (field.isRepeated()) {
        for (JsonNode element : value) {
          into.addRepeatedField(field, value(field, element, into));
        }
      } else {
        into.setField(field, value(field, value, into));
      }
    }
    return into;
  }

  private static Object value(FieldDescriptor field, JsonNode json, Message.Builder into) {
    return switch (field.getJavaType()) {
      case INT -> json.intValue();
      case LONG -> json.longValue();
      case FLOAT -> json.floatValue();
      case DOUBLE -> json.doubleValue();
      case BOOLEAN -> json.booleanValue();
      case STRING -> wellFormed(json.textValue());
      case MESSAGE -> message(json, into.newBuilderForField(field));
      default -> throw new IllegalStateException("an answer with a field of " + field.getType());
    };
  }

  /** The text with what a message cannot hold, halves of characters, replaced. */
  static String wellFormed(String text) {
    return new String(text.getBytes(UTF_8), UTF_8);
  }

  private static Message message(JsonNode json, Message.Builder into) {
    if (into instanceof Timestamp.Builder time) {
      Instant instant = Instant.parse(json.textValue());
      return time.setSeconds(instant.getEpochSecond()).setNanos(instant.getNano()).build();
    }
    if (into instanceof Struct.Builder struct) {
      return struct(json, struct);
    }
    if (into instanceof Value.Builder any) {
      return any(json, any);
    }
    return read(json, into).build();
  }

  private static Struct struct(JsonNode json, Struct.Builder into) {
    json.properties()
        .forEach(
            member -> into.putFields(member.getKey(), any(member.getValue(), Value.newBuilder())));
    return into.build();
  }

  private static Value any(JsonNode json, Value.Builder into) {
    return switch (json.getNodeType()) {
      case NUMBER -> into.setNumberValue(json.doubleValue()).build();
      case STRING -> into.setStringValue(wellFormed(json.textValue())).build();
      case BOOLEAN -> into.setBoolValue(json.booleanValue()).build();
      case OBJECT -> into.setStructValue(struct(json, Struct.newBuilder())).build();
      case ARRAY -> {
        ListValue.Builder list = ListValue.newBuilder();
        json.forEach(element -> list.addValues(any(element, Value.newBuilder())));
        yield into.setListValue(list).build();
      }
      default -> into.setNullValueValue(0).build();
    };
  }
}
