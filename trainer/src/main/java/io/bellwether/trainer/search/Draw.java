package io.bellwether.trainer.search;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.algorithm.Algorithms;
import io.bellwether.trainer.algorithm.Setting;
import io.bellwether.trainer.job.TrainingMethod;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is tried: a function of the search's seed and the draw's number alone, so that nothing that
 * happened before changes it.
 *
 * @param epochs of the last rung
 * @param batchSize rows per step
 */
record Draw(TrainingMethod method, double epochs, int batchSize) {

  private static final long TAG = 903;
  private static final int FACTOR = 3;
  private static final Setting EPOCHS =
      Setting.logarithmic("epochs", "how often each row is seen", 10, 3, 30);
  private static final Setting DOUBLINGS =
      Setting.whole("doublings", "of a batch of 128 rows", 2, 0, 3);
  private static final int SMALLEST_BATCH = 128;

  /** Cloning as `train` does it where nothing is said. */
  static final Draw BASELINE = new Draw(TrainingMethod.BEHAVIOUR_CLONING, 10, 512);

  /**
   * A draw.
   *
   * @param algorithms at least one
   * @param number from 0
   */
  static Draw of(List<String> algorithms, long seed, int number) {
    Stream shares = new Stream(seed, number);
    Algorithms.Entry entry =
        Algorithms.of(algorithms.get((int) (shares.next() * algorithms.size())));
    double epochs = EPOCHS.at(shares.next());
    int batchSize = SMALLEST_BATCH << (int) DOUBLINGS.at(shares.next());
    SortedMap<String, Double> settings = new TreeMap<>();
    for (Setting setting : entry.settings()) {
      settings.put(setting.name(), setting.at(shares.next()));
    }
    return new Draw(new TrainingMethod(entry.word(), settings), epochs, batchSize);
  }

  /** The epochs of a rung, with three digits. */
  double epochs(int rung) {
    double share = Math.pow(FACTOR, rung + 1 - Step.RUNGS);
    return share == 1 ? epochs : Setting.threeDigits(epochs * share);
  }

  /** Numbers in [0, 1), one after the other. */
  private static final class Stream {
    private final long seed;
    private final int number;
    private int drawn;

    Stream(long seed, int number) {
      this.seed = seed;
      this.number = number;
    }

    double next() {
      return CounterRandom.uniform(seed, TAG, number, drawn++, 0);
    }
  }
}
