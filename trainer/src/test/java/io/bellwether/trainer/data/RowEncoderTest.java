package io.bellwether.trainer.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Pin;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RowEncoderTest {

  private final SyntheticLog log = new SyntheticLog();
  private final List<TrainingRow> rows = new ArrayList<>();

  @Test
  void eachPositionSeesAllCandidatesAndWhatStandsBeforeIt() {
    Transition transition = log.transition(1);
    encode(transition);
    assertEquals(2, rows.size());
    float[] all = Floats.of(transition.getDecision().getItems());
    int first = transition.getDecision().getSlate().get(0).getCandidate();
    int second = transition.getDecision().getSlate().get(1).getCandidate();
    assertArrayEquals(all, rows.get(0).items());
    assertArrayEquals(new int[0], rows.get(0).closed());
    assertEquals(first, rows.get(0).action());
    assertEquals(5, rows.get(1).candidates());
    assertArrayEquals(all, rows.get(1).items());
    assertArrayEquals(new int[] {first}, rows.get(1).closed());
    assertEquals(second, rows.get(1).action());
    assertEquals(
        transition.getDecision().getSlate().get(1).getPropensity(), rows.get(1).propensity());
  }

  @Test
  void whoeverARuleKeepsOutIsClosedAtThePosition() {
    RuledLog ruled = new RuledLog();
    RowEncoder encoder = new RowEncoder(ruled.plain().surface(), Subjects.all());
    Findings findings = new Findings();
    for (int number = 0; number < 30; number++) {
      Transition transition = ruled.transition(number);
      rows.clear();
      encoder.encode(transition, rows::add, findings);
      Decision decision = transition.getDecision();
      MixedWeights weights =
          MixedWeights.of(
              Floats.of(decision.getLogits()),
              Exploration.asUsed(decision.getTemperature(), decision.getUniform()));
      for (TrainingRow row : rows) {
        double left = 0;
        for (int i = 0; i < row.candidates(); i++) {
          int candidate = i;
          boolean open = Arrays.stream(row.closed()).noneMatch(c -> c == candidate);
          left += open ? weights.weight(i) : 0;
        }
        assertEquals(row.propensity(), weights.weight(row.action()) / left, 1e-12);
      }
      assertEquals(3, rows.size());
    }
    assertEquals(Map.of(), findings.counts());
  }

  @Test
  void aSlateThatBreaksItsRulesIsRefused() {
    RuledLog ruled = new RuledLog();
    Transition transition = ruled.transition(0);
    transition.getDecision().getRules().setPins(List.of(new Pin(2, 5)));
    transition.getDecision().getSlate().get(2).setCandidate(3);
    Findings findings = new Findings();
    new RowEncoder(ruled.plain().surface(), Subjects.all()).encode(transition, rows::add, findings);
    assertEquals(Map.of(Finding.WRONG_SLATE, 1L), findings.counts());
  }

  @Test
  void rewardsOfThePositionsAddUpToTheDecisionsSignals() {
    Transition transition = log.transition(4);
    encode(transition);
    double watch = 0;
    double like = 0;
    for (SignalValue value : transition.getSignals()) {
      watch += value.getSignal().equals("watch") ? value.getValue() : 0;
      like += value.getSignal().equals("like") ? value.getValue() : 0;
    }
    // the objective comes first, whatever the surface's order
    assertEquals(watch, rows.get(0).rewards()[0] + rows.get(1).rewards()[0], 1e-12);
    assertEquals(like, rows.get(0).rewards()[1] + rows.get(1).rewards()[1], 1e-12);
    double own = transition.getSignals().get(0).getValue();
    assertEquals(own + 1.5, rows.get(0).rewards()[0], 1e-12);
  }

  @Test
  void whatIsOfNoUseIsLeftOutAndCounted() {
    assertEquals(Map.of(Finding.NOT_LEARNABLE, 1L), found(d -> d.setLearnable(false)));
    assertEquals(
        Map.of(Finding.NOT_LEARNABLE, 1L), found(d -> d.setPropensityKind("DETERMINISTIC")));
    assertEquals(Map.of(Finding.OTHER_SURFACE, 1L), found(d -> d.setSurface("another")));
    assertEquals(Map.of(Finding.OTHER_FEATURES, 1L), found(d -> d.setFeatureDigest("another")));
    assertEquals(Map.of(Finding.EMPTY_SLATE, 1L), found(d -> d.setSlate(List.of())));
    assertTrue(rows.isEmpty());
  }

  @Test
  void onlyThoseWhoImitateUseTheCallersOwnOrder() {
    Transition transition = log.transition(3);
    Decision decision = transition.getDecision();
    decision.setMode("APPRENTICE");
    decision.setPropensityKind("DETERMINISTIC");
    decision.getSlate().forEach(placement -> placement.setPropensity(1));
    assertEquals(Map.of(Finding.NOT_LEARNABLE, 1L), encode(transition).counts());
    assertTrue(rows.isEmpty());
    Findings findings = new Findings();
    RowEncoder imitating = RowEncoder.imitating(log.surface(), Subjects.all());
    imitating.encode(transition, rows::add, findings);
    assertEquals(Map.of(), findings.counts());
    assertEquals(decision.getSlate().size(), rows.size());
    decision.setLearnable(false);
    imitating.encode(transition, rows::add, findings);
    assertEquals(Map.of(Finding.NOT_LEARNABLE, 1L), findings.counts());
  }

  @Test
  void importsWithoutPropensitiesAreForThoseWhoImitateAlone() {
    Transition transition = log.transition(3);
    Decision decision = transition.getDecision();
    decision.setMode("IMPORTED");
    decision.setPropensityKind("NONE");
    decision.getSlate().forEach(placement -> placement.setPropensity(1));
    assertEquals(Map.of(Finding.NO_PROPENSITY, 1L), encode(transition).counts());
    assertTrue(rows.isEmpty());
    Findings findings = new Findings();
    RowEncoder.imitating(log.surface(), Subjects.all()).encode(transition, rows::add, findings);
    assertEquals(Map.of(), findings.counts());
    assertEquals(decision.getSlate().size(), rows.size());
  }

  @Test
  void estimatedPropensitiesAreUsedAndTold() {
    Transition transition = log.transition(3);
    transition.getDecision().setMode("IMPORTED");
    transition.getDecision().setPropensityKind("ESTIMATED");
    assertEquals(Map.of(Finding.ESTIMATED_PROPENSITY, 1L), encode(transition).counts());
    assertEquals(transition.getDecision().getSlate().size(), rows.size());
  }

  @Test
  void whatContradictsItselfIsRefused() {
    assertEquals(
        Map.of(Finding.WRONG_SLATE, 1L),
        found(d -> d.getSlate().get(1).setCandidate(d.getSlate().get(0).getCandidate())));
    assertEquals(Map.of(Finding.WRONG_SLATE, 1L), found(d -> d.getSlate().get(0).setCandidate(5)));
    assertEquals(
        Map.of(Finding.WRONG_PROPENSITY, 1L), found(d -> d.getSlate().get(0).setPropensity(0)));
    assertEquals(
        Map.of(Finding.WRONG_PROPENSITY, 1L),
        found(d -> d.getSlate().get(0).setPropensity(Double.NaN)));
    assertEquals(
        Map.of(Finding.PROPENSITY_MISMATCH, 1L),
        found(d -> d.getSlate().get(0).setPropensity(d.getSlate().get(0).getPropensity() * 0.99)));
    assertEquals(
        Map.of(Finding.WRONG_WIDTH, 1L), found(d -> d.setContext(Floats.toBytes(new float[2], 2))));
    assertEquals(
        Map.of(Finding.FEATURE_OUT_OF_RANGE, 1L),
        found(d -> d.setContext(Floats.toBytes(new float[] {Float.NaN, 1, 1}, 3))));
    assertTrue(rows.isEmpty());
  }

  @Test
  void aLogProbabilityInPlaceOfAPropensityIsCalledOne() {
    Transition transition = log.transition(3);
    transition.getDecision().getSlate().get(0).setPropensity(-0.105);
    assertEquals(
        "1 decisions with a propensity outside (0, 1], for instance decision-3: -0.105, which looks"
            + " like a log-probability",
        encode(transition).words());
  }

  @Test
  void aPropensityOfAnotherLoggerIsTakenAsItIs() {
    assertEquals(
        Map.of(),
        found(
            d -> {
              d.setMode("IMPORTED");
              d.getSlate().get(0).setPropensity(0.123);
            }));
    assertEquals(0.123, rows.get(0).propensity());
  }

  @Test
  void aWrongSignalNamesItself() {
    Transition transition = log.transition(2);
    transition.getSignals().set(0, new SignalValue("watch", 7, 1.0, 1));
    Findings findings = encode(transition);
    assertEquals(
        "1 transitions with a wrong signal value, for instance decision-2: watch is 1.0"
            + " at position 7 of 2",
        findings.words());
  }

  private Map<Finding, Long> found(Consumer<Decision> change) {
    Transition transition = log.transition(3);
    change.accept(transition.getDecision());
    return encode(transition).counts();
  }

  private Findings encode(Transition transition) {
    Findings findings = new Findings();
    new RowEncoder(log.surface(), Subjects.all()).encode(transition, rows::add, findings);
    return findings;
  }
}
