package io.bellwether.serving.ofrep;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.Fixtures;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.FlagsFixture;
import io.bellwether.serving.log.EventIdsFixture;
import io.bellwether.serving.problem.FlagFailure;
import io.bellwether.serving.problem.FlagFailure.ErrorCode;
import io.bellwether.serving.surface.Surfaces;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BulkTagTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final String BODY =
      "{'context':{'targetingKey':'u','hour':7,'country':'fi','page':1}}";

  private final Surfaces surfaces = Fixtures.surfaces();
  private final FlagsFixture flags = new FlagsFixture(surfaces);
  private final FlagEvaluator evaluator = new FlagEvaluator(surfaces, EventIdsFixture.ids());
  private final ExperimentState running =
      flags.running(
          "{'name':'cta','surface':'feed','variants':[{'name':'a','payload':1},{'name':'b','payload':2}]}",
          NOW);

  @Test
  void theSameAnswerHasTheSameTagWhateverItsDecisionIsCalled() {
    String tag = tag(running, BODY);
    assertEquals(tag, tag(running, BODY));
    assertEquals(
        tag, tag(running, "{'context':{'country':'fi','page':[2],'hour':7,'targetingKey':'u'}}"));
    assertTrue(tag.matches("\"[0-9a-f]{32}\""), tag);
  }

  @Test
  void whateverCanChangeAnAnswerChangesTheTag() {
    String tag = tag(running, BODY);
    assertNotEquals(tag, tag(running, BODY.replace("'u'", "'v'")));
    assertNotEquals(tag, tag(running, BODY.replace("7", "8")));
    assertNotEquals(tag, tag(running, BODY.replace("'country':'fi',", "")));
    assertNotEquals(tag, tag(flags.stopped(running, NOW), BODY));
    BulkTag failure = new BulkTag("u", NOW, DAY);
    failure.add(new FlagFailure("cta", ErrorCode.GENERAL, ""));
    assertNotEquals(tag, failure.text());
    assertNotEquals(new BulkTag("u", NOW, DAY).text(), new BulkTag(null, NOW, DAY).text());
  }

  @Test
  void decisionsAreMadeAnewWhileTheOldOnesAreStillGood() {
    Duration window = Duration.ofHours(1);
    String tag = tag(running, BODY, NOW, window);
    assertEquals(tag, tag(running, BODY, NOW.plus(Duration.ofMinutes(29)), window));
    assertNotEquals(tag, tag(running, BODY, NOW.plus(Duration.ofMinutes(30)), window));
    // The feed's signals are waited for a day.
    assertEquals(tag(running, BODY, NOW, DAY), tag(running, BODY, NOW, DAY.multipliedBy(9)));
    String stopped = tag(flags.stopped(running, NOW), BODY, NOW, window);
    assertEquals(stopped, tag(flags.stopped(running, NOW), BODY, NOW.plus(DAY), window));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "a"            | true
          W/"a"          | true
          "b", "a"       | true
          "b",W/"c"      | false
          a              | false
          *              | false
          """)
  void aClientMayKnowSeveral(String header, boolean matches) {
    assertEquals(matches, BulkTag.matches(header, "\"a\""));
    assertFalse(BulkTag.matches(null, "\"a\""));
  }

  private String tag(ExperimentState state, String body) {
    return tag(state, body, NOW, DAY);
  }

  private String tag(ExperimentState state, String body, Instant now, Duration activationWindow) {
    EvaluationContext context = EvaluationContext.read(body.replace('\'', '"').getBytes(UTF_8));
    BulkTag tag = new BulkTag(context.targetingKey(), now, activationWindow);
    tag.add(evaluator.evaluate(FlagsFixture.fresh(state), state, context, now));
    return tag.text();
  }
}
