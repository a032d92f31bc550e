package io.bellwether.evaluation.offpolicy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.SimulatedLog;
import io.bellwether.evaluation.interval.BootstrapDistribution;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.JackknifeAcceleration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnitBootstrapTest {
  private static final List<Estimator> SINGLE =
      List.of(
          new Ips(),
          new Snips(),
          new DirectMethod(),
          new DoublyRobust(),
          new SelfNormalizedDoublyRobust(),
          new SwitchDoublyRobust(2));

  private static final double[] TARGET = {0.1, 0.2, 0.2, 0.5};

  private final LoggedDecisions log = SimulatedLog.of(3000, 1).columns(TARGET).build();
  private final DecisionColumns columns = likes(log);

  @Test
  void itsStandardErrorIsThatOfTheInfluences() {
    assertErrorsAgree(SINGLE, log);
  }

  @Test
  void itsStandardErrorKnowsThatUnitsRepeat() {
    LoggedDecisions repeated = repeating(3000, 1, 5).columns(TARGET).build();
    assertEquals(600, repeated.units().count());
    assertErrorsAgree(SINGLE, repeated);
  }

  @Test
  void itsStandardErrorOfSlatesIsThatOfTheInfluences() {
    LoggedDecisions slates = SimulatedLog.of(3000, 3).columns(TARGET).build();
    assertErrorsAgree(List.of(new Ips(), new Snips(), new DoublyRobust()), slates);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 999, 1000, 1500})
  void aReplicateIsTheEstimateOnALogWithUnitsRepeated(int count) {
    LoggedDecisions repeated = repeating(3 * count, 1, 3).columns(TARGET).build();
    UnitIndex units = repeated.units();
    List<BootstrapDistribution> found = distributions(new UnitBootstrap(5, 9), SINGLE, repeated);
    Multiplicities multiplicities = Multiplicities.of(5, count, 9);
    double[][] drawn = new double[units.count()][12];
    for (int unit = 0; unit < drawn.length; unit++) {
      multiplicities.draw(unit, 0, 9, drawn[unit]);
    }
    for (int replicate = 0; replicate < 9; replicate++) {
      int at = replicate;
      double[] times =
          IntStream.range(0, repeated.decisions())
              .mapToDouble(decision -> drawn[units.unitOf(decision)][at])
              .toArray();
      for (int estimator = 0; estimator < SINGLE.size(); estimator++) {
        double expected = weightedValue(SINGLE.get(estimator), likes(repeated), times);
        assertEquals(expected, found.get(estimator).replicates()[replicate], 1e-12);
      }
    }
  }

  @Test
  void accelerationIsFromLeavingOutEachUnit() {
    LoggedDecisions repeated = repeating(60, 1, 3).columns(TARGET).build();
    UnitIndex units = repeated.units();
    List<BootstrapDistribution> found = distributions(new UnitBootstrap(5, 9), SINGLE, repeated);
    for (int estimator = 0; estimator < SINGLE.size(); estimator++) {
      double theta = value(SINGLE.get(estimator), likes(repeated));
      JackknifeAcceleration jackknife = new JackknifeAcceleration(theta, units.count());
      for (int unit = 0; unit < units.count(); unit++) {
        int without = unit;
        DecisionColumns rest = likes(repeated).where(each -> units.unitOf(each) != without);
        jackknife.add(value(SINGLE.get(estimator), rest));
      }
      assertEquals(theta, found.get(estimator).theta(), 1e-12);
      assertEquals(jackknife.value(), found.get(estimator).acceleration(), 1e-9);
    }
  }

  @Test
  void theResultIsTheSameForAnyNumberOfThreads() throws Exception {
    LoggedDecisions large = SimulatedLog.of(80_000, 1).columns(TARGET).build();
    UnitBootstrap bootstrap = new UnitBootstrap(3, 10);
    List<List<BootstrapDistribution>> results = new ArrayList<>();
    for (int threads : new int[] {1, 2, 7}) {
      ForkJoinPool pool = new ForkJoinPool(threads);
      try {
        results.add(pool.submit(() -> distributions(bootstrap, SINGLE, large)).get());
      } finally {
        pool.shutdown();
      }
    }
    for (List<BootstrapDistribution> other : results) {
      for (int at = 0; at < SINGLE.size(); at++) {
        BootstrapDistribution expected = results.get(0).get(at);
        assertEquals(expected.theta(), other.get(at).theta());
        assertEquals(expected.acceleration(), other.get(at).acceleration());
        assertArrayEquals(expected.replicates(), other.get(at).replicates());
      }
    }
  }

  @Test
  void scatteredUnitsAreResampledAsIfTheyStoodTogether() {
    int units = 40;
    LoggedDecisions together = copies(units, decision -> decision / 3, decision -> decision % 3);
    LoggedDecisions apart =
        copies(units, decision -> decision % units, decision -> decision / units);
    assertTrue(together.units().standTogether() && !apart.units().standTogether());
    List<BootstrapDistribution> expected =
        distributions(new UnitBootstrap(1, 50), SINGLE, together);
    List<BootstrapDistribution> found = distributions(new UnitBootstrap(1, 50), SINGLE, apart);
    for (int at = 0; at < SINGLE.size(); at++) {
      assertArrayEquals(expected.get(at).replicates(), found.get(at).replicates(), 1e-12);
      assertEquals(expected.get(at).acceleration(), found.get(at).acceleration(), 1e-9);
    }
  }

  @Test
  void theNormaliserIsComputedAnewInEachReplicate() {
    int[] numbers = IntStream.range(0, 500).toArray();
    double[] ones = new double[500];
    Arrays.fill(ones, 1);
    double[] target =
        IntStream.range(0, 500).mapToDouble(row -> row % 2 == 0 ? 0.9 : 0.1).toArray();
    double[] half = IntStream.range(0, 500).mapToDouble(row -> 0.5).toArray();
    LoggedDecisions alwaysOne =
        LoggedDecisions.builder()
            .decisions(numbers, new int[500], IntStream.range(0, 500).asLongStream().toArray())
            .logging(half)
            .target(target)
            .signal(SimulatedLog.LIKE, LoggedDecisions.Signal.withoutModel(ones))
            .build();
    List<BootstrapDistribution> found =
        distributions(new UnitBootstrap(2, 100), List.of(new Snips(), new Ips()), alwaysOne);
    assertEquals(0, found.get(0).standardError(), 1e-12);
    assertTrue(found.get(1).standardError() > 0.02);
  }

  @Test
  void differencesArePaired() {
    LoggedDecisions compared = compared();
    DecisionColumns target = likes(compared);
    DecisionColumns baseline =
        compared.underBaseline(SimulatedLog.LIKE, compared.baselineWeights());
    UnitBootstrap bootstrap = new UnitBootstrap(4, 2000);
    Statistic.Value ours = new Statistic.Value(new Snips(), target);
    Statistic.Value theirs = new Statistic.Value(new Snips(), baseline);
    List<BootstrapDistribution> found =
        bootstrap
            .of(
                List.of(
                    ours,
                    new Statistic.Difference(ours, theirs),
                    new Statistic.Lift(ours, theirs),
                    new Statistic.Difference(ours, ours)),
                compared.units())
            .stream()
            .map(Optional::orElseThrow)
            .toList();
    Influence influence = Influence.of(new Snips(), target).orElseThrow();
    Influence other = Influence.of(new Snips(), baseline).orElseThrow();
    assertAgree(influence, compared, found.get(0));
    assertAgree(influence.combine(1, other, -1, 0), compared, found.get(1));
    assertAgree(influence.relativeTo(other), compared, found.get(2));
    assertEquals(0, found.get(3).standardError());
    assertEquals(
        found.get(1).standardError(),
        bootstrap
            .ofDifference(new Snips(), target, baseline, compared.units())
            .orElseThrow()
            .standardError());
    assertTrue(found.get(1).standardError() < found.get(0).standardError());
  }

  @Test
  void aSegmentIsResampledOnItsOwn() {
    DecisionColumns even = columns.where(decision -> decision % 2 == 0);
    BootstrapDistribution found =
        new UnitBootstrap(6, 2000).of(List.of(new Snips()), even, log.units()).get(0).orElseThrow();
    assertAgree(Influence.of(new Snips(), even).orElseThrow(), log, found);
  }

  @Test
  void manyReplicatesGiveTheReferencesIntervalOfTheMean() {
    JsonNode golden = Golden.json("ci_expected.json").get("bootstrap");
    double[] reward = Golden.doubles(golden.get("y"));
    double[] expected = Golden.doubles(golden.get("mean_bca_20000_resamples_mc"));
    double tolerance = golden.get("mc_tolerance").doubleValue();
    LoggedDecisions ten =
        withTargets(reward.length, decision -> 1)
            .signal("y", LoggedDecisions.Signal.withoutModel(reward))
            .build();
    DecisionColumns rewards = ten.underTarget("y", ten.targetWeights());
    Interval found =
        new UnitBootstrap(5, 20_000)
            .of(List.of(new Snips()), rewards, ten.units())
            .get(0)
            .orElseThrow()
            .bca(0.95);
    assertEquals(expected[0], found.lower(), tolerance);
    assertEquals(expected[1], found.upper(), tolerance);
  }

  @Test
  void intervalsCoverTheTruthAsOftenAsTheySay() {
    double truth = SimulatedLog.of(1, 1).trueLikes(TARGET);
    int logs = 300;
    int percentile = 0;
    int corrected = 0;
    for (int seed = 0; seed < logs; seed++) {
      LoggedDecisions each = SimulatedLog.of(400, 1).withSeed(1000 + seed).columns(TARGET).build();
      BootstrapDistribution found =
          distributions(new UnitBootstrap(seed, 400), List.of(new Snips()), each).get(0);
      percentile += found.percentile(0.9).contains(truth) ? 1 : 0;
      corrected += found.bca(0.9).contains(truth) ? 1 : 0;
    }
    assertEquals(0.9, (double) percentile / logs, 0.05);
    assertEquals(0.9, (double) corrected / logs, 0.05);
  }

  @Test
  void withoutOverlapThereIsNoDistribution() {
    LoggedDecisions none = withTargets(20, decision -> 0).build();
    assertTrue(
        new UnitBootstrap(1, 20)
            .of(List.of(new Snips()), likes(none), none.units())
            .get(0)
            .isEmpty());
  }

  @Test
  void oneUnitSaysNothingAboutItsSpread() {
    LoggedDecisions one = repeating(30, 1, 30).columns(TARGET).build();
    assertTrue(
        new UnitBootstrap(1, 20)
            .of(SINGLE, likes(one), one.units()).stream().allMatch(Optional::isEmpty));
  }

  @Test
  void overlapOfOneUnitIsSaidToBeThin() {
    LoggedDecisions thin = withTargets(20, decision -> decision == 3 ? 1 : 0).build();
    BootstrapDistribution found =
        distributions(new UnitBootstrap(1, 1000), List.of(new Snips()), thin).get(0);
    assertEquals(1000, found.undefined() + found.replicates().length);
    assertEquals(Math.exp(-1), found.undefined() / 1000.0, 0.06);
    assertTrue(Double.isNaN(found.acceleration()) && found.fallsBack(0.95));
    assertEquals(Interval.Method.PERCENTILE, found.bca(0.95).method());
  }

  @Test
  void oneReplicateIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new UnitBootstrap(1, 1));
  }

  private static SimulatedLog repeating(int decisions, int positions, int perUnit) {
    SimulatedLog of = SimulatedLog.of(decisions, positions);
    return new SimulatedLog(
        decisions, positions, perUnit, of.logging(), of.likes(), of.hides(), of.seed());
  }

  private static LoggedDecisions compared() {
    SimulatedLog simulated = SimulatedLog.of(3000, 1);
    LoggedDecisions plain = simulated.columns(TARGET).build();
    double[] baseline = simulated.ofItems(plain, 0.15, 0.2, 0.2, 0.45);
    return simulated.columns(TARGET).baseline(baseline).build();
  }

  /** Three decisions a unit, whose contents depend on the unit and on which of its three it is. */
  private static LoggedDecisions copies(
      int units, IntUnaryOperator unitOf, IntUnaryOperator copyOf) {
    int decisions = 3 * units;
    double[] reward = new double[decisions];
    double[] target = new double[decisions];
    double[] half = new double[decisions];
    long[] unit = new long[decisions];
    for (int decision = 0; decision < decisions; decision++) {
      int of = unitOf.applyAsInt(decision);
      unit[decision] = 1_000_003L * of % 7919;
      reward[decision] = (of * 7 + copyOf.applyAsInt(decision) * 3) % 5;
      target[decision] = ((of * 11 + copyOf.applyAsInt(decision)) % 10 + 1) / 10.0;
      half[decision] = 0.5;
    }
    return LoggedDecisions.builder()
        .decisions(IntStream.range(0, decisions).toArray(), new int[decisions], unit)
        .logging(half)
        .target(target)
        .signal(SimulatedLog.LIKE, LoggedDecisions.Signal.modelled(reward, half, target))
        .build();
  }

  private static LoggedDecisions.Builder withTargets(int decisions, IntUnaryOperator target) {
    int[] numbers = IntStream.range(0, decisions).toArray();
    double[] half = IntStream.range(0, decisions).mapToDouble(decision -> 0.5).toArray();
    return LoggedDecisions.builder()
        .decisions(numbers, new int[decisions], IntStream.of(numbers).asLongStream().toArray())
        .logging(half)
        .target(IntStream.of(numbers).mapToDouble(target::applyAsInt).toArray())
        .signal(SimulatedLog.LIKE, LoggedDecisions.Signal.withoutModel(half));
  }

  private static DecisionColumns likes(LoggedDecisions log) {
    return log.underTarget(SimulatedLog.LIKE, log.targetWeights());
  }

  private static double value(Estimator estimator, DecisionColumns columns) {
    return Influence.of(estimator, columns).orElseThrow().value();
  }

  /** The estimator on columns that hold each decision so many times. */
  private static double weightedValue(
      Estimator estimator, DecisionColumns columns, double[] times) {
    DecisionRow row = columns.newRow();
    double[] terms = new double[estimator.width(row.positions())];
    double[] means = new double[terms.length];
    double count = 0;
    for (double each : times) {
      count += each;
    }
    for (int decision = 0; decision < times.length; decision++) {
      columns.read(decision, row);
      estimator.terms(row, terms);
      for (int term = 0; term < terms.length; term++) {
        means[term] += times[decision] * terms[term] / count;
      }
    }
    return estimator.value(means);
  }

  private static List<BootstrapDistribution> distributions(
      UnitBootstrap bootstrap, List<Estimator> estimators, LoggedDecisions log) {
    return bootstrap.of(estimators, likes(log), log.units()).stream()
        .map(Optional::orElseThrow)
        .toList();
  }

  private static void assertErrorsAgree(List<Estimator> estimators, LoggedDecisions log) {
    List<BootstrapDistribution> found = distributions(new UnitBootstrap(8, 4000), estimators, log);
    for (int at = 0; at < estimators.size(); at++) {
      assertAgree(Influence.of(estimators.get(at), likes(log)).orElseThrow(), log, found.get(at));
    }
  }

  /** Within four Monte-Carlo errors and what the linearisation leaves out. */
  private static void assertAgree(
      Influence influence, LoggedDecisions log, BootstrapDistribution found) {
    double error = influence.estimate(log.units()).error().orElseThrow();
    double tolerance = 4 / Math.sqrt(2.0 * found.replicates().length) + 0.02;
    assertEquals(influence.value(), found.theta(), 1e-12);
    assertEquals(error, found.standardError(), tolerance * error + 1e-12);
  }
}
