package io.bellwether.ingestion.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;

class DecisionHeadsTest {

  private static final EventCodec<Decision> DECISIONS = EventCodec.of(Decision.class);
  private static final EventCodec<Outcome> OUTCOMES = EventCodec.of(Outcome.class);

  private final DecisionHeads heads = new DecisionHeads();

  @Property
  void aHeadIsTheDecisionsOwn(
      @ForAll String text, @ForAll List<String> ids, @ForAll long at, @ForAll boolean assigned)
      throws Exception {
    Decision decision = decision(text, ids, at, assigned);

    assertEquals(DecisionHead.of(decision), heads.read(DECISIONS.encode(decision)));
  }

  /** An operator further on decodes the decision, and has nowhere to put one that it cannot. */
  @Property
  void whatHasAHeadCanBeDecoded(@ForAll long seed) throws Exception {
    byte[] bytes = DECISIONS.encode(decision("ä", List.of("a", "b", "c"), 1L << 50, seed % 2 == 0));
    Random random = new Random(seed);
    byte[] spoilt = spoilt(bytes, random);

    DecisionHead head;
    try {
      head = heads.read(spoilt);
    } catch (UndecodableEventException e) {
      return;
    }
    assertEquals(head, DecisionHead.of(DECISIONS.decode(spoilt)));
  }

  @Test
  void aDecisionThatIsCutAnywhereHasNoHead() {
    byte[] bytes = DECISIONS.encode(decision("x", List.of("a", "b"), 7, true));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(UndecodableEventException.class, () -> heads.read(cut));
    }
  }

  @Property
  void spoiltOutcomesReadAsAvroReadsThem(@ForAll long seed) throws Exception {
    Outcome outcome =
        Outcome.newBuilder()
            .setOutcomeId("o1")
            .setDecisionId("d1")
            .setItemId(seed % 2 == 0 ? null : "ä/1")
            .setSignal("like")
            .setValue(1)
            .setOccurredAtMicros(1L << 50)
            .setReceivedAtMicros(-3)
            .setProperties(Map.of("k", "v"))
            .build();
    byte[] spoilt = spoilt(OUTCOMES.encode(outcome), new Random(seed));

    Outcome read;
    try {
      read = OUTCOMES.decode(spoilt);
    } catch (UndecodableEventException e) {
      return;
    }
    BinaryMessageDecoder<Outcome> avro =
        new BinaryMessageDecoder<>(SpecificData.get(), Outcome.getClassSchema());
    assertEquals(avro.decode(spoilt), read);
  }

  @Test
  void aCandidateThatIsNotThereHasNoName() throws Exception {
    Decision decision = decision("x", List.of("a", "b"), 7, false);
    decision.setSlate(List.of(new Placement(2, "c", 0.5), new Placement(0, "b", 0.5)));

    DecisionHead head = heads.read(DECISIONS.encode(decision));

    assertEquals(DecisionHead.of(decision), head);
    assertTrue(head.slate().get(0).candidateId() == null);
  }

  /** With a byte changed behind the header, or the end cut off, or neither. */
  private static byte[] spoilt(byte[] bytes, Random random) {
    int header = 10;
    int length =
        random.nextInt(4) > 0 ? bytes.length : header + random.nextInt(bytes.length - header);
    byte[] spoilt = Arrays.copyOf(bytes, length);
    if (length > header && random.nextInt(4) > 0) {
      spoilt[header + random.nextInt(length - header)] = (byte) random.nextInt(256);
    }
    return spoilt;
  }

  private static Decision decision(String text, List<String> ids, long at, boolean assigned) {
    List<Placement> slate =
        ids.isEmpty()
            ? List.of()
            : List.of(
                new Placement(ids.size() - 1, ids.get(ids.size() - 1), 0.25),
                new Placement(0, ids.get(0), 1.0));
    return Decision.newBuilder()
        .setDecisionId(text)
        .setSurface(text + "/s")
        .setSubjectId("s" + text)
        .setDecidedAtMicros(at)
        .setOutcomesUntilMicros(at)
        .setSurfaceDigest(text)
        .setFeatureDigest(text)
        .setContext(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}))
        .setHistory(ByteBuffer.allocate(0))
        .setItems(ByteBuffer.wrap(new byte[] {-1, -128}))
        .setRawContext("{}")
        .setRawItems(assigned ? null : text)
        .setCandidateIds(ids)
        .setLogits(ByteBuffer.allocate(8))
        .setSlate(slate)
        .setSeed(at)
        .setTemperature(1)
        .setUniform(0.1)
        .setPolicyName("p")
        .setPolicyVersion("0")
        .setMode(assigned ? "ONLINE" : "FLAG")
        .setAssignment(assigned ? new Assignment("e", 1, "v", "u", 7, 0.5, false) : null)
        .setStages(assigned ? new Stages(1, 2, 3, 4, 5, 1 << 30) : null)
        .setTraceId(text)
        .build();
  }
}
