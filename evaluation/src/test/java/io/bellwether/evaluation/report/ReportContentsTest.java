package io.bellwether.evaluation.report;

import static io.bellwether.evaluation.SimulatedLog.HIDE;
import static io.bellwether.evaluation.SimulatedLog.LIKE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.SimulatedLog;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.Interval.Method;
import io.bellwether.evaluation.interval.Simultaneous;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Labels;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a report says beyond its verdict, on logs whose truth is known. */
class ReportContentsTest {
  private static final double[] BETTER = {0.1, 0.2, 0.3, 0.4};
  private static final double[] WORSE = {0.4, 0.3, 0.2, 0.1};
  private static final double[] SAME = {0.25, 0.25, 0.25, 0.25};
  private static final long DAY = 86_400_000_000L;

  private final EvaluationPlan plan =
      EvaluationPlan.of(Objective.maximize(LIKE))
          .withRange(LIKE, Range.FLAG)
          .withRange(HIDE, Range.FLAG)
          .withBootstrap(200, 7);
  private final SimulatedLog log = SimulatedLog.of(3_000, 1);

  @Test
  void everyEstimatorThatSuitsSingleChoicesIsShown() {
    OffPolicyReport report = OffPolicyReport.of(log.columns(BETTER).build(), plan);
    assertEquals(
        List.of(
            "ips",
            "ips-clipped",
            "sg-ips",
            "snips",
            "dm",
            "dr",
            "sndr",
            "switch-dr",
            "dr-shrunk",
            "dr-clipped",
            "sg-dr"),
        estimates(report, LIKE).stream().map(SignalEstimate::estimator).toList());
    double truth = log.trueLikes(BETTER);
    for (SignalEstimate each : estimates(report, LIKE)) {
      if (!each.estimator().equals("dm")) {
        assertEquals(truth, each.estimate().point().orElseThrow(), 0.06, each.estimator());
      }
    }
  }

  @Test
  void clustersAndSeveralLoggersBringTheirEstimators() {
    LoggedDecisions.Builder columns = log.columns(BETTER);
    LoggedDecisions plain = columns.build();
    double[] weight =
        IntStream.range(0, plain.rows())
            .mapToDouble(row -> plain.target(row) / plain.logging(row))
            .toArray();
    OffPolicyReport report =
        OffPolicyReport.of(columns.clusterWeight(weight).balancedWeight(weight).build(), plan);
    assertEquals(value(report, "ips"), value(report, "mips"), 1e-12);
    assertEquals(value(report, "dr"), value(report, "offcem"), 1e-12);
    assertEquals(value(report, "ips"), value(report, "balanced-ips"), 1e-12);
    assertEquals("balanced-sndr", report.terms().primary());
    assertEquals("balanced-sndr", report.verdict().evidence().objective().estimator());
    assertEquals("pass", report.verdict().word());
  }

  @Test
  void slatesBringTheirEstimatorsAndTheirPositions() {
    SimulatedLog slates = SimulatedLog.of(4_000, 3);
    LoggedDecisions.Builder columns = slates.columns(BETTER);
    LoggedDecisions plain = columns.build();
    double[] slot =
        IntStream.range(0, plain.rows())
            .mapToDouble(row -> plain.target(row) / plain.logging(row))
            .toArray();
    double[] slate =
        IntStream.range(0, plain.decisions())
            .mapToDouble(
                number -> slot[3 * number] + slot[3 * number + 1] + slot[3 * number + 2] - 2)
            .toArray();
    OffPolicyReport report =
        OffPolicyReport.of(columns.slotWeight(slot).slateWeight(slate).build(), plan);
    double truth = slates.trueLikes(BETTER);
    for (String name : List.of("sips", "snsips", "iips", "sniips", "pi")) {
      assertEquals(truth, value(report, name), 0.25, name);
    }
    List<SignalEstimate> positions =
        report.estimates().stream()
            .filter(each -> each.scope().kind() == Scope.Kind.POSITION)
            .filter(each -> each.signal().equals(LIKE))
            .toList();
    assertEquals(3, positions.size());
    assertEquals("position 2", positions.get(2).scope().words());
    double total =
        positions.stream().mapToDouble(each -> each.estimate().point().orElseThrow()).sum();
    assertEquals(value(report, "sndr"), total, 1e-9);
  }

