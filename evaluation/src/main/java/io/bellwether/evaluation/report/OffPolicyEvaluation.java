package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.SampleSize;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.report.OffPolicyReport.Approval;
import io.bellwether.evaluation.support.Support;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The steps from a log and a plan to a report. */
final class OffPolicyEvaluation {
  private final LoggedDecisions log;
  private final EvaluationPlan plan;
  private final Support support;

  OffPolicyEvaluation(LoggedDecisions log, EvaluationPlan plan, Support support) {
    this.log = log;
    this.plan = plan;
    this.support = support;
  }

  OffPolicyReport report() {
    Map<String, RewardSummary> rewards = rewards();
    List<Finding> findings = new ArrayList<>(validColumns(rewards));
    PolicyWeights weights = PolicyWeights.of(log);
    Diagnosis diagnosis = new Diagnosis(log, plan, support);
    Diagnostics measured = diagnosis.of(weights);
    addWeights(findings, measured);
    Estimation estimation =
        new Estimation(log, plan, findings, rewards, measured, weights, log.units());
    Values values = values(estimation);
    Diagnostics diagnostics = measured.withChecks(diagnosis.ofModel(values.estimates));
    Decision decision = decide(estimation);
    SampleSizeNeeded sampleSize = sampleSize(decision.objective, estimation);
    Gate gate = gate(findings, diagnostics, decision, estimation, sampleSize);
    Verdict verdict = gate.verdict();
    return new OffPolicyReport(
        OffPolicyReport.SCHEMA_VERSION,
        terms(estimation),
        size(estimation),
        findings,
        diagnostics,
        values.estimates,
        values.comparisons,
        decision.constraints,
        values.distributions,
        values.segments,
        values.tuning,
        values.choice,
        sampleSize,
        verdict,
        summary(verdict, gate, warnings(findings, diagnostics)));
  }

  private static void addWeights(List<Finding> findings, Diagnostics measured) {
    measured.targetWeights().forEach(at -> addNew(findings, Validation.ofWeights("target", at)));
    measured
        .baselineWeights()
        .forEach(at -> addNew(findings, Validation.ofWeights("baseline", at)));
  }

  /** What is shown and decides nothing. */
  private record Values(
      List<SignalEstimate> estimates,
      List<Comparison> comparisons,
      List<Distribution> distributions,
      List<SegmentTable> segments,
      List<TunedFamily> tuning,
      EstimatorRanking choice) {}

  private Values values(Estimation estimation) {
    Tuner tuner = new Tuner(estimation);
    SegmentValues ofSegments = new SegmentValues(estimation);
    Map<String, List<Shown>> shown = new TreeMap<>();
    List<SignalEstimate> estimates = new ArrayList<>();
    List<Comparison> comparisons = new ArrayList<>();
    List<Distribution> distributions = new ArrayList<>();
    List<SegmentTable> segments = new ArrayList<>();
    for (String signal : log.signals()) {
      List<Shown> ofSignal = tuner.shown(signal);
      shown.put(signal, ofSignal);
      SignalValues values = SignalValues.of(signal, estimation, ofSignal);
      estimates.addAll(values.estimates());
      comparisons.addAll(values.comparisons());
      distributions.add(new Distributions(estimation).of(signal));
      segments.addAll(ofSegments.of(signal));
    }
    String objective = plan.objective().signal();
    return new Values(
        estimates,
        comparisons,
        distributions,
        segments,
        tuner.tuned(),
        new Ranking(estimation).of(objective, shown.getOrDefault(objective, List.of())));
  }

  private Gate gate(
      List<Finding> findings,
      Diagnostics diagnostics,
      Decision decision,
      Estimation estimation,
      SampleSizeNeeded sampleSize) {
    return new Gate(
        new Evidence(
            decision.objective,
            decision.constraints,
            diagnostics.effectiveSampleSize(),
            diagnostics.checks()),
        refusals(findings, diagnostics),
        estimation.isNormal(plan.objective().signal()),
        sampleSize.hoped());
  }

  private OffPolicyReport.Size size(Estimation estimation) {
    return new OffPolicyReport.Size(
        log.rows(), log.decisions(), estimation.units().count(), log.positions(), log.excluded());
  }

  private Map<String, RewardSummary> rewards() {
    Map<String, RewardSummary> rewards = new TreeMap<>();
    log.signals().forEach(signal -> rewards.put(signal, RewardSummary.of(log, signal)));
    return rewards;
  }

