package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.TrainingSession;
import java.util.Arrays;
import java.util.List;

/**
 * Stops a run whose numbers have left the range in which they mean something: a loss or gauge that
 * is not finite, values beyond what the rewards allow, or a critic's loss far above what it used to
 * be. Confined to one thread.
 */
final class DivergenceWatch {
  /** A value may overshoot the largest possible return by half before it counts as drift. */
  private static final double LARGEST_VALUE = 1.5;

  private static final double LARGEST_GROWTH = 10;

  /** Reports before a median says something; a power of two times some hundred steps. */
  private static final int FEWEST_REPORTS = 8;

  private static final int MOST_REPORTS = 64;

  private final List<String> gauges;
  private final boolean hasCritic;
  private final double[] recent = new double[MOST_REPORTS];
  private long reports;

  DivergenceWatch(List<String> gauges, boolean hasCritic) {
    this.gauges = List.copyOf(gauges);
    this.hasCritic = hasCritic;
  }

  /** What counts as usual, for {@link #recall}. */
  double[] memory() {
    double[] memory = Arrays.copyOf(recent, MOST_REPORTS + 1);
    memory[MOST_REPORTS] = reports;
    return memory;
  }

  void recall(double[] memory) {
    System.arraycopy(memory, 0, recent, 0, MOST_REPORTS);
    reports = (long) memory[MOST_REPORTS];
  }

  void check(long step, TrainingSession session) {
    for (String gauge : gauges) {
      if (!Float.isFinite(session.scalar(gauge))) {
        throw new DivergedException(step, gauge + " is " + session.scalar(gauge));
      }
    }
    if (hasCritic && session.scalar(StepGraph.LARGEST_VALUE) > LARGEST_VALUE) {
      throw new DivergedException(
          step,
          "a value is "
              + session.scalar(StepGraph.LARGEST_VALUE)
              + " times the largest possible return");
    }
  }

  /**
   * Compares a report's mean loss with its running median; losses below 1 (a variance of the
   * signal) never count.
   */
  void check(long step, Progress progress) {
    if (!hasCritic) {
      return;
    }
    double loss = progress.gauges().getOrDefault(StepGraph.CRITIC_LOSS, 0.0);
    int known = (int) Math.min(reports, MOST_REPORTS);
    if (known >= FEWEST_REPORTS) {
      double[] sorted = Arrays.copyOf(recent, known);
      Arrays.sort(sorted);
      double usual = Math.max(1, sorted[known / 2]);
      if (loss > LARGEST_GROWTH * usual) {
        throw new DivergedException(step, "the critic's loss grew from " + usual + " to " + loss);
      }
    }
    recent[(int) (reports++ % MOST_REPORTS)] = loss;
  }
}