  @Test
  void anEstimateHasAllIntervalsOrSaysWhyNot() {
    OffPolicyReport report =
        OffPolicyReport.of(log.columns(BETTER).build(), plan.withLargestWeight(2));
    double truth = log.trueLikes(BETTER);
    for (Method method :
        List.of(
            Method.NORMAL,
            Method.STUDENT,
            Method.PERCENTILE,
            Method.BCA,
            Method.HOEFFDING,
            Method.EMPIRICAL_BERNSTEIN,
            Method.TRUNCATED_EMPIRICAL_BERNSTEIN,
            Method.EMPIRICAL_BERNSTEIN_SEQUENCE,
            Method.ASYMPTOTIC_SEQUENCE)) {
      Interval interval = within(bounds(report, method));
      assertEquals(0.95, interval.level(), 1e-12);
      assertTrue(interval.contains(truth), method.name());
    }
    OffPolicyReport undeclared = OffPolicyReport.of(log.columns(BETTER).build(), plan);
    assertEquals(
        new Bounds.Absent("LARGEST_WEIGHT_NOT_DECLARED"),
        bounds(undeclared, Method.EMPIRICAL_BERNSTEIN));
  }

  private static Bounds bounds(OffPolicyReport report, Method method) {
    return find(report, LIKE, "ips").intervals().stream()
        .filter(each -> each.method() == method)
        .findFirst()
        .orElseThrow()
        .bounds();
  }

  @Test
  void aLogThatBreaksTheDeclaredWeightHasNoBoundsThatRestOnIt() {
    OffPolicyReport report =
        OffPolicyReport.of(
            log.columns(0.02, 0.02, 0.02, 0.94).build(), plan.withLargestWeight(1.2));
    assertTrue(
        find(report, LIKE, "ips").intervals().stream()
            .anyMatch(each -> each.bounds().equals(new Bounds.Absent("WEIGHT_ABOVE_DECLARED"))));
  }

  @Test
  void aLoggingPolicyOnItsOwnLogHasItsMeanAndWeightsOfOne() {
    OffPolicyReport report = OffPolicyReport.of(log.columns(SAME).build(), plan);
    double mean =
        report.estimates().stream()
            .filter(each -> each.policy().equals("baseline") && each.signal().equals(LIKE))
            .findFirst()
            .orElseThrow()
            .estimate()
            .point()
            .orElseThrow();
    for (String name : List.of("ips", "snips")) {
      SignalEstimate estimate = find(report, LIKE, name);
      assertEquals(mean, estimate.estimate().point().orElseThrow(), 1e-12, name);
      assertEquals(3_000, estimate.effectiveSampleSize(), 1e-9, name);
    }
    assertEquals(1, report.diagnostics().targetWeights().get(0).meanWeight());
    assertEquals(Verdict.Code.UNDECIDED, report.verdict().code());
  }

  @Test
  void theTargetIsComparedWithTheChampionAndWithTheLoggingPolicy() {
    LoggedDecisions.Builder columns = log.columns(BETTER);
    OffPolicyReport report =
        OffPolicyReport.of(columns.baseline(log.ofItems(columns.build(), WORSE)).build(), plan);
    Comparison champion = comparison(report, "champion", "snips");
    Comparison logging = comparison(report, "logging", "snips");
    double better = log.trueLikes(BETTER);
    assertTrue(within(champion.interval()).contains(better - log.trueLikes(WORSE)));
    assertTrue(within(logging.interval()).contains(better - log.trueLikes(SAME)));
    assertTrue(within(logging.liftInterval()).contains(better / log.trueLikes(SAME) - 1));
    assertTrue(
        report.estimates().stream()
            .anyMatch(
                each -> each.policy().equals("logging") && each.estimator().equals("logging")));
  }

  @Test
  void intervalsThatHoldTogetherAreWiderAndTheLargestTTheTightest() {
    LoggedDecisions columns = log.columns(BETTER).build();
    double single =
        width(comparison(OffPolicyReport.of(columns, plan), "logging", "sndr").interval());
    double bonferroni = simultaneous(columns, Simultaneous.BONFERRONI);
    double sidak = simultaneous(columns, Simultaneous.SIDAK);
    double largest = simultaneous(columns, Simultaneous.MAX_T);
    assertTrue(single < largest, single + " " + largest);
    assertTrue(largest < bonferroni * 1.005, largest + " " + bonferroni);
    assertTrue(sidak < bonferroni, sidak + " " + bonferroni);
  }

