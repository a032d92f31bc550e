package io.bellwether.evaluation.support;

import io.bellwether.evaluation.BanditLog;
import java.util.List;
import java.util.stream.IntStream;

/** Feeds logs with full vectors; items are called by their number. */
final class Vectors {
  private Vectors() {}

  static ActionIndex index(int items) {
    return ActionIndex.of(IntStream.range(0, items).mapToObj(Integer::toString).toList());
  }

  static SupportAccumulator of(BanditLog log) {
    SupportAccumulator sums = new SupportAccumulator(index(log.logging()[0].length));
    for (int row = 0; row < log.size(); row++) {
      sums.add(vectors(row, log.logging()[row], log.target()[row], log.action()[row]));
    }
    return sums;
  }

  static DecisionVectors vectors(long decision, double[] logging, double[] target, int shown) {
    return vectors(decision, 0, 0, logging, target, shown);
  }

  static DecisionVectors vectors(
      long decision, int logger, int day, double[] logging, double[] target, int shown) {
    DecisionVectors vectors = new DecisionVectors().begin(decision, logger, day);
    for (int item = 0; item < logging.length; item++) {
      vectors.candidate(item, logging[item], target[item]);
    }
    return vectors.shown(shown, shown < 0 ? 0.5 : logging[shown]);
  }

  /** An item drawn with these chances by a number in [0, 1). */
  static int draw(double[] chances, double uniform) {
    double left = uniform;
    for (int item = 0; item < chances.length - 1; item++) {
      left -= chances[item];
      if (left < 0) {
        return item;
      }
    }
    return chances.length - 1;
  }

  static List<String> loggers() {
    return List.of("first", "second");
  }
}
