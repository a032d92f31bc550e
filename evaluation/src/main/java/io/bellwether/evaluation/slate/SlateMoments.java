package io.bellwether.evaluation.slate;

import io.bellwether.evaluation.CompensatedSums;

/**
 * What the pseudo-inverse weight needs to know of a law of slates. Write a slate as the vector of
 * zeros with a one at {@code position * items + item} for each position's item: here are that
 * vector's mean and the mean of its product with itself.
 *
 * <p>Filled once, then only read; confined to one thread while it is filled.
 */
public final class SlateMoments {
  private final int items;
  private final int positions;
  private final CompensatedSums first;
  private final CompensatedSums second;

  public SlateMoments(int items, int positions) {
    this.items = items;
    this.positions = positions;
    first = new CompensatedSums(width());
    second = new CompensatedSums(width() * width());
  }

  /** Of all slates of the law; costs as much as there are slates. */
  public static SlateMoments of(PlackettLuce law) {
    SlateMoments moments = new SlateMoments(law.items(), law.positions());
    law.forEach(moments::add);
    return moments;
  }

  /**
   * Adds a slate; in the end the probabilities of those added sum to 1.
   *
   * @param slate item by position
   */
  public void add(int[] slate, double probability) {
    for (int row = 0; row < positions; row++) {
      int left = row * items + slate[row];
      first.add(left, probability);
      for (int column = 0; column < positions; column++) {
        second.add(left * width() + column * items + slate[column], probability);
      }
    }
  }

  int items() {
    return items;
  }

  int positions() {
    return positions;
  }

  /** Positions times items. */
  int width() {
    return positions * items;
  }

  double[] first() {
    double[] mean = new double[width()];
    for (int at = 0; at < mean.length; at++) {
      mean[at] = first.get(at);
    }
    return mean;
  }

  /** Row after row, {@code width()} each. */
  double[] second() {
    double[] product = new double[width() * width()];
    for (int at = 0; at < product.length; at++) {
      product[at] = second.get(at);
    }
    return product;
  }
}
