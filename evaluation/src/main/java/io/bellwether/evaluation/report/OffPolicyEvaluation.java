package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.PrefixWeights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The steps from a log and a plan to a report. */
final class OffPolicyEvaluation {
  private final LoggedDecisions log;
  private final EvaluationPlan plan;

  OffPolicyEvaluation(LoggedDecisions log, EvaluationPlan plan) {
    this.log = log;
    this.plan = plan;
  }

  OffPolicyReport report() {
    List<Finding> findings = new ArrayList<>(validColumns());
    PrefixWeights targetWeights = log.targetWeights();
    Optional<PrefixWeights> baselineWeights =
        log.hasBaseline() ? Optional.of(log.baselineWeights()) : Optional.empty();
    Diagnosis diagnosis = new Diagnosis(log, plan.limits());
    Diagnostics weights = diagnosis.ofWeights(targetWeights, baselineWeights);
    weights.targetWeights().forEach(at -> addNew(findings, Validation.ofWeights("target", at)));
    weights.baselineWeights().forEach(at -> addNew(findings, Validation.ofWeights("baseline", at)));

    Estimation estimation =
        new Estimation(
            log, plan, findings, weights.effectiveSampleSize(), targetWeights, baselineWeights);
    List<SignalEstimate> estimates = new ArrayList<>();
    List<Comparison> comparisons = new ArrayList<>();
    for (String signal : log.signals()) {
      SignalValues values = new SignalValues(signal, estimation, Roster.of(plan));
      estimates.addAll(values.estimates());
      comparisons.addAll(values.comparisons());
    }
    Diagnostics diagnostics = diagnosis.withModel(weights, estimates, plan.objective().signal());
    List<Certificate> constraints = certificates(estimation);
    ContrastResult objective = estimation.measure(plan.objective().contrast(), plan.alphaEach());
    RowsNeeded rowsNeeded = rowsNeeded(objective, estimation);
    Gate gate =
        new Gate(
            new Evidence(
                objective, constraints, diagnostics.effectiveSampleSize(), diagnostics.checks()),
            refusals(findings, diagnostics),
            estimation.isNormal(plan.objective().signal()),
            rowsNeeded);
    Verdict verdict = gate.verdict();
    return new OffPolicyReport(
        OffPolicyReport.SCHEMA_VERSION,
        terms(estimation),
        new OffPolicyReport.Size(
            log.rows(),
            log.decisions(),
            estimation.units().count(),
            log.positions(),
            log.excluded()),
        findings,
        diagnostics,
        estimates,
        comparisons,
        constraints,
        List.of(),
        List.of(),
        List.of(),
        EstimatorRanking.none(plan.objective().signal(), "NOT_ASKED_FOR"),
        new SampleSizeNeeded(spread(objective.estimate()), rowsNeeded, rowsNeeded, 0),
        verdict,
        summary(verdict, gate, warnings(findings, diagnostics)));
  }

  private OffPolicyReport.GateSummary summary(Verdict verdict, Gate gate, List<String> warnings) {
    OffPolicyReport.Approval approval =
        verdict.code() != Verdict.Code.PASS || warnings.isEmpty()
            ? OffPolicyReport.Approval.NOT_NEEDED
            : plan.approver().isEmpty()
                ? OffPolicyReport.Approval.NEEDED
                : OffPolicyReport.Approval.GIVEN;
    return new OffPolicyReport.GateSummary(
        verdict.word(), verdict.code(), gate.reasons(), warnings, approval, plan.approver());
  }

  private List<Finding> validColumns() {
    log.signal(plan.objective().signal());
    plan.constraints().forEach(constraint -> log.signal(constraint.signal()));
    List<Finding> findings = new Validation(log, plan).ofColumns();
    if (findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR)) {
      throw new InvalidDataException(findings);
    }
    return findings;
  }

  /** A finding that several positions share is told once. */
  private static void addNew(List<Finding> findings, List<Finding> more) {
    more.stream().filter(finding -> !findings.contains(finding)).forEach(findings::add);
  }

  private List<Certificate> certificates(Estimation estimation) {
    return plan.constraints().stream()
        .map(constraint -> certificate(constraint, estimation))
        .toList();
  }

  private Certificate certificate(Constraint constraint, Estimation estimation) {
    double alphaPerSide = plan.alphaEach() / 2;
    ContrastResult margin = estimation.measure(constraint.contrast(), alphaPerSide);
    double observed = Math.abs(margin.estimate().point().orElse(0));
    Estimate value =
        estimation
            .target(estimation.deciding(constraint.signal()), constraint.signal())
            .map(influence -> influence.estimate(estimation.units()))
            .orElseGet(() -> new Estimate.Refused("NO_OVERLAP"));
    return new Certificate(
        constraint,
        value,
        estimation.readingInterval(
            value, estimation.deciding(constraint.signal()), constraint.signal()),
        margin,
        Certificate.status(margin.bounds()),
        RowsNeeded.of(spread(margin.estimate()), observed, alphaPerSide));
  }

  private RowsNeeded rowsNeeded(ContrastResult objective, Estimation estimation) {
    double baseline =
        estimation
            .baseline(estimation.deciding(plan.objective().signal()), plan.objective().signal())
            .map(Influence::value)
            .orElse(0.0);
    return RowsNeeded.of(
        spread(objective.estimate()), plan.detectableLift() * Math.abs(baseline), plan.alphaEach());
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
        "BONFERRONI",
        plan.segments(),
        plan.replicates(),
        plan.seed(),
        List.of());
  }
}
