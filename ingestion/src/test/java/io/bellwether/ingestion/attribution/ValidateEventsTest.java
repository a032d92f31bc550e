package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.ingestion.erasure.ErasureFeed;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Erasure;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ValidateEventsTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_764_460_800);
  private static final long NOW_MICROS = NOW.toEpochMilli() * 1000;

  private OneInputStreamOperatorTestHarness<Received, Event> harness;

  @BeforeEach
  void open() throws Exception {
    ValidateEvents operator =
        new ValidateEvents(() -> List.of(TestEvents.surface()), Clock.fixed(NOW, ZoneOffset.UTC));
    harness = new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(operator));
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void goodEventsPassAndTellHowFarTheirPartitionIs() throws Exception {
    decide(TestEvents.decision("d", "s", NOW_MICROS - 5_000));
    happen(TestEvents.outcome("o", "d", null, "like", 1, NOW_MICROS - 60_000_000));

    assertEquals(NOW.toEpochMilli() - 5, harness.extractOutputValues().get(0).progressMillis());
    // Received 10 ms after it happened.
    assertEquals(
        NOW.toEpochMilli() - 59_990, harness.extractOutputValues().get(1).progressMillis());
    assertNull(harness.getSideOutput(ValidateEvents.REFUSED));
  }

  @Test
  void whatWasDecidedForAnErasedSubjectUntilThenGoesNowhere() throws Exception {
    harness.close();
    Erasure erasure = new Erasure(Erasure.hash("anna"), "0".repeat(26), NOW_MICROS - 10_000);
    ValidateEvents operator =
        new ValidateEvents(
            () -> List.of(TestEvents.surface()),
            Clock.fixed(NOW, ZoneOffset.UTC),
            () -> {
              ErasedSubjects erased = new ErasedSubjects();
              erased.add(erasure);
              return ErasureFeed.of(erased);
            });
    harness = new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(operator));
    harness.open();
    decide(TestEvents.decision("before", "anna", NOW_MICROS - 10_000));
    decide(TestEvents.decision("after", "anna", NOW_MICROS - 9_999));
    decide(TestEvents.decision("other", "bo", NOW_MICROS - 20_000));

    assertEquals(
        List.of("after", "other"),
        harness.extractOutputValues().stream().map(Event::decisionId).toList());
    assertNull(harness.getSideOutput(ValidateEvents.REFUSED));
  }

  @Test
  void bytesThatAreNoEventKeepTheirBytesAndOrigin() throws Exception {
    byte[] bytes = "a plaintext message".getBytes(StandardCharsets.UTF_8);
    send(Topics.OUTCOMES, bytes);

    DeadLetter letter = letters().get(0);
    assertEquals("undecodable", letter.reason());
    assertArrayEquals(bytes, letter.record().value());
    assertEquals(50, letter.record().offset());
  }

  @Test
  void emptyValuesAndTombstonesAreUndecodable() throws Exception {
    send(Topics.DECISIONS, new byte[0]);
    send(Topics.DECISIONS, null);

    assertEquals(
        List.of("undecodable", "undecodable"), letters().stream().map(DeadLetter::reason).toList());
  }

  @Test
  void timesInAnotherUnitAreRefusedAndDoNotPass() throws Exception {
    for (long micros :
        new long[] {
          1_764_460_800L, 1_764_460_800_000L, -1, 253_402_300_799_999_000L, Long.MAX_VALUE, 0
        }) {
      decide(TestEvents.decision("d", "s", micros));
    }

    assertEquals(6, letters().size());
    letters().forEach(letter -> assertEquals("outside-lookback", letter.reason()));
    assertEquals(List.of(), harness.extractOutputValues());
  }

  @Test
  void aSenderThatIsFiveMinutesAheadIsAccepted() throws Exception {
    decide(TestEvents.decision("d", "s", NOW_MICROS + 300_000_000));
    decide(TestEvents.decision("d", "s", NOW_MICROS + 300_000_001));

    assertEquals(1, harness.extractOutputValues().size());
    assertEquals(1, letters().size());
  }

  @Test
  void aSurfaceThatIsNotDeclaredIsNotFound() throws Exception {
    decide(
        Decision.newBuilder(TestEvents.decision("d", "s", NOW_MICROS))
            .setSurface("elsewhere")
            .build());

    assertEquals("not-found", letters().get(0).reason());
  }

  @Test
  void aPropensityThatIsNoChanceIsOutOfRange() throws Exception {
    for (double propensity : new double[] {0, -0.0, -0.105, 1.0000001, Double.NaN}) {
      decide(slate(new Placement(2, "i2", propensity)));
    }
    decide(slate(new Placement(2, "i2", 1e-12), new Placement(0, "i0", 1.0)));

    assertEquals(5, letters().size());
    letters().forEach(letter -> assertEquals("value-out-of-range", letter.reason()));
    assertEquals(1, harness.extractOutputValues().size());
  }

  @Test
  void aSlateThatContradictsItsCandidatesIsInvalid() throws Exception {
    decide(slate(new Placement(4, "i4", 1.0)));
    decide(slate(new Placement(1, "i2", 1.0)));
    decide(slate(new Placement(2, "i2", 0.5), new Placement(2, "i2", 1.0)));

    assertEquals(
        List.of(
            "the slate names candidate 4 of 4",
            "the slate calls candidate 1 'i2', the candidates call it 'i1'",
            "the slate shows item 'i2' twice"),
        letters().stream().map(DeadLetter::detail).toList());
  }

  private static Decision slate(Placement... placements) {
    return Decision.newBuilder(TestEvents.decision("d", "s", NOW_MICROS))
        .setSlate(List.of(placements))
        .build();
  }

  @Test
  void aValueThatIsNoNumberIsOutOfRange() throws Exception {
    happen(TestEvents.outcome("o", "d", null, "seconds", Double.NaN, NOW_MICROS - 20_000));

    assertEquals("value-out-of-range", letters().get(0).reason());
  }

  @Test
  void anEventWithoutAnIdIsInvalid() throws Exception {
    happen(TestEvents.outcome(" ", "d", null, "like", 1, NOW_MICROS - 20_000));

    assertEquals("invalid-request", letters().get(0).reason());
  }

  @Test
  void anExposureMovesEventTimeUnlessItWasOnlyScored() throws Exception {
    Exposure shown =
        TestEvents.exposure("d", "s", "e", 1, "a", NOW_MICROS - 20_000)
            .setExposedAtMicros(NOW_MICROS - 5_000)
            .build();
    expose(shown);
    expose(Exposure.newBuilder(shown).setKind(ExposureKind.SHADOW).build());

    List<Event> events = harness.extractOutputValues();
    assertEquals(NOW.toEpochMilli() - 5, events.get(0).progressMillis());
    assertEquals(Event.NO_PROGRESS, events.get(1).progressMillis());
  }

  @Test
  void anExposureThatWouldSpoilASumIsRefused() throws Exception {
    Exposure good = TestEvents.exposure("d", "s", "e", 1, "a", NOW_MICROS).build();
    expose(Exposure.newBuilder(good).setAgreement(Double.NaN).build());
    expose(Exposure.newBuilder(good).setDistance(1.5).build());
    expose(Exposure.newBuilder(good).setPreperiodMicros(-1).build());
    expose(Exposure.newBuilder(good).setSurface("elsewhere").build());
    expose(Exposure.newBuilder(good).setUnit(" ").build());
    expose(Exposure.newBuilder(good).setExposedAtMicros(NOW_MICROS / 1000).build());

    assertEquals(
        List.of(
            "value-out-of-range",
            "value-out-of-range",
            "value-out-of-range",
            "not-found",
            "invalid-request",
            "outside-lookback"),
        letters().stream().map(DeadLetter::reason).toList());
  }

  private void expose(Exposure exposure) throws Exception {
    send(Topics.EXPOSURES, EventCodec.of(Exposure.class).encode(exposure));
  }

  private void decide(Decision decision) throws Exception {
    send(Topics.DECISIONS, EventCodec.of(Decision.class).encode(decision));
  }

  private void happen(Outcome outcome) throws Exception {
    send(Topics.OUTCOMES, EventCodec.of(Outcome.class).encode(outcome));
  }

  private void send(String topic, byte @Nullable [] value) throws Exception {
    harness.processElement(new Received(topic, 1, 50, NOW.toEpochMilli(), null, value), 0);
  }

  private List<DeadLetter> letters() {
    return harness.getSideOutput(ValidateEvents.REFUSED).stream().map(r -> r.getValue()).toList();
  }
}
