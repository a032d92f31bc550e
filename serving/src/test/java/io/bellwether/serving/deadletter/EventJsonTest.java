package io.bellwether.serving.deadletter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.serving.problem.ProblemException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventJsonTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final EventCodec<Outcome> OUTCOMES = EventCodec.of(Outcome.class);
  private static final EventCodec<Decision> DECISIONS = EventCodec.of(Decision.class);

  /** As fields, since the entries of a map have no order in an event. */
  @Test
  void writingAndReadingGivesTheSameEvent() throws Exception {
    assertSameAgain(Topics.DECISIONS, DECISIONS.encode(decision()));
    assertSameAgain(Topics.OUTCOMES, OUTCOMES.encode(outcome(Double.NaN)));
  }

  private static void assertSameAgain(String topic, byte[] event) {
    EventKind<?> kind = EventKind.of(topic).orElseThrow();
    byte[] again = kind.write(kind.read(event).orElseThrow().fields(), "#/event");
    assertEquals(event.length, again.length);
    assertEquals(kind.read(event).orElseThrow(), kind.read(again).orElseThrow());
  }

  @Test
  void aFixChangesTheFieldsItNamesAndNothingElse() throws Exception {
    LetterFix fix = fix("{'event':{'value':2,'itemId':null,'properties':{'page':'9'}},'why':'w'}");
    Outcome fixed = OUTCOMES.decode(fix.bytes(letter(OUTCOMES.encode(outcome(Double.NaN)))));
    Outcome expected = outcome(2);
    expected.setItemId(null);
    expected.setProperties(Map.of("page", "9", "app", "web"));
    assertEquals(expected, fixed);
  }

  @Test
  void whatIsNoEventCanOnlyBeReplacedByOne() throws Exception {
    byte[] garbage = {1, 2, 3};
    LetterFix fields = fix("{'event':{'value':2},'why':'w'}");
    assertThrows(ProblemException.class, () -> fields.bytes(letter(garbage)));
    LetterFix wrong = fix("{'value':'AQID','why':'w'}");
    assertThrows(ProblemException.class, () -> wrong.bytes(letter(garbage)));
    byte[] event = OUTCOMES.encode(outcome(1));
    String base64 = java.util.Base64.getEncoder().encodeToString(event);
    LetterFix whole = fix("{'value':'" + base64 + "','why':'w'}");
    assertArrayEquals(event, whole.bytes(letter(garbage)));
  }

  @Test
  void mistakesNameTheirField() throws Exception {
    byte[] event = OUTCOMES.encode(outcome(1));
    for (Map.Entry<String, String> each :
        Map.of(
                "{'event':{'valu':1},'why':'w'}", "#/event/valu",
                "{'event':{'signal':null},'why':'w'}", "#/event/signal",
                "{'event':{'occurredAtMicros':1.5},'why':'w'}", "#/event/occurredAtMicros",
                "{'event':{'properties':{'a':1}},'why':'w'}", "#/event/properties/a")
            .entrySet()) {
      LetterFix fix = fix(each.getKey());
      ProblemException refused =
          assertThrows(ProblemException.class, () -> fix.bytes(letter(event)));
      assertEquals(each.getValue(), refused.problem().errors().get(0).pointer());
    }
    for (String body : List.of("{'why':'w'}", "{'event':{}}", "{'event':1,'why':'w'}")) {
      assertThrows(ProblemException.class, () -> fix(body));
    }
  }

  @Test
  void aPageTokenNamesAPlacePerPartition() {
    DeadLetters.Query first = LetterQueries.of(null, null, null, null, null, null);
    assertTrue(first.from().isEmpty());
    String token = LetterQueries.token(Map.of(0, 12L, 1, 5L));
    DeadLetters.Query next = LetterQueries.of(null, null, null, null, "7", token);
    assertEquals(Map.of(0, 12L, 1, 5L), next.from());
    assertEquals(7, next.size());
    assertThrows(
        ProblemException.class, () -> LetterQueries.of(null, null, null, null, null, "0-x"));
    assertThrows(
        ProblemException.class, () -> LetterQueries.of(null, null, null, null, "201", null));
  }

  private static LetterFix fix(String body) throws Exception {
    return LetterFix.read(MAPPER.writeValueAsBytes(MAPPER.readTree(body.replace('\'', '"'))));
  }

  private static DeadLetters.Entry letter(byte[] value) {
    return new DeadLetters.Entry(
        new Letter(
            new LetterId(0, 1),
            "invalid-request",
            "",
            Topics.OUTCOMES,
            0,
            1,
            null,
            Instant.EPOCH,
            null,
            value),
        Action.NONE);
  }

  private static Outcome outcome(double value) {
    return new Outcome(
        "o-1", "d-1", "i-1", "like", value, 1L, 2L, Map.of("page", "1", "app", "web"));
  }

  private static Decision decision() {
    ByteBuffer floats = ByteBuffer.wrap(new byte[] {0, 0, -128, 63});
    return Decision.newBuilder()
        .setDecisionId("d-1")
        .setSurface("feed")
        .setSubjectId("s-1")
        .setDecidedAtMicros(1)
        .setOutcomesUntilMicros(2)
        .setSurfaceDigest("a")
        .setFeatureDigest("b")
        .setContext(floats)
        .setHistory(ByteBuffer.allocate(0))
        .setItems(floats)
        .setRawContext("{}")
        .setCandidateIds(List.of("x", "y"))
        .setLogits(floats)
        .setSlate(List.of(new Placement(1, "y", 0.25)))
        .setSeed(Long.MIN_VALUE)
        .setTemperature(1)
        .setUniform(0.5)
        .setPolicyName("feed")
        .setPolicyVersion("uniform")
        .setAssignment(new Assignment("e", 1, "control", "s-1", 7, 0.5, false))
        .build();
  }
}
