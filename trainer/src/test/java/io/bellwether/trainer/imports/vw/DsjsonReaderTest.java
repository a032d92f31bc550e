package io.bellwether.trainer.imports.vw;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.LogReader;
import io.bellwether.trainer.imports.LoggedDecision;
import io.bellwether.trainer.imports.LoggedDecision.Reaction;
import io.bellwether.trainer.imports.LoggedDecision.Slot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DsjsonReaderTest {

  /** As Azure Personalizer mirrored it. */
  static final String PERSONALIZER =
      """
      {"_label_cost":-1.0,"_label_probability":0.866666675,"_label_Action":2,"_labelIndex":1,\
      "o":[{"v":1.0,"EventId":"75d50657b67c4f5bb9ea9ab4a7d54aae","ActionTaken":false}],\
      "Timestamp":"2020-04-20T20:15:11.1234567Z","Version":"1",\
      "EventId":"75d50657b67c4f5bb9ea9ab4a7d54aae","a":[2,1,3],\
      "c":{"FromUrl":[{"timeofday":"Late Night","weather":"Sunny","age":31}],"_multi":[\
      {"_tag":"Cappuccino","i":{"constant":1,"id":"Cappuccino"},"j":[{"type":"hot","organic":true}]},\
      {"_tag":"Cold brew","i":{"constant":1,"id":"Cold brew"},"j":[{"type":"cold","organic":false}]},\
      {"_tag":"Latte","i":{"constant":1,"id":"Latte"},"j":[{"type":"hot"}]}]},\
      "p":[0.866666675,0.06666667,0.06666667],"VWState":{"m":"4b2a/1f"},\
      "_original_label_cost":-1.0}\
      """;

  /** Two slots that choose from three actions. */
  static final String CCB =
      """
      {"Timestamp":"2020-04-20T20:15:11Z","Version":"1","EventId":"ccb-1",\
      "c":{"User":{"id":"a"},"_multi":[{"_tag":"x","b_":"1"},{"_tag":"y"},{"_tag":"z"}],\
      "_slots":[{"_id":"top","size":"big","_inc":[1,2]},{"_id":"side"}]},\
      "_outcomes":[{"_label_cost":-2,"_id":"top","_a":[1,2],"_p":[0.75,0.25]},\
      {"_label_cost":0,"_id":"side","_a":[0,2],"_p":[0.4,0.6],\
      "_o":[{"v":0,"Index":"side"}]}],"VWState":{"m":"m7"}}\
      """;

  /** Two slots, with actions of their own and one cost. */
  static final String SLATES =
      """
      {"_label_cost":-3,"Timestamp":"2020-04-20T20:15:11Z","EventId":"sl-1",\
      "c":{"q":1,"_multi":[{"_tag":"u","_slot_id":0},{"_tag":"v","_slot_id":1,"f":2},\
      {"_tag":"w","_slot_id":1}],"_slots":[{},{}]},\
      "_outcomes":[{"_a":0,"_p":1.0},{"_a":[1,0],"_p":[0.8,0.2]}]}\
      """;

  private static final String SIMPLE =
      """
      {"_label_cost":-1,"Timestamp":"2020-04-20T20:15:11Z","EventId":"s","a":[1,2],\
      "p":[0.7,0.3],"c":{"_multi":[{},{}]}}\
      """;

  @TempDir Path folder;

  @Test
  void aLineOfTheLogMirrorIsADecisionAmongItsActions() throws IOException {
    LoggedDecision decision = one(PERSONALIZER);
    assertEquals("75d50657b67c4f5bb9ea9ab4a7d54aae", decision.decisionId());
    assertNull(decision.subjectId());
    assertEquals(1587413711123456L, decision.decidedAtMicros());
    assertEquals(
        "{\"FromUrl-timeofday\":\"Late Night\",\"FromUrl-weather\":\"Sunny\",\"FromUrl-age\":31.0}",
        decision.context().toString());
    assertEquals(
        List.of("Cappuccino", "Cold brew", "Latte"),
        decision.candidates().stream().map(LoggedDecision.Candidate::itemId).toList());
    assertEquals(
        "{\"i-constant\":1.0,\"i-id\":\"Cappuccino\",\"j-type\":\"hot\",\"j-organic\":true}",
        decision.candidates().get(0).features().toString());
    assertFalse(decision.candidates().get(1).features().has("j-organic"));
    Slot slot = decision.slots().get(0);
    assertEquals(1, slot.chosen());
    assertEquals(0.866666675, slot.propensity());
    assertArrayEquals(new double[] {0.06666667, 0.866666675, 0.06666667}, slot.distribution());
    assertEquals(1, decision.sampleWeight());
    assertTrue(decision.learnable());
    assertEquals(OptionalInt.of(0), decision.baseline());
    assertEquals("4b2a/1f", decision.policyVersion());
    assertEquals(
        List.of(new Reaction("reward", 0, 1, decision.decidedAtMicros())), decision.reactions());
    assertEquals(1, decision.origin().line());
  }

  @Test
  void slotsOfAConditionalBanditChooseFromTheSameActionsAndHaveACostEach() throws IOException {
    LoggedDecision decision = one(CCB);
    assertEquals(2, decision.slots().size());
    assertEquals(1, decision.slots().get(0).chosen());
    assertEquals(0.75, decision.slots().get(0).propensity());
    assertArrayEquals(new double[] {0, 0.75, 0.25}, decision.slots().get(0).distribution());
    assertEquals(0, decision.slots().get(1).chosen());
    assertArrayEquals(new double[] {0.4, 0, 0.6}, decision.slots().get(1).distribution());
    assertEquals(
        List.of(new Reaction("reward", 0, 2, decision.decidedAtMicros())), decision.reactions());
    assertEquals("{\"User-id\":\"a\",\"slot0-size\":\"big\"}", decision.context().toString());
    assertEquals("{\"b_\":\"1\"}", decision.candidates().get(0).features().toString());
    assertEquals(OptionalInt.empty(), decision.baseline());
    assertEquals(
        OptionalInt.of(2), one(CCB.replace("\"Version\"", "\"_ba\":[2,0],\"Version\"")).baseline());
  }

  @Test
  void slotsOfASlateChooseFromTheirOwnActionsAndShareOneCost() throws IOException {
    LoggedDecision decision = one(SLATES);
    assertEquals(0, decision.slots().get(0).chosen());
    assertArrayEquals(new double[] {1, 0, 0}, decision.slots().get(0).distribution());
    assertEquals(2, decision.slots().get(1).chosen());
    assertEquals(0.8, decision.slots().get(1).propensity());
    assertArrayEquals(new double[] {0, 0.2, 0.8}, decision.slots().get(1).distribution());
    assertEquals(
        List.of(new Reaction("reward", -1, 3, decision.decidedAtMicros())), decision.reactions());
    LoggedDecision same = one(SLATES.replace("\"_tag\":\"u\"", "\"_tag\":\"w\""));
    assertEquals(
        List.of("w", "v", "w@slot1"),
        same.candidates().stream().map(LoggedDecision.Candidate::itemId).toList());
  }

  @Test
  void aProbabilityInsideTheContextIsNeverThePropensity() throws IOException {
    LoggedDecision decision =
        one(SIMPLE.replace("\"c\":{", "\"c\":{\"p\":[0.5,0.5],\"_p\":[0,1],"));
    assertEquals(0.7, decision.slots().get(0).propensity());
    assertEquals("{\"p\":[0.5,0.5]}", decision.context().toString());
  }

  @Test
  void whatIsSaidTwiceMustNotContradictItself() throws IOException {
    assertRejected(
        SIMPLE.replace("\"c\"", "\"p\":[0.6,0.4],\"c\""), "has the key 'p' twice at column");
    assertRejected(
        SIMPLE.replace("\"c\"", "\"_p\":[0.6,0.4],\"c\""), "has p and _p, and they differ");
    assertEquals(
        0.7, one(SIMPLE.replace("\"c\"", "\"_p\":[0.7,0.3],\"c\"")).slots().get(0).propensity());
    assertRejected(
        SIMPLE.replace("\"c\"", "\"_labelIndex\":1,\"_label_Action\":1,\"c\""),
        "_label_Action is 1 (counted from 1) and _labelIndex 1 (counted from 0)");
    assertRejected(
        SIMPLE.replace("\"c\"", "\"_labelIndex\":1,\"c\""),
        "the label is action 1 and a begins with 0 (both counted from 0)");
  }

  @Test
  void aPassThroughChanceIsAWeightAndNoPartOfThePropensity() throws IOException {
    LoggedDecision decision = one(SIMPLE.replace("\"c\"", "\"_label_probability\":0.35,\"c\""));
    assertEquals(0.7, decision.slots().get(0).propensity());
    assertEquals(2, decision.sampleWeight(), 1e-12);
    LoggedDecision both =
        one(SIMPLE.replace("\"c\"", "\"_label_probability\":0.35,\"pdrop\":0.9,\"c\""));
    assertEquals(0.7, both.slots().get(0).propensity());
    assertEquals(20, both.sampleWeight(), 1e-9);
    // More than p[0] cannot come from dropping.
    assertEquals(
        1, one(SIMPLE.replace("\"c\"", "\"_label_probability\":0.8,\"c\"")).sampleWeight());
    assertRejected(
        SIMPLE.replace("\"c\"", "\"_label_probability\":-1,\"c\""), "_label_probability is -1.0");
  }

  @Test
  void aDropOfOneIsRefusedAndAnyOtherIsAWeight() throws IOException {
    assertEquals(1 / (1 - 0.9), one(drop("0.9")).sampleWeight(), 1e-12);
    assertEquals(1, one(drop("0")).sampleWeight());
    assertRejected(drop("1"), "pdrop is 1.0, must be in [0, 1)");
    assertRejected(drop("1.0"), "pdrop is 1.0, must be in [0, 1)");
    assertRejected(drop("-0.5"), "pdrop is -0.5, must be in [0, 1)");
    assertRejected(drop("NaN"), "pdrop is NaN, must be a finite number");
    assertRejected(drop("\"0.5\""), "pdrop is \"0.5\", must be a finite number");
  }

  private static String drop(String value) {
    return SIMPLE.replace("\"c\"", "\"pdrop\":" + value + ",\"c\"");
  }

  @Test
  void everyRuleThatWasAppliedIsCountedWithItsFirstLine() throws IOException {
    Path file =
        write(SIMPLE, drop("0.5"), SIMPLE.replace("\"c\"", "\"_skipLearn\":true,\"c\""), drop("0"));
    try (DsjsonReader reader = DsjsonReader.open(file, "reward")) {
      List<LoggedDecision> decisions = new ArrayList<>();
      for (LogReader.Entry e = reader.next(); e != null; e = reader.next()) {
        decisions.add(((LogReader.Read) e).decision());
      }
      assertEquals(
          List.of(true, true, false, true),
          decisions.stream().map(LoggedDecision::learnable).toList());
      assertEquals(
          List.of(
              DsjsonLine.NOT_LEARNABLE + " 1 from 3", DsjsonLine.WEIGHT_FROM_DROP + " 2 from 2"),
          reader.notes().stream()
              .map(n -> n.text() + " " + n.decisions() + " from " + n.first().line())
              .toList());
      assertEquals(1, reader.progress());
    }
  }

  @Test
  void anOutcomeOfASlotThatIsNotThereIsCountedAndChangesNothing() throws IOException {
    String positions =
        """
        {"Timestamp":"2020-04-20T20:15:11Z","EventId":"t","c":{"_multi":[{},{},{},{}],\
        "_slots":[{},{},{}]},"_outcomes":[{"_a":0,"_p":0.5},{"_a":1,"_p":0.5},{"_a":2,"_p":0.5}],\
        "o":[{"v":1,"Index":"b"},{"v":1,"Index":"2"},{"v":1,"Index":7},{"ActionTaken":true}]}\
        """;
    try (DsjsonReader reader = DsjsonReader.open(write(positions), "reward")) {
      LoggedDecision decision = ((LogReader.Read) assertNotNullEntry(reader.next())).decision();
      assertEquals(
          List.of(new Reaction("reward", 2, 1, decision.decidedAtMicros())), decision.reactions());
      assertNull(decision.slots().get(0).distribution());
      assertTrue(reader.notes().stream().anyMatch(note -> note.text().equals(DsjsonLine.DANGLING)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // actions, label, chosen (from 0)
        "[1,2,3]     |                     | 0",
        "[3,1,2]     |                     | 2",
        "[0,1,2]     |                     | 0",
        "[2,0,1]     |                     | 2",
        "[2]         |                     | 1",
        "[1]         |,\"_labelIndex\":1   | 1",
        "[1]         |,\"_labelIndex\":0   | 0",
        "[2]         |,\"_label_Action\":2 | 1",
        "[3]         |,\"_labelIndex\":2   | 2",
      })
  void actionsCountFromOneUnlessAZeroOrTheLabelShowsOtherwise(
      String actions, String label, int chosen) throws IOException {
    int listed = actions.split(",", -1).length;
    LoggedDecision decision =
        one(
            ("{\"_label_cost\":0,\"Timestamp\":\"2020-04-20T20:15:11\",\"EventId\":\"n\",\"a\":%s,"
                    + "\"p\":[%s]%s,\"c\":{\"_multi\":[{},{},{}]}}")
                .formatted(
                    actions, listed == 1 ? "0.5" : "0.5,0.25,0.25", label == null ? "" : label));
    assertEquals(chosen, decision.slots().get(0).chosen());
  }

  @ParameterizedTest
  @CsvSource({"0", "-0.105", "-2.30", "1.5", "70", "NaN"})
  void whatIsNoPropensityIsHandedOnForTheImportToJudge(String p) throws IOException {
    LoggedDecision decision = one(SIMPLE.replace("[0.7,0.3]", "[" + p + ",0.3]"));
    assertEquals(Double.parseDouble(p), decision.slots().get(0).propensity());
    assertNull(decision.slots().get(0).distribution());
  }

  @Test
  void emptyActionsExplicitZerosAndANegativeZeroAreFine() throws IOException {
    LoggedDecision decision =
        one(
            SIMPLE
                .replace("\"_label_cost\":-1", "\"_label_cost\":-0.0")
                .replace("[0.7,0.3]", "[0.5,0.5]")
                .replace("\"c\":{", "\"c\":{\"F\":0.0,\"G\":0,\"H\":-0.0,"));
    assertEquals("{\"F\":0.0,\"G\":0.0,\"H\":0.0}", decision.context().toString());
    assertEquals(List.of(), decision.reactions());
    assertEquals(
        List.of("action-0", "action-1"),
        decision.candidates().stream().map(LoggedDecision.Candidate::itemId).toList());
  }

  @Test
  void featuresOfEveryShapeKeepTheirNamespace() throws IOException {
    LoggedDecision decision =
        one(
            SIMPLE.replace(
                "\"c\":{",
                "\"c\":{\"U s\":{\"v\":[1,2.5],\"t\":{\"_text\":\"a b\\tb\"},\"n\":null,\"_x\":1,"
                    + "\"deep\":{\"k\":true}},\"tags\":[{\"g\":\"r\"},{\"g\":\"s\"},{\"w\":1},{\"w\":2}],"
                    + "\"_text\":\"hello\",\"9\":1,\"-\":1,"));
    assertEquals(
        "{\"U_s-v\":[1,2.5],\"U_s-t\":[\"a\",\"b\",\"b\"],\"U_s-deep-k\":true,"
            + "\"tags-g\":[\"r\",\"s\"],\"tags-w\":3.0,\"text\":\"hello\",\"9\":1.0,\"f-\":1.0}",
        decision.context().toString());
  }

  @Test
  void aNewerWritersFieldIsIgnored() throws IOException {
    assertEquals("s", one(SIMPLE.replace("\"c\"", "\"new\":{\"deep\":[1]},\"c\"")).decisionId());
  }

  @Test
  void withoutACostTheOutcomesAreTheReward() throws IOException {
    String line = SIMPLE.replace("\"_label_cost\":-1", "\"o\":[{\"v\":1},{\"v\":0.5}]");
    assertEquals(1.5, one(line).reactions().get(0).value());
    assertRejected(
        SIMPLE.replace("\"_label_cost\":-1", "\"o\":[{\"ActionTaken\":true}]"),
        "has no _label_cost and no outcome in o");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[0.7,0.3]|[0.7,0.2,0.1]|2 actions and 3 probabilities, must be as many",
        "[0.7,0.3]|[0.7,0.1]|the probabilities of 2 actions sum to 0.800000, must sum to 1",
        "[0.7,0.3]|[0.7,-0.3]|the probability of action 1 (counted from 0) is -0.3, must be in",
        "[0.7,0.3]|[\"0.7\",0.3]|p[0] is \"0.7\", must be a probability",
        "\"a\":[1,2]|\"a\":[1,1]|action 0 (counted from 0) is listed twice",
        "\"a\":[1,2]|\"a\":[0,2]|a has action 0 and action 2 of 2",
        "\"a\":[1,2]|\"a\":[4,1]|action 3 (counted from 0) does not exist, there are 2",
        "\"a\":[1,2]|\"a\":[1.5,2]|a[0] is 1.5, must be a whole number",
        "\"a\":[1,2],|\"x\":0,|has neither a nor _labelIndex nor _label_Action",
        "\"p\"|\"q\"|has neither p nor _label_probability: no propensity",
        "\"c\":{\"_multi\":[{},{}]}|\"c\":7|c is 7, must be an object",
        "[{},{}]|[]|c._multi is an array of 0, must be an array of at least one action",
        "[{},{}]|[{},3]|c._multi[1] is 3, must be an object",
        "[{},{}]|[{},{\"_multi\":[]}]|c._multi[1] has actions of its own in _multi",
        "[{},{}]|[{},{\"__aid\":\"x\"}]|c._multi[1].__aid refers to an action of another line",
        "[{},{}]|[{},{\"n\":NaN}]|c._multi[1].n is NaN, must be a finite number",
        "[{},{}]|[{},{\"n\":1e999}]|c._multi[1].n is Infinity, must be a finite number",
        "[{},{}]|[{},{\"n\":[1,\"a\"]}]|c._multi[1].n mixes numbers with something else",
        "[{},{}]|[{},{\"n\":[[1]]}]|c._multi[1].n[0] is an array of 1; arrays must hold",
        "2020-04-20T20:15:11Z|1750700166861|Timestamp is \"1750700166861\", must be a time such",
        "\"2020-04-20T20:15:11Z\"|1750700166861|Timestamp is 1750700166861, must be a time such",
        "\"Timestamp\"|\"Time\"|Timestamp is missing, must be a time such",
        "2020-04-20T|+999999-04-20T|Timestamp is \"+999999-04-20T20:15:11Z\", must be a time such",
        "2020-04-20T|2020-02-30T|Timestamp is \"2020-02-30T20:15:11Z\", must be a time such",
        "\"_label_cost\":-1|\"_label_cost\":NaN|_label_cost is NaN, must be a finite number",
        "\"_label_cost\":-1|\"pdf\":[]|has pdf: a decision about a number",
        "\"_label_cost\":-1|\"_label_ca\":{}|has _label_ca: a decision about a number",
        "\"_label_cost\":-1|\"o\":[{\"v\":{\"a\":1}}]|has feedback instead of a reward in o",
        "\"s\"|7|EventId is 7, must be a text",
        "\"c\"|\"_skipLearn\":1,\"c\"|_skipLearn is 1, must be true or false",
        "]}}|]}|ends in the middle of its JSON at column",
        "]}}|]}} x|is no JSON at column",
        "]}}|]}}{}|is no JSON at column",
      })
  void aLineThatIsWrongIsRejectedWithWhatWouldBeRight(String right, String wrong, String reason)
      throws IOException {
    assertRejected(SIMPLE.replace(right, wrong), reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"_a\":[1,2]|\"_a\":[0,2]|_outcomes[0]: action 0 is not in the slot's _inc",
        "\"_a\":[0,2]|\"_a\":[1,2]|_outcomes[1]: action 1 was chosen for slot 0 already",
        ",{\"_id\":\"side\"}||1 slots and 2 _outcomes, must be as many",
        "\"_p\":[0.4,0.6]|\"p\":[]|_outcomes[1]: has no action in _a or no probability in _p",
        "\"_multi\":[{|\"_multi\":[{\"_slot_id\":0,|1 of 3 actions have a _slot_id, must be all",
      })
  void slotsMustAgreeWithEachOther(String right, String wrong, String reason) throws IOException {
    assertRejected(CCB.replace(right, wrong == null ? "" : wrong), reason);
    assertRejected(
        SLATES.replace("\"_a\":[1,0]", "\"_a\":[2,0]"),
        "_outcomes[1]: action 2 (counted from 0) does not exist, its slot has 2");
  }

  @Test
  void oneBadLineCostsOneLine() throws IOException {
    Path file = folder.resolve("log.json");
    Files.write(
        file,
        ("\uFEFF"
                + SIMPLE
                + "\r\n\r\n{broken\n"
                + "{\"RewardValue\":1,\"EventId\":\"x\",\"Timestamp\":\"2020-04-20T20:15:11Z\"}\n"
                + "[1]\n"
                + "x".repeat(5_000)
                + "\n"
                + SIMPLE)
            .getBytes(UTF_8));
    List<String> seen = new ArrayList<>();
    try (DsjsonReader reader = DsjsonReader.open(file, "click")) {
      for (LogReader.Entry e = reader.next(); e != null; e = reader.next()) {
        if (e instanceof LogReader.Rejected rejected) {
          assertTrue(rejected.text().length() <= 1_000);
          seen.add(rejected.origin().line() + " " + rejected.reason());
        } else {
          seen.add("read " + ((LogReader.Read) e).decision().reactions().get(0).signal());
        }
      }
    }
    assertEquals(6, seen.size());
    assertEquals("read click", seen.get(0));
    assertTrue(seen.get(1).startsWith("3 is no JSON at column 2: "), seen.get(1));
    assertTrue(seen.get(2).startsWith("4 is a reward whose decision"), seen.get(2));
    assertEquals("5 is an array of 1, must be a JSON object", seen.get(3));
    assertTrue(seen.get(4).startsWith("6 is no JSON"), seen.get(4));
    assertEquals("read click", seen.get(5));
  }

  @Test
  void theBinaryJoinedLogIsRefusedAsAWhole() throws IOException {
    Path file = folder.resolve("joined.fb");
    Files.write(file, new byte[] {'V', 'W', 'F', 'B', 1, 0, 0, 0, 1, 2, 3, '\n'});
    try (DsjsonReader reader = DsjsonReader.open(file, "reward")) {
      ImportRefused refused = assertThrows(ImportRefused.class, reader::next);
      assertTrue(String.valueOf(refused.getMessage()).contains("convert it to dsjson first"));
    }
  }

  private LoggedDecision one(String line) throws IOException {
    LogReader.Entry entry = entry(line);
    if (entry instanceof LogReader.Rejected rejected) {
      throw new AssertionError(rejected.reason());
    }
    return ((LogReader.Read) entry).decision();
  }

  private void assertRejected(String line, String reason) throws IOException {
    LogReader.Entry entry = entry(line);
    assertTrue(entry instanceof LogReader.Rejected, "read: " + line);
    String found = ((LogReader.Rejected) entry).reason();
    assertTrue(found.contains(reason), found);
  }

  private LogReader.Entry entry(String line) throws IOException {
    try (DsjsonReader reader = DsjsonReader.open(write(line), "reward")) {
      return assertNotNullEntry(reader.next());
    }
  }

  private static LogReader.Entry assertNotNullEntry(LogReader.@Nullable Entry entry) {
    assertNotNull(entry);
    return entry;
  }

  private Path write(String... lines) throws IOException {
    return Files.writeString(folder.resolve("log.json"), String.join("\n", lines) + "\n");
  }
}
