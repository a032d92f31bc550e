package io.bellwether.ingestion.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;

class EventCodecTest {

  private static final EventCodec<Outcome> OUTCOMES = EventCodec.of(Outcome.class);

  private static final EventCodec<Decision> DECISIONS = EventCodec.of(Decision.class);

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

  @Property
  void theBytesAreThoseOfAvrosOwnEncoder(
      @ForAll String text,
      @ForAll List<String> ids,
      @ForAll byte[] rows,
      @ForAll double number,
      @ForAll long long64,
      @ForAll boolean flag)
      throws IOException {
    Decision decision = decision(text, ids, ByteBuffer.wrap(rows), number, long64, flag);
    ByteBuffer expected =
        new BinaryMessageEncoder<Decision>(SpecificData.get(), Decision.getClassSchema())
            .encode(decision);
    byte[] bytes = new byte[expected.remaining()];
    expected.get(bytes);
    assertArrayEquals(bytes, DECISIONS.encode(decision));
  }

  @Property
  void aFieldIsFoundInTheBytes(@ForAll byte[] rows, @ForAll List<String> ids) {
    ByteBuffer items = ByteBuffer.wrap(rows);
    EventCodec.Encoded encoded = DECISIONS.encode(decision("d", ids, items, 0.5, 7, true), items);
    assertEquals(
        ByteBuffer.wrap(rows), ByteBuffer.wrap(encoded.bytes(), encoded.at(), rows.length));
  }

  @Test
  void bytesThatAreInNoFieldAreNotFound() {
    ByteBuffer items = ByteBuffer.wrap(new byte[] {1});
    Decision decision = decision("d", List.of("a"), items, 0.5, 7, true);
    assertThrows(
        IllegalArgumentException.class, () -> DECISIONS.encode(decision, items.duplicate()));
    assertEquals(1, items.remaining());
  }

  private static Decision decision(
      String text, List<String> ids, ByteBuffer rows, double number, long long64, boolean flag) {
    return Decision.newBuilder()
        .setDecisionId("d1")
        .setSurface(text)
        .setSubjectId("ü")
        .setDecidedAtMicros(long64)
        .setOutcomesUntilMicros(-long64)
        .setSurfaceDigest("")
        .setFeatureDigest("f")
        .setContext(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}))
        .setHistory(ByteBuffer.allocate(0))
        .setItems(rows)
        .setRawContext(text)
        .setRawItems(flag ? text : null)
        .setCandidateIds(ids)
        .setLogits(ByteBuffer.wrap(new byte[8]).position(4).slice())
        .setSlate(List.of(new Placement(3, text, number), new Placement(1 << 20, "b", -number)))
        .setSeed(long64)
        .setTemperature(number)
        .setUniform(number)
        .setPolicyName("p")
        .setPolicyVersion("v")
        .setDegraded(flag ? new Degraded("R", null) : null)
        .setLearnable(flag)
        .setAssignment(flag ? new Assignment("e", 1, "v", text, -1, number, false) : null)
        .build();
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
}
