package io.bellwether.serving.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.problem.ProblemException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AssignmentsTest {

  private static final String HALVES =
      "{'name':'exp-1','surface':'feed','variants':[{'name':'control'},"
          + "{'name':'treatment','policy':'uniform'}]";

  @TempDir Path folder;
  private Lab lab;

  @BeforeEach
  void open() {
    lab = new Lab(folder);
  }

  @Test
  void theGoldenLayeredExampleIsReproduced() {
    lab.running(HALVES + ",'layer':'home','slice':{'from':0,'to':4000}}");
    for (JsonNode unit : BucketTest.golden().path("layered_example").path("units")) {
      String id = unit.path("unit").textValue();
      Assigned assigned = lab.assign(id);
      if (unit.path("in_experiment").booleanValue()) {
        Assigned.ToVariant to = assertInstanceOf(Assigned.ToVariant.class, assigned, id);
        assertEquals(unit.path("arm").textValue(), to.variant().name(), id);
        assertEquals(unit.path("exp_bucket").intValue(), to.bucket(), id);
      } else {
        assertEquals(new Assigned.None(Assigned.Reason.OUTSIDE_SLICE), assigned, id);
      }
    }
  }

  @Test
  void nobodyLeavesTheTreatmentWhileItsShareGrows() {
    lab.running(HALVES + ",'plan':[{'share':100},{'share':10000}]}");
    Set<String> treated = new HashSet<>();
    for (int percent : new int[] {1, 5, 20, 50, 100}) {
      lab.experiments.ramp("exp-1", percent, Lab.by());
      Set<String> now = new HashSet<>();
      for (int i = 0; i < 1000; i++) {
        if (variant("u" + i).equals("treatment")) {
          now.add("u" + i);
        }
      }
      assertTrue(now.containsAll(treated));
      assertEquals(percent * 10, now.size(), 50);
      treated = now;
    }
  }

  @Test
  void anAssignmentSaysAllThatIsLogged() {
    lab.running(HALVES + "}");
    Assigned.ToVariant to = assertInstanceOf(Assigned.ToVariant.class, lab.assign("user-1"));
    assertEquals("exp-1", to.state().name());
    assertEquals(1, to.phase().number());
    assertEquals("treatment", to.variant().name());
    assertEquals("uniform", to.version());
    assertEquals("user-1", to.unit());
    assertEquals(5971, to.bucket());
    assertEquals(0.5, to.share());
    assertFalse(to.forced());
    assertEquals("", to.slice());
  }

  @Test
  void withoutAnExperimentThereIsNoAssignment() {
    assertEquals(new Assigned.None(Assigned.Reason.NO_EXPERIMENT), lab.assign("user-1"));
  }

  @Test
  void knowledgeOlderThanTheLeaseAssignsNobody() {
    lab.running(HALVES + "}");
    lab.nanos.addAndGet(Lab.LEASE.toNanos());
    assertInstanceOf(Assigned.ToVariant.class, lab.assign("user-1"));
    lab.nanos.addAndGet(1);
    assertEquals(new Assigned.None(Assigned.Reason.STALE), lab.assign("user-1"));
    assertTrue(lab.experiments.assignments().stale());
    assertTrue(
        lab.experiments
            .assignments()
            .shadows(lab.surface(), lab.occasion("user-1", "{}"))
            .isEmpty());
    lab.feed.refresh();
    assertInstanceOf(Assigned.ToVariant.class, lab.assign("user-1"));
  }

  @Test
  void aStartTakesEffectWhenEveryReplicaKnowsIt() {
    lab.created(HALVES + "}");
    lab.experiments.start("exp-1", Lab.by());
    assertEquals(new Assigned.None(Assigned.Reason.NOT_STARTED), lab.assign("user-1"));
    lab.pass(Lab.LEASE);
    assertInstanceOf(Assigned.ToVariant.class, lab.assign("user-1"));
  }

  @Test
  void itsDeclaredTimesAreKept() {
    lab.running(HALVES + ",'startAt':'2026-11-30T13:00:00Z','endAt':'2026-11-30T14:00:00Z'}");
    assertEquals(new Assigned.None(Assigned.Reason.NOT_STARTED), lab.assign("user-1"));
    lab.pass(Duration.ofHours(1));
    assertInstanceOf(Assigned.ToVariant.class, lab.assign("user-1"));
    lab.pass(Duration.ofHours(1));
    assertEquals(new Assigned.None(Assigned.Reason.ENDED), lab.assign("user-1"));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "   ",
        "anonymous",
        "Anonymous",
        "undefined",
        "null",
        "NULL",
        "0",
        "00000000-0000-0000-0000-000000000000"
      })
  void anIdThatManyShareIsNoUnit(@Nullable String subject) {
    lab.running(HALVES + "}");
    assertEquals(new Assigned.None(Assigned.Reason.NO_UNIT), lab.assign(subject));
  }

  @Test
  void aRequestIsAUnitWithoutASubject() {
    lab.running(HALVES + ",'unit':'REQUEST'}");
    Assigned.ToVariant to = assertInstanceOf(Assigned.ToVariant.class, lab.assign(null));
    assertEquals("decision-1", to.unit());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'attribute':'country','in':['fi','se']}       | {'country':'fi'}     | true
          {'attribute':'country','in':['fi','se']}       | {'country':'no'}     | false
          {'attribute':'country','in':['fi','se']}       | {}                   | false
          {'attribute':'country','in':['fi','se']}       | {'country':null}     | false
          {'attribute':'country','notIn':['fi']}         | {'country':'no'}     | true
          {'attribute':'country','notIn':['fi']}         | {'country':'fi'}     | false
          {'attribute':'country','notIn':['fi']}         | {}                   | false
          {'attribute':'hour','atLeast':8,'atMost':20}   | {'hour':8}           | true
          {'attribute':'hour','atLeast':8,'atMost':20}   | {'hour':20.0}        | true
          {'attribute':'hour','atLeast':8,'atMost':20}   | {'hour':21}          | false
          {'attribute':'hour','atLeast':8}               | {'hour':'9'}         | false
          {'attribute':'hour','in':[8]}                  | {'hour':8.0}         | true
          {'attribute':'taste','exists':true}            | {'taste':[1,0]}      | true
          {'attribute':'taste','exists':true}            | {}                   | false
          {'attribute':'subject','in':['user-1']}        | {}                   | true
          {'attribute':'subject','notIn':['user-1']}     | {}                   | false
          """)
  void onlyWhomAllConditionsFitIsIn(String condition, String context, boolean in) {
    lab.running(HALVES + ",'targeting':[" + condition + "]}");
    Assigned assigned = lab.assign("user-1", context);
    if (in) {
      assertInstanceOf(Assigned.ToVariant.class, assigned);
    } else {
      assertEquals(new Assigned.None(Assigned.Reason.TARGETING), assigned);
    }
  }

  @Test
  void anOverrideComesBeforeEveryOtherCheckAndIsNotCounted() {
    lab.running(
        HALVES
            + ",'targeting':[{'attribute':'country','in':['fi']}],'slice':{'from':0,'to':1},"
            + "'overrides':{'tester':'treatment','anonymous':'control'}}");
    Assigned.ToVariant to = assertInstanceOf(Assigned.ToVariant.class, lab.assign("tester"));
    assertEquals("treatment", to.variant().name());
    assertTrue(to.forced());
    assertEquals(-1, to.bucket());
    assertEquals("control", variant("anonymous"));
    lab.experiments.rollback("exp-1", Lab.by());
    assertInstanceOf(Assigned.None.class, lab.assign("tester"));
  }

  @Test
  void whoIsHeldOutIsInNoOtherExperiment() {
    lab.running(
        "{'name':'holdout-2026','surface':'feed','kind':'HOLDOUT','variants':["
            + "{'name':'held','policy':'as-given','weight':2000},{'name':'rest','weight':8000}]}");
    lab.running(HALVES + "}");
    int held = 0;
    for (int i = 0; i < 1000; i++) {
      String id = "user-" + i;
      Assigned.ToVariant to = assertInstanceOf(Assigned.ToVariant.class, lab.assign(id));
      boolean out = Bucket.of("holdout-2026", id) < 2000;
      held += out ? 1 : 0;
      assertEquals(out ? "holdout-2026" : "exp-1", to.state().name());
      assertEquals(out ? "as-given" : to.version(), to.version());
      Occasion occasion = lab.occasion(id, "{}");
      Assignments known = lab.experiments.assignments();
      assertEquals(
          out,
          known.explain("exp-1", occasion).orElseThrow().equals(none(Assigned.Reason.HOLDOUT)));
      assertEquals(!out, known.comparison(lab.surface(), occasion).isPresent());
    }
    assertTrue(held > 150 && held < 250, "held out " + held);
  }

  @Test
  void whoIsInNoExperimentIsComparedWithTheHoldout() {
    lab.running(
        "{'name':'holdout-2026','surface':'feed','kind':'HOLDOUT','variants':["
            + "{'name':'held','policy':'as-given','weight':200},{'name':'rest','weight':9800}]}");
    Set<String> variants = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      variants.add(variant("user-" + i));
    }
    assertEquals(Set.of("held", "rest"), variants);
  }

  @Test
  void experimentsOfOneLayerShareNobody() {
    lab.running(HALVES + ",'slice':{'from':0,'to':3000}}");
    lab.running(HALVES.replace("exp-1", "exp-2") + ",'slice':{'from':3000,'to':6000}}");
    lab.running(
        HALVES.replace("exp-1", "exp-3") + ",'unit':'REQUEST','slice':{'from':6000,'to':10000}}");
    int[] counts = new int[3];
    for (int i = 0; i < 2000; i++) {
      Occasion occasion = lab.occasion("user-" + i, "{}");
      int in = 0;
      for (int e = 0; e < 3; e++) {
        Assigned assigned =
            lab.experiments.assignments().explain("exp-" + (e + 1), occasion).orElseThrow();
        if (assigned instanceof Assigned.ToVariant) {
          in++;
          counts[e]++;
        }
      }
      assertEquals(1, in);
    }
    assertEquals(600, counts[0], 80);
    assertEquals(800, counts[2], 80);
  }

  @Test
  void interleavedSlatesHaveBothVersions() {
    lab.running(HALVES.replace("uniform", "as-given") + ",'kind':'INTERLEAVING'}");
    Assigned.ToVariant to = assertInstanceOf(Assigned.ToVariant.class, lab.assign("user-1"));
    assertEquals(Variant.INTERLEAVED, to.variant().name());
    assertInstanceOf(Arm.Interleaved.class, to.variant().arm());
    assertEquals("uniform+as-given", to.version());
    assertEquals(1, to.share());
  }

  @Test
  void slatesThatKeepToRulesAreNotInterleaved() {
    Lab ruled = Lab.ruled(folder.resolve("ruled"));
    ProblemException refused =
        assertThrows(
            ProblemException.class,
            () -> ruled.created(HALVES.replace("uniform", "as-given") + ",'kind':'INTERLEAVING'}"));
    assertEquals("#/kind", refused.problem().errors().get(0).pointer());
    ruled.created(HALVES.replace("uniform", "as-given") + "}");
  }

  @Test
  void blocksOfTimeComeInPairsWithEachVariantOnce() {
    lab.running(HALVES + ",'kind':'SWITCHBACK','blockLength':'PT1H','washout':'PT10M'}");
    lab.pass(Duration.between(lab.now(), Instant.parse("2026-12-01T00:30:00Z")));
    Set<String> firsts = new HashSet<>();
    for (int pair = 0; pair < 40; pair++) {
      Assigned.ToVariant first = assertInstanceOf(Assigned.ToVariant.class, lab.assign("a"));
      Assigned.ToVariant others = assertInstanceOf(Assigned.ToVariant.class, lab.assign(null));
      lab.pass(Duration.ofHours(1));
      Assigned.ToVariant second = assertInstanceOf(Assigned.ToVariant.class, lab.assign("a"));
      lab.pass(Duration.ofHours(1));
      assertEquals(first, others);
      assertNotEquals(first.variant(), second.variant());
      assertNotEquals(first.slice(), second.slice());
      assertFalse(first.forced());
      firsts.add(first.variant().name());
    }
    assertEquals(Set.of("control", "treatment"), firsts);
  }

  @Test
  void aBlocksWashoutIsServedAndNotCounted() {
    lab.running(HALVES + ",'kind':'SWITCHBACK','blockLength':'PT1H','washout':'PT10M'}");
    Assigned.ToVariant early = assertInstanceOf(Assigned.ToVariant.class, lab.assign("a"));
    assertEquals("2026-11-30T12:00:00Z", early.slice());
    assertTrue(early.forced());
    lab.pass(Duration.ofMinutes(10));
    assertFalse(assertInstanceOf(Assigned.ToVariant.class, lab.assign("a")).forced());
  }

  @Test
  void anApprenticeServesEverybodyAsGiven() {
    lab.running(
        "{'name':'learn','surface':'feed','kind':'APPRENTICE','variants':[{'name':'given'}]}");
    for (@Nullable String subject : new @Nullable String[] {null, "anonymous", "user-1"}) {
      Assigned.ToVariant to = assertInstanceOf(Assigned.ToVariant.class, lab.assign(subject));
      assertEquals("as-given", to.version());
      assertEquals(1, to.share());
    }
  }

  @Test
  void shadowsAreScoredForTheirShareOfTheTraffic() {
    lab.running(
        "{'name':'dark','surface':'feed','kind':'SHADOW','variants':["
            + "{'name':'all','policy':'uniform','weight':10000},"
            + "{'name':'tenth','policy':'as-given','weight':1000}]}");
    int[] counts = new int[2];
    for (int i = 0; i < 2000; i++) {
      Occasion occasion = new Occasion("a", "d" + i, () -> null, lab.now());
      List<Shadow> shadows = lab.experiments.assignments().shadows(lab.surface(), occasion);
      for (Shadow shadow : shadows) {
        counts[shadow.variant().name().equals("all") ? 0 : 1]++;
      }
    }
    assertEquals(2000, counts[0]);
    assertEquals(200, counts[1], 50);
    assertEquals(none(Assigned.Reason.NO_EXPERIMENT), lab.assign("user-1"));
  }

  @Test
  void aFlagAlwaysHasAnAnswer() {
    lab.running(
        "{'name':'cta','surface':'feed','variants':[{'name':'plain','payload':'Buy'},"
            + "{'name':'bold','payload':'Buy now'}]}");
    assertEquals(none(Assigned.Reason.NO_EXPERIMENT), lab.assign("user-1"));
    Flag assigned = flag("user-1");
    assertInstanceOf(Assigned.ToVariant.class, assigned.assigned());
    assertEquals("plain", flag(null).variant().name());
    lab.experiments.conclude("cta", "bold", Lab.by());
    assertEquals("bold", flag(null).variant().name());
    assertEquals(1, lab.experiments.assignments().flags().size());
    lab.experiments.archive("cta", Lab.by());
    assertTrue(lab.experiments.assignments().flag("cta", lab.occasion("user-1", "{}")).isEmpty());
  }

  private Flag flag(@Nullable String subject) {
    return lab.experiments.assignments().flag("cta", lab.occasion(subject, "{}")).orElseThrow();
  }

  private String variant(String subject) {
    return ((Assigned.ToVariant) lab.assign(subject)).variant().name();
  }

  private static Assigned none(Assigned.Reason reason) {
    return new Assigned.None(reason);
  }
}
