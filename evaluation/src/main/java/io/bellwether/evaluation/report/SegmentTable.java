package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimate;
import java.util.List;

/**
 * A signal's value under the target in every segment of a dimension that was declared beforehand.
 * Exploratory: it decides nothing.
 *
 * @param dimension for instance {@code country}
 * @param rows one per label, the one with the most decisions first
 * @param omitted how many labels with fewer decisions are not shown
 */
public record SegmentTable(
    String dimension,
    String signal,
    String estimator,
    List<Row> rows,
    Heterogeneity heterogeneity,
    int omitted) {

  /**
   * One segment.
   *
   * @param effectiveSampleSize of the target's weights there, at the weakest position
   * @param meanWeight of the last position; 1 in expectation
   * @param estimate of the target's value; refused where the effective sample size is below 100
   * @param loggingMean the logging policy's own value there
   */
  public record Row(
      String label,
      long decisions,
      double effectiveSampleSize,
      double meanWeight,
      Estimate estimate,
      Bounds interval,
      Estimate loggingMean) {}

  /**
   * Whether the segments' values differ by more than chance: Q = Σ(V_g − V̄)²/SE_g² against χ².
   *
   * @param groups how many segments were compared; below 2 nothing is, and the p-value is 1
   */
  public record Heterogeneity(double q, int groups, double pValue) {}

  public SegmentTable {
    rows = List.copyOf(rows);
  }
}
