package io.bellwether.evaluation.report;

/**
 * Where diagnostics warn and refuse, and how far a policy may be from the logging policy to pass.
 *
 * @param minEffectiveSampleSize below it no value decides anything
 * @param normalEffectiveSampleSize below it bounds come from a confidence sequence instead of a t
 *     distribution
 * @param warnEffectiveShare effective sample size / decisions
 * @param maxLargestShare largest weight / sum of weights
 * @param maxMeanWeightZ distance of the mean weight from 1 in standard errors
 * @param maxUnsupportedMass mean target probability on items that are never logged
 * @param maxMeanDivergence mean KL(target ‖ logging), nats; as the next two, a condition of a pass
 * @param maxDivergence99 99th percentile of the same
 * @param maxThinMass mean target probability on candidates with a propensity below 0.001
 */
public record Limits(
    double minEffectiveSampleSize,
    double normalEffectiveSampleSize,
    double warnEffectiveShare,
    double warnLargestShare,
    double maxLargestShare,
    double warnTopPercentShare,
    double warnMeanWeightZ,
    double maxMeanWeightZ,
    double maxUnsupportedMass,
    double maxMeanDivergence,
    double maxDivergence99,
    double maxThinMass) {

  public static Limits defaults() {
    return new Limits(100, 1000, 0.1, 0.05, 0.25, 0.25, 2, 4, 0.01, 1.5, 6, 0.02);
  }

  public Limits {
    if (!(minEffectiveSampleSize >= 100)) {
      throw new IllegalArgumentException(
          "a gate needs an effective sample size of at least 100, found " + minEffectiveSampleSize);
    }
  }

  /** The same with another smallest effective sample size, at least 100. */
  public Limits withMinEffectiveSampleSize(double decisions) {
    return new Limits(
        decisions,
        Math.max(decisions, normalEffectiveSampleSize),
        warnEffectiveShare,
        warnLargestShare,
        maxLargestShare,
        warnTopPercentShare,
        warnMeanWeightZ,
        maxMeanWeightZ,
        maxUnsupportedMass,
        maxMeanDivergence,
        maxDivergence99,
        maxThinMass);
  }
}
