package io.bellwether.evaluation.support;

import java.util.List;

/**
 * What the probabilities of all candidates say about a log and a target policy. Immutable and free
 * of NaN and infinity.
 *
 * <p>Of slates, everything here is about the first position.
 *
 * @param decisions how many came with vectors
 * @param used how many of them were valid; all figures but the findings are about these
 * @param unsupportedMass mean target probability on candidates with a propensity of 0: a value is
 *     biased by up to this times the range of the reward
 * @param actions by how often they were shown, the most frequent first; items without a number of
 *     their own together under {@link ActionIndex#OTHER}
 * @param propensityBins ten ranges of propensities
 * @param days by logging version and day
 * @param decisionsOnOtherDays on days beyond the {@value LoggerDays#MAX_DAYS} that are told apart
 */
public record Support(
    long decisions,
    long used,
    double unsupportedMass,
    List<ActionOverlap> actions,
    Calibration calibration,
    List<PropensityBin> propensityBins,
    List<LoggerDay> days,
    long decisionsOnOtherDays,
    List<VectorFinding> findings) {
  private static final double WARN_CALIBRATION = 0.01;
  private static final double MIN_CALIBRATION = 1e-6;
  private static final double DISTANCE_THAT_MATTERS = 0.02;

  /** Where no vectors are known. */
  public static final Support EMPTY =
      new Support(
          0,
          0,
          0,
          List.of(),
          new Calibration.Untested("NO_VECTORS"),
          List.of(),
          List.of(),
          0,
          List.of());

  public Support {
    actions = List.copyOf(actions);
    propensityBins = List.copyOf(propensityBins);
    days = List.copyOf(days);
    findings = List.copyOf(findings);
  }

  public boolean isKnown() {
    return decisions > 0;
  }

  /** Whether the propensities fit what was shown less well than chance explains. */
  public boolean calibrationWarns() {
    return calibration instanceof Calibration.Tested test && test.pValue() < WARN_CALIBRATION;
  }

  /** Whether they are wrong beyond doubt, and by enough to matter. */
  public boolean calibrationRefuses() {
    return calibration instanceof Calibration.Tested test
        && test.pValue() < MIN_CALIBRATION
        && test.totalVariation() > DISTANCE_THAT_MATTERS;
  }
}
