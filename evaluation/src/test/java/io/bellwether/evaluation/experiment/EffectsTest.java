package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.experiment.EffectOutcome.Reason;
import io.bellwether.evaluation.experiment.EffectOutcome.Undefined;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EffectsTest {
  private static final Measure MEAN = new Measure.Mean("y", false);
  private static final List<Measure> MEASURES =
      List.of(
          MEAN,
          new Measure.Mean("y", true),
          new Measure.Ratio("y", "decisions", false),
          new Measure.PerDecision("y", true),
          new Measure.Conversion("y", false),
          new Measure.Conversion("y", true),
          new Measure.Winsorised("y", 0.9),
          new Measure.Quantile("y", 0.5));

  /** Every number of every effect is finite, whatever the totals. */
  @Property(tries = 300)
  void anEffectIsFiniteOrHasAReason(
      @ForAll @Size(max = 40) List<@IntRange(min = -3, max = 3) Integer> control,
      @ForAll @Size(max = 40) List<@IntRange(min = -3, max = 3) Integer> treatment,
      @ForAll @IntRange(min = -160, max = 160) int magnitude) {
    double unit = Math.pow(10, magnitude);
    for (Measure measure : MEASURES) {
      EffectOutcome outcome = effect(measure, sample(unit, control), sample(unit, treatment));
      assertTrue(Double.isFinite(outcome.controlValue().orElse(0)));
      assertTrue(Double.isFinite(outcome.treatmentValue().orElse(0)));
      if (outcome instanceof Effect effect) {
        assertFinite(effect.absolute());
        effect.lift().known().ifPresent(EffectsTest::assertFinite);
      }
    }
  }

  @Property(tries = 100)
  void exchangedVariantsHaveTheOppositeEffect(
      @ForAll @Size(min = 2, max = 40) List<@IntRange(max = 9) Integer> control,
      @ForAll @Size(min = 2, max = 40) List<@IntRange(max = 9) Integer> treatment) {
    VariantSample first = sample(1, control);
    VariantSample second = sample(1, treatment);
    for (Measure measure : MEASURES) {
      EffectOutcome there = effect(measure, first, second);
      EffectOutcome back = effect(measure, second, first);
      assertEquals(there.controlUnits(), back.treatmentUnits());
      if (there instanceof Effect one && back instanceof Effect other) {
        assertEquals(one.difference(), -other.difference(), 1e-9);
        assertEquals(one.standardError(), other.standardError(), 1e-9);
      }
    }
  }

  @Property(tries = 100)
  void anotherUnitOfTheSignalScalesTheEffectAndNotTheLift(
      @ForAll @Size(min = 30, max = 40) List<@IntRange(min = 1, max = 9) Integer> control,
      @ForAll @Size(min = 30, max = 40) List<@IntRange(min = 1, max = 9) Integer> treatment) {
    for (Measure measure : MEASURES) {
      EffectOutcome plain = effect(measure, sample(1, control), sample(1, treatment));
      EffectOutcome cents = effect(measure, sample(100, control), sample(100, treatment));
      if (plain instanceof Effect one && !(measure instanceof Measure.Conversion)) {
        Effect other = assertInstanceOf(Effect.class, cents);
        assertEquals(100 * one.difference(), other.difference(), 1e-8);
        assertEquals(100 * one.standardError(), other.standardError(), 1e-8);
        one.lift()
            .known()
            .ifPresent(
                lift ->
                    assertEquals(
                        lift.standardError(),
                        other.lift().known().orElseThrow().standardError(),
                        1e-9));
      }
    }
  }

  @Test
  void oneUnitHasAValueAndNoError() {
    VariantSample one = sample(1, List.of(3));
    VariantSample many = sample(1, List.of(1, 2, 3, 4));
    for (Measure measure : MEASURES) {
      Undefined found = assertInstanceOf(Undefined.class, effect(measure, one, many));
      assertEquals(Reason.TOO_FEW_UNITS, found.reason());
      assertTrue(found.controlValue().isPresent());
    }
  }

  @Test
  void anEmptyVariantIsSaidToBeEmpty() {
    VariantSample none = sample(1, List.of());
    for (Measure measure : MEASURES) {
      EffectOutcome found = effect(measure, none, sample(1, List.of(1, 2)));
      OptionalDouble nothing = OptionalDouble.empty();
      assertEquals(new Undefined(Reason.EMPTY_VARIANT, nothing, nothing, 0, 2), found);
    }
  }

  @Test
  void equalTotalsShowTheirValueOnly() {
    VariantSample ones = sample(0.1, List.of(1, 1, 1, 1, 1));
    Undefined found = assertInstanceOf(Undefined.class, effect(MEAN, ones, ones));
    assertEquals(Reason.ZERO_VARIANCE, found.reason());
    assertEquals(0.1, found.controlValue().orElseThrow(), 1e-15);
  }

  /** No failure before, some now: the error of the new variant alone is enough. */
  @Test
  void oneVariantWithoutVarianceIsEnough() {
    VariantSample never = sample(1, List.of(0, 0, 0, 0, 0, 0));
    VariantSample often = sample(1, List.of(0, 1, 1, 0, 1, 1));
    Effect found =
        assertInstanceOf(Effect.class, effect(new Measure.Conversion("y", false), never, often));
    assertEquals(4.0 / 6, found.difference(), 1e-12);
    assertEquals(5, found.absolute().degreesOfFreedom(), 1e-12);
    assertEquals(new Lift.Withheld(Reason.ZERO_BASELINE), found.lift());
  }

  @Test
  void aNegativeBaselineHasNoRelativeDifference() {
    Effect found =
        assertInstanceOf(
            Effect.class,
            effect(MEAN, sample(1, List.of(-9, -8, -9)), sample(1, List.of(-9, -7, -8))));
    assertEquals(new Lift.Withheld(Reason.NEGATIVE_BASELINE), found.lift());
  }

  @Test
  void aRatioToNothingIsUndefined() {
    Moments none = new Moments(List.of("y", "z"), 3, new double[] {3, 0}, new double[] {5, 0, 0});
    VariantSample sample = VariantSample.of("variant", none);
    Undefined found =
        assertInstanceOf(
            Undefined.class, effect(new Measure.Ratio("y", "z", false), sample, sample));
    assertEquals(Reason.ZERO_DENOMINATOR, found.reason());
  }

  @Test
  void aTotalThatIsNotFiniteMakesTheEffectUndefined() {
    VariantSample fine = sample(1, List.of(1, 2, 3));
    for (double broken : new double[] {Double.POSITIVE_INFINITY, 1e200}) {
      for (Measure measure : MEASURES) {
        if (!(measure instanceof Measure.Conversion)) {
          EffectOutcome outcome = effect(measure, fine, sample(broken, List.of(1, 2, 3)));
          assertEquals(Reason.NOT_FINITE, assertInstanceOf(Undefined.class, outcome).reason());
        }
      }
    }
  }

  @Test
  void aSignalThatIsNotCountedIsNamedSo() {
    VariantSample sample = sample(1, List.of(1, 2, 3));
    for (Measure measure :
        List.of(
            new Measure.Mean("other", false),
            new Measure.Conversion("other", false),
            new Measure.Ratio("y", "other", false),
            new Measure.Quantile("other", 0.5),
            new Measure.Winsorised("other", 0.5))) {
      Undefined found = assertInstanceOf(Undefined.class, effect(measure, sample, sample));
      assertEquals(Reason.NOT_COUNTED, found.reason());
    }
    assertTrue(new Measure.Winsorised("other", 0.5).capping(sample, sample).isEmpty());
    assertTrue(new Measure.Conversion("other", false).table(sample, sample).isEmpty());
  }

  @Test
  void aQuantileNearTheEndNeedsMoreUnits() {
    List<Integer> values = Stream.iterate(1, value -> value + 1).limit(40).toList();
    VariantSample sample = sample(1, values);
    Undefined found =
        assertInstanceOf(Undefined.class, effect(new Measure.Quantile("y", 0.99), sample, sample));
    assertEquals(Reason.TOO_FEW_UNITS, found.reason());
    assertEquals(40, found.controlValue().orElseThrow());
  }

  @Test
  void conversionsAreCountedForTheBurnIn() {
    VariantSample sample = sample(1, List.of(0, 2, 3, 0));
    assertEquals(OptionalLong.of(2), new Measure.Conversion("y", false).events(sample));
    assertEquals(OptionalLong.of(2), MEAN.events(sample));
    assertEquals(
        new TwoByTwo(2, 4, 2, 4),
        new Measure.Conversion("y", false).table(sample, sample).orElseThrow());
  }

  @Test
  void aShareOutsideOfItsRangeIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Measure.Quantile("y", 1));
    assertThrows(IllegalArgumentException.class, () -> new Measure.Winsorised("y", 0));
  }

  @Test
  void lessIsBetterWhereTheDirectionIsDown() {
    assertEquals(2, Direction.UP.oriented(2));
    assertEquals(-2, Direction.DOWN.oriented(2));
  }

  private static EffectOutcome effect(
      Measure measure, VariantSample control, VariantSample treatment) {
    return new Metric("metric", measure, Direction.UP).effect(control, treatment);
  }

  private static VariantSample sample(double unit, List<Integer> totals) {
    double[] values = totals.stream().mapToDouble(total -> total * unit).toArray();
    double[] any = totals.stream().mapToDouble(total -> total > 0 ? 1 : 0).toArray();
    double[] decisions = totals.stream().mapToDouble(total -> 1 + Math.abs(total)).toArray();
    double[] before = new double[values.length];
    for (int index = 0; index < before.length; index++) {
      before[index] = index % 3;
    }
    return Units.sample(
        "variant", Map.of("y", values, "y:any", any, "decisions", decisions, "pre:y", before));
  }

  private static void assertFinite(Welch welch) {
    assertTrue(welch.p() >= 0 && welch.p() <= 1);
    assertTrue(Double.isFinite(welch.interval(0.95).upper()));
  }
}
