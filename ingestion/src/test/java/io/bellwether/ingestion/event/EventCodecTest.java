package io.bellwether.ingestion.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
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
