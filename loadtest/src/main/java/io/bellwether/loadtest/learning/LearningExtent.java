package io.bellwether.loadtest.learning;

import io.bellwether.loadtest.learning.bsim.LearningMethod;
import io.bellwether.loadtest.learning.bsim.LearningMethods;
import io.bellwether.loadtest.learning.bsim.SimulatedCell;
import io.bellwether.loadtest.learning.bsim.SimulatedCell.Effort;
import io.bellwether.loadtest.learning.bsim.SimulatedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How much is measured.
 *
 * @param tasks whose scores count
 * @param smoke tasks on which nothing may break, with one seed
 * @param methods that are compared
 * @param seeds per task
 * @param effort of each cell
 * @param limit after which no further cell is begun; the next run goes on
 */
public record LearningExtent(
    List<SimulatedTask> tasks,
    List<SimulatedTask> smoke,
    List<LearningMethod> methods,
    int seeds,
    Effort effort,
    Duration limit) {

  /** What a published result rests on. */
  public static final int SEEDS = 10;

  private static final Duration QUICK = Duration.ofSeconds(360);
  private static final Duration FOREVER = Duration.ofDays(30);
  private static final Effort WHOLE = new Effort(20_000, 512, SimulatedTask.SESSIONS);
  private static final Effort SHORT = new Effort(1_500, 128, 1_000);

  public LearningExtent {
    tasks = List.copyOf(tasks);
    smoke = List.copyOf(smoke);
    methods = List.copyOf(methods);
    if (tasks.isEmpty() || methods.isEmpty() || seeds < 1) {
      throw new IllegalArgumentException(
          "%d tasks, %d algorithms and %d seeds leave nothing to measure"
              .formatted(tasks.size(), methods.size(), seeds));
    }
  }

  /** Everything: days on two cores, in as many runs as one likes. */
  public static LearningExtent full() {
    return new LearningExtent(
        SimulatedTask.ALL, SimulatedTask.SMOKE, LearningMethods.all(), SEEDS, WHOLE, FOREVER);
  }

  /** One task, short training, two seeds, and as many algorithms as six minutes allow. */
  public static LearningExtent quick() {
    return new LearningExtent(
        SimulatedTask.ALL.subList(0, 1), List.of(), LearningMethods.all(), 2, SHORT, QUICK);
  }

  public LearningExtent withTasks(List<SimulatedTask> chosen) {
    return new LearningExtent(chosen, List.of(), methods, seeds, effort, limit);
  }

  public LearningExtent withMethods(List<LearningMethod> chosen) {
    return new LearningExtent(tasks, smoke, chosen, seeds, effort, limit);
  }

  public LearningExtent withSeeds(int number) {
    return new LearningExtent(tasks, smoke, methods, number, effort, limit);
  }

  public LearningExtent withSteps(long steps) {
    Effort changed = new Effort(steps, effort.batchSize(), effort.sessions());
    return new LearningExtent(tasks, smoke, methods, seeds, changed, limit);
  }

  public LearningExtent withLimit(Duration time) {
    return new LearningExtent(tasks, smoke, methods, seeds, effort, time);
  }

  /** All cells, each seed over all tasks and algorithms before the next: a part is of use, too. */
  List<SimulatedCell> cells() {
    List<SimulatedCell> cells = new ArrayList<>();
    for (long seed = 1; seed <= seeds; seed++) {
      for (SimulatedTask task : tasks) {
        for (LearningMethod method : methods) {
          cells.add(new SimulatedCell(task, method, seed, effort));
        }
      }
    }
    for (SimulatedTask task : smoke) {
      for (LearningMethod method : methods) {
        cells.add(new SimulatedCell(task, method, 1, effort));
      }
    }
    return cells;
  }
}
