package io.bellwether.loadtest.learning.bsim;

import io.bellwether.trainer.algorithm.Promise;
import io.bellwether.trainer.algorithm.Promise.Sense;
import io.bellwether.trainer.algorithm.Promise.ShareOfLog;
import java.util.ArrayList;
import java.util.List;

/** What the benchmark asks of a policy beside watching, as promises to a learner. */
public final class SimulatedPromises {
  private SimulatedPromises() {}

  /** Every good reaction at 0.97 of the log's or more, hate at 1.05 of it or less. */
  public static List<Promise> all() {
    return with(Ratios.LEAST, Ratios.MOST_HATE);
  }

  /**
   * The same with other shares: to leave room for what an estimate does not know.
   *
   * @param least share of the log's reactions that are good
   * @param mostHate share of the log's hate
   */
  public static List<Promise> with(double least, double mostHate) {
    int hate = SimulatedFeatures.SIGNALS.size() - 1;
    List<Promise> promises = new ArrayList<>();
    for (int signal = 1; signal < hate; signal++) {
      promises.add(new Promise(signal, Sense.AT_LEAST, new ShareOfLog(least)));
    }
    promises.add(new Promise(hate, Sense.AT_MOST, new ShareOfLog(mostHate)));
    return promises;
  }
}
