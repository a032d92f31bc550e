package io.bellwether.loadtest.learning.statistics;

import java.util.Arrays;
import java.util.List;

/**
 * Scores of one algorithm: some runs on each task, which differ in their seed alone. Immutable.
 *
 * @param tasks {@code tasks[task][run]}; at least one task, each with at least one run; copied
 */
@SuppressWarnings("ArrayRecordComponent") // numbers, not compared
public record Runs(double[][] tasks) {
  /** Cut off at each end before the mean of the rest is taken. */
  private static final double CUT = 0.25;

  public Runs {
    if (tasks.length == 0 || Arrays.stream(tasks).anyMatch(task -> task.length == 0)) {
      throw new IllegalArgumentException("there is a task without a run, or no task at all");
    }
    tasks = Arrays.stream(tasks).map(double[]::clone).toArray(double[][]::new);
    for (double[] task : tasks) {
      for (double score : task) {
        if (!Double.isFinite(score)) {
          throw new IllegalArgumentException("a run has the score " + score);
        }
      }
    }
  }

  /** The same from lists. */
  public static Runs of(List<double[]> tasks) {
    return new Runs(tasks.toArray(double[][]::new));
  }

  /** Number of runs of all tasks. */
  public int count() {
    return Arrays.stream(tasks).mapToInt(task -> task.length).sum();
  }

  /** Every run's score, in ascending order. */
  public double[] ascending() {
    return Arrays.stream(tasks).flatMapToDouble(Arrays::stream).sorted().toArray();
  }

  /**
   * The mean of the middle half of all runs: a quarter of them, rounded down, is cut off at each
   * end.
   */
  public double interquartileMean() {
    double[] scores = ascending();
    int cut = (int) (CUT * scores.length);
    double sum = 0;
    for (int i = cut; i < scores.length - cut; i++) {
      sum += scores[i];
    }
    return sum / (scores.length - 2 * cut);
  }

  /** By how much runs fall short of {@code target} on average; those above it make up for none. */
  public double optimalityGap(double target) {
    double sum = 0;
    for (double score : ascending()) {
      sum += target - Math.min(score, target);
    }
    return sum / count();
  }

  /** Share of the runs with a score above {@code threshold}: one point of a performance profile. */
  public double shareAbove(double threshold) {
    return (double) Arrays.stream(ascending()).filter(score -> score > threshold).count() / count();
  }

  /**
   * The chance that a run of this algorithm beats one of {@code other} on a task drawn at random;
   * ties count half.
   *
   * @throws IllegalArgumentException where the two have other numbers of tasks
   */
  public double improvementOver(Runs other) {
    if (tasks.length != other.tasks.length) {
      throw new IllegalArgumentException(
          "algorithms are compared on the same tasks, found %d and %d"
              .formatted(tasks.length, other.tasks.length));
    }
    double sum = 0;
    for (int task = 0; task < tasks.length; task++) {
      sum += wins(tasks[task], other.tasks[task]);
    }
    return sum / tasks.length;
  }

  private static double wins(double[] ours, double[] theirs) {
    long halves = 0;
    for (double our : ours) {
      for (double their : theirs) {
        halves += our > their ? 2 : our == their ? 1 : 0;
      }
    }
    return halves / (2.0 * ours.length * theirs.length);
  }
}
