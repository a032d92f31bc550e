package io.bellwether.ingestion.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.junit.jupiter.api.Test;

class EventCodecTest {

  private static final EventCodec<Outcome> OUTCOMES = EventCodec.of(Outcome.class);

  private static final Outcome LIKE =
      Outcome.newBuilder()
          .setOutcomeId("o1")
          .setDecisionId("d1")
          .setItemId("ä/1")
          .setSignal("like")
          .setValue(1)
          .setOccurredAtMicros(1_000)
          .setReceivedAtMicros(2_000)
          .build();

  @Property
  void everyOutcomeReadsBackEqual(
      @ForAll String id, @ForAll double value, @ForAll long at, @ForAll String property)
      throws Exception {
    Outcome outcome =
        Outcome.newBuilder(LIKE)
            .setOutcomeId(id)
            .setValue(value)
            .setOccurredAtMicros(at)
            .setProperties(Map.of("k", property))
            .build();

    assertEquals(outcome, OUTCOMES.decode(OUTCOMES.encode(outcome)));
  }

  @Test
  void aReaderOneVersionOlderIgnoresWhatItDoesNotKnow() throws Exception {
    Schema newer = withField("weight", "{\"name\":\"weight\",\"type\":\"double\",\"default\":1.0}");
    GenericRecord written = generic(newer);
    written.put("weight", 3.0);
    byte[] bytes =
        new BinaryMessageEncoder<GenericRecord>(GenericData.get(), newer).encode(written).array();

    Outcome read = EventCodec.of(Outcome.class, List.of(newer)).decode(bytes);

    assertEquals(LIKE, read);
  }

  @Test
  void aReaderOneVersionNewerFillsInWhatWasNotWritten() throws Exception {
    Schema newer = withField("weight", "{\"name\":\"weight\",\"type\":\"double\",\"default\":1.0}");
    BinaryMessageDecoder<GenericRecord> decoder =
        new BinaryMessageDecoder<>(GenericData.get(), newer);
    decoder.addSchema(Outcome.getClassSchema());

    GenericRecord read = decoder.decode(OUTCOMES.encode(LIKE));

    assertEquals(1.0, read.get("weight"));
    assertEquals("like", read.get("signal").toString());
  }

  @Test
  void optionalFieldsMayBeMissingInWhatAnOlderWriterWrote() throws Exception {
    Schema older = without("itemId");
    byte[] bytes =
        new BinaryMessageEncoder<GenericRecord>(GenericData.get(), older)
            .encode(generic(older))
            .array();

    assertNull(EventCodec.of(Outcome.class, List.of(older)).decode(bytes).getItemId());
  }

  @Test
  void aRequiredFieldCannotBeDropped() {
    assertEquals(
        SchemaCompatibility.SchemaCompatibilityType.INCOMPATIBLE,
        SchemaCompatibility.checkReaderWriterCompatibility(
                Outcome.getClassSchema(), without("decisionId"))
            .getType());
  }

  @Test
  void garbageIsUndecodable() {
    assertThrows(UndecodableEventException.class, () -> OUTCOMES.decode(new byte[0]));
    assertThrows(
        UndecodableEventException.class,
        () -> OUTCOMES.decode("a plaintext message".getBytes(UTF_8)));
    byte[] cut = OUTCOMES.encode(LIKE);
    assertThrows(
        UndecodableEventException.class, () -> OUTCOMES.decode(Arrays.copyOf(cut, cut.length - 3)));
  }

  private static GenericRecord generic(Schema schema) {
    GenericRecord record = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      Schema.Field known = Outcome.getClassSchema().getField(field.name());
      if (known != null) {
        record.put(field.name(), LIKE.get(known.pos()));
      }
    }
    return record;
  }

  private static Schema withField(String name, String json) {
    List<Schema.Field> fields = copies(name);
    Schema wrapped =
        new Schema.Parser().parse("{\"type\":\"record\",\"name\":\"W\",\"fields\":[" + json + "]}");
    Schema.Field added = wrapped.getField(name);
    fields.add(new Schema.Field(added, added.schema()));
    return record(fields);
  }

  private static Schema without(String name) {
    return record(copies(name));
  }

  private static List<Schema.Field> copies(String except) {
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : Outcome.getClassSchema().getFields()) {
      if (!field.name().equals(except)) {
        fields.add(new Schema.Field(field, field.schema()));
      }
    }
    return fields;
  }

  private static Schema record(List<Schema.Field> fields) {
    Schema schema =
        Schema.createRecord("Outcome", null, "io.bellwether.ingestion.event", false, fields);
    return schema;
  }
}
