package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import java.util.Arrays;

/**
 * Sums over units of several numbers per unit, once as they are and once per bootstrap replicate
 * with each unit taken as often as the replicate draws it. Confined to one thread; parts are joined
 * with {@link #join}.
 *
 * <p>Memory is rows · replicates · 16 bytes, whatever the number of units. Units are worked on in
 * batches, and a batch in tiles of replicates, so that the sums of a tile and the multiplicities of
 * four units stay in the innermost cache; plain sums of a batch are added to compensated ones.
 */
final class ReplicateSums {
  private static final int BATCH = 1024;
  private static final int TILE = 256;

  private final Multiplicities multiplicities;
  private final StatisticTerms terms;
  private final int rows;
  private final int replicates;
  private final CompensatedSums whole;

  /** {@code [row * replicates + replicate]}. */
  private final CompensatedSums resampled;

  private final int[] unit = new int[BATCH];

  /** {@code [row][place in the batch]}; 0 beyond the units held. */
  private final double[][] batch;

  private final double[] numbers;
  private final double[][] tile;
  private final double[][] drawn = new double[4][TILE];
  private int held;

  ReplicateSums(Multiplicities multiplicities, StatisticTerms terms, int replicates) {
    this.multiplicities = multiplicities;
    this.terms = terms;
    rows = terms.rows();
    this.replicates = replicates;
    whole = new CompensatedSums(rows);
    resampled = new CompensatedSums(Math.multiplyExact(rows, replicates));
    batch = new double[rows][BATCH];
    numbers = new double[rows];
    tile = new double[rows][TILE];
  }

  /** Adds a unit's sums of a pass; a unit without a decision that is looked at is left out. */
  void add(int unitNumber, double[] sumsOfPass) {
    if (!terms.select(sumsOfPass, numbers)) {
      return;
    }
    unit[held] = unitNumber;
    for (int row = 0; row < rows; row++) {
      whole.add(row, numbers[row]);
      batch[row][held] = numbers[row];
    }
    if (++held == BATCH) {
      flush();
    }
  }

  ReplicateSums join(ReplicateSums other) {
    flush();
    other.flush();
    whole.merge(other.whole);
    resampled.merge(other.resampled);
    return this;
  }

  /** The rows' sums of all units as they are. */
  double[] whole() {
    double[] sums = new double[rows];
    Arrays.setAll(sums, whole::get);
    return sums;
  }

  /** Sets the rows' sums of a replicate's units; {@link #flush} comes first. */
  void copyReplicate(int replicate, double[] sums) {
    for (int row = 0; row < rows; row++) {
      sums[row] = resampled.get(row * replicates + replicate);
    }
  }

  /** Brings what was added into the replicates' sums. */
  void flush() {
    if (held == 0) {
      return;
    }
    clearRest();
    for (int first = 0; first < replicates; first += TILE) {
      int count = Math.min(TILE, replicates - first);
      sumTile(first, count);
      for (int row = 0; row < rows; row++) {
        for (int at = 0; at < count; at++) {
          resampled.add(row * replicates + first + at, tile[row][at]);
          tile[row][at] = 0;
        }
      }
    }
    held = 0;
  }

  /** Fills the last group of four with units that have nothing. */
  private void clearRest() {
    for (int place = held; place % 4 != 0; place++) {
      for (int row = 0; row < rows; row++) {
        batch[row][place] = 0;
      }
    }
  }

  private void sumTile(int first, int count) {
    for (int place = 0; place < held; place += 4) {
      for (int of = 0; of < 4; of++) {
        multiplicities.draw(unit[place + of], first, count, drawn[of]);
      }
      for (int row = 0; row < rows; row++) {
        addFour(batch[row], place, drawn, tile[row], count);
      }
    }
  }

  /** {@code sums[b] += Σ_u numbers[place + u] · drawn[u][b]}: a loop that compiles to vectors. */
  private static void addFour(
      double[] numbers, int place, double[][] drawn, double[] sums, int count) {
    double first = numbers[place];
    double second = numbers[place + 1];
    double third = numbers[place + 2];
    double fourth = numbers[place + 3];
    double[] ofFirst = drawn[0];
    double[] ofSecond = drawn[1];
    double[] ofThird = drawn[2];
    double[] ofFourth = drawn[3];
    for (int at = 0; at < count; at++) {
      sums[at] +=
          first * ofFirst[at] + second * ofSecond[at] + third * ofThird[at] + fourth * ofFourth[at];
    }
  }
}
