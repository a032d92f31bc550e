package io.bellwether.evaluation.report;

import static io.bellwether.evaluation.SimulatedLog.HIDE;
import static io.bellwether.evaluation.SimulatedLog.LIKE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.SimulatedLog;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.Snips;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the gate says of policies whose true worth is known. */
class GateTest {
  private static final double[] BETTER = {0.1, 0.2, 0.3, 0.4};
  private static final double[] WORSE = {0.4, 0.3, 0.2, 0.1};
  private static final double[] SAME = {0.25, 0.25, 0.25, 0.25};
  private static final double[] BARELY = {0.3, 0.15, 0.3, 0.25};

  private final EvaluationPlan likes =
      EvaluationPlan.of(Objective.maximize(LIKE))
          .withRange(LIKE, Range.FLAG)
          .withRange(HIDE, Range.FLAG);
  private final SimulatedLog log = SimulatedLog.of(5_000, 1);

  @Test
  void aBetterPolicyPasses() {
    OffPolicyReport report = report(log.columns(BETTER), likes);
    assertEquals("pass", report.verdict().word());
    assertEquals("pass", report.gate().verdict());
    assertTrue(report.gate().reasons().get(0).startsWith("like is better than the baseline"));
  }

  @Test
  void aWorsePolicyFails() {
    OffPolicyReport report = report(log.columns(WORSE), likes);
    assertEquals(Verdict.Code.FAIL, report.verdict().code());
    assertEquals("fail", report.verdict().word());
  }

  @Test
  void aPolicyTooCloseToTellIsInconclusive() {
    OffPolicyReport report = report(log.columns(BARELY), likes);
    Verdict.Inconclusive verdict = (Verdict.Inconclusive) report.verdict();
    assertEquals(Verdict.Code.UNDECIDED, verdict.code());
    assertEquals("not-enough-evidence", verdict.word());
    assertTrue(verdict.reason().contains("decisions would show an effect"), verdict.reason());
  }

  @Test
  void aLiftThatIsAskedForMustBeShown() {
    EvaluationPlan modest = likes.withObjective(Objective.maximize(LIKE).withRelativeMinLift(0.1));
    EvaluationPlan bold = likes.withObjective(Objective.maximize(LIKE).withMinLift(0.3));
    assertEquals("pass", report(log.columns(BETTER), modest).verdict().word());
    assertEquals("fail", report(log.columns(BETTER), bold).verdict().word());
  }

  @Test
  void anObjectiveMayBeToHaveLess() {
    EvaluationPlan fewer = likes.withObjective(Objective.minimize(LIKE));
    assertEquals("fail", report(log.columns(BETTER), fewer).verdict().word());
    assertEquals("pass", report(log.columns(WORSE), fewer).verdict().word());
  }

  @Test
  void aBrokenPromiseFailsTheBestPolicy() {
    OffPolicyReport report =
        report(
            log.withHides(0.02, 0.02, 0.02, 0.4).columns(BETTER),
            likes.withConstraints(List.of(Constraint.atMostOfBaseline(HIDE, 1.05))));
    Verdict.Fail verdict = (Verdict.Fail) report.verdict();
    assertEquals(Verdict.Code.FAIL_CONSTRAINT, verdict.code());
    assertEquals(HIDE, verdict.breaches().get(0).signal());
    assertTrue(
        verdict
            .breaches()
            .get(0)
            .words()
            .startsWith("hide at most 105 % of the baseline is broken"),
        verdict.breaches().get(0).words());
  }

  @Test
  void aKeptPromiseLetsAPolicyPass() {
    OffPolicyReport report =
        report(
            log.withHides(0.4, 0.1, 0.05, 0.02).columns(BETTER),
            likes.withConstraints(
                List.of(
                    Constraint.atMostOfBaseline(HIDE, 1.0),
                    Constraint.atMost(HIDE, 0.2),
                    Constraint.atLeast(LIKE, 0.25))));
    assertEquals("pass", report.verdict().word());
    assertTrue(
        report.constraints().stream()
            .allMatch(each -> each.status() == Certificate.Status.SATISFIED));
  }