  private double simultaneous(LoggedDecisions columns, Simultaneous method) {
    OffPolicyReport report = OffPolicyReport.of(columns, plan.withSimultaneous(method));
    assertEquals(method.name(), report.terms().simultaneous());
    return width(comparison(report, "logging", "sndr").simultaneousInterval());
  }

  @Test
  void alphaIsSharedAsThePlanSays() {
    LoggedDecisions columns = log.columns(BETTER).build();
    EvaluationPlan promised =
        plan.withConstraints(List.of(Constraint.atMost(HIDE, 0.5), Constraint.atLeast(LIKE, 0.1)));
    double bonferroni = level(columns, promised.withSimultaneous(Simultaneous.BONFERRONI));
    double sidak = level(columns, promised.withSimultaneous(Simultaneous.SIDAK));
    double largest = level(columns, promised.withSimultaneous(Simultaneous.MAX_T));
    assertEquals(1 - 0.05 / 3, bonferroni, 1e-12);
    assertEquals(Math.pow(0.95, 1.0 / 3), sidak, 1e-12);
    assertTrue(0.95 < largest && largest < bonferroni, "level " + largest);
  }

  private static double level(LoggedDecisions columns, EvaluationPlan plan) {
    Certificate certificate = OffPolicyReport.of(columns, plan).constraints().get(0);
    assertEquals(Certificate.Status.SATISFIED, certificate.status());
    assertTrue(within(certificate.valueInterval()).upper() < 0.5);
    return within(certificate.margin().bounds()).level();
  }

  @Test
  void cutsAreChosenAndTheUncutValueStandsBesideThem() {
    OffPolicyReport report = OffPolicyReport.of(log.columns(BETTER).build(), plan);
    TunedFamily clipped =
        report.tuning().stream()
            .filter(each -> each.signal().equals(LIKE) && each.family().equals("ips-clipped"))
            .findFirst()
            .orElseThrow();
    assertEquals("unlimited", clipped.unlimited().parameter());
    assertEquals(
        find(report, LIKE, "ips").estimate().point().orElseThrow(),
        clipped.unlimited().value(),
        1e-12);
    assertEquals(clipped.selected(), find(report, LIKE, "ips-clipped").parameters().get("lambda"));
    assertTrue(
        clipped.candidates().stream()
            .anyMatch(each -> each.parameter().equals(clipped.selectedBySlope())));
  }

  @Test
  void estimatorsAreRankedButTheOneThatDecidesIsFixed() {
    OffPolicyReport report = OffPolicyReport.of(log.columns(BETTER).build(), plan);
    assertTrue(report.choice().splits() >= 20);
    assertEquals(report.choice().selected(), report.choice().ranked().get(0).estimator());
    assertEquals("sndr", report.terms().primary());
  }

  @Test
  void distributionsHaveQuantilesAndTails() {
    OffPolicyReport report = OffPolicyReport.of(log.columns(BETTER).build(), plan);
    Distribution likes = report.distributions().get(1);
    assertEquals(LIKE, likes.signal());
    assertEquals("", likes.reason());
    assertEquals(0, likes.quantiles().get(0).value());
    assertEquals(1, likes.quantiles().get(4).value());
    assertEquals("lower", likes.tails().get(0).end());
    assertEquals(0, likes.tails().get(0).mean().point().orElseThrow());
    assertEquals(1 - log.trueLikes(BETTER), likes.cdf().get(0).probability(), 0.05);
  }

