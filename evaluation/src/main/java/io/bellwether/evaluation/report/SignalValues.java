package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** One signal's estimates and comparisons under every estimator that suits the log. */
final class SignalValues {
  private final String signal;
  private final Estimation estimation;
  private final List<SignalEstimate> estimates = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();

  SignalValues(String signal, Estimation estimation, List<Estimator> estimators) {
    this.signal = signal;
    this.estimation = estimation;
    Estimator deciding = estimation.deciding(signal);
    Optional<Influence> baseline = estimation.baseline(deciding, signal);
    for (Estimator estimator : estimators) {
      if (estimation.suits(estimator)) {
        Optional<Influence> target = estimation.target(estimator, signal);
        addTarget(estimator, target);
        compare(
            estimator,
            target,
            estimation.hasChampion() ? estimation.baseline(estimator, signal) : baseline);
      }
    }
    addBaseline(deciding, baseline);
  }

  List<SignalEstimate> estimates() {
    return List.copyOf(estimates);
  }

  List<Comparison> comparisons() {
    return List.copyOf(comparisons);
  }

  private void addTarget(Estimator estimator, Optional<Influence> influence) {
    Estimate estimate =
        influence
            .map(each -> each.estimate(estimation.units()))
            .orElseGet(
                () ->
                    new Estimate.Refused(
                        estimation.refusal(estimator, signal).orElse("NO_OVERLAP")));
    estimates.add(
        new SignalEstimate(
            "target",
            signal,
            Scope.ALL,
            estimator.name(),
            new TreeMap<>(),
            estimate,
            estimation.readingInterval(estimate, estimator, signal),
            List.of(),
            estimation.effectiveSampleSize(),
            note(estimator),
            List.of()));
  }

  private void addBaseline(Estimator deciding, Optional<Influence> influence) {
    Estimate estimate =
        influence
            .map(each -> each.estimate(estimation.units()))
            .orElseGet(() -> new Estimate.Refused("NO_OVERLAP"));
    estimates.add(
        new SignalEstimate(
            "baseline",
            signal,
            Scope.ALL,
            estimation.hasChampion() ? deciding.name() : "logging",
            new TreeMap<>(),
            estimate,
            estimation.baselineInterval(estimate, signal),
            List.of(),
            estimation.effectiveSampleSize(),
            "",
            List.of()));
  }

  private void compare(
      Estimator estimator, Optional<Influence> target, Optional<Influence> baseline) {
    if (target.isEmpty() || baseline.isEmpty()) {
      return;
    }
    Estimate difference =
        target.get().combine(1, baseline.get(), -1, 0).estimate(estimation.units());
    Estimate lift =
        baseline.get().value() == 0
            ? new Estimate.Refused("BASELINE_IS_ZERO")
            : target.get().relativeTo(baseline.get()).estimate(estimation.units());
    comparisons.add(
        new Comparison(
            estimation.hasChampion() ? "champion" : "logging",
            signal,
            estimator.name(),
            difference,
            lift,
            bounds(difference),
            bounds(difference),
            bounds(lift)));
  }

  private static Bounds bounds(Estimate estimate) {
    return estimate instanceof Estimate.Estimated known
        ? new Bounds.Within(Estimation.readingInterval(known))
        : new Bounds.Absent(Estimation.reason(estimate));
  }

  private static String note(Estimator estimator) {
    return switch (estimator.name()) {
      case "dm" -> "sampling error of contexts only; never decides";
      case "ips-clipped" -> "biased towards 0 by the cut; never decides";
      case "switch-dr", "dr-shrunk" -> "biased towards the reward model; never decides";
      default -> "";
    };
  }
}
