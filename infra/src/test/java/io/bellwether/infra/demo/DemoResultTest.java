package io.bellwether.infra.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.infra.demo.DemoResult.Interval;
import io.bellwether.infra.demo.DemoResult.Joined;
import io.bellwether.infra.demo.DemoResult.Live;
import io.bellwether.infra.demo.DemoResult.Memory;
import io.bellwether.infra.demo.DemoResult.Promise;
import io.bellwether.infra.demo.DemoResult.Replayed;
import io.bellwether.infra.demo.DemoResult.Seconds;
import io.bellwether.infra.demo.DemoResult.Sent;
import io.bellwether.infra.demo.DemoResult.Values;
import io.bellwether.infra.demo.DemoResult.Versions;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoResultTest {

  private static final Interval LEARNED = new Interval(30, 29, 31);

  @Test
  void aLoopThatClosedHasNoFailures() {
    assertEquals(List.of(), result(100, 100, 20, LEARNED, 0.06, "pass").failures());
  }

  @Test
  void whateverIsLostDoubledOrNotProvedIsNamed() {
    assertEquals(1, result(100, 99, 20, LEARNED, 0.06, "pass").failures().size());
    assertEquals(
        List.of("the clone is not within 3 % of what it cloned"),
        result(100, 100, 19, LEARNED, 0.06, "pass").failures());
    assertEquals(
        List.of("learned is not above cloned"),
        result(100, 100, 20, new Interval(21, 20, 22), 0.06, "pass").failures());
    assertEquals(
        List.of("like at-least 95% of champion is not kept"),
        result(100, 100, 20, LEARNED, 0.04, "pass").failures());
    assertEquals(
        List.of("the learned policy did not pass its gate"),
        result(100, 100, 20, LEARNED, 0.06, "not-enough-evidence").failures());
  }

  @Test
  void fromTheSecondRunOnOnlyCountsAndReplayMustHold() {
    assertEquals(
        List.of(), result(2, 100, 100, 19, LEARNED, 0.06, "not-enough-evidence").failures());
    assertEquals(1, result(2, 100, 99, 19, LEARNED, 0.06, "pass").failures().size());
  }

  @Test
  void theKeysAreTheDocumentedOnes() {
    JsonNode json = new ObjectMapper().valueToTree(result(100, 100, 20, LEARNED, 0.06, "pass"));

    for (String pointer :
        List.of(
            "/sent/decisions",
            "/sent/outcomes",
            "/joined/transitions",
            "/joined/outcomes",
            "/joined/deadLetters",
            "/value/uniform/mean",
            "/value/cloned/low",
            "/value/learned/high",
            "/constraints/0/signal",
            "/constraints/0/promise",
            "/constraints/0/bound",
            "/constraints/0/value",
            "/verdict",
            "/replay/checked",
            "/replay/equal",
            "/seconds/toFirstDecision",
            "/seconds/total")) {
      assertTrue(!json.at(pointer).isMissingNode(), pointer);
    }
  }

  private static DemoResult result(
      long sent, long joined, double cloned, Interval learned, double like, String verdict) {
    return result(1, sent, joined, cloned, learned, like, verdict);
  }

  private static DemoResult result(
      int run,
      long sent,
      long joined,
      double cloned,
      Interval learned,
      double like,
      String verdict) {
    return new DemoResult(
        run,
        new Sent(sent, 200),
        new Joined(joined, 200, 0, 0),
        new Values(
            new Interval(10, 9, 11),
            new Interval(20, 19, 21),
            new Interval(cloned, cloned - 1, cloned + 1),
            learned),
        List.of(new Promise("like", "like at-least 95% of champion", 0.05, like, 0, 1)),
        verdict,
        new Versions("v1", "v2", "v3"),
        new Live(1, 2),
        new Replayed(100, 100),
        new Memory(2000),
        new Seconds(20, 300));
  }
}
