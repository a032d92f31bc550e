package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.experiment.EffectOutcome.Reason;
import io.bellwether.evaluation.experiment.EffectOutcome.Undefined;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PooledPhasesTest {
  private static final Metric CONVERTED =
      new Metric("rate", new Measure.Conversion("order", false), Direction.UP);

  /** The specification's worked case; the sums of both phases would say +0.0476. */
  @ParameterizedTest
  @EnumSource
  void aBaseRateThatMovesWithTheShareIsNoEffect(PooledPhases pooling) {
    Effect pooled = effect(pooling, phase(90, 900, 10, 100), phase(100, 500, 100, 500));
    assertEquals(0, pooled.difference(), 1e-15);
    assertEquals(0, pooled.lift().known().orElseThrow().difference(), 1e-15);
    assertEquals(1_400, pooled.controlUnits());
    assertEquals(600, pooled.treatmentUnits());
  }

  @Test
  void phasesOfDifferentPeopleAreIndependent() {
    Effect first = phase(90, 900, 15, 100);
    Effect second = phase(100, 500, 120, 500);
    Effect pooled = effect(PooledPhases.BY_UNITS, first, second);
    assertEquals((first.difference() + second.difference()) / 2, pooled.difference(), 1e-15);
    double error = Math.hypot(first.standardError(), second.standardError()) / 2;
    assertEquals(error, pooled.standardError(), 1e-15);
  }

  @Test
  void peopleWhoComeBackAreTakenToErrAlike() {
    Effect first = phase(90, 900, 15, 100);
    Effect second = phase(100, 500, 120, 500);
    Effect pooled = effect(PooledPhases.MANTEL_HAENSZEL, first, second);
    double share = 90.0 / (90 + 250);
    assertEquals(
        share * first.difference() + (1 - share) * second.difference(), pooled.difference(), 1e-15);
    assertEquals(
        share * first.standardError() + (1 - share) * second.standardError(),
        pooled.standardError(),
        1e-15);
  }

  @ParameterizedTest
  @EnumSource
  void oneSmallPhaseIsItself(PooledPhases pooling) {
    Effect only = phase(9, 90, 15, 100);
    Effect pooled = effect(pooling, only);
    assertEquals(only.absolute().p(), pooled.absolute().p(), 1e-12);
    assertEquals(only.control(), pooled.control(), 1e-15);
    assertEquals(only.lift(), pooled.lift());
  }

  @ParameterizedTest
  @EnumSource
  void aPhaseWithoutAnEffectIsLeftOut(PooledPhases pooling) {
    Effect only = phase(90, 900, 150, 1000);
    EffectOutcome pooled = pooling.of(List.of(only, outcome(0, 10, 0, 10)));
    assertEquals(only.units(), pooled.units());
    assertEquals(only.difference(), ((Effect) pooled).difference(), 1e-15);
  }

  @ParameterizedTest
  @EnumSource
  void noPhaseWithAnEffectGivesTheLastReason(PooledPhases pooling) {
    Undefined none =
        assertInstanceOf(
            Undefined.class, pooling.of(List.of(outcome(0, 0, 0, 10), outcome(0, 10, 0, 10))));
    assertEquals(Reason.ZERO_VARIANCE, none.reason());
    assertEquals(30, none.units());
    assertInstanceOf(Undefined.class, pooling.of(List.of()));
  }

  @ParameterizedTest
  @EnumSource
  void anUnstablePhaseHasNoPooledLift(PooledPhases pooling) {
    Effect pooled = effect(pooling, phase(90, 900, 15, 100), phase(2, 90, 15, 100));
    assertEquals(new Lift.Withheld(Reason.UNSTABLE_BASELINE), pooled.lift());
    assertTrue(pooled.standardError() > 0);
  }

  private static Effect effect(PooledPhases pooling, Effect... phases) {
    return assertInstanceOf(Effect.class, pooling.of(List.of(phases)));
  }

  private static Effect phase(
      int controlEvents, int controlUnits, int treatmentEvents, int treatmentUnits) {
    return assertInstanceOf(
        Effect.class, outcome(controlEvents, controlUnits, treatmentEvents, treatmentUnits));
  }

  private static EffectOutcome outcome(
      int controlEvents, int controlUnits, int treatmentEvents, int treatmentUnits) {
    return CONVERTED.effect(
        sample(controlEvents, controlUnits), sample(treatmentEvents, treatmentUnits));
  }

  private static VariantSample sample(double events, int units) {
    double[] sum = {events};
    return VariantSample.of("variant", new Moments(List.of("order:any"), units, sum, sum));
  }
}