  /** Whatever the plan names must be there, and nothing may hold what cannot be. */
  private List<Finding> validColumns(Map<String, RewardSummary> rewards) {
    log.signal(plan.objective().signal());
    plan.constraints().forEach(constraint -> log.signal(constraint.signal()));
    plan.segments().forEach(log::segment);
    List<Finding> findings = new ArrayList<>(new Validation(log, plan, rewards).ofColumns());
    SupportChecks.findings(support).stream()
        .filter(finding -> findings.stream().noneMatch(each -> each.code() == finding.code()))
        .forEach(findings::add);
    if (findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR)) {
      throw new InvalidDataException(findings);
    }
    return findings;
  }

  /** A finding that several positions share is told once. */
  private static void addNew(List<Finding> findings, List<Finding> more) {
    more.stream().filter(finding -> !findings.contains(finding)).forEach(findings::add);
  }

  /** The contrasts that a verdict rests on. */
  private record Decision(ContrastResult objective, List<Certificate> constraints) {}

  private Decision decide(Estimation estimation) {
    List<Contrast> asked = new ArrayList<>();
    asked.add(plan.objective().contrast());
    plan.constraints().forEach(constraint -> asked.add(constraint.contrast()));
    Contrasts contrasts = Contrasts.of(estimation, asked);
    Contrasts values =
        Contrasts.of(
            estimation,
            plan.constraints().stream()
                .map(constraint -> new Contrast(constraint.signal(), 1, 0, 0))
                .toList());
    SharedAlpha alpha = SharedAlpha.of(plan, contrasts);
    List<Certificate> certificates = new ArrayList<>();
    for (int at = 0; at < plan.constraints().size(); at++) {
      certificates.add(
          certificate(
              plan.constraints().get(at),
              values.result(at, alpha.perSide()),
              contrasts.result(at + 1, alpha.perSide()),
              alpha.perSide()));
    }
    return new Decision(contrasts.result(0, alpha.objective()), certificates);
  }

  private Certificate certificate(
      Constraint constraint, ContrastResult value, ContrastResult margin, double alphaPerSide) {
    double observed = Math.abs(margin.estimate().point().orElse(0));
    return new Certificate(
        constraint,
        value.estimate(),
        value.bounds(),
        margin,
        Certificate.status(margin.bounds()),
        RowsNeeded.of(spread(margin.estimate()), observed, alphaPerSide));
  }

  private SampleSizeNeeded sampleSize(ContrastResult objective, Estimation estimation) {
    String signal = plan.objective().signal();
    double baseline =
        estimation.baseline(estimation.deciding(signal), signal).map(Influence::value).orElse(0.0);
    double hoped = plan.detectableLift() * Math.abs(baseline);
    double spread = spread(objective.estimate());
    double observed = Math.abs(objective.estimate().point().orElse(0));
    return new SampleSizeNeeded(
        spread,
        RowsNeeded.of(spread, hoped, plan.alphaEach()),
        RowsNeeded.of(spread, observed, plan.alphaEach()),
        hoped > 0 && spread > 0
            ? SampleSize.oneSided(plan.alphaEach(), RowsNeeded.POWER)
                .powerOf(spread, hoped, log.decisions())
            : 0);
  }

  /** Standard deviation of an influence value, had every decision a unit of its own. */
  private double spread(Estimate estimate) {
    return estimate.error().orElse(0) * Math.sqrt(log.decisions());
  }

  private static List<String> refusals(List<Finding> findings, Diagnostics diagnostics) {
    List<String> refusals = new ArrayList<>();
    findings.stream()
        .filter(finding -> finding.severity() == Severity.REFUSE)
        .forEach(finding -> refusals.add(finding.words()));
    diagnostics.with(Check.Status.REFUSE).forEach(check -> refusals.add(check.words()));
    return refusals;
  }

  private static List<String> warnings(List<Finding> findings, Diagnostics diagnostics) {
    List<String> warnings = new ArrayList<>();
    findings.stream()
        .filter(finding -> finding.severity() == Severity.WARN)
        .forEach(finding -> warnings.add(finding.words()));
    diagnostics.with(Check.Status.WARN).forEach(check -> warnings.add(check.words()));
    return warnings;
  }

  private OffPolicyReport.GateSummary summary(Verdict verdict, Gate gate, List<String> warnings) {
    Approval approval = approval(verdict, warnings);
    List<String> reasons = new ArrayList<>(gate.reasons());
    if (approval == Approval.NEEDED) {
      reasons.add("a pass with warnings needs an approver who has read them");
    }
    return new OffPolicyReport.GateSummary(
        verdict.word(), verdict.code(), reasons, warnings, approval, plan.approver());
  }

  private Approval approval(Verdict verdict, List<String> warnings) {
    if (verdict.code() != Verdict.Code.PASS || warnings.isEmpty()) {
      return Approval.NOT_NEEDED;
    }
    return plan.approver().isBlank() ? Approval.NEEDED : Approval.GIVEN;
  }

  private OffPolicyReport.Terms terms(Estimation estimation) {
    return new OffPolicyReport.Terms(
        plan.objective(),
        plan.constraints(),
        plan.alpha(),
        plan.limits(),
        plan.ranges(),
        estimation.deciding(plan.objective().signal()).name(),
        plan.looks().method().name(),
        log.hasBaseline() ? "champion" : "logging",
        plan.simultaneous().name(),
        plan.segments(),
        plan.replicates(),
        plan.seed(),
        log.loggers());
  }
}
