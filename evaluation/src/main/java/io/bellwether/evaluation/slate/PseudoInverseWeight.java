package io.bellwether.evaluation.slate;

import java.util.Optional;

/**
 * The weight of a logged slate for rewards that are sums of unknown contributions of items at
 * positions: q'Γ⁺1, where 1 is the slate as a vector of zeros and ones, Γ the mean of 1·1' under
 * the logging policy, q the mean of 1 under the target policy and ⁺ the Moore–Penrose inverse with
 * eigenvalues below 1e-10 of the largest dropped. May be below 0. Immutable.
 *
 * <p>One instance serves all slates of one context: the weight is a sum of one number per position.
 *
 * <p>Source: Swaminathan et al., "Off-policy evaluation for slate recommendation", 2017.
 */
public final class PseudoInverseWeight {
  /** More positions times items than this take seconds a context. */
  public static final int MAX_WIDTH = 256;

  private static final double SMALLEST_EIGENVALUE = 1e-10;
  private static final double LARGEST_REMAINDER = 1e-8;

  private final int items;
  private final double[] contribution;

  private PseudoInverseWeight(int items, double[] contribution) {
    this.items = items;
    this.contribution = contribution;
  }

  /**
   * The weights for one context; empty where the target policy puts items at positions that the
   * logging policy's slates say nothing about.
   */
  public static Optional<PseudoInverseWeight> of(SlateMoments logging, SlateMoments target) {
    if (logging.items() != target.items() || logging.positions() != target.positions()) {
      throw new IllegalArgumentException(
          "slates of %d from %d items against %d from %d"
              .formatted(logging.positions(), logging.items(), target.positions(), target.items()));
    }
    if (logging.width() > MAX_WIDTH) {
      throw new IllegalArgumentException(
          "%d positions times items, at most %d".formatted(logging.width(), MAX_WIDTH));
    }
    double[] wanted = target.first();
    SymmetricEigen eigen = SymmetricEigen.of(logging.second(), logging.width());
    double[] contribution = eigen.pseudoSolve(wanted, SMALLEST_EIGENVALUE);
    double[] reached = product(logging.second(), contribution);
    for (int at = 0; at < wanted.length; at++) {
      if (Math.abs(reached[at] - wanted[at]) > LARGEST_REMAINDER) {
        return Optional.empty();
      }
    }
    return Optional.of(new PseudoInverseWeight(logging.items(), contribution));
  }

  /**
   * The weight where positions are filled independently of one another: 1 − K + Σ target/logging.
   *
   * @param logging by position, the logging policy's chance of the item there, above 0
   * @param target by position, the target policy's chance of the same
   */
  public static double factored(double[] logging, double[] target) {
    double weight = 1 - logging.length;
    for (int position = 0; position < logging.length; position++) {
      weight += target[position] / logging[position];
    }
    return weight;
  }

  /**
   * @param slate item by position
   */
  public double of(int[] slate) {
    double weight = 0;
    for (int position = 0; position < slate.length; position++) {
      weight += contribution[position * items + slate[position]];
    }
    return weight;
  }

  private static double[] product(double[] matrix, double[] vector) {
    double[] product = new double[vector.length];
    for (int row = 0; row < vector.length; row++) {
      for (int column = 0; column < vector.length; column++) {
        product[row] += matrix[row * vector.length + column] * vector[column];
      }
    }
    return product;
  }
}
