package io.bellwether.evaluation.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import io.bellwether.evaluation.support.ActionIndex;
import io.bellwether.evaluation.support.DecisionVectors;
import io.bellwether.evaluation.support.Support;
import io.bellwether.evaluation.support.SupportAccumulator;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Eight good rows with one thing broken at a time. */
class BrokenInputTest {
  private final BanditLog good = BanditLog.tiny();
  private final double[] logging = good.column(row -> good.logging()[row][good.action()[row]]);
  private final double[] target = good.column(row -> good.target()[row][good.action()[row]]);
  private final double[] prediction = good.column(good::prediction);
  private final double[] direct = good.column(good::direct);

  @Test
  void aPropensityOfZeroIsRefused() {
    assertInvalid(Finding.Code.PROPENSITY_NON_POSITIVE, withLogging(0));
  }

  @Test
  void aNegativePropensityIsRefused() {
    assertInvalid(Finding.Code.PROPENSITY_NON_POSITIVE, withLogging(-0.1));
  }

  @Test
  void aPropensityAboveOneIsRefused() {
    assertInvalid(Finding.Code.PROPENSITY_ABOVE_ONE, withLogging(1.2));
  }

  @Test
  void aPropensityThatIsNoNumberIsRefused() {
    assertInvalid(Finding.Code.PROPENSITY_NOT_FINITE, withLogging(Double.NaN));
    assertInvalid(Finding.Code.PROPENSITY_NOT_FINITE, withLogging(Double.POSITIVE_INFINITY));
  }

  @Test
  void aTinyPropensityIsKeptWithAWarning() {
    assertFound(Finding.Code.PROPENSITY_TINY, Severity.WARN, report(withLogging(1e-7)));
  }

  @Test
  void aTargetProbabilityOutsideOfZeroToOneIsRefused() {
    for (double value : new double[] {-0.1, 1.1, Double.NaN}) {
      assertInvalid(
          Finding.Code.TARGET_NOT_DISTRIBUTION, good.columns().target(broken(target, value)));
      assertInvalid(
          Finding.Code.TARGET_NOT_DISTRIBUTION, good.columns().baseline(broken(target, value)));
    }
  }

  @Test
  void aRewardThatIsNoNumberIsRefused() {
    assertInvalid(
        Finding.Code.REWARD_NOT_FINITE,
        good.columns()
            .signal(BanditLog.REWARD, Signal.withoutModel(broken(good.reward(), Double.NaN))));
  }

  @Test
  void aRewardOutOfItsRangeWarnsAndVoidsItsBounds() {
    EvaluationPlan plan = plan().withRange(BanditLog.REWARD, new Range(0, 1));
    OffPolicyReport report = OffPolicyReport.of(good.log(), plan);
    assertFound(Finding.Code.REWARD_OUT_OF_RANGE, Severity.WARN, report);
    assertEquals(
        new Bounds.Absent("REWARD_OUT_OF_RANGE"), report.verdict().evidence().objective().bounds());
  }

  @Test
  void aRareFlagOfWholeSlatesIsRareThoughItsPositionsShareIt() {
    double[] thirds = new double[120];
    Arrays.fill(thirds, 30, 33, 1 / 3.0);
    LoggedDecisions slates =
        LoggedDecisions.builder()
            .decisions(
                IntStream.range(0, 120).map(row -> row / 3).toArray(),
                IntStream.range(0, 120).map(row -> row % 3).toArray(),
                LongStream.range(0, 120).map(row -> row / 3).toArray())
            .logging(filled(0.5))
            .target(filled(0.5))
            .signal("leave", Signal.withoutModel(thirds))
            .build();
    OffPolicyReport report =
        OffPolicyReport.of(slates, EvaluationPlan.of(Objective.maximize("leave")));
    Finding few =
        report.validation().stream()
            .filter(finding -> finding.code() == Finding.Code.FEW_EVENTS)
            .findFirst()
            .orElseThrow();
    assertEquals(1, few.count());
  }

  private static double[] filled(double value) {
    double[] column = new double[120];
    Arrays.fill(column, value);
    return column;
  }

  @Test
  void rowsOutOfOrderAreRefused() {
    long[] units = new long[8];
    int[] repeated = {0, 1, 2, 0, 4, 5, 6, 7};
    assertInvalid(
        Finding.Code.ROWS_NOT_IN_ORDER, good.columns().decisions(repeated, new int[8], units));
    int[] positions = {0, 0, 1, 0, 0, 0, 0, 0};
    assertInvalid(
        Finding.Code.ROWS_NOT_IN_ORDER,
        good.columns().decisions(IntStream.range(0, 8).toArray(), positions, units));
  }

