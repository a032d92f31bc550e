package io.bellwether.evaluation.support;

import io.bellwether.evaluation.CompensatedSums;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sums for ten fixed ranges of propensities. They are narrower towards 0, where the candidates of a
 * decision with many items are. Confined to one thread.
 */
final class PropensityBins {
  private static final double[] EDGES = {0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.8, 1};
  private static final int BINS = EDGES.length - 1;
  private static final double LEAST_EXPECTED = 5;
  private static final double LARGEST_Z = 1e6;

  private final long[] candidates = new long[BINS];
  private final long[] shown = new long[BINS];

  /** Of a decision, P(one of the bin's candidates is shown). */
  private final double[] chance = new double[BINS];

  /** Σ chance, then Σ chance·(1 − chance). */
  private final CompensatedSums sums = new CompensatedSums(2 * BINS);

  void add(DecisionVectors vectors, double loggingSum) {
    Arrays.fill(chance, 0);
    for (int at = 0; at < vectors.size; at++) {
      int bin = binOf(vectors.logging[at]);
      candidates[bin]++;
      chance[bin] += vectors.logging[at] / loggingSum;
    }
    shown[binOf(vectors.logging[vectors.shown])]++;
    for (int bin = 0; bin < BINS; bin++) {
      if (chance[bin] > 0) {
        sums.add(bin, chance[bin]);
        sums.add(BINS + bin, chance[bin] * (1 - chance[bin]));
      }
    }
  }

  void merge(PropensityBins other) {
    for (int bin = 0; bin < BINS; bin++) {
      candidates[bin] += other.candidates[bin];
      shown[bin] += other.shown[bin];
    }
    sums.merge(other.sums);
  }

  List<PropensityBin> result() {
    List<PropensityBin> bins = new ArrayList<>();
    for (int bin = 0; bin < BINS; bin++) {
      double expected = sums.get(bin);
      long count = Math.max(1, candidates[bin]);
      bins.add(
          new PropensityBin(
              EDGES[bin],
              EDGES[bin + 1],
              candidates[bin],
              expected / count,
              (double) shown[bin] / count,
              expected,
              z(shown[bin] - expected, expected, sums.get(BINS + bin))));
    }
    return bins;
  }

  void writeTo(DataOutput out) throws IOException {
    for (int bin = 0; bin < BINS; bin++) {
      out.writeLong(candidates[bin]);
      out.writeLong(shown[bin]);
      out.writeDouble(sums.get(bin));
      out.writeDouble(sums.get(BINS + bin));
    }
  }

  void read(DataInput in) throws IOException {
    for (int bin = 0; bin < BINS; bin++) {
      candidates[bin] = in.readLong();
      shown[bin] = in.readLong();
      sums.add(bin, in.readDouble());
      sums.add(BINS + bin, in.readDouble());
    }
  }

  /** A bin that holds all candidates of every decision varies by rounding alone. */
  private static double z(double deviation, double expected, double variance) {
    if (expected < LEAST_EXPECTED || Math.abs(deviation) < 1e-9 * expected) {
      return 0;
    }
    double z = deviation / Math.sqrt(Math.max(variance, 0));
    return Math.max(-LARGEST_Z, Math.min(LARGEST_Z, z));
  }

  private static int binOf(double propensity) {
    int bin = 0;
    while (bin < BINS - 1 && propensity >= EDGES[bin + 1]) {
      bin++;
    }
    return bin;
  }
}