  @Test
  void segmentsThatDifferAreFoundAndSmallOnesAreNotSpokenOf() {
    LoggedDecisions.Builder columns = log.columns(BETTER);
    LoggedDecisions plain = columns.build();
    int[] country = new int[3_000];
    double[] like = new double[3_000];
    for (int number = 0; number < 3_000; number++) {
      country[number] = number < 50 ? 2 : number % 2;
      like[number] = country[number] == 0 ? 0 : plain.signal(LIKE).reward().get(number);
    }
    OffPolicyReport report =
        OffPolicyReport.of(
            columns
                .signal(LIKE, LoggedDecisions.Signal.withoutModel(like))
                .segment(
                    "country",
                    new Labels(List.of("NL", "DE", "LU", "empty"), IntBuffer.wrap(country)))
                .build(),
            plan.withSegments(List.of("country")));
    SegmentTable table =
        report.segments().stream()
            .filter(each -> each.signal().equals(LIKE))
            .findFirst()
            .orElseThrow();
    assertEquals(List.of("NL", "DE", "LU", "empty"), labels(table));
    assertEquals(0, table.rows().get(0).estimate().point().orElseThrow());
    assertEquals(log.trueLikes(BETTER), table.rows().get(1).estimate().point().orElseThrow(), 0.06);
    assertEquals(new Estimate.Refused("ESS_BELOW_100"), table.rows().get(2).estimate());
    assertEquals(new Estimate.Refused("NO_DECISIONS"), table.rows().get(3).estimate());
    SegmentTable hides = report.segments().get(0);
    assertEquals(2, hides.heterogeneity().groups());
    assertTrue(hides.heterogeneity().pValue() > 0.001);
  }

  @Test
  void aPartWithFewEventsHasNoNormalIntervalThoughTheLogHasMany() {
    SimulatedLog slates = SimulatedLog.of(3_000, 2);
    LoggedDecisions.Builder columns = slates.columns(BETTER);
    LoggedDecisions plain = columns.build();
    int[] country = new int[3_000];
    double[] like = new double[6_000];
    for (int row = 0; row < 6_000; row++) {
      country[row / 2] = row / 2 % 3 == 0 ? 0 : 1;
      boolean seen = country[row / 2] == 1 && (row % 2 == 0 || row < 50);
      like[row] = seen ? plain.signal(LIKE).reward().get(row) : 0;
    }
    OffPolicyReport report =
        OffPolicyReport.of(
            columns
                .signal(LIKE, LoggedDecisions.Signal.withoutModel(like))
                .segment("country", new Labels(List.of("NL", "DE"), IntBuffer.wrap(country)))
                .build(),
            plan.withSegments(List.of("country")));
    List<SegmentTable.Row> rows = report.segments().get(1).rows();
    assertEquals("DE", rows.get(0).label());
    assertEquals(Bounds.Within.class, rows.get(0).interval().getClass());
    assertEquals(new Bounds.Absent("FEW_EVENTS"), rows.get(1).interval());
    assertEquals(0, report.segments().get(1).heterogeneity().groups());
    List<SignalEstimate> positions =
        report.estimates().stream()
            .filter(each -> each.scope().kind() == Scope.Kind.POSITION)
            .filter(each -> each.signal().equals(LIKE))
            .toList();
    assertEquals(Bounds.Within.class, positions.get(0).interval().getClass());
    assertEquals(new Bounds.Absent("FEW_EVENTS"), positions.get(1).interval());
  }

  @Test
  void aSegmentIsMeasuredLikeALogOfItsOwn() {
    SimulatedLog slates = SimulatedLog.of(2_000, 2);
    LoggedDecisions plain = slates.columns(BETTER).build();
    int[] half = IntStream.range(0, 2_000).map(number -> number % 4 == 0 ? 1 : 0).toArray();
    LoggedDecisions parted =
        slates
            .columns(BETTER)
            .segment("half", new Labels(List.of("a", "b"), IntBuffer.wrap(half)))
            .build();
    SegmentTable.Row row =
        OffPolicyReport.of(parted, plan.withSegments(List.of("half")))
            .segments()
            .get(1)
            .rows()
            .get(1);
    DecisionColumns columns = parted.underTarget(LIKE, parted.targetWeights());
    WeightDiagnostics last = WeightDiagnostics.of(columns.ofSegment("half", "b"), 1);
    assertEquals(500, row.decisions());
    assertEquals(last.meanWeight(), row.meanWeight(), 1e-12);
    assertEquals(last.effectiveSampleSize(), row.effectiveSampleSize(), 1e-9);
    assertEquals(plain.decisions(), parted.decisions());
  }

