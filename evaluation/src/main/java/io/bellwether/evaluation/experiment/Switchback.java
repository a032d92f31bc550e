package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.CounterRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * An experiment that switches everybody between control and treatment from one block of time to the
 * next, for treatments that subjects feel through each other. The unit is the block. Immutable.
 *
 * <p>Blocks were randomised within strata, in each of which a fixed number was treated: one stratum
 * of all blocks, pairs of neighbours, or the same hours of a week. The difference weighs strata by
 * their blocks.
 */
public final class Switchback {
  /** From here on residuals depend on their neighbours so much that their error bars are wrong. */
  static final double MAX_AUTOCORRELATION = 0.2;

  /** Bounds the depth of a walk through all designs. */
  private static final int MAX_BLOCKS_TRIED = 1_000;

  private static final int MAX_BLOCKS = 20_000;

  private final double[] means;
  private final boolean[] treated;
  private final int[] strata;
  private final int[] blocks;
  private final int[] treatedBlocks;

  private Switchback(double[] means, boolean[] treated, int[] strata) {
    if (means.length != treated.length || means.length != strata.length) {
      throw new IllegalArgumentException(
          "%d means, %d arms, %d strata".formatted(means.length, treated.length, strata.length));
    }
    if (means.length == 0 || means.length > MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "1 to %d blocks, found %d".formatted(MAX_BLOCKS, means.length));
    }
    this.means = means.clone();
    this.treated = treated.clone();
    this.strata = strata.clone();
    int count = 1 + Arrays.stream(strata).max().getAsInt();
    blocks = new int[count];
    treatedBlocks = new int[count];
    for (int block = 0; block < means.length; block++) {
      if (!Double.isFinite(means[block])) {
        throw new IllegalArgumentException("block %d: %s".formatted(block, means[block]));
      }
      blocks[strata[block]]++;
      treatedBlocks[strata[block]] += treated[block] ? 1 : 0;
    }
    for (int stratum = 0; stratum < count; stratum++) {
      if (treatedBlocks[stratum] == 0 || treatedBlocks[stratum] == blocks[stratum]) {
        throw new IllegalArgumentException(
            "stratum %d: %d of %d blocks treated, which compares nothing"
                .formatted(stratum, treatedBlocks[stratum], blocks[stratum]));
      }
    }
  }

  /**
   * A design that could have treated any other blocks, as many of them.
   *
   * @param means of the metric by block, in time order, without washouts
   */
  public static Switchback complete(double[] means, boolean[] treated) {
    return new Switchback(means, treated, new int[means.length]);
  }

  /** A design that treated one, by a fair coin, of blocks 0 and 1, one of 2 and 3, and so on. */
  public static Switchback paired(double[] means, boolean[] treated) {
    int[] pairs = new int[means.length];
    Arrays.setAll(pairs, block -> block / 2);
    return new Switchback(means, treated, pairs);
  }

  /** A design that treated a fixed number of the blocks of each stratum, numbered from 0. */
  public static Switchback stratified(double[] means, boolean[] treated, int[] strata) {
    return new Switchback(means, treated, strata);
  }

  /** Treatment minus control. */
  public double difference() {
    double sum = 0;
    for (int block = 0; block < means.length; block++) {
      sum += factor(block, treated[block]) * means[block];
    }
    return sum;
  }

  /**
   * Student's reading: over pairs where the design is paired, else Welch's over blocks. Empty with
   * too few blocks, or where they do not vary.
   */
  public Optional<Welch> welch() {
    return isPaired() ? overPairs() : overBlocks();
  }

  /** The test of the design itself, which assumes nothing of the metric. */
  public Randomisation randomisation(long seed) {
    double designs = 1;
    for (int stratum = 0; stratum < blocks.length; stratum++) {
      designs *= choices(blocks[stratum], treatedBlocks[stratum]);
    }
    Designs all = new Designs();
    boolean exhaustive =
        means.length <= MAX_BLOCKS_TRIED && designs <= Randomisation.EXHAUSTIVE_UP_TO;
    if (exhaustive) {
      visit(0, blocks.clone(), treatedBlocks.clone(), new double[2], all);
    } else {
      all.add(difference(), 1);
      draw(new CounterRandom(seed), all);
    }
    return all.test(difference(), exhaustive);
  }

  /** Of each block's residual with the next one's; empty if nothing is left to explain. */
  public OptionalDouble autocorrelation() {
    double[] residuals = residuals();
    double neighbours = 0;
    double squares = 0;
    for (int block = 0; block < residuals.length; block++) {
      squares += residuals[block] * residuals[block];
      neighbours += block == 0 ? 0 : residuals[block] * residuals[block - 1];
    }
    return squares > 0 ? OptionalDouble.of(neighbours / squares) : OptionalDouble.empty();
  }

  /**
   * Standard error of the difference that allows blocks to depend on the ones close to them.
   *
   * <p>Source: Newey and West, "A Simple, Positive Semi-definite, Heteroskedasticity and
   * Autocorrelation Consistent Covariance Matrix", 1987, with 4(n/100)^(2/9) lags.
   */
  public OptionalDouble neweyWestError() {
    double[] terms = residuals();
    int count = terms.length;
    if (count < 3) {
      return OptionalDouble.empty();
    }
    for (int block = 0; block < count; block++) {
      terms[block] *= factor(block, treated[block]);
    }
    int lags = (int) Math.floor(4 * Math.pow(count / 100.0, 2.0 / 9));
    double variance = 0;
    for (int lag = 0; lag <= Math.min(lags, count - 1); lag++) {
      double weight = lag == 0 ? 1 : 2 * (1 - lag / (lags + 1.0));
      for (int block = lag; block < count; block++) {
        variance += weight * terms[block] * terms[block - lag];
      }
    }
    double error = Math.sqrt(Math.max(0, variance) * count / (count - 2.0));
    return error > 0 ? OptionalDouble.of(error) : OptionalDouble.empty();
  }

  /** What a block's mean counts in the difference, treated or not. */
  private double factor(int block, boolean asTreated) {
    int stratum = strata[block];
    double weight = (double) blocks[stratum] / means.length;
    return asTreated
        ? weight / treatedBlocks[stratum]
        : -weight / (blocks[stratum] - treatedBlocks[stratum]);
  }

  private boolean isPaired() {
    return Arrays.stream(blocks).allMatch(count -> count == 2);
  }

  private Optional<Welch> overPairs() {
    int pairs = blocks.length;
    double[] differences = new double[pairs];
    for (int block = 0; block < means.length; block++) {
      differences[strata[block]] += treated[block] ? means[block] : -means[block];
    }
    double mean = Arrays.stream(differences).average().orElseThrow();
    double squares = Arrays.stream(differences).map(d -> (d - mean) * (d - mean)).sum();
    return squares > 0
        ? Optional.of(new Welch(mean, Math.sqrt(squares / (pairs - 1.0) / pairs), pairs - 1.0))
        : Optional.empty();
  }

  private Optional<Welch> overBlocks() {
    Optional<Welch.Part> control = part(false);
    Optional<Welch.Part> treatment = part(true);
    return control.flatMap(
        from ->
            treatment
                .filter(to -> from.squaredError() + to.squaredError() > 0)
                .map(to -> Welch.of(from, to)));
  }

  private Optional<Welch.Part> part(boolean arm) {
    List<Double> values = new ArrayList<>();
    for (int block = 0; block < means.length; block++) {
      if (treated[block] == arm) {
        values.add(means[block]);
      }
    }
    int count = values.size();
    if (count < 2) {
      return Optional.empty();
    }
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    return Optional.of(new Welch.Part(mean, squares / (count - 1) / count, count));
  }

  private double[] residuals() {
    double[] stratumMeans = new double[blocks.length];
    for (int block = 0; block < means.length; block++) {
      stratumMeans[strata[block]] += means[block] / blocks[strata[block]];
    }
    double difference = difference();
    double[] residuals = new double[means.length];
    for (int block = 0; block < means.length; block++) {
      int stratum = strata[block];
      double share = (double) treatedBlocks[stratum] / blocks[stratum];
      residuals[block] =
          means[block] - stratumMeans[stratum] - ((treated[block] ? 1 : 0) - share) * difference;
    }
    return residuals;
  }

  /**
   * Every way to treat the blocks from this one on.
   *
   * @param sums difference of the means so far, and of the actual treatment
   */
  private void visit(int block, int[] unseen, int[] toTreat, double[] sums, Designs designs) {
    if (block == means.length) {
      designs.add(sums[0], sums[1]);
      return;
    }
    int stratum = strata[block];
    unseen[stratum]--;
    if (toTreat[stratum] > 0) {
      toTreat[stratum]--;
      visit(block + 1, unseen, toTreat, plus(sums, block, true), designs);
      toTreat[stratum]++;
    }
    if (toTreat[stratum] <= unseen[stratum]) {
      visit(block + 1, unseen, toTreat, plus(sums, block, false), designs);
    }
    unseen[stratum]++;
  }

  private double[] plus(double[] sums, int block, boolean asTreated) {
    double factor = factor(block, asTreated);
    return new double[] {sums[0] + factor * means[block], sums[1] + (treated[block] ? factor : 0)};
  }

  private void draw(CounterRandom random, Designs designs) {
    for (int draw = 0; draw < Randomisation.DRAWS; draw++) {
      long state = random.state(0, draw, 0);
      int[] unseen = blocks.clone();
      int[] toTreat = treatedBlocks.clone();
      double difference = 0;
      double overlap = 0;
      for (int block = 0; block < means.length; block++) {
        int stratum = strata[block];
        double uniform = (CounterRandom.bits(state, block) >>> 11) * 0x1p-53;
        boolean drawn = uniform * unseen[stratum] < toTreat[stratum];
        unseen[stratum]--;
        toTreat[stratum] -= drawn ? 1 : 0;
        double factor = factor(block, drawn);
        difference += factor * means[block];
        overlap += treated[block] ? factor : 0;
      }
      designs.add(difference, overlap);
    }
  }

  /** How many ways there are to choose, as a number that may exceed any integer. */
  private static double choices(int of, int chosen) {
    double ways = 1;
    for (int step = 1; step <= chosen; step++) {
      ways = ways * (of - chosen + step) / step;
    }
    return ways;
  }

  /** What the designs would have shown of these blocks. Confined to one thread. */
  private static final class Designs {
    private double[] differences = new double[64];
    private double[] overlaps = new double[64];
    private int count;

    /**
     * One design.
     *
     * @param difference of the block means
     * @param overlap difference of the actual treatment, 1 for the actual design, −1 for its mirror
     */
    void add(double difference, double overlap) {
      if (count == differences.length) {
        differences = Arrays.copyOf(differences, 2 * count);
        overlaps = Arrays.copyOf(overlaps, 2 * count);
      }
      differences[count] = difference;
      overlaps[count] = overlap;
      count++;
    }

    Randomisation test(double actual, boolean exhaustive) {
      return Randomisation.of(
          actual, Arrays.copyOf(differences, count), Arrays.copyOf(overlaps, count), exhaustive);
    }
  }
}
