package io.bellwether.serving.outcome;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.log.EventIdsFixture;
import io.bellwether.serving.request.JsonBody;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutcomeReaderTest {

  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

  private final OutcomeReader reader =
      new OutcomeReader(
          Fixtures.surfaces(), EventIdsFixture.ids(), Clock.fixed(NOW, ZoneOffset.UTC));
  private final List<Violation> violations = new ArrayList<>();

  @Test
  void whatIsLeftOutIsFilledIn() {
    Outcome outcome = read("{'decisionId':'d','signal':'like','value':1}");
    assertEquals(List.of(), violations);
    assertFalse(outcome.getOutcomeId().isEmpty());
    assertEquals(NOW.toEpochMilli() * 1000, outcome.getOccurredAtMicros());
    assertEquals(NOW.toEpochMilli() * 1000, outcome.getReceivedAtMicros());
    assertNull(outcome.getItemId());
  }

  @Test
  void whatIsGivenIsKept() {
    Outcome outcome =
        read(
            "{'outcomeId':'o','decisionId':'d','surface':'feed','itemId':'ä/1','signal':"
                + "'watch_seconds','value':12.5,'occurredAt':'2026-11-30T13:00:00.000001+02:00',"
                + "'properties':{'source':'app','build':7,'test':true,'none':null}}");
    assertEquals(List.of(), violations);
    assertEquals("o", outcome.getOutcomeId());
    assertEquals("ä/1", outcome.getItemId());
    assertEquals(
        Instant.parse("2026-11-30T11:00:00Z").toEpochMilli() * 1000 + 1,
        outcome.getOccurredAtMicros());
    assertEquals(Map.of("source", "app", "build", "7", "test", "true"), outcome.getProperties());
  }

  @ParameterizedTest
  @CsvSource({"2026-11-30T12:05:00Z", "2026-10-31T12:00:00Z"})
  void theEdgesOfTheLookbackAreInside(String occurredAt) {
    read("{'decisionId':'d','signal':'like','value':1,'occurredAt':'" + occurredAt + "'}");
    assertEquals(List.of(), violations);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          7                                                                                  | invalid-request    | #
          {'signal':'like','value':1}                                                        | invalid-request    | #/decisionId
          {'decisionId':'a b','signal':'like','value':1}                                     | invalid-request    | #/decisionId
          {'decisionId':'d','value':1}                                                       | invalid-request    | #/signal
          {'decisionId':'d','signal':'love','value':1}                                       | invalid-request    | #/signal
          {'decisionId':'d','signal':'like'}                                                 | invalid-request    | #/value
          {'decisionId':'d','signal':'like','value':'1'}                                     | invalid-request    | #/value
          {'decisionId':'d','signal':'like','value':0.5}                                     | value-out-of-range | #/value
          {'decisionId':'d','signal':'watch_seconds','value':-1}                             | value-out-of-range | #/value
          {'decisionId':'d','signal':'watch_seconds','value':1e999}                          | value-out-of-range | #/value
          {'decisionId':'d','surface':'nope','signal':'like','value':1}                      | invalid-request    | #/surface
          {'decisionId':'d','itemId':'','signal':'like','value':1}                           | invalid-request    | #/itemId
          {'decisionId':'d','signal':'like','value':1,'occurredAt':'yesterday'}              | invalid-request    | #/occurredAt
          {'decisionId':'d','signal':'like','value':1,'occurredAt':'2026-11-30T12:05:00.1Z'} | value-out-of-range | #/occurredAt
          {'decisionId':'d','signal':'like','value':1,'occurredAt':'2025-11-30T12:00:00Z'}   | value-out-of-range | #/occurredAt
          {'decisionId':'d','signal':'like','value':1,'properties':{'a':[]}}                 | invalid-request    | #/properties/a
          {'decisionId':'d','signal':'like','value':1,'properties':{'a/b':{}}}               | invalid-request    | #/properties/a~1b
          {'decisionId':'d','signal':'like','value':1,'reward':1}                            | unknown-field      | #/reward
          {'decisionId':'d','signal':'like','value':1,'slotId':'s'}                          | invalid-request    | #/slotId
          """)
  void aMistakeIsRefusedWithItsPlace(String body, String slug, String pointer) {
    read(body);
    assertEquals(slug, violations.get(0).code());
    assertEquals(pointer, violations.get(0).pointer());
  }

  @Test
  void anElementThatIsNoObjectIsOneMistake() {
    read("null");
    assertEquals(1, violations.size());
  }

  private Outcome read(String body) {
    byte[] json = body.replace('\'', '"').getBytes(UTF_8);
    return reader.read(JsonBody.parse(json, 1 << 20), "#", violations);
  }
}
