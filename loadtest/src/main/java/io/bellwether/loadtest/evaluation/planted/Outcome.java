package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.report.Check;
import io.bellwether.evaluation.report.Finding;
import io.bellwether.evaluation.report.InvalidDataException;
import io.bellwether.evaluation.report.OffPolicyReport;
import java.util.ArrayList;
import java.util.List;

/**
 * What an evaluation said of one log.
 *
 * @param verdict the gate's word, or {@code invalid-data} where there was no report
 * @param found codes of findings, names of checks that are not in order, and {@link
 *     #REPEATED_SUBJECTS}
 */
record Outcome(String verdict, List<String> found) {
  static final String PASS = "pass";
  static final String INVALID = "invalid-data";

  /** Standard errors count subjects in place of rows. */
  static final String REPEATED_SUBJECTS = "CLUSTER_ERRORS";

  Outcome {
    found = List.copyOf(found);
  }

  static Outcome of(OffPolicyReport report) {
    List<String> found = new ArrayList<>();
    report.validation().stream().map(Finding::code).map(Enum::name).forEach(found::add);
    report.diagnostics().checks().stream()
        .filter(check -> check.status() != Check.Status.OK)
        .map(Check::name)
        .forEach(found::add);
    if (report.verdict().evidence().objective().estimate() instanceof Estimate.Estimated known
        && known.errorKind() == Estimate.ErrorKind.CLUSTER) {
      found.add(REPEATED_SUBJECTS);
    }
    return new Outcome(report.verdict().word(), found);
  }

  static Outcome of(InvalidDataException refusal) {
    return new Outcome(
        INVALID, refusal.findings().stream().map(finding -> finding.code().name()).toList());
  }

  /** Whether a diagnostic of that name, or one that begins so, is among what was found. */
  boolean names(String diagnostic) {
    return found.stream().anyMatch(each -> each.startsWith(diagnostic));
  }
}
