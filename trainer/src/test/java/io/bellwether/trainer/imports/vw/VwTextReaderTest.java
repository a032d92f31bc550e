package io.bellwether.trainer.imports.vw;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.LogReader;
import io.bellwether.trainer.imports.LoggedDecision;
import io.bellwether.trainer.imports.LoggedDecision.Reaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VwTextReaderTest {

  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
  private static final long MICROS = 1767225600000000L;

  private static final String EXAMPLE =
      """
      shared |User age:31 time=Late_Night new |Place:2 zone:3 city
      |Action kind=hot
      7:-1.0:0.25 'b |Action kind=cold price:2.5 price:1
      c|Action |Vector :1 :2.5
      """;

  @TempDir Path folder;

  @Test
  void linesUpToABlankOneAreADecision() throws IOException {
    List<LogReader.Entry> entries = read(EXAMPLE + "\n\r\n" + EXAMPLE.replace("\n", "\r\n"));
    assertEquals(2, entries.size());
    LoggedDecision decision = decision(entries.get(0));
    assertEquals("log.vw-1", decision.decisionId());
    assertEquals(MICROS, decision.decidedAtMicros());
    assertEquals(
        "{\"User-age\":31.0,\"User-time\":\"Late_Night\",\"User-new\":true,\"Place-zone\":6.0,"
            + "\"Place-city\":2.0}",
        decision.context().toString());
    assertEquals(
        List.of(
            "action-0 {\"Action-kind\":\"hot\"}",
            "b {\"Action-kind\":\"cold\",\"Action-price\":3.5}",
            "c {\"Vector\":[1.0,2.5]}"),
        decision.candidates().stream().map(c -> c.itemId() + " " + c.features()).toList());
    // The position is the action, whatever the label's number says.
    assertEquals(1, decision.slots().get(0).chosen());
    assertEquals(0.25, decision.slots().get(0).propensity());
    assertNull(decision.slots().get(0).distribution());
    assertEquals(List.of(new Reaction("reward", 0, 1, MICROS)), decision.reactions());

    LoggedDecision second = decision(entries.get(1));
    assertEquals("log.vw-7", second.decisionId());
    assertEquals(MICROS + 1_000_000, second.decidedAtMicros());
    assertEquals(decision.context(), second.context());
  }

  @Test
  void conditionalBanditsAndSlatesAreReadToo() throws IOException {
    List<LogReader.Entry> entries =
        read(
            """
            ccb shared |u a
            ccb action |f x
            ccb action 'two |f y
            ccb slot 1:0.8:0.75,0:0.25 0,1 |s big
            ccb slot 0:0:1 |

            slates shared -0.5 |u a
            slates action 0 |f x
            slates action 1 |f y
            slates action 1 |f z
            slates slot 0:1 |
            slates slot 1:0.8,0:0.2 |\
            """);
    LoggedDecision conditional = decision(entries.get(0));
    assertEquals(1, conditional.slots().get(0).chosen());
    assertArrayEquals(new double[] {0.25, 0.75}, conditional.slots().get(0).distribution());
    assertEquals(1, conditional.slots().get(1).propensity());
    assertEquals("{\"u-a\":true,\"slot0-s-big\":true}", conditional.context().toString());
    assertEquals("two", conditional.candidates().get(1).itemId());
    assertEquals(List.of(new Reaction("reward", 0, -0.8, MICROS)), conditional.reactions());
    LoggedDecision slate = decision(entries.get(1));
    assertEquals(2, slate.slots().get(1).chosen());
    assertArrayEquals(new double[] {0, 0.2, 0.8}, slate.slots().get(1).distribution());
    assertEquals(List.of(new Reaction("reward", -1, 0.5, MICROS + 1_000_000)), slate.reactions());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '"',
      value = {
        "7:-1.0:0.25 'b # 'b #no line has a label (action:cost:probability)",
        "c|#1:1:0.5 |#line 4: is the second line with a label, must be one of an example",
        "7:-1.0:0.25#7:-1.0#line 3: has the label '7:-1.0', must be action:cost:probability",
        "7:-1.0:0.25#7:x:0.25#line 3: the cost is 'x', must be a finite number",
        "7:-1.0:0.25#7:NaN:0.25#line 3: the cost is 'NaN', must be a finite number",
        "7:-1.0:0.25#7:-1.0:x#line 3: the probability is 'x', must be in (0, 1]",
        "7:-1.0:0.25#-7:-1.0:1#line 3: the label's action is '-7', must be a whole number",
        "7:-1.0:0.25 'b#7:-1.0:0.25 x 'b#line 3: has 'x' before '|', which nothing reads",
        "price:2.5#price:two#line 3: feature 'Action-price' is 'two', must be a finite number",
        "price:1#price=a#line 3: feature 'Action-price' is both 2.5 and a text, must be of one",
        "|Action kind=hot#Action kind=hot#line 2: has no '|', which begins the features",
        "|Action kind=hot#shared |x#line 2: is a shared line that is not the example's first",
        "|Action kind=hot#ccb action |x#line 2: is of CCB inside an example of CB",
        "c|#slates |#line 4: has slates alone, must be followed by shared, action or slot",
      })
  void aWrongLineCostsItsExampleAndIsNamed(String right, String wrong, String reason)
      throws IOException {
    String bad = EXAMPLE.replace(right, wrong);
    assertTrue(!bad.equals(EXAMPLE));
    List<LogReader.Entry> entries = read(bad + "\n" + EXAMPLE);
    assertEquals(2, entries.size());
    LogReader.Rejected rejected = (LogReader.Rejected) entries.get(0);
    assertTrue(rejected.reason().startsWith(reason), rejected.reason());
    assertEquals(1, rejected.origin().line());
    assertEquals("log.vw-6", decision(entries.get(1)).decisionId());
  }

  @Test
  void whatIsNoPropensityIsHandedOnForTheImportToJudge() throws IOException {
    for (String p : List.of("0", "-0.105", "1.5", "NaN")) {
      assertEquals(
          Double.parseDouble(p),
          decision(read(EXAMPLE.replace("0.25", p)).get(0)).slots().get(0).propensity());
    }
  }

  @Test
  void anExampleWithoutAnEndCostsNoMoreThanIsAllowed() throws IOException {
    String endless = "|a b\n".repeat(VwTextReader.MAX_LINES + 5);
    List<LogReader.Entry> entries = read(endless + "\n" + EXAMPLE);
    assertEquals(2, entries.size());
    assertTrue(
        ((LogReader.Rejected) entries.get(0))
            .reason()
            .startsWith("line 2001: the example has more than 2000 lines"));
  }

  @Test
  void jsonIsRefusedAsAWhole() throws IOException {
    Path file = Files.writeString(folder.resolve("log.vw"), "{\"c\":{}}\n");
    try (VwTextReader reader = open(file)) {
      ImportRefused refused = assertThrows(ImportRefused.class, reader::next);
      assertTrue(String.valueOf(refused.getMessage()).contains("import it as dsjson"));
    }
  }

  private static LoggedDecision decision(LogReader.Entry entry) {
    if (entry instanceof LogReader.Rejected rejected) {
      throw new AssertionError(rejected.reason());
    }
    return ((LogReader.Read) entry).decision();
  }

  private List<LogReader.Entry> read(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("log.vw"), text);
    List<LogReader.Entry> entries = new ArrayList<>();
    try (VwTextReader reader = open(file)) {
      for (LogReader.Entry e = reader.next(); e != null; e = reader.next()) {
        entries.add(e);
      }
      assertNotNull(entries);
      assertEquals(1, reader.progress());
    }
    return entries;
  }

  private static VwTextReader open(Path file) throws IOException {
    return VwTextReader.open(file, "reward", FIRST, Duration.ofSeconds(1));
  }
}
