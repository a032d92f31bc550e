package io.bellwether.trainer.imports.vw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.imports.Lines;
import io.bellwether.trainer.imports.LoggedDecision;
import io.bellwether.trainer.imports.LoggedDecision.Origin;
import io.bellwether.trainer.imports.UnreadableLine;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HostileLinesTest {

  private static final Decisions DECISIONS = new Decisions("reward");
  private static final List<String> SAMPLES =
      List.of(DsjsonReaderTest.PERSONALIZER, DsjsonReaderTest.CCB, DsjsonReaderTest.SLATES);
  private static final List<String> PIECES =
      List.of(
          "0",
          "-1",
          "9",
          "null",
          "true",
          "\"\"",
          "\"x\"",
          "[",
          "]",
          "{",
          "}",
          ",",
          ":",
          "{}",
          "[]",
          "NaN",
          "1e400",
          "-0.0",
          "99999999999",
          "0.5",
          "_",
          "\\",
          "\u0000",
          "|",
          "\u00e9");

  @Test
  void whateverIsDoneToALineItIsReadOrRefusedWithAReason() {
    SplittableRandom random = new SplittableRandom(41);
    int read = 0;
    for (int i = 0; i < 6_000; i++) {
      String line = mutated(SAMPLES.get(i % SAMPLES.size()), random);
      try {
        DsjsonLine parsed = DsjsonLine.parse(line);
        check(DECISIONS.of(parsed.example(), parsed.decidedAtMicros(), new Origin("f", 1)));
        assertFalse(VwText.lines(line).isEmpty());
        read++;
      } catch (UnreadableLine e) {
        assertFalse(e.reason().isBlank() || e.reason().contains("\n"), line);
      }
    }
    assertTrue(read > 300, read + " were read");
  }

  @Test
  void whateverIsDoneToTextItIsReadOrRefusedWithAReason() throws Exception {
    SplittableRandom random = new SplittableRandom(43);
    int read = 0;
    for (int i = 0; i < 6_000; i++) {
      List<Lines.Line> lines = new ArrayList<>();
      for (String line : VwText.lines(SAMPLES.get(i % SAMPLES.size()))) {
        String text = random.nextInt(6) == 0 ? mutated(line, random) : line;
        lines.add(new Lines.Line(lines.size() + 1L, text, null));
      }
      try {
        check(DECISIONS.of(TextExample.parse(lines), 0, new Origin("f", 1)));
        read++;
      } catch (UnreadableLine e) {
        assertFalse(e.reason().isBlank() || e.reason().contains("\n"));
      }
    }
    assertTrue(read > 300, read + " were read");
  }

  private static void check(LoggedDecision decision) {
    for (LoggedDecision.Slot slot : decision.slots()) {
      assertTrue(slot.chosen() >= 0 && slot.chosen() < decision.candidates().size());
      double[] distribution = slot.distribution();
      if (distribution != null) {
        double sum = 0;
        for (double chance : distribution) {
          sum += chance;
        }
        assertEquals(1, sum, 2e-3);
      }
    }
    assertTrue(decision.sampleWeight() > 0 && Double.isFinite(decision.sampleWeight()));
    decision.reactions().forEach(reaction -> assertTrue(Double.isFinite(reaction.value())));
  }

  private static String mutated(String line, SplittableRandom random) {
    StringBuilder text = new StringBuilder(line);
    for (int edits = random.nextInt(1, 3); edits > 0 && text.length() > 1; edits--) {
      int from = random.nextInt(text.length());
      int to = Math.min(text.length(), from + random.nextInt(4));
      text.replace(from, to, PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }

  @Test
  void nestingAndNumbersWithoutEndAreRefused() {
    String deep = "[".repeat(100_000);
    assertThrows(UnreadableLine.class, () -> DsjsonLine.parse(deep));
    String objects =
        DsjsonReaderTest.PERSONALIZER.replace(
            "\"weather\":\"Sunny\"", "\"w\":" + "{\"a\":".repeat(200) + "1" + "}".repeat(200));
    UnreadableLine nested = assertThrows(UnreadableLine.class, () -> DsjsonLine.parse(objects));
    assertTrue(nested.reason().endsWith("is nested deeper than 12 objects"), nested.reason());
    String digits = DsjsonReaderTest.PERSONALIZER.replace("31", "3".repeat(2_000));
    assertThrows(UnreadableLine.class, () -> DsjsonLine.parse(digits));
  }

  /** Down-sampling is a weight: the estimate of a value stays where it was. */
  @Test
  void aDownSampledLogGivesTheSameEstimateAsTheWholeOne() throws Exception {
    SplittableRandom random = new SplittableRandom(47);
    double whole = 0;
    double kept = 0;
    double variance = 0;
    int count = 1_000;
    for (int i = 0; i < count; i++) {
      boolean second = random.nextBoolean();
      int reward = random.nextInt(10) < (second ? 7 : 3) ? 1 : 0;
      String line =
          ("{\"_label_cost\":%d,\"Timestamp\":\"2020-04-20T20:15:11Z\",\"EventId\":\"e%d\","
                  + "\"a\":%s,\"p\":[0.5,0.5],%s\"c\":{\"_multi\":[{},{}]}}")
              .formatted(-reward, i, second ? "[2,1]" : "[1,2]", "%s");
      double term = second ? reward / 0.5 : 0;
      whole += term;
      variance += term * term * 0.9 / 0.1;
      if (random.nextInt(10) == 0) {
        DsjsonLine read = DsjsonLine.parse(line.formatted("\"pdrop\":0.9,"));
        SlotLabel label = read.example().slots().get(0).label();
        assertEquals(0.5, label.propensity());
        kept +=
            label.chosen() == 1
                ? read.example().weight() * -label.cost().orElseThrow() / label.propensity()
                : 0;
      }
    }
    assertEquals(whole / count, kept / count, 3 * Math.sqrt(variance) / count);
  }
}
