package io.bellwether.evaluation.interval;

/**
 * A confidence sequence for a mean from its running standard error, tightest near {@code planned}
 * observations and, for large counts, valid at every look.
 *
 * <p>Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory
 * and asymptotic confidence sequences", 2024.
 *
 * @param alpha the chance of ever being wrong, in (0, 1)
 * @param planned the number of observations at which it is tightest
 */
public record AsymptoticSequence(double alpha, double planned) {

  public AsymptoticSequence {
    if (!(alpha > 0 && alpha < 1) || !(planned >= 1)) {
      throw new IllegalArgumentException("alpha %s, planned %s".formatted(alpha, planned));
    }
  }

  /** How far the one-sided bound lies from the estimate. */
  public double oneSidedMargin(long count, double standardError) {
    double rho = rhoSquared(2 * alpha);
    double growth = count * rho + 1;
    return margin(count, standardError, rho, Math.log(1 + Math.sqrt(growth) / (2 * alpha)));
  }

  /** How far either two-sided bound lies from the estimate. */
  public double twoSidedMargin(long count, double standardError) {
    double rho = rhoSquared(alpha);
    double growth = count * rho + 1;
    return margin(count, standardError, rho, Math.log(Math.sqrt(growth) / alpha));
  }

  /**
   * Logarithm of the evidence against "no effect" at this look: at most alpha of all experiments
   * without an effect ever reach ln 1/alpha. Evidence of independent experiments may be added.
   *
   * @param standardError of the effect, above 0
   */
  public double logEvidence(long count, double effect, double standardError) {
    double rho = rhoSquared(alpha);
    double growth = count * rho + 1;
    double z = effect / standardError;
    return rho * count * z * z / (2 * growth) - Math.log(growth) / 2;
  }

  /**
   * The always-valid p-value of "no effect" at this look, at most alpha exactly where the two-sided
   * bounds exclude 0. {@link RunningP} keeps the smallest.
   */
  public double pValue(long count, double effect, double standardError) {
    return Math.min(1, Math.exp(-logEvidence(count, effect, standardError)));
  }

  private double rhoSquared(double error) {
    double logarithm = Math.log(error);
    return (-2 * logarithm + Math.log(1 - 2 * logarithm)) / planned;
  }

  private static double margin(long count, double standardError, double rho, double logarithm) {
    double n = count;
    double sigma = Math.sqrt(n) * standardError;
    return sigma * Math.sqrt(2 * (n * rho + 1) / (n * n * rho) * logarithm);
  }
}
