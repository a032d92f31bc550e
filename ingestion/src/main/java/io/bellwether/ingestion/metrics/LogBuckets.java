package io.bellwether.ingestion.metrics;

/**
 * Buckets of logarithmic width for any finite number, so that distributions can be added and
 * subtracted. Bucket {@code i > 0} holds {@code (s g^(i-1), s g^i]} with {@code s} = 1e-9 and
 * {@code g} = 1.02; {@code -i} holds their negatives; 0 holds what is closer to 0 than {@code s}. A
 * value differs from the middle of its bucket by at most 1 %.
 *
 * <p>Source: Masson, Rim and Lee, "DDSketch: a fast and fully-mergeable quantile sketch with
 * relative-error guarantees", 2019.
 */
public final class LogBuckets {

  /** The smallest magnitude that is told from 0. */
  static final double SMALLEST = 1e-9;

  private static final double GAMMA = 1.02;
  private static final double LOG_GAMMA = Math.log(GAMMA);
  private static final double LOG_SMALLEST = Math.log(SMALLEST);

  private LogBuckets() {}

  /**
   * The bucket of a value; ascending with it.
   *
   * @throws IllegalArgumentException when it is not finite
   */
  public static int indexOf(double value) {
    double magnitude = Math.abs(value);
    if (!(magnitude <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(value + " is in no bucket, expected a finite number");
    }
    if (magnitude < SMALLEST) {
      return 0;
    }
    int index = Math.max(1, (int) Math.ceil((Math.log(magnitude) - LOG_SMALLEST) / LOG_GAMMA));
    // Logarithms are rounded; the bound that readers see decides.
    if (bound(index) < magnitude) {
      index++;
    } else if (index > 1 && bound(index - 1) >= magnitude) {
      index--;
    }
    return value > 0 ? index : -index;
  }

  /** The largest value of a bucket; 0 for that of 0. */
  public static double upper(int index) {
    if (index == 0) {
      return 0;
    }
    return index > 0 ? bound(index) : -bound(-index - 1);
  }

  private static double bound(int index) {
    return index == 0
        ? SMALLEST
        : Math.min(Math.exp(LOG_SMALLEST + index * LOG_GAMMA), Double.MAX_VALUE);
  }
}
