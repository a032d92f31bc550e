package io.bellwether.trainer.algorithm;

/**
 * What entropy is worth to a policy, in units of the objective's scale per nat, and how that is
 * found: so that the entropy is a share of what a row's number of candidates allows.
 *
 * @param first what it starts from, above 0
 * @param entropyShare wanted entropy as a share of {@code log |C(s)|}, in [0, 1]
 * @param rate growth of its logarithm per step and missing nat, at least 0; 0 leaves it as it is
 */
public record Temperature(double first, double entropyShare, double rate) {

  /** A share of 0.3: the 0.98 that is usual with few actions forces policies that hardly choose. */
  public static final Temperature AUTOMATIC = new Temperature(0.2, 0.3, 3e-3);

  public Temperature {
    if (!(first > 0 && entropyShare >= 0 && entropyShare <= 1 && rate >= 0)) {
      throw new IllegalArgumentException(
          "temperature %s, entropy share %s, rate %s".formatted(first, entropyShare, rate));
    }
  }

  /** The same through all steps. */
  public static Temperature fixed(double value) {
    return new Temperature(value, 0, 0);
  }
}
