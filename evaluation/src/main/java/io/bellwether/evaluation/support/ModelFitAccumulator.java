package io.bellwether.evaluation.support;

import io.bellwether.evaluation.CompensatedSums;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Sums over a reward model's predictions and the rewards that followed, from which {@link ModelFit}
 * follows; one per signal and fold.
 *
 * <p>Call {@link #add} once per row, with a prediction of a model that has not seen it. Memory is
 * constant, about 60 KB. Confined to one thread; parts are joined with {@link #merge}, in any
 * order, to the same result within 1e-12.
 *
 * <p>For the reliability of predictions of any size, rows are sorted by magnitude into 1,025 fine
 * bins (an eighth of a power of two wide, from 2⁻⁴⁰ to 2²⁴ on both sides of 0), of which the result
 * joins neighbours.
 */
public final class ModelFitAccumulator {
  private static final int FORMAT = 1;
  private static final double SMALLEST_CHANCE = 1e-15;
  private static final int MOST_BINS = 10;

  private static final int LOWEST_EXPONENT = -40;
  private static final int EXPONENTS = 64;
  private static final int BINS_PER_EXPONENT = 8;
  private static final int ZERO = EXPONENTS * BINS_PER_EXPONENT;
  private static final int FINE_BINS = 2 * ZERO + 1;

  /** Sums over all rows: of these products of prediction p, reward r, and of the losses. */
  private static final int P = 0;

  private static final int R = 1;
  private static final int P_P = 2;
  private static final int P_R = 3;
  private static final int R_R = 4;
  private static final int SQUARED_ERROR = 5;
  private static final int LOG_LOSS = 6;

  private final CompensatedSums sums = new CompensatedSums(7);
  private final long[] inBin = new long[FINE_BINS];

  /** Σp, Σr, Σr² by bin: {@code binSums[3 * bin + column]}. */
  private final CompensatedSums binSums = new CompensatedSums(3 * FINE_BINS);

  private long rows;
  private long invalid;
  private boolean flags = true;

  public void add(double prediction, double reward) {
    if (!Double.isFinite(prediction) || !Double.isFinite(reward)) {
      invalid++;
      return;
    }
    rows++;
    double error = reward - prediction;
    sums.add(P, prediction);
    sums.add(R, reward);
    sums.add(P_P, prediction * prediction);
    sums.add(P_R, prediction * reward);
    sums.add(R_R, reward * reward);
    sums.add(SQUARED_ERROR, error * error);
    flags &= reward == 0 || reward == 1;
    if (flags) {
      sums.add(LOG_LOSS, -Math.log(chanceOf(prediction, reward)));
    }
    int bin = binOf(prediction);
    inBin[bin]++;
    binSums.add(3 * bin, prediction);
    binSums.add(3 * bin + 1, reward);
    binSums.add(3 * bin + 2, reward * reward);
  }

  public void merge(ModelFitAccumulator other) {
    rows += other.rows;
    invalid += other.invalid;
    flags &= other.flags;
    sums.merge(other.sums);
    binSums.merge(other.binSums);
    for (int bin = 0; bin < FINE_BINS; bin++) {
      inBin[bin] += other.inBin[bin];
    }
  }

  public ModelFit result() {
    if (rows == 0) {
      return new ModelFit(0, invalid, 0, 0, 0, 0, 0, 0, false, 0, List.of());
    }
    double p = sums.get(P) / rows;
    double r = sums.get(R) / rows;
    return new ModelFit(
        rows,
        invalid,
        p,
        r,
        spread(sums.get(P_P) / rows, p),
        spread(sums.get(R_R) / rows, r),
        sums.get(P_R) / rows - p * r,
        sums.get(SQUARED_ERROR) / rows,
        flags,
        flags ? sums.get(LOG_LOSS) / rows : 0,
        reliability());
  }

  public void writeTo(DataOutput out) throws IOException {
    out.writeInt(FORMAT);
    out.writeLong(rows);
    out.writeLong(invalid);
    out.writeBoolean(flags);
    for (int at = 0; at < sums.size(); at++) {
      out.writeDouble(sums.get(at));
    }
    for (int bin = 0; bin < FINE_BINS; bin++) {
      out.writeLong(inBin[bin]);
      for (int column = 0; column < 3; column++) {
        out.writeDouble(binSums.get(3 * bin + column));
      }
    }
  }

  /**
   * An accumulator as {@link #writeTo} wrote it.
   *
   * @throws IOException if the bytes are of another format
   */
  public static ModelFitAccumulator readFrom(DataInput in) throws IOException {
    int format = in.readInt();
    if (format != FORMAT) {
      throw new IOException("format %d of model sums, expected %d".formatted(format, FORMAT));
    }
    ModelFitAccumulator read = new ModelFitAccumulator();
    read.rows = in.readLong();
    read.invalid = in.readLong();
    read.flags = in.readBoolean();
    for (int at = 0; at < read.sums.size(); at++) {
      read.sums.add(at, in.readDouble());
    }
    for (int bin = 0; bin < FINE_BINS; bin++) {
      read.inBin[bin] = in.readLong();
      for (int column = 0; column < 3; column++) {
        read.binSums.add(3 * bin + column, in.readDouble());
      }
    }
    return read;
  }

  private static double chanceOf(double prediction, double flag) {
    double chance = Math.max(SMALLEST_CHANCE, Math.min(1 - SMALLEST_CHANCE, prediction));
    return flag == 1 ? chance : 1 - chance;
  }

  /** Variance from the mean square; what is left of it by rounding alone is none. */
  private static double spread(double meanSquare, double mean) {
    double variance = meanSquare - mean * mean;
    return variance > 1e-14 * meanSquare ? variance : 0;
  }

  private List<ReliabilityBin> reliability() {
    List<ReliabilityBin> bins = new ArrayList<>();
    long before = 0;
    long inGroup = 0;
    CompensatedSums group = new CompensatedSums(3);
    for (int bin = 0; bin < FINE_BINS; bin++) {
      if (inBin[bin] == 0) {
        continue;
      }
      inGroup += inBin[bin];
      for (int column = 0; column < 3; column++) {
        group.add(column, binSums.get(3 * bin + column));
      }
      if ((before + inGroup) * MOST_BINS / rows > before * MOST_BINS / rows) {
        bins.add(joined(inGroup, group));
        before += inGroup;
        inGroup = 0;
        group = new CompensatedSums(3);
      }
    }
    return bins;
  }

  private static ReliabilityBin joined(long rows, CompensatedSums group) {
    double reward = group.get(1) / rows;
    double variance = spread(group.get(2) / rows, reward);
    return new ReliabilityBin(
        rows, group.get(0) / rows, reward, rows < 2 ? 0 : Math.sqrt(variance / (rows - 1)));
  }

  /** Ascending with the prediction. */
  private static int binOf(double prediction) {
    double magnitude = Math.abs(prediction);
    int exponent = Math.getExponent(magnitude) - LOWEST_EXPONENT;
    if (exponent < 0) {
      return ZERO;
    }
    long eighth = (Double.doubleToRawLongBits(magnitude) >>> 49) & (BINS_PER_EXPONENT - 1);
    int fine = exponent >= EXPONENTS ? ZERO - 1 : exponent * BINS_PER_EXPONENT + (int) eighth;
    return prediction > 0 ? ZERO + 1 + fine : ZERO - 1 - fine;
  }
}