  @Test
  void aTargetThatNeverDoesWhatTheLogShowsHasNoValue() {
    OffPolicyReport report = report(good.columns().target(new double[8]));
    assertFound(Finding.Code.NO_OVERLAP, Severity.REFUSE, report);
    for (SignalEstimate each : report.estimates()) {
      if (each.policy().equals("target")) {
        assertEquals(each.estimator().equals("dm"), each.estimate().point().isPresent());
      }
    }
    assertEquals(Verdict.Code.INSUFFICIENT_SUPPORT, report.verdict().code());
  }

  @Test
  void aMeanWeightBelowATenthRefusesSelfNormalisedValuesOnly() {
    double[] small = Arrays.stream(target).map(value -> value / 100).toArray();
    OffPolicyReport report = report(good.columns().target(small));
    assertFound(Finding.Code.SELF_NORM_TINY, Severity.REFUSE, report);
    assertEquals(new Estimate.Refused("SELF_NORM_TINY"), estimate(report, "snips"));
    assertTrue(estimate(report, "ips").point().isPresent());
  }

  @Test
  void massWithoutSupportWarnsAndAboveAPercentRefuses() {
    double[] mass = new double[8];
    mass[3] = 0.04;
    assertFound(
        Finding.Code.UNSUPPORTED_MASS, Severity.WARN, report(good.columns().unsupported(mass)));
    mass[3] = 0.4;
    OffPolicyReport refused = report(good.columns().unsupported(mass));
    assertFound(Finding.Code.UNSUPPORTED_MASS, Severity.REFUSE, refused);
    assertEquals(new Estimate.Refused("UNSUPPORTED_MASS"), estimate(refused, "dr"));
  }

  @Test
  void aLoggingPolicyThatDidNotExploreIsRefused() {
    double[] certain = new double[8];
    Arrays.fill(certain, 1);
    OffPolicyReport report = report(good.columns().logging(certain));
    assertFound(Finding.Code.DETERMINISTIC_LOGGING, Severity.REFUSE, report);
    assertEquals(new Estimate.Refused("DETERMINISTIC_LOGGING"), estimate(report, "sndr"));
  }

  @Test
  void oneRowHasAValueAndNoError() {
    OffPolicyReport report =
        report(
            LoggedDecisions.builder()
                .decisions(new int[1], new int[1], new long[1])
                .logging(new double[] {0.5})
                .target(new double[] {0.2})
                .signal(BanditLog.REWARD, Signal.withoutModel(new double[] {1})));
    assertFound(Finding.Code.TOO_FEW_ROWS, Severity.WARN, report);
    assertEquals(new Estimate.ValueOnly(0.4, "N_LT_2"), estimate(report, "ips"));
    assertEquals(new Estimate.ValueOnly(1, "N_LT_2"), estimate(report, "snips"));
  }

  @Test
  void noRowsAreRefused() {
    assertInvalid(
        Finding.Code.TOO_FEW_ROWS,
        LoggedDecisions.builder()
            .decisions(new int[0], new int[0], new long[0])
            .signal(BanditLog.REWARD, Signal.withoutModel(new double[0])));
  }

  @Test
  void equalRewardsAreNoCertainty() {
    OffPolicyReport report =
        report(good.columns().signal(BanditLog.REWARD, Signal.withoutModel(new double[8])));
    assertFound(Finding.Code.ZERO_VARIANCE, Severity.WARN, report);
    SignalEstimate ips = find(report, "ips");
    assertEquals(0, ips.estimate().point().orElseThrow());
    assertEquals(new Bounds.Absent("RANGE_NOT_DECLARED"), ips.interval());
    OffPolicyReport bounded =
        OffPolicyReport.of(
            good.columns().signal(BanditLog.REWARD, Signal.withoutModel(new double[8])).build(),
            plan().withRange(BanditLog.REWARD, Range.FLAG));
    Bounds.Within within = (Bounds.Within) find(bounded, "ips").interval();
    assertTrue(within.interval().upper() > 0.3);
  }

  @Test
  void fewEventsSuppressTheNormalInterval() {
    double[] flags = {1, 0, 1, 0, 1, 0, 1, 0};
    OffPolicyReport report =
        report(good.columns().signal(BanditLog.REWARD, Signal.modelled(flags, prediction, direct)));
    assertFound(Finding.Code.FEW_EVENTS, Severity.WARN, report);
    assertEquals(new Bounds.Absent("FEW_EVENTS"), find(report, "dr").interval());
  }

