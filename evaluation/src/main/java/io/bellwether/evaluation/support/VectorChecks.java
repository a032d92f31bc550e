package io.bellwether.evaluation.support;

import io.bellwether.evaluation.support.VectorFinding.Code;
import io.bellwether.evaluation.support.VectorFinding.Severity;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Counts of what is wrong or remarkable with vectors. Confined to one thread. */
final class VectorChecks {
  private static final double ROUNDING = 1e-9;

  /** Sums that are off by less are as good as 1. */
  static final double SUM_ROUNDING = 1e-6;

  private static final double MAX_SUM_ERROR = 1e-3;
  private static final double TINY_PROPENSITY = 1e-6;
  private static final double MAX_DETERMINISTIC_SHARE = 0.01;
  private static final double MAX_UNSUPPORTED_MASS = 0.01;

  /** A share of draws stays within so many standard errors of the chance. */
  private static final double DRAWN_WITHIN = 5;

  private final DecisionTally sumWrong = new DecisionTally();
  private final DecisionTally sumRounded = new DecisionTally();
  private final DecisionTally notTheLogged = new DecisionTally();
  private final DecisionTally impossible = new DecisionTally();
  private final DecisionTally targetWrong = new DecisionTally();
  private final DecisionTally noCandidate = new DecisionTally();
  private final DecisionTally deterministic = new DecisionTally();
  private final DecisionTally tiny = new DecisionTally();
  private final DecisionTally unsupported = new DecisionTally();
  private final List<DecisionTally> all =
      List.of(
          sumWrong,
          sumRounded,
          notTheLogged,
          impossible,
          targetWrong,
          noCandidate,
          deterministic,
          tiny,
          unsupported);

  /** Whether the decision's vectors can be used; counts why not, and what else is remarkable. */
  boolean admit(DecisionVectors vectors, double loggingSum) {
    long decision = vectors.decision;
    if (!(Math.abs(loggingSum - 1) <= MAX_SUM_ERROR) || !inRange(vectors.logging, vectors.size)) {
      return reject(sumWrong, decision);
    }
    if (!isDistribution(vectors)) {
      return reject(targetWrong, decision);
    }
    if (vectors.shown < 0 || vectors.shown >= vectors.size) {
      return reject(noCandidate, decision);
    }
    double propensity = vectors.propensity;
    if (!(propensity > 0)) {
      return reject(impossible, decision);
    }
    double inVector = vectors.logging[vectors.shown];
    if (!(Math.abs(inVector - propensity) <= tolerance(vectors))) {
      return reject(notTheLogged, decision);
    }
    if (!(inVector > 0) && vectors.draws == 0) {
      return reject(impossible, decision);
    }
    if (Math.abs(loggingSum - 1) > SUM_ROUNDING) {
      sumRounded.add(decision);
    }
    if (propensity <= TINY_PROPENSITY || isBelowOneDraw(vectors)) {
      tiny.add(decision);
    }
    if (propensity >= 1 - ROUNDING && vectors.target[vectors.shown] < 1 - ROUNDING) {
      deterministic.add(decision);
    }
    return true;
  }

  void addUnsupported(long decision) {
    unsupported.add(decision);
  }

  void merge(VectorChecks other) {
    for (int each = 0; each < all.size(); each++) {
      all.get(each).merge(other.all.get(each));
    }
  }

  /** What was found among that many usable decisions. */
  List<VectorFinding> findings(long used, double unsupportedMass) {
    List<VectorFinding> findings = new ArrayList<>();
    add(findings, sumWrong, Code.PROPENSITY_VECTOR_SUM, Severity.ERROR);
    add(findings, sumRounded, Code.PROPENSITY_VECTOR_SUM, Severity.WARN);
    add(findings, notTheLogged, Code.PROPENSITY_MISMATCH, Severity.ERROR);
    add(findings, impossible, Code.PROPENSITY_NON_POSITIVE, Severity.ERROR);
    add(findings, targetWrong, Code.TARGET_NOT_DISTRIBUTION, Severity.ERROR);
    add(findings, noCandidate, Code.ACTION_NOT_IN_CANDIDATES, Severity.ERROR);
    boolean explored = deterministic.count() <= MAX_DETERMINISTIC_SHARE * used;
    add(
        findings,
        deterministic,
        Code.DETERMINISTIC_LOGGING,
        explored ? Severity.INFO : Severity.REFUSE);
    add(findings, tiny, Code.PROPENSITY_TINY, Severity.WARN);
    boolean supported = unsupportedMass <= MAX_UNSUPPORTED_MASS;
    add(findings, unsupported, Code.UNSUPPORTED_MASS, supported ? Severity.WARN : Severity.REFUSE);
    return findings;
  }

  void writeTo(DataOutput out) throws IOException {
    for (DecisionTally each : all) {
      each.writeTo(out);
    }
  }

  void read(DataInput in) throws IOException {
    for (DecisionTally each : all) {
      each.read(in);
    }
  }

  private static boolean isDistribution(DecisionVectors vectors) {
    double sum = 0;
    for (int at = 0; at < vectors.size; at++) {
      sum += vectors.target[at];
    }
    return Math.abs(sum - 1) <= SUM_ROUNDING && inRange(vectors.target, vectors.size);
  }

  /** Whether no entry is negative or NaN; with the sum, none is above 1 then either. */
  private static boolean inRange(double[] probabilities, int size) {
    for (int at = 0; at < size; at++) {
      if (!(probabilities[at] >= 0)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBelowOneDraw(DecisionVectors vectors) {
    return vectors.draws > 0 && vectors.propensity * vectors.draws < 1 - ROUNDING;
  }

  /** Drawn chances are drawn anew when a vector is scored again, and then differ by chance. */
  private static double tolerance(DecisionVectors vectors) {
    double propensity = vectors.propensity;
    double rounding = SUM_ROUNDING * propensity;
    return vectors.draws == 0
        ? rounding
        : rounding
            + 1.0 / vectors.draws
            + DRAWN_WITHIN * Math.sqrt(2 * propensity * (1 - propensity) / vectors.draws);
  }

  private static boolean reject(DecisionTally reason, long decision) {
    reason.add(decision);
    return false;
  }

  private static void add(
      List<VectorFinding> findings, DecisionTally tally, Code code, Severity severity) {
    if (tally.count() > 0) {
      findings.add(new VectorFinding(code, severity, tally.count(), tally.examples()));
    }
  }
}
