package io.bellwether.trainer.imports.vw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.imports.FeatureFit;
import io.bellwether.trainer.imports.LoggedDecision;
import io.bellwether.trainer.imports.LoggedDecision.Origin;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import io.bellwether.trainer.imports.UnreadableLine;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DsjsonExportTest {

  private static final double ROUNDING = 1e-12;

  @Test
  void whatWasExportedReadsBackAsTheSameDecision() throws Exception {
    SampleTransitions samples = new SampleTransitions(1, 7);
    DsjsonExport export = new DsjsonExport(samples.surface);
    FeatureFit contexts = new FeatureFit(samples.surface.context());
    FeatureFit items = new FeatureFit(samples.surface.item());
    for (int i = 0; i < 200; i++) {
      Transition transition = samples.next(i, i % 2 == 0);
      Decision decision = transition.getDecision();
      LoggedDecision read = read(line(export, transition));
      assertEquals(decision.getDecisionId(), read.decisionId());
      assertEquals(decision.getDecidedAtMicros(), read.decidedAtMicros());
      assertEquals(decision.getPolicyVersion(), read.policyVersion());
      assertEquals(
          decision.getCandidateIds(),
          read.candidates().stream().map(LoggedDecision.Candidate::itemId).toList());
      assertEquals(1, read.sampleWeight());
      assertTrue(read.learnable());

      LoggedDecision.Slot slot = read.slots().get(0);
      assertEquals(decision.getSlate().get(0).getCandidate(), slot.chosen());
      assertEquals(decision.getSlate().get(0).getPropensity(), slot.propensity());
      double sum = 0;
      for (double chance : known(slot.distribution())) {
        sum += chance;
      }
      assertEquals(1, sum, ROUNDING);
      assertEquals(transition.getSignals().isEmpty() ? 0 : 1, read.reactions().size());

      Set<String> leftOut = new TreeSet<>();
      assertEquals(decision.getRawContext(), contexts.fit(read.context(), leftOut::add).toString());
      String features = items.fit(read.candidates().get(0), leftOut::add).toString();
      String sent = firstItem(decision);
      assertTrue(sent.isEmpty() || sent.equals(features), sent + " " + features);
      assertEquals(Set.of(), leftOut);
    }
  }

  /** As it was sent; {@code false} is the same as absence. */
  private static String firstItem(Decision decision) {
    String items = decision.getRawItems();
    return items == null
        ? ""
        : items.substring(1, items.indexOf('}') + 1).replace(",\"cold\":false", "");
  }

  @Test
  void featuresOfRegisteredItemsComeOutOfTheirColumns() throws Exception {
    SampleTransitions inline = new SampleTransitions(1, 3);
    SampleTransitions registered = new SampleTransitions(1, 3);
    for (int i = 0; i < 20; i++) {
      assertEquals(
          read(line(new DsjsonExport(inline.surface), inline.next(i, true))).candidates(),
          read(line(new DsjsonExport(registered.surface), registered.next(i, false))).candidates());
    }
    Transition other = registered.next(99, false);
    other.getDecision().setFeatureDigest("another layout");
    LoggedDecision read = read(line(new DsjsonExport(registered.surface), other));
    assertEquals("{}", read.candidates().get(0).features().toString());
  }

  @Test
  void aLongerSlateIsAConditionalBanditWithTheChancesThatWereLeft() throws Exception {
    SampleTransitions samples = new SampleTransitions(3, 11);
    DsjsonExport export = new DsjsonExport(samples.surface);
    for (int i = 0; i < 100; i++) {
      Transition transition = samples.next(i, true);
      String line = line(export, transition);
      LoggedDecision read = read(line);
      assertEquals(3, read.slots().size());
      for (int position = 0; position < 3; position++) {
        LoggedDecision.Slot slot = read.slots().get(position);
        assertEquals(
            transition.getDecision().getSlate().get(position).getCandidate(), slot.chosen());
        assertEquals(
            transition.getDecision().getSlate().get(position).getPropensity(), slot.propensity());
        double[] distribution = known(slot.distribution());
        for (int before = 0; before < position; before++) {
          assertEquals(0, distribution[read.slots().get(before).chosen()]);
        }
      }
      assertEquals(
          transition.getSignals().isEmpty() ? List.of() : List.of(0),
          read.reactions().stream().map(LoggedDecision.Reaction::position).toList());
    }
  }

  @Test
  void aValueOfTheWholeSlateIsKept() throws Exception {
    SampleTransitions samples = new SampleTransitions(2, 5);
    Transition transition = samples.next(1, true);
    transition.setSignals(List.of(click(-1, 2.5), click(1, 0.5)));
    LoggedDecision read = read(line(new DsjsonExport(samples.surface), transition));
    assertEquals(
        List.of(-1, 1), read.reactions().stream().map(LoggedDecision.Reaction::position).toList());
    assertEquals(2.5, read.reactions().get(0).value());

    SampleTransitions single = new SampleTransitions(1, 5);
    Transition one = single.next(1, true);
    one.setSignals(List.of(click(-1, 2.5), click(0, 0.5)));
    assertEquals(3, read(line(new DsjsonExport(single.surface), one)).reactions().get(0).value());
  }

  @Test
  void whatShapedTheChancesBesidesTheScoresLeavesOnlyTheChosenItems() throws Exception {
    SampleTransitions samples = new SampleTransitions(1, 5);
    DsjsonExport export = new DsjsonExport(samples.surface);
    Transition ruled = samples.next(1, true);
    ruled.getDecision().setRules(RuleTrace.newBuilder().build());
    assertNull(read(line(export, ruled)).slots().get(0).distribution());
    Transition other = samples.next(2, true);
    other.getDecision().getSlate().get(0).setPropensity(0.123);
    LoggedDecision.Slot slot = read(line(export, other)).slots().get(0);
    assertEquals(0.123, slot.propensity());
    assertNull(slot.distribution());
  }

  @Test
  void aWeightIsADropAndWhatIsNotLearnableIsSkipped() throws Exception {
    SampleTransitions samples = new SampleTransitions(1, 5);
    DsjsonExport export = new DsjsonExport(samples.surface);
    Transition transition = samples.next(1, true);
    transition.getDecision().setSampleWeight(10);
    transition.getDecision().setLearnable(false);
    LoggedDecision read = read(line(export, transition));
    assertEquals(10, read.sampleWeight(), 1e-9);
    assertFalse(read.learnable());
    assertEquals(
        transition.getDecision().getSlate().get(0).getPropensity(),
        read.slots().get(0).propensity());
  }

  @Test
  void whatPropensitiesAreStaysWithThem() throws Exception {
    SampleTransitions samples = new SampleTransitions(1, 5);
    DsjsonExport export = new DsjsonExport(samples.surface);
    Transition exact = samples.next(1, true);
    assertFalse(line(export, exact).contains(DsjsonExport.KIND));
    assertEquals(Propensities.EXACT, read(line(export, exact)).propensities());
    Transition estimated = samples.next(2, true);
    estimated.getDecision().setPropensityKind("ESTIMATED");
    assertEquals(Propensities.ESTIMATED, read(line(export, estimated)).propensities());
    String wrong = line(export, estimated).replace("ESTIMATED", "GUESSED");
    assertEquals(
        "_propensity_kind is 'GUESSED', must be EXACT, MONTE_CARLO, ESTIMATED or NONE",
        assertThrows(UnreadableLine.class, () -> read(wrong)).reason());
  }

  @Test
  void whatDsjsonCannotSayIsLeftOutWithTheReason() throws Exception {
    SampleTransitions samples = new SampleTransitions(1, 5);
    DsjsonExport export = new DsjsonExport(samples.surface);
    Transition light = samples.next(1, true);
    light.getDecision().setSampleWeight(0.5);
    assertLeftOut(export, light, "d-1 has the weight 0.5, dsjson can say weights from 1 on");
    Transition without = samples.next(2, true);
    without.getDecision().setPropensityKind("NONE");
    assertLeftOut(export, without, "d-2 has no propensities, which dsjson must have");
    Transition certain = samples.next(5, true);
    certain.getDecision().setPropensityKind("DETERMINISTIC");
    assertLeftOut(
        export,
        certain,
        "d-5 was certain and no draw: a propensity of 1 would say that it was sampled");
    Transition flag = samples.next(3, true);
    flag.getDecision().setMode("FLAG");
    assertLeftOut(export, flag, "d-3 is a variant of a flag, not a choice among candidates");
    Transition broken = samples.next(4, true);
    broken.getDecision().getSlate().get(0).setPropensity(Double.NaN);
    assertLeftOut(export, broken, "d-4 has the propensity NaN, must be in (0, 1]");
  }

  private static void assertLeftOut(DsjsonExport export, Transition transition, String reason) {
    assertEquals(new DsjsonExport.LeftOut(reason), export.export(transition));
  }

  private static SignalValue click(int position, double value) {
    return SignalValue.newBuilder()
        .setSignal("click")
        .setPosition(position)
        .setValue(value)
        .setOutcomes(1)
        .build();
  }

  static String line(DsjsonExport export, Transition transition) {
    DsjsonExport.Exported exported = export.export(transition);
    if (exported instanceof DsjsonExport.Line line) {
      return line.json();
    }
    throw new AssertionError(exported);
  }

  static LoggedDecision read(String line) throws UnreadableLine {
    DsjsonLine read = DsjsonLine.parse(line);
    assertEquals(
        Set.of(), without(read.notes(), DsjsonLine.NOT_LEARNABLE, DsjsonLine.WEIGHT_FROM_DROP));
    return new Decisions("click")
        .of(read.example(), read.decidedAtMicros(), new Origin("export", 1));
  }

  private static Set<String> without(Set<String> notes, String... expected) {
    Set<String> rest = new TreeSet<>(notes);
    rest.removeAll(List.of(expected));
    return rest;
  }

  private static double[] known(double @Nullable [] distribution) {
    assertNotNull(distribution);
    return distribution;
  }
}