  @Test
  void aBrokenPredictionStopsModelBasedEstimatorsOnly() {
    OffPolicyReport report =
        report(
            good.columns()
                .signal(
                    BanditLog.REWARD,
                    Signal.modelled(good.reward(), broken(prediction, Double.NaN), direct)));
    assertFound(Finding.Code.Q_NOT_FINITE, Severity.WARN, report);
    for (String model : List.of("dm", "dr", "sndr", "dr-shrunk")) {
      assertEquals(new Estimate.Refused("Q_NOT_FINITE"), estimate(report, model));
    }
    assertEquals(0.789775441949355, estimate(report, "snips").point().orElseThrow(), 1e-9);
  }

  @Test
  void aModelWithoutAnExpectationStopsModelBasedEstimatorsOnly() {
    OffPolicyReport report =
        report(
            good.columns()
                .signal(
                    BanditLog.REWARD,
                    new Signal(good.reward(), prediction, new double[0], new double[0])));
    assertFound(Finding.Code.Q_SHAPE, Severity.WARN, report);
    assertEquals(new Estimate.Refused("Q_SHAPE"), estimate(report, "dr"));
    assertEquals(0.789775441949355, estimate(report, "snips").point().orElseThrow(), 1e-9);
  }

  @Test
  void aNegativeWeightIsRefusedUnlessItIsAPseudoInverse() {
    assertInvalid(
        Finding.Code.NEGATIVE_WEIGHT, good.columns().clusterWeight(broken(new double[8], -1)));
    assertInvalid(
        Finding.Code.NEGATIVE_WEIGHT, good.columns().balancedWeight(broken(new double[8], -1)));
    assertInvalid(
        Finding.Code.NEGATIVE_WEIGHT, good.columns().slotWeight(broken(new double[8], Double.NaN)));
    assertEquals(
        Verdict.Code.INSUFFICIENT_SUPPORT,
        report(good.columns().slateWeight(broken(new double[8], -1))).verdict().code());
  }

  @Test
  void aWeightThatNoSquareCanHoldIsRefused() {
    assertInvalid(Finding.Code.NEGATIVE_WEIGHT, withLogging(1e-60));
  }

  @Test
  void vectorsThatAreNoDistributionsAreRefused() {
    assertInvalid(
        Finding.Code.PROPENSITY_VECTOR_SUM,
        vectors -> {
          vectors.candidate(0, 0.5, 0.5);
          vectors.candidate(1, 0.6, 0.5);
          vectors.shown(0, 0.5);
        });
    assertInvalid(
        Finding.Code.TARGET_NOT_DISTRIBUTION,
        vectors -> {
          vectors.candidate(0, 0.5, 0.5);
          vectors.candidate(1, 0.5, 0.6);
          vectors.shown(0, 0.5);
        });
  }

  @Test
  void aPropensityUnlikeTheOneInItsVectorIsRefused() {
    assertInvalid(
        Finding.Code.PROPENSITY_MISMATCH,
        vectors -> {
          vectors.candidate(0, 0.5, 0.5);
          vectors.candidate(1, 0.5, 0.5);
          vectors.shown(0, 0.4);
        });
  }

  @Test
  void anItemThatWasNoCandidateIsRefused() {
    assertInvalid(
        Finding.Code.ACTION_NOT_IN_CANDIDATES,
        vectors -> {
          vectors.candidate(0, 0.5, 0.5);
          vectors.candidate(1, 0.5, 0.5);
          vectors.shown(DecisionVectors.NO_CANDIDATE, 0.5);
        });
  }

  @Test
  void aVectorThatIsOffByLittleWarns() {
    OffPolicyReport report =
        OffPolicyReport.of(
            good.log(),
            plan(),
            support(
                vectors -> {
                  vectors.candidate(0, 0.5001, 0.5);
                  vectors.candidate(1, 0.5, 0.5);
                  vectors.shown(0, 0.5001);
                }));
    assertFound(Finding.Code.PROPENSITY_VECTOR_SUM, Severity.WARN, report);
  }

  @Test
  void massThatVectorsShowToBeWithoutSupportIsRefused() {
    OffPolicyReport report =
        OffPolicyReport.of(
            good.log(),
            plan(),
            support(
                vectors -> {
                  vectors.candidate(0, 0.5, 0.25);
                  vectors.candidate(1, 0.5, 0.25);
                  vectors.candidate(1, 0, 0.5);
                  vectors.shown(0, 0.5);
                }));
    assertFound(Finding.Code.UNSUPPORTED_MASS, Severity.REFUSE, report);
    assertEquals(new Estimate.Refused("UNSUPPORTED_MASS"), estimate(report, "snips"));
  }

