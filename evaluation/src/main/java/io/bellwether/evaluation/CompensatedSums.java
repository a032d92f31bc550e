package io.bellwether.evaluation;

/**
 * A row of running sums, each with Neumaier's compensation term, so that results do not depend on
 * the order of addition or the number of parts beyond about 1e-15 relative.
 *
 * <p>Confined to one thread; parts are joined with {@link #merge}.
 *
 * <p>Source: Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen",
 * 1974.
 */
public final class CompensatedSums {
  private final double[] sum;
  private final double[] lost;

  public CompensatedSums(int size) {
    sum = new double[size];
    lost = new double[size];
  }

  /** The sum of the values. */
  public static double of(double[] values) {
    CompensatedSums total = new CompensatedSums(1);
    for (double value : values) {
      total.add(0, value);
    }
    return total.get(0);
  }

  public void add(int index, double value) {
    double before = sum[index];
    double after = before + value;
    lost[index] +=
        Math.abs(before) >= Math.abs(value) ? (before - after) + value : (value - after) + before;
    sum[index] = after;
  }

  public double get(int index) {
    return sum[index] + lost[index];
  }

  public int size() {
    return sum.length;
  }

  public void merge(CompensatedSums other) {
    if (other.size() != size()) {
      throw new IllegalArgumentException(
          "cannot merge %d sums into %d".formatted(other.size(), size()));
    }
    for (int index = 0; index < sum.length; index++) {
      add(index, other.sum[index]);
      lost[index] += other.lost[index];
    }
  }
}
