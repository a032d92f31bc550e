package io.bellwether.ingestion.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.TestEvents;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaCompatibility.SchemaPairCompatibility;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The rule by which the three records may change: a reader one version older and one newer both
 * work. Fields are added with a default, in nested records too, and required ones are never taken
 * away. What was written under version 1 ({@code schemas/v1}, never to be edited) is read for ever.
 */
class EventEvolutionTest {

  private static final String ADDED =
      """
      {"name": "addedLater", "type": ["null", "double"], "default": null}
      """;

  private static final Decision DECISION = TestEvents.decision("d", "ä", 1_000_000);

  private static final Decision FULL_DECISION =
      Decision.newBuilder(DECISION)
          .setRawItems("[]")
          .setMode("IMPORTED")
          .setDegraded(Degraded.newBuilder().setReason("DEADLINE").setFallback("champion").build())
          .setPropensityKind("ESTIMATED")
          .setLearnable(false)
          .setSampleWeight(10)
          .setRequestDigest("r")
          .setAssignment(new Assignment("e", 2, "b", "s", 4_711, 0.5, false))
          .setActivation("DEFERRED")
          .build();

  private static final Outcome OUTCOME = TestEvents.outcome("o", "d", null, "like", 1, 1_000_000);

  private static final Transition TRANSITION =
      Transition.newBuilder()
          .setDecision(DECISION)
          .setSignals(List.of(new SignalValue("like", 0, 1.0, 2)))
          .setOutcomeCount(2)
          .setSessionId("d")
          .setStep(0)
          .setTerminated(false)
          .setTruncated(true)
          .setJoinedAtMicros(2_000_000)
          .build();

  /** Each with all its optional fields left out. */
  private static final List<SpecificRecordBase> LEAST = List.of(DECISION, OUTCOME, TRANSITION);

  /** Each with something in its optional fields. */
  private static final List<SpecificRecordBase> FULL =
      List.of(
          FULL_DECISION,
          Outcome.newBuilder(OUTCOME).setItemId("i").setProperties(Map.of("k", "v")).build(),
          Transition.newBuilder(TRANSITION)
              .setDecision(FULL_DECISION)
              .setOutsideWindow(3)
              .setNextDecisionId("e")
              .setRevision(4)
              .build());

  @TestFactory
  Stream<DynamicTest> aReaderOneVersionOlderIgnoresWhatItDoesNotKnow() {
    return forEach(
        FULL,
        record -> {
          Schema newer = changed(record.getSchema(), EventEvolutionTest::addField);
          GenericRecord written = read(encode(record), record.getSchema(), newer);
          written.put("addedLater", 3.0);

          assertEquals(record, decode(record, newer, write(written)));
        });
  }

  @TestFactory
  Stream<DynamicTest> aReaderOneVersionNewerFillsInWhatWasNotWritten() {
    return forEach(
        FULL,
        record -> {
          Schema newer = changed(record.getSchema(), EventEvolutionTest::addField);
          GenericRecord read = read(encode(record), record.getSchema(), newer);

          GenericRecord expected = read(encode(record), record.getSchema(), record.getSchema());
          assertEquals(expected.toString(), read.toString().replace(", \"addedLater\": null", ""));
          assertNotEquals(expected.toString(), read.toString());
        });
  }

  @TestFactory
  Stream<DynamicTest> whatAnOlderWriterDidNotKnowTakesItsDefault() {
    return forEach(
        LEAST,
        record -> {
          Schema older = changed(record.getSchema(), EventEvolutionTest::removeOptional);
          GenericRecord written = read(encode(record), record.getSchema(), older);

          assertEquals(record, decode(record, older, write(written)));
        });
  }

  @TestFactory
  Stream<DynamicTest> aRequiredFieldCannotBeDropped() {
    return forEach(
        LEAST,
        record ->
            record.getSchema().getFields().stream()
                .filter(field -> !field.hasDefaultValue())
                .forEach(
                    field -> {
                      Schema without =
                          changed(record.getSchema(), fields -> remove(fields, field.name()));
                      assertEquals(
                          SchemaCompatibilityType.INCOMPATIBLE,
                          compatibility(record.getSchema(), without).getType(),
                          field.name());
                    }));
  }