  @Test
  void aPropensityBelowOneDrawIsAFloor() {
    OffPolicyReport report =
        OffPolicyReport.of(
            good.log(),
            plan(),
            support(
                vectors -> {
                  vectors.drawn(1_000);
                  vectors.candidate(0, 0.9995, 0.5);
                  vectors.candidate(1, 0.0005, 0.5);
                  vectors.shown(1, 0.0005);
                }));
    assertFound(Finding.Code.PROPENSITY_TINY, Severity.WARN, report);
  }

  private static Support support(Consumer<DecisionVectors> decision) {
    SupportAccumulator support = new SupportAccumulator(ActionIndex.of(List.of("one", "other")));
    DecisionVectors vectors = new DecisionVectors();
    for (int number = 0; number < 8; number++) {
      vectors.begin(number, 0, 20_000);
      decision.accept(vectors);
      support.add(vectors);
    }
    return support.result(List.of("a"));
  }

  private void assertInvalid(Finding.Code code, Consumer<DecisionVectors> decision) {
    InvalidDataException refusal =
        assertThrows(
            InvalidDataException.class,
            () -> OffPolicyReport.of(good.log(), plan(), support(decision)));
    assertTrue(
        refusal.findings().stream()
            .anyMatch(finding -> finding.code() == code && finding.severity() == Severity.ERROR),
        refusal.getMessage());
  }

  @Test
  void aDistanceThatIsNoNumberIsRefused() {
    assertInvalid(
        Finding.Code.DISTANCE_NOT_A_NUMBER,
        good.columns().divergence(broken(new double[8], Double.NaN)));
  }

  @Test
  void whatWasLeftOutIsCounted() {
    OffPolicyReport report =
        report(good.columns().excluded(new LoggedDecisions.Excluded(1, 0, 92)));
    assertFound(Finding.Code.DUPLICATE_DECISION, Severity.INFO, report);
    assertFound(Finding.Code.FALLBACK_ROWS, Severity.WARN, report);
    assertFalse(find(report, Finding.Code.IMMATURE_ROWS));
  }

  @Test
  void columnsOfDifferentLengthsAreRefusedByName() {
    LoggedDecisions.Builder columns = good.columns().divergence(new double[3]);
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, columns::build);
    assertEquals("column 'divergence' has 3 rows, decision has 8", refusal.getMessage());
  }

  @Test
  void aSignalThatTheLogHasNotIsRefusedByName() {
    EvaluationPlan plan = EvaluationPlan.of(Objective.maximize("likes"));
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> OffPolicyReport.of(good.log(), plan));
    assertEquals("no signal 'likes'; the log has [reward]", refusal.getMessage());
  }

  private LoggedDecisions.Builder withLogging(double value) {
    return good.columns().logging(broken(logging, value));
  }

  private static double[] broken(double[] column, double value) {
    double[] copy = column.clone();
    copy[2] = value;
    return copy;
  }

  private static EvaluationPlan plan() {
    return EvaluationPlan.of(Objective.maximize(BanditLog.REWARD));
  }

  private static OffPolicyReport report(LoggedDecisions.Builder columns) {
    OffPolicyReport report = OffPolicyReport.of(columns.build(), plan());
    ReportJson.assertNumbersOnly(report);
    return report;
  }

  private static void assertInvalid(Finding.Code code, LoggedDecisions.Builder columns) {
    InvalidDataException refusal = assertThrows(InvalidDataException.class, () -> report(columns));
    assertTrue(
        refusal.findings().stream()
            .anyMatch(finding -> finding.code() == code && finding.severity() == Severity.ERROR),
        refusal.getMessage());
  }

  private static void assertFound(Finding.Code code, Severity severity, OffPolicyReport report) {
    assertTrue(
        report.validation().stream()
            .anyMatch(finding -> finding.code() == code && finding.severity() == severity),
        () -> report.validation().toString());
  }

  private static boolean find(OffPolicyReport report, Finding.Code code) {
    return report.validation().stream().anyMatch(finding -> finding.code() == code);
  }

  private static SignalEstimate find(OffPolicyReport report, String estimator) {
    return report.estimates().stream()
        .filter(each -> each.policy().equals("target") && each.estimator().equals(estimator))
        .findFirst()
        .orElseThrow();
  }

  private static Estimate estimate(OffPolicyReport report, String estimator) {
    return find(report, estimator).estimate();
  }
}
