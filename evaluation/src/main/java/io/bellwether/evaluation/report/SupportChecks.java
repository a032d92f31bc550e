package io.bellwether.evaluation.report;

import io.bellwether.evaluation.support.ActionOverlap;
import io.bellwether.evaluation.support.Calibration;
import io.bellwether.evaluation.support.LoggerDay;
import io.bellwether.evaluation.support.PropensityBin;
import io.bellwether.evaluation.support.Support;
import io.bellwether.evaluation.support.VectorFinding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What the probabilities of all candidates mean for a verdict. */
final class SupportChecks {
  private static final double WARN_CALIBRATION = 0.01;
  private static final double MIN_CALIBRATION = 1e-6;
  private static final double WARN_BIN = 3;
  private static final double WARN_DRIFT = 0.1;
  private static final double MAX_DRIFT = 0.25;

  private SupportChecks() {}

  /** Checks of overlap, calibration and drift; none where no vectors are known. */
  static List<Check> of(Support support) {
    List<Check> checks = new ArrayList<>();
    if (!support.isKnown()) {
      return checks;
    }
    long thin = support.actions().stream().filter(ActionOverlap::warns).count();
    checks.add(
        Check.warnAbove("items that the target relies on and the log hardly knows", thin, 0));
    if (support.calibration() instanceof Calibration.Tested test) {
      checks.add(calibration(test, support));
    }
    support.propensityBins().stream()
        .map(PropensityBin::z)
        .map(Math::abs)
        .max(Comparator.naturalOrder())
        .ifPresent(
            z ->
                checks.add(Check.warnAbove("largest |z| of a range of propensities", z, WARN_BIN)));
    drift(support, false).ifPresent(checks::add);
    drift(support, true).ifPresent(checks::add);
    return checks;
  }

  /** The p-value, which is to be large. */
  private static Check calibration(Calibration.Tested test, Support support) {
    String name = "p-value of the propensities against what was shown";
    if (support.calibrationRefuses()) {
      return new Check(name, test.pValue(), MIN_CALIBRATION, Check.Status.REFUSE);
    }
    return new Check(
        name,
        test.pValue(),
        WARN_CALIBRATION,
        support.calibrationWarns() ? Check.Status.WARN : Check.Status.OK);
  }

  /**
   * The day that differs most from the others of its version. Where the day's own propensities
   * account for it, contexts or candidates changed and not the policy: weights are right, and no
   * value is refused.
   */
  private static Optional<Check> drift(Support support, boolean explained) {
    String name =
        "drift of a logging version from its other days that its propensities "
            + (explained ? "explain" : "do not explain");
    return support.days().stream()
        .filter(day -> day.isExplained() == explained)
        .max(Comparator.comparing(LoggerDay::warns).thenComparingDouble(LoggerDay::stabilityIndex))
        .map(
            day ->
                day.refuses() && !explained
                    ? new Check(name, day.stabilityIndex(), MAX_DRIFT, Check.Status.REFUSE)
                    : new Check(
                        name,
                        day.stabilityIndex(),
                        WARN_DRIFT,
                        day.warns() ? Check.Status.WARN : Check.Status.OK));
  }

  /** Findings of the vectors in the report's words. */
  static List<Finding> findings(Support support) {
    return support.findings().stream().map(SupportChecks::finding).toList();
  }

  private static Finding finding(VectorFinding finding) {
    return new Finding(
        Finding.Code.valueOf(finding.code().name()),
        Severity.valueOf(finding.severity().name()),
        "candidates",
        finding.count(),
        finding.examples().stream().map(id -> "%016x".formatted(id)).toList());
  }
}
