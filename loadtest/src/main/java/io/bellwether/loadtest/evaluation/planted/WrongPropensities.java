package io.bellwether.loadtest.evaluation.planted;

import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Other propensities in the log than those that were used. */
record WrongPropensities(SoundLog log) {
  static final String MEAN_WEIGHT = "|z| of the mean weight";
  private static final String CALIBRATION = "p-value of the propensities against what was shown";
  private static final String DRIFT =
      "drift of a logging version from its other days that its propensities do not explain";

  private static final double SCALE = 0.7;
  private static final int HALVINGS = 50;
  private static final double[] STUBBORN = {0.05, 0.05, 0.05, 0.85};

  private interface Instead {
    double[] of(double[] propensities);
  }

  List<PlantedFailure> all() {
    return List.of(
        new PlantedFailure(
            "propensities 30 % too small",
            "PROPENSITY_VECTOR_SUM", () -> log.evaluated(logged(WrongPropensities::scaled))),
        new PlantedFailure(
            "the same, nothing known but propensities",
            MEAN_WEIGHT,
            () -> log.evaluated(logged(WrongPropensities::scaled).columns())),
        new PlantedFailure(
            "propensities of the neighbouring item",
            CALIBRATION,
            () -> log.evaluated(logged(WrongPropensities::shifted))),
        new PlantedFailure(
            "wrong propensities whose weights average 1", CALIBRATION, this::averagingOne),
        new PlantedFailure(
            "a propensity that differs from its vector", "PROPENSITY_MISMATCH", this::mismatched),
        new PlantedFailure(
            "a version that learned half-way and logged its old propensities",
            CALIBRATION,
            () -> changed(SoundLog.ROWS / 2, log.world().mixed(1))),
        new PlantedFailure(
            "a version that was another policy on its last two days",
            DRIFT,
            () -> changed(SoundLog.ROWS * 4 / 5, log.everywhere(STUBBORN))));
  }

  private Choices logged(Instead instead) {
    Choices sound = log.choices();
    return withLogging(Arrays.stream(sound.logging()).map(instead::of).toArray(double[][]::new));
  }

  private Choices withLogging(double[][] propensities) {
    Choices sound = log.choices();
    return new Choices(
        sound.item(), sound.reward(), propensities, sound.target(), sound.prediction());
  }

  private static double[] scaled(double[] row) {
    return Arrays.stream(row).map(chance -> SCALE * chance).toArray();
  }

  private static double[] shifted(double[] row) {
    double[] shifted = new double[row.length];
    Arrays.setAll(shifted, item -> row[(item + 1) % row.length]);
    return shifted;
  }

  /**
   * Uniform propensities make weights too large on average, ones half-way to the target too small;
   * between the two there are some that do neither.
   */
  private Outcome averagingOne() {
    double low = 0;
    double high = 1;
    for (int halving = 0; halving < HALVINGS; halving++) {
      double middle = (low + high) / 2;
      if (meanWeight(towardsUniform(middle)) < 1) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return log.evaluated(towardsUniform(high));
  }

  private Choices towardsUniform(double share) {
    Choices sound = log.choices();
    double[][] logging = new double[sound.size()][sound.items()];
    for (int row = 0; row < logging.length; row++) {
      for (int item = 0; item < sound.items(); item++) {
        double halfWay = (sound.logging()[row][item] + sound.target()[row][item]) / 2;
        logging[row][item] = share / sound.items() + (1 - share) * halfWay;
      }
    }
    return withLogging(logging);
  }

  private static double meanWeight(Choices choices) {
    return IntStream.range(0, choices.size()).mapToDouble(choices::weight).average().orElse(0);
  }

  private Outcome mismatched() {
    ScoredChoices scored = new ScoredChoices(log.choices());
    Choices other = logged(WrongPropensities::shifted);
    return log.evaluated(
        scored.columns().logging(other.column(other::propensity)),
        scored.support(row -> other.item()[row], other::propensity));
  }

  /** The same subjects come; from some row on another policy decides. */
  private Outcome changed(int firstRow, double[][] policy) {
    Choices sound = log.choices();
    Choices later = log.world().withLogging(policy).draw(SoundLog.ROWS, 1, log.seed());
    int[] item = Arrays.copyOf(sound.item(), SoundLog.ROWS);
    double[] reward = Arrays.copyOf(sound.reward(), SoundLog.ROWS);
    System.arraycopy(later.item(), firstRow, item, firstRow, SoundLog.ROWS - firstRow);
    System.arraycopy(later.reward(), firstRow, reward, firstRow, SoundLog.ROWS - firstRow);
    return log.evaluated(
        new Choices(item, reward, sound.logging(), sound.target(), sound.prediction()));
  }
}
