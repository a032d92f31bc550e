package io.bellwether.serving.rule;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Grouping;
import io.bellwether.ingestion.event.Masked;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.scoring.SlateRules;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.surface.DeclaredSurface;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleBookTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long NOW = 1_796_040_000_000_000L;
  private static final long HOUR = 3_600_000_000L;

  private static final String SURFACE =
      """
      surface: feed
      slate: { size: 3 }
      history: { signals: [hide], last: 5 }
      item:
        - { name: topic, type: category, values: [news, sport, art] }
        - { name: paid, type: flag }
        - { name: tags, type: categories, values: [new, old], max: 2 }
        - { name: age, type: number }
      signals: [ { name: hide, type: flag, window: 1h } ]
      objective: { maximize: hide }
      """;

  /** a: news, paid; b: news; c: sport, tagged; d: of no topic; all of their own age. */
  private static final List<String> IDS = List.of("a", "b", "c", "d");

  private static final String[] FEATURES = {
    "{\"topic\":\"news\",\"paid\":true,\"age\":1}",
    "{\"topic\":\"news\",\"age\":2}",
    "{\"topic\":\"sport\",\"tags\":[\"old\",\"new\"],\"age\":3}",
    "{\"age\":4}"
  };

  private final RuleBook book = new RuleBook();

  @Test
  void withoutRulesNothingIsMade() {
    assertSame(Compiled.NONE, compile("", "{}"));
    List<String> ids = new ArrayList<>(IDS);
    assertSame(ids, Compiled.NONE.ids(ids));
    assertNull(Compiled.NONE.rawItems(null));
  }

  @Test
  void aMaskedCandidateIsNoneAndItsReasonIsLogged() {
    Compiled compiled =
        compile(
            "",
            "{\"masks\":[{\"candidateId\":\"b\",\"reason\":\"sold-out\"},"
                + "{\"candidateId\":\"x\",\"reason\":\"sold-out\"}]}");
    assertEquals(List.of("a", "c", "d"), compiled.ids(IDS));
    assertArrayEquals(new int[] {0, 2, 3}, compiled.kept());
    assertEquals("[{\"x\":1},3,null]", compiled.rawItems("[{\"x\":1},2,3,null]"));
    assertEquals(List.of(new Masked("b", "sold-out")), trace(compiled).getMasked());
    assertEquals(SlateRules.NONE, compiled.rules());
  }

  @Test
  void masksThatLeaveNobodyAreRefused() {
    String masks = "{\"candidateId\":\"%s\",\"reason\":\"r\"}";
    assertThrows(
        ProblemException.class,
        () ->
            compile(
                "",
                "{\"masks\":[%s,%s,%s,%s]}"
                    .formatted(IDS.stream().map(masks::formatted).toArray())));
  }

  @Test
  void aPinIsAboutTheCandidatesThatAreLeft() {
    Compiled compiled =
        compile(
            "",
            """
            {"masks":[{"candidateId":"a","reason":"r"}],
             "pins":[{"candidateId":"c","position":0},{"candidateId":"z","position":1}]}
            """);
    assertEquals(List.of(new SlateRules.Pin(0, 1)), compiled.rules().pins());
    assertEquals(List.of("pin z at 1: no candidate"), trace(compiled).getRelaxed());
    assertEquals(1, trace(compiled).getPins().get(0).getCandidate());
  }

  @Test
  void boundsOnOneFeatureAreOneGrouping() {
    Compiled compiled =
        compile(
            """
            rules:
              at-most: [ { feature: topic, n: 2 } ]
              apart: [ { feature: topic, distance: 1 } ]
              at-least: [ { feature: topic, value: sport, n: 1 } ]
            """,
            "{}");
    assertEquals(1, compiled.rules().groupings().size());
    SlateRules.Grouping grouping = compiled.rules().groupings().get(0);
    assertArrayEquals(new int[] {0, 0, 1, -1}, grouping.groups());
    assertEquals(2, grouping.atMost());
    assertEquals(1, grouping.apart());
    assertArrayEquals(new int[] {0, 1}, grouping.atLeast());
    assertEquals(List.of(0, 0, 1, -1), trace(compiled).getGroupings().get(0).getGroups());
    assertEquals(List.of(), trace(compiled).getRelaxed());
  }

  @Test
  void flagsAndTagsGroupTheItemsThatHaveThem() {
    Compiled compiled =
        compile(
            "",
            """
            {"atMost":[{"feature":"paid","n":1},{"feature":"tags","value":"new","n":1},
                       {"feature":"topic","value":"news","n":1}]}
            """);
    List<SlateRules.Grouping> groupings = compiled.rules().groupings();
    assertArrayEquals(new int[] {0, -1, -1, -1}, groupings.get(0).groups());
    assertArrayEquals(new int[] {-1, -1, 0, -1}, groupings.get(1).groups());
    assertArrayEquals(new int[] {0, 0, -1, -1}, groupings.get(2).groups());
    assertEquals("tags=new", groupings.get(1).rule());
  }

  @Test
  void aRequestsBoundTakesThePlaceOfTheSurfaces() {
    String declared = "rules: { at-most: [ { feature: topic, n: 1 } ] }\n";
    assertEquals(1, compile(declared, "{}").rules().groupings().get(0).atMost());
    assertEquals(
        2,
        compile(declared, "{\"atMost\":[{\"feature\":\"topic\",\"n\":2}]}")
            .rules()
            .groupings()
            .get(0)
            .atMost());
  }

  @Test
  void whatNoSlateCanKeepIsGivenUpAndTold() {
    Compiled compiled =
        compile(
            "rules: { at-least: [ { feature: topic, value: sport, n: 2 } ] }\n",
            """
            {"atMost":[{"feature":"topic","n":1}],
             "atLeast":[{"feature":"topic","value":"art","n":1}],
             "pins":[{"candidateId":"a","position":0},{"candidateId":"b","position":7}]}
            """);
    assertEquals(
        List.of(
            "pin b at 7: no slate has it there",
            "at-least topic=sport: 1 instead of 2",
            "at-least topic=art: 0 instead of 1"),
        trace(compiled).getRelaxed());
    assertEquals(1, compiled.rules().groupings().get(0).atMost());
  }

  @Test
  void whatWasShownOftenEnoughIsNoCandidate() {
    String caps =
        """
        rules:
          frequency-cap:
            - { n: 2, window: 2h }
            - { feature: topic, signal: hide, n: 1, window: 24h }
        """;
    DeclaredSurface surface = surface(caps);
    float[] items = items(surface);
    float[] b = row(items, 1, surface);
    float[] c = row(items, 2, surface);
    float[] d = row(items, 3, surface);
    SubjectHistory history =
        new SubjectHistory(
            List.of(
                new SubjectHistory.Entry(NOW - 3 * HOUR, "1", b, new float[] {0}),
                new SubjectHistory.Entry(NOW - HOUR, "2", b, new float[] {0}),
                new SubjectHistory.Entry(NOW - 5 * HOUR, "3", c, new float[] {1}),
                new SubjectHistory.Entry(NOW - HOUR, "4", d, new float[] {1}),
                new SubjectHistory.Entry(NOW - HOUR / 2, "5", d, new float[] {0})));
    float[] rows = new float[5 * surface.layout().historyWidth()];
    history.encode(surface.layout(), NOW, rows, 0);
    Compiled compiled =
        book.compile(AskedRules.NONE, new RuleBook.Case(surface, IDS, items, 3, rows, false));
    // b was shown twice, but once too long ago; c's topic was hidden; d, of no topic, came twice
    assertEquals(List.of("a", "b"), compiled.ids(IDS));
    assertEquals(
        List.of(new Masked("c", "frequency-cap.topic"), new Masked("d", "frequency-cap")),
        trace(compiled).getMasked());
  }

  @Test
  void capsGiveWayWhereTheyWouldLeaveNobodyOrNothingIsKnown() {
    DeclaredSurface surface = surface("rules: { frequency-cap: [ { n: 1, window: 1h } ] }\n");
    float[] items = items(surface);
    List<SubjectHistory.Entry> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(
          new SubjectHistory.Entry(NOW - HOUR / 2, "" + i, row(items, i, surface), new float[1]));
    }
    float[] rows = new float[5 * surface.layout().historyWidth()];
    new SubjectHistory(all).encode(surface.layout(), NOW, rows, 0);
    Compiled compiled =
        book.compile(AskedRules.NONE, new RuleBook.Case(surface, IDS, items, 3, rows, false));
    assertNull(compiled.kept());
    assertEquals(
        List.of("frequency-cap: it would leave no candidate"), trace(compiled).getRelaxed());
    compiled = book.compile(AskedRules.NONE, new RuleBook.Case(surface, IDS, items, 3, rows, true));
    assertEquals(
        List.of("frequency-cap: the history could not be read"), trace(compiled).getRelaxed());
  }

  @Test
  void everythingThatIsWrongInARequestsRulesIsTold() {
    List<Violation> violations = new ArrayList<>();
    AskedRules.read(
        fields(
            """
            {"rules":{"masks":[{"candidateId":"a","reason":"not a code"}, 5],
              "pins":[{"candidateId":"a","position":0},{"candidateId":"b","position":0},
                      {"candidateId":"b","position":99},{"candidateId":"c"}],
              "atMost":[{"feature":"age","n":1},{"feature":"topic","n":0},{"n":1}],
              "apart":[{"feature":"topic","n":1}],
              "atLeast":7, "blend":[]}}
            """,
            violations),
        surface(""));
    assertEquals(
        List.of(
            "#/rules/blend",
            "#/rules/masks/1",
            "#/rules/masks/0/reason",
            "#/rules/pins/0/candidateId",
            "#/rules/pins/1/position",
            "#/rules/pins/2/position",
            "#/rules/pins/2/candidateId",
            "#/rules/pins/3/position",
            "#/rules/atLeast",
            "#/rules/atMost/0/feature",
            "#/rules/atMost/1/n",
            "#/rules/atMost/2/feature",
            "#/rules/apart/0/n",
            "#/rules/apart/0/distance"),
        violations.stream().map(Violation::pointer).toList());
  }

  @Test
  void aHigherScoreThatMayNotStandThereIsNotPassedOver() {
    Decision decision = new Decision();
    decision.setLogits(Floats.toBytes(new float[] {3, 2, 1}, 3));
    decision.setRules(
        new RuleTrace(
            List.of(),
            List.of(new Grouping("topic", List.of(0, 0, 1), 1, 0, List.of())),
            List.of(),
            List.of()));
    decision.setSlate(List.of(new Placement(0, "a", 0.6), new Placement(2, "c", 1.0)));
    assertFalse(TracedRules.passOver(decision));
    decision.setSlate(List.of(new Placement(1, "b", 0.2), new Placement(2, "c", 1.0)));
    assertTrue(TracedRules.passOver(decision));
  }

  private Compiled compile(String declared, String asked) {
    DeclaredSurface surface = surface(declared);
    List<Violation> violations = new ArrayList<>();
    AskedRules rules = AskedRules.read(fields("{\"rules\":" + asked + "}", violations), surface);
    assertEquals(List.of(), violations);
    float[] history = new float[surface.layout().historyLength() * surface.layout().historyWidth()];
    return book.compile(rules, new RuleBook.Case(surface, IDS, items(surface), 3, history, false));
  }

  private static RuleTrace trace(Compiled compiled) {
    RuleTrace trace = compiled.trace();
    assertNotNull(trace);
    return trace;
  }

  private static float[] items(DeclaredSurface surface) {
    int width = surface.layout().itemWidth();
    float[] items = new float[FEATURES.length * width];
    List<Violation> violations = new ArrayList<>();
    for (int i = 0; i < FEATURES.length; i++) {
      try {
        surface.item().encode(JSON.readTree(FEATURES[i]), "#", items, i * width, violations);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    assertEquals(List.of(), violations);
    return items;
  }

  private static float[] row(float[] items, int row, DeclaredSurface surface) {
    int width = surface.layout().itemWidth();
    float[] one = new float[width];
    System.arraycopy(items, row * width, one, 0, width);
    return one;
  }

  private static JsonFields fields(String json, List<Violation> violations) {
    try {
      return JsonFields.of(JSON.readTree(json), "#", violations);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static DeclaredSurface surface(String rules) {
    try {
      return DeclaredSurface.of(
          new SurfaceReader().parse("feed.yaml", (SURFACE + rules).getBytes(UTF_8)));
    } catch (InvalidSurfaceException e) {
      throw new AssertionError(e);
    }
  }
}