  @Test
  void rareEventsLeaveTailsWithoutANormalInterval() {
    LoggedDecisions.Builder columns = log.columns(BETTER);
    double[] rare = new double[3_000];
    Arrays.fill(rare, 100, 105, 1);
    OffPolicyReport report =
        OffPolicyReport.of(
            columns.signal(LIKE, LoggedDecisions.Signal.withoutModel(rare)).build(), plan);
    for (Distribution.Tail tail : report.distributions().get(1).tails()) {
      assertEquals(new Bounds.Absent("FEW_EVENTS"), tail.interval());
    }
  }

  @Test
  void decisionsOfOneUnitWidenTheSequenceThatTakesThemAsIndependent() {
    SimulatedLog six =
        new SimulatedLog(3_000, 1, 500, log.logging(), log.likes(), log.hides(), log.seed());
    double[] alike = IntStream.range(0, 3_000).mapToDouble(row -> row / 500 % 2).toArray();
    LoggedDecisions.Signal signal = LoggedDecisions.Signal.withoutModel(alike);
    Interval alone =
        sequence(OffPolicyReport.of(log.columns(BETTER).signal(LIKE, signal).build(), plan));
    OffPolicyReport report =
        OffPolicyReport.of(six.columns(BETTER).signal(LIKE, signal).build(), plan);
    Interval together = sequence(report);
    assertTrue(together.lower() < alone.lower() && together.upper() > alone.upper());
    assertEquals(within(bounds(report, Method.STUDENT)).lower(), together.lower(), 1e-12);
  }

  private static Interval sequence(OffPolicyReport report) {
    return within(bounds(report, Method.EMPIRICAL_BERNSTEIN_SEQUENCE));
  }

  @Test
  void rangesAreListedInTheOrderOfTheirSignals() {
    EvaluationPlan ranges =
        plan.withRange("z", Range.FLAG).withRange("a", Range.FLAG).withRange("m", Range.FLAG);
    OffPolicyReport report = OffPolicyReport.of(log.columns(BETTER).build(), ranges);
    assertEquals(List.of("a", HIDE, LIKE, "m", "z"), List.copyOf(report.terms().ranges().keySet()));
  }

  private static List<String> labels(SegmentTable table) {
    return table.rows().stream().map(SegmentTable.Row::label).toList();
  }

  @Test
  void aSegmentThatTheLogHasNotIsRefusedByName() {
    LoggedDecisions columns = log.columns(BETTER).build();
    EvaluationPlan segments = plan.withSegments(List.of("country"));
    assertThrows(IllegalArgumentException.class, () -> OffPolicyReport.of(columns, segments));
  }