  @Test
  void anUndecidedPromiseKeepsFromPassing() {
    OffPolicyReport report =
        report(
            log.columns(BETTER),
            likes.withConstraints(List.of(Constraint.atMostOfBaseline(HIDE, 1.01))));
    assertEquals(Certificate.Status.UNDECIDED, report.constraints().get(0).status());
    assertEquals(Verdict.Code.UNDECIDED, report.verdict().code());
  }

  @Test
  void aPolicyTooFarFromTheLoggingPolicyDoesNotPass() {
    double[] far = new double[5_000];
    Arrays.fill(far, 2);
    OffPolicyReport report = report(log.columns(BETTER).divergence(far), likes);
    Verdict.Inconclusive verdict = (Verdict.Inconclusive) report.verdict();
    assertTrue(verdict.reason().contains("mean divergence"), verdict.reason());
    far[0] = Double.POSITIVE_INFINITY;
    assertNotEquals("pass", report(log.columns(BETTER).divergence(far), likes).verdict().word());
    double[] thin = new double[5_000];
    Arrays.fill(thin, 0.05);
    assertNotEquals("pass", report(log.columns(BETTER).thin(thin), likes).verdict().word());
  }

  @Test
  void fewEffectiveDecisionsNeverPass() {
    OffPolicyReport report = report(SimulatedLog.of(90, 1).columns(BETTER), likes);
    assertEquals(Verdict.Code.INSUFFICIENT_SUPPORT, report.verdict().code());
  }

  @Test
  void betweenAHundredAndAThousandEffectiveDecisionsNobodyFails() {
    OffPolicyReport report = report(SimulatedLog.of(1_000, 1).columns(WORSE), likes);
    ContrastResult objective = report.verdict().evidence().objective();
    assertEquals(
        Interval.Method.EMPIRICAL_BERNSTEIN_SEQUENCE,
        ((Bounds.Within) objective.bounds()).interval().method());
    assertEquals(Verdict.Code.UNDECIDED, report.verdict().code());
  }

  @Test
  void betweenAHundredAndAThousandALargeLiftPasses() {
    SimulatedLog small =
        new SimulatedLog(
            1_500, 1, 1, SAME, new double[] {0.02, 0.02, 0.02, 0.98}, new double[4], 3);
    OffPolicyReport report = report(small.columns(0.02, 0.02, 0.02, 0.94), likes);
    assertTrue(report.diagnostics().effectiveSampleSize() < 1_000);
    assertEquals("pass", report.verdict().word());
  }

  @Test
  void withoutADeclaredRangeASmallLogHasNoBounds() {
    OffPolicyReport report =
        report(
            SimulatedLog.of(1_000, 1).columns(BETTER), EvaluationPlan.of(Objective.maximize(LIKE)));
    assertEquals(
        new Bounds.Absent("RANGE_NOT_DECLARED"), report.verdict().evidence().objective().bounds());
    assertEquals(Verdict.Code.UNDECIDED, report.verdict().code());
  }

  @Test
  void lookingAgainAndAgainNeedsWiderBounds() {
    OffPolicyReport once = report(log.columns(BETTER), likes);
    OffPolicyReport often = report(log.columns(BETTER), likes.withLooks(new Looks.Repeated(5_000)));
    assertTrue(width(often) > 1.2 * width(once));
    assertEquals("pass", often.verdict().word());
  }

  @Test
  void theChampionIsComparedOnTheSameDecisions() {
    LoggedDecisions.Builder columns = log.columns(BETTER);
    double[] champion = log.ofItems(columns.build(), WORSE);
    OffPolicyReport report = report(columns.baseline(champion), likes);
    assertEquals("champion", report.terms().baseline());
    assertEquals("snips", report.terms().primary());
    assertEquals("pass", report.verdict().word());
    double lift = log.trueLikes(BETTER) - log.trueLikes(WORSE);
    Interval interval =
        ((Bounds.Within) report.verdict().evidence().objective().bounds()).interval();
    assertTrue(interval.contains(lift));
  }