  @TestFactory
  Stream<DynamicTest> theSchemaOfTodayIsCompatibleWithVersionOneBothWays() {
    return forEach(
        LEAST,
        record -> {
          Schema first = versionOne(record.getSchema());
          assertCompatible(record.getSchema(), first);
          assertCompatible(first, record.getSchema());
        });
  }

  @TestFactory
  Stream<DynamicTest> theCodecReadsWhatWasWrittenUnderVersionOne() {
    return forEach(
        LEAST,
        record -> {
          Schema first = versionOne(record.getSchema());
          GenericRecord written = read(encode(record), record.getSchema(), first);

          assertEquals(record, EventCodec.of(record.getClass()).decode(write(written)));
        });
  }

  private interface Check {
    void of(SpecificRecordBase record) throws Exception;
  }

  private static Stream<DynamicTest> forEach(List<SpecificRecordBase> records, Check check) {
    return records.stream()
        .map(
            record ->
                DynamicTest.dynamicTest(record.getSchema().getName(), () -> check.of(record)));
  }

  private static void assertCompatible(Schema reader, Schema writer) {
    SchemaPairCompatibility found = compatibility(reader, writer);
    assertEquals(
        SchemaCompatibilityType.COMPATIBLE,
        found.getType(),
        () -> reader.getName() + ": " + found.getResult().getIncompatibilities());
  }

  private static SchemaPairCompatibility compatibility(Schema reader, Schema writer) {
    return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer);
  }

  /** The schema of this name as it was first written. */
  private static Schema versionOne(Schema today) throws IOException {
    Schema.Parser parser = new Schema.Parser();
    for (String name : List.of("Decision", "Outcome", "Transition")) {
      try (InputStream schema =
          EventEvolutionTest.class.getResourceAsStream("/schemas/v1/" + name + ".avsc")) {
        parser.parse(Objects.requireNonNull(schema, name));
      }
    }
    return Objects.requireNonNull(parser.getTypes().get(today.getFullName()));
  }

  @SuppressWarnings("unchecked") // A record's class is that of its own codec.
  private static byte[] encode(SpecificRecordBase record) {
    return ((EventCodec<SpecificRecordBase>) EventCodec.of(record.getClass())).encode(record);
  }

  private static SpecificRecordBase decode(
      SpecificRecordBase like, Schema otherVersion, byte[] bytes) throws Exception {
    return EventCodec.of(like.getClass(), List.of(otherVersion)).decode(bytes);
  }

  private static GenericRecord read(byte[] bytes, Schema writer, Schema reader) throws IOException {
    BinaryMessageDecoder<GenericRecord> decoder =
        new BinaryMessageDecoder<>(GenericData.get(), reader);
    decoder.addSchema(writer);
    return decoder.decode(bytes);
  }

  private static byte[] write(GenericRecord record) throws IOException {
    return new BinaryMessageEncoder<GenericRecord>(SpecificData.get(), record.getSchema())
        .encode(record)
        .array();
  }

  /** The schema after a change of the fields of every record in it. */
  private static Schema changed(Schema schema, Consumer<ArrayNode> change) {
    try {
      JsonNode json = new ObjectMapper().readTree(schema.toString());
      change(json, change);
      return new Schema.Parser().parse(json.toString());
    } catch (IOException e) {
      throw new IllegalStateException("a schema is JSON", e);
    }
  }

  private static void change(JsonNode json, Consumer<ArrayNode> change) {
    json.forEach(part -> change(part, change));
    if (json instanceof ObjectNode record && record.path("type").asText().equals("record")) {
      change.accept((ArrayNode) record.get("fields"));
    }
  }

  private static void addField(ArrayNode fields) {
    try {
      fields.add(new ObjectMapper().readTree(ADDED));
    } catch (IOException e) {
      throw new IllegalStateException("the field is JSON", e);
    }
  }

  private static void removeOptional(ArrayNode fields) {
    for (Iterator<JsonNode> each = fields.iterator(); each.hasNext(); ) {
      if (each.next().has("default")) {
        each.remove();
      }
    }
  }

  private static void remove(ArrayNode fields, String name) {
    for (Iterator<JsonNode> each = fields.iterator(); each.hasNext(); ) {
      if (each.next().path("name").asText().equals(name)) {
        each.remove();
      }
    }
  }
}