  @Test
  void anEstimatorThatNobodyKnowsIsRefusedByName() {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class, () -> plan.withEstimatorNames(List.of("magic")));
    assertTrue(refusal.toString().contains("no estimator 'magic'; there are ips, "));
  }

  @Test
  void weightsAreToldByDayAndVersion() {
    long[] times = IntStream.range(0, 3_000).mapToLong(at -> at / 1_500 * DAY + at).toArray();
    int[] logger = IntStream.range(0, 3_000).map(at -> at % 2).toArray();
    OffPolicyReport report =
        OffPolicyReport.of(
            log.columns(BETTER).timeMicros(times).loggers(List.of("v1", "v2"), logger).build(),
            plan);
    List<DailyWeights> daily = report.diagnostics().daily();
    assertEquals(4, daily.size());
    assertEquals("1970-01-02", daily.get(1).day());
    assertEquals("v2", daily.get(2).logger());
    assertTrue(daily.stream().allMatch(day -> within(day.interval()).contains(1)));
    assertEquals(List.of("v1", "v2"), report.terms().loggers());
    List<CumulativePoint> course = report.diagnostics().cumulative();
    assertEquals(3_000, course.get(course.size() - 1).decisions());
    assertEquals(value(report, "snips"), course.get(course.size() - 1).value(), 1e-9);
  }

  @Test
  void theHeaviestDecisionsAreListed() {
    OffPolicyReport report = OffPolicyReport.of(log.columns(BETTER).build(), plan);
    List<HeavyDecision> heaviest = report.diagnostics().largestWeights();
    assertEquals(20, heaviest.size());
    assertEquals(1.6, heaviest.get(0).weight(), 1e-12);
    assertEquals(0.4, heaviest.get(0).target(), 1e-12);
  }

  @Test
  void aModelsFitIsMeasured() {
    OffPolicyReport report = OffPolicyReport.of(log.columns(BETTER).build(), plan);
    ModelQuality likes =
        report.diagnostics().models().stream()
            .filter(each -> each.signal().equals(LIKE))
            .findFirst()
            .orElseThrow();
    // The model predicts half of each chance.
    assertEquals(2, likes.figures().getOrDefault("calibrationSlope", 0.0), 0.5);
    assertTrue(likes.figures().containsKey("logLoss"));
  }

  @Test
  void theLogsLengthIsHeldAgainstTheHopedForEffect() {
    SampleSizeNeeded needed = OffPolicyReport.of(log.columns(BETTER).build(), plan).sampleSize();
    RowsNeeded.Known hoped = (RowsNeeded.Known) needed.hoped();
    RowsNeeded.Known observed = (RowsNeeded.Known) needed.observed();
    assertTrue(observed.decisions() < hoped.decisions());
    assertEquals(3_000 >= hoped.decisions(), needed.power() >= RowsNeeded.POWER);
  }

  @Test
  void fallbacksThatAnsweredOftenAreWarnedOf() {
    OffPolicyReport report =
        OffPolicyReport.of(
            log.columns(BETTER).excluded(new LoggedDecisions.Excluded(0, 0, 1_000)).build(), plan);
    assertEquals(0.25, report.size().degradedShare());
    assertTrue(
        report.diagnostics().with(Check.Status.WARN).stream()
            .anyMatch(check -> check.name().equals("share of decisions that a fallback answered")));
  }

  @Test
  void aPassWithWarningsNeedsSomebodyToApproveIt() {
    LoggedDecisions columns =
        log.columns(BETTER).excluded(new LoggedDecisions.Excluded(0, 0, 1_000)).build();
    OffPolicyReport open = OffPolicyReport.of(columns, plan);
    assertEquals("pass", open.verdict().word());
    assertEquals(OffPolicyReport.Approval.NEEDED, open.gate().approval());
    OffPolicyReport approved = OffPolicyReport.of(columns, plan.withApprover("ada"));
    assertEquals(OffPolicyReport.Approval.GIVEN, approved.gate().approval());
    assertEquals("ada", approved.gate().approver());
  }

  @Test
  void diagnosticsAreCompleteWhereEveryValueIsRefused() {
    LoggedDecisions.Builder columns = log.columns(BETTER);
    double[] none = new double[3_000];
    OffPolicyReport report = OffPolicyReport.of(columns.target(none).build(), plan);
    assertEquals(Verdict.Code.INSUFFICIENT_SUPPORT, report.verdict().code());
    Diagnostics diagnostics = report.diagnostics();
    assertEquals(3_000, diagnostics.targetWeights().get(0).zeros());
    assertEquals(2, diagnostics.models().size());
    assertEquals(20, diagnostics.largestWeights().size());
    assertTrue(
        report.distributions().stream().allMatch(each -> each.reason().equals("NO_OVERLAP")));
    assertTrue(Arrays.asList("", "NO_OVERLAP").contains(report.choice().reason()));
  }

  private static List<SignalEstimate> estimates(OffPolicyReport report, String signal) {
    return report.overall().stream()
        .filter(each -> each.policy().equals("target") && each.signal().equals(signal))
        .toList();
  }

  private static SignalEstimate find(OffPolicyReport report, String signal, String estimator) {
    return estimates(report, signal).stream()
        .filter(each -> each.estimator().equals(estimator))
        .findFirst()
        .orElseThrow();
  }

  private static double value(OffPolicyReport report, String estimator) {
    return find(report, LIKE, estimator).estimate().point().orElseThrow();
  }

  private static Comparison comparison(OffPolicyReport report, String against, String estimator) {
    return report.comparisons().stream()
        .filter(
            each ->
                each.against().equals(against)
                    && each.estimator().equals(estimator)
                    && each.signal().equals(LIKE))
        .findFirst()
        .orElseThrow();
  }

  private static Interval within(Bounds bounds) {
    return ((Bounds.Within) bounds).interval();
  }

  private static double width(Bounds bounds) {
    return within(bounds).upper() - within(bounds).lower();
  }
}