  @Test
  void aChampionEqualToTheTargetDiffersByNothing() {
    LoggedDecisions.Builder columns = log.columns(BETTER);
    OffPolicyReport report = report(columns.baseline(log.ofItems(columns.build(), BETTER)), likes);
    Estimate.Estimated margin =
        (Estimate.Estimated) report.verdict().evidence().objective().estimate();
    assertEquals(0, margin.value());
    assertEquals(0, margin.standardError());
  }

  @Test
  void slatesAreJudgedByTheirWeakestPosition() {
    SimulatedLog slates = SimulatedLog.of(20_000, 3);
    OffPolicyReport report = report(slates.columns(BETTER), likes);
    List<Double> sizes =
        report.diagnostics().targetWeights().stream()
            .map(weights -> weights.effectiveSampleSize())
            .toList();
    assertTrue(sizes.get(0) > sizes.get(1) && sizes.get(1) > sizes.get(2));
    assertEquals(sizes.get(2), report.diagnostics().effectiveSampleSize());
    assertEquals("pass", report.verdict().word());
    SignalEstimate robust = estimate(report, "sndr");
    assertTrue(((Bounds.Within) robust.interval()).interval().contains(slates.trueLikes(BETTER)));
  }

  @Test
  void severalDecisionsOfOneSubjectAreNotIndependent() {
    OffPolicyReport report =
        report(
            new SimulatedLog(5_000, 1, 4, log.logging(), log.likes(), log.hides(), log.seed())
                .columns(BETTER),
            likes);
    Estimate.Estimated robust = (Estimate.Estimated) estimate(report, "sndr").estimate();
    assertEquals(Estimate.ErrorKind.CLUSTER, robust.errorKind());
    assertEquals(1_250, robust.units());
    assertEquals(1_250, report.size().units());
  }

  @Test
  void alphaIsSharedByObjectiveAndConstraints() {
    EvaluationPlan promised =
        likes.withConstraints(List.of(Constraint.atMost(HIDE, 0.5), Constraint.atLeast(LIKE, 0.1)));
    OffPolicyReport report = report(log.columns(BETTER), promised);
    double objective =
        ((Bounds.Within) report.verdict().evidence().objective().bounds()).interval().level();
    double constraint =
        ((Bounds.Within) report.constraints().get(0).margin().bounds()).interval().level();
    assertEquals(1 - 2 * 0.05 / 3, objective, 1e-12);
    assertEquals(1 - 0.05 / 3, constraint, 1e-12);
  }

  @Test
  void anotherPrimaryEstimatorDecides() {
    OffPolicyReport report = report(log.columns(BETTER), likes.withPrimary(new Snips()));
    assertEquals("snips", report.verdict().evidence().objective().estimator());
  }

  @Test
  void aModelThatMissesTheTruthIsWarnedOf() {
    OffPolicyReport report =
        report(
            BanditLog.synthetic().columns(),
            EvaluationPlan.of(Objective.maximize(BanditLog.REWARD)));
    Check bias =
        report.diagnostics().checks().stream()
            .filter(check -> check.name().startsWith("bias of the reward model"))
            .findFirst()
            .orElseThrow();
    assertEquals(Check.Status.WARN, bias.status());
  }

  private static SignalEstimate estimate(OffPolicyReport report, String estimator) {
    return report.estimates().stream()
        .filter(
            each ->
                each.policy().equals("target")
                    && each.signal().equals(LIKE)
                    && each.estimator().equals(estimator))
        .findFirst()
        .orElseThrow();
  }

  private static double width(OffPolicyReport report) {
    Interval interval =
        ((Bounds.Within) report.verdict().evidence().objective().bounds()).interval();
    return interval.upper() - interval.lower();
  }

  private static OffPolicyReport report(LoggedDecisions.Builder columns, EvaluationPlan plan) {
    OffPolicyReport report = OffPolicyReport.of(columns.build(), plan);
    ReportJson.assertNumbersOnly(report);
    return report;
  }
}
