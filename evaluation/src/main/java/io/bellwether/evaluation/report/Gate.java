package io.bellwether.evaluation.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The decision, in this order: refused diagnostics, broken promises, pass, fail, undecided. Invalid
 * data never comes this far.
 *
 * <p>A pass needs the whole interval of the objective above the lift asked for, every promise shown
 * to be kept, and a distance from the logging policy within limits.
 *
 * @param refusals why no value decides anything, in words; empty where values may
 * @param failIsShown whether the objective's upper bound may fail a policy: not where it comes from
 *     a confidence sequence at a small effective sample size
 */
record Gate(Evidence evidence, List<String> refusals, boolean failIsShown, RowsNeeded rowsNeeded) {

  Verdict verdict() {
    if (!refusals.isEmpty()) {
      return new Verdict.Inconclusive(
          evidence, Verdict.Code.INSUFFICIENT_SUPPORT, String.join("; ", refusals));
    }
    List<Breach> breaches = breaches();
    if (!breaches.isEmpty()) {
      return new Verdict.Fail(evidence, Verdict.Code.FAIL_CONSTRAINT, breaches);
    }
    List<String> missing = missing();
    if (missing.isEmpty()) {
      return new Verdict.Pass(evidence);
    }
    if (failIsShown && evidence.objective().bounds().isBelow(0)) {
      Breach breach = new Breach(evidence.objective().contrast().signal(), objectiveWords());
      return new Verdict.Fail(evidence, Verdict.Code.FAIL, List.of(breach));
    }
    return new Verdict.Inconclusive(evidence, Verdict.Code.UNDECIDED, String.join("; ", missing));
  }

  /** Every step's outcome in a sentence. */
  List<String> reasons() {
    List<String> reasons = new ArrayList<>(refusals);
    reasons.add(objectiveWords());
    evidence.constraints().forEach(certificate -> reasons.add(certificate.words()));
    reasons.addAll(distances());
    return List.copyOf(reasons);
  }

  private List<Breach> breaches() {
    return evidence.constraints().stream()
        .filter(certificate -> certificate.status() == Certificate.Status.VIOLATED)
        .map(certificate -> new Breach(certificate.constraint().signal(), certificate.words()))
        .toList();
  }

  private List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (!evidence.objective().bounds().isAtLeast(0)) {
      missing.add(objectiveWords());
    }
    evidence.constraints().stream()
        .filter(certificate -> certificate.status() != Certificate.Status.SATISFIED)
        .forEach(certificate -> missing.add(certificate.words()));
    missing.addAll(distances());
    return missing;
  }

  private List<String> distances() {
    return evidence.checks().stream()
        .filter(check -> check.status() == Check.Status.BLOCKS_PASS)
        .map(Check::words)
        .collect(Collectors.toList());
  }

  private String objectiveWords() {
    ContrastResult objective = evidence.objective();
    String state;
    if (objective.bounds().isAtLeast(0)) {
      state = "is better than the baseline by the lift asked for";
    } else if (failIsShown && objective.bounds().isBelow(0)) {
      state = "is not better than the baseline by the lift asked for";
    } else {
      state = "is not shown to be better than the baseline, " + rowsNeeded.words();
    }
    return "%s %s: margin %s, interval %s"
        .formatted(
            objective.contrast().signal(),
            state,
            objective.estimate().point().isPresent()
                ? Words.number(objective.estimate().point().getAsDouble())
                : "unknown",
            objective.bounds().words());
  }
}
