package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
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
    List<SignalEstimate> estimates = estimates(estimation);
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
        comparisons(estimation),
        constraints,
        rowsNeeded,
        gate.verdict(),
        gate.reasons());
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

  private List<SignalEstimate> estimates(Estimation estimation) {
    List<SignalEstimate> estimates = new ArrayList<>();
    for (String signal : log.signals()) {
      for (Estimator estimator : plan.estimators()) {
        if (estimation.suits(estimator)) {
          estimates.add(targetEstimate(estimation, estimator, signal));
        }
      }
      estimates.add(baselineEstimate(estimation, signal));
    }
    return estimates;
  }

  private static SignalEstimate targetEstimate(
      Estimation estimation, Estimator estimator, String signal) {
    Estimate estimate =
        estimation
            .target(estimator, signal)
            .map(influence -> influence.estimate(estimation.units()))
            .orElseGet(
                () ->
                    new Estimate.Refused(
                        estimation.refusal(estimator, signal).orElse("NO_OVERLAP")));
    return new SignalEstimate(
        "target",
        signal,
        estimator.name(),
        estimate,
        estimation.readingInterval(estimate, estimator, signal),
        note(estimator));
  }

  private SignalEstimate baselineEstimate(Estimation estimation, String signal) {
    Estimator estimator = estimation.deciding(signal);
    Estimate estimate =
        estimation
            .baseline(estimator, signal)
            .map(influence -> influence.estimate(estimation.units()))
            .orElseGet(() -> new Estimate.Refused("NO_OVERLAP"));
    return new SignalEstimate(
        "baseline",
        signal,
        log.hasBaseline() ? estimator.name() : "logging",
        estimate,
        estimation.baselineInterval(estimate, signal),
        "");
  }

  private static String note(Estimator estimator) {
    return switch (estimator.name()) {
      case "dm" -> "sampling error of contexts only; never decides";
      case "ips-clipped" -> "biased towards 0 by the cut; never decides";
      case "switch-dr", "dr-shrunk" -> "biased towards the reward model; never decides";
      default -> "";
    };
  }

  private List<Comparison> comparisons(Estimation estimation) {
    List<Comparison> comparisons = new ArrayList<>();
    for (String signal : log.signals()) {
      for (Estimator estimator : plan.estimators()) {
        if (estimation.suits(estimator)) {
          compare(estimation, estimator, signal).ifPresent(comparisons::add);
        }
      }
    }
    return comparisons;
  }

  private static Optional<Comparison> compare(
      Estimation estimation, Estimator estimator, String signal) {
    Optional<Influence> target = estimation.target(estimator, signal);
    Optional<Influence> baseline = estimation.baseline(estimator, signal);
    if (target.isEmpty() || baseline.isEmpty()) {
      return Optional.empty();
    }
    Estimate difference =
        target.get().combine(1, baseline.get(), -1, 0).estimate(estimation.units());
    Estimate lift =
        baseline.get().value() == 0
            ? new Estimate.Refused("BASELINE_IS_ZERO")
            : target.get().relativeTo(baseline.get()).estimate(estimation.units());
    return Optional.of(new Comparison(signal, estimator.name(), difference, lift));
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
    return new Certificate(
        constraint,
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

  private OffPolicyReport.Terms terms(Estimation estimation) {
    return new OffPolicyReport.Terms(
        plan.objective(),
        plan.constraints(),
        plan.alpha(),
        plan.limits(),
        plan.ranges(),
        estimation.deciding(plan.objective().signal()).name(),
        plan.looks().method().name(),
        log.hasBaseline() ? "champion" : "logging");
  }
}
