package io.bellwether.loadtest.learning;

import io.bellwether.loadtest.learning.bsim.LearningMethod;
import io.bellwether.loadtest.learning.bsim.LearningMethods;
import io.bellwether.loadtest.learning.bsim.SimulatedCell;
import io.bellwether.loadtest.learning.bsim.SimulatedCell.Effort;
import io.bellwether.loadtest.learning.bsim.SimulatedTask;
import io.bellwether.loadtest.learning.kuairand.LoggedStudy;
import io.bellwether.loadtest.learning.tabular.NetworkStudy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How much is measured.
 *
 * @param tasks whose scores count
 * @param smoke tasks on which nothing may break, with one seed
 * @param methods that are compared
 * @param seeds per task
 * @param effort of each cell
 * @param limit from the beginning of all parts on, after which no further cell is begun; the next
 *     run goes on
 * @param tabularSeeds of learners with networks on processes with known optima
 * @param tabular effort of each of those
 * @param onlineSeeds of policies that go on learning while they serve; 0 for none
 * @param logged how much of a log of the user's is used
 */
public record LearningExtent(
    List<SimulatedTask> tasks,
    List<SimulatedTask> smoke,
    List<LearningMethod> methods,
    int seeds,
    Effort effort,
    Duration limit,
    int tabularSeeds,
    NetworkStudy.Effort tabular,
    int onlineSeeds,
    LoggedStudy.Extent logged) {

  /** What a published result rests on. */
  public static final int SEEDS = 10;

  private static final List<String> MOST_ASKED =
      List.of(
          "behaviour-cloning",
          Acceptance.TWO_STAGE,
          Acceptance.PID,
          Acceptance.SINGLE_CRITIC,
          "actor-critic",
          "iql");

  /** The last cells, of up to a minute each, still end within eight minutes. */
  private static final Duration QUICK = Duration.ofSeconds(390);

  private static final Duration FOREVER = Duration.ofDays(30);
  static final Effort WHOLE = new Effort(20_000, 512, SimulatedTask.SESSIONS);
  private static final Effort SHORT = new Effort(500, 128, 1_000);

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
        SimulatedTask.ALL,
        SimulatedTask.SMOKE,
        LearningMethods.all(),
        SEEDS,
        WHOLE,
        FOREVER,
        3,
        NetworkStudy.Effort.DEFAULT,
        3,
        LoggedStudy.Extent.FULL);
  }

  /**
   * One task, short training, every algorithm as it is by default, and as much of two seeds as its
   * time allows.
   */
  public static LearningExtent quick() {
    return new LearningExtent(
        SimulatedTask.ALL.subList(0, 1),
        List.of(),
        mostAskedFirst(LearningMethods.all()),
        2,
        SHORT,
        QUICK,
        1,
        new NetworkStudy.Effort(500, 600),
        0,
        LoggedStudy.Extent.QUICK);
  }

  /** Defaults alone, and first what requirements and figures are about. */
  private static List<LearningMethod> mostAskedFirst(List<LearningMethod> methods) {
    List<LearningMethod> sorted = new ArrayList<>(methods);
    sorted.removeIf(method -> !method.name().equals(method.group()));
    sorted.sort(
        Comparator.comparingInt(
            method -> {
              int place = MOST_ASKED.indexOf(method.group());
              return place < 0 ? MOST_ASKED.size() : place;
            }));
    return sorted;
  }

  public LearningExtent withTasks(List<SimulatedTask> chosen) {
    return with(chosen, List.of(), methods, seeds, effort, limit);
  }

  public LearningExtent withMethods(List<LearningMethod> chosen) {
    return with(tasks, smoke, chosen, seeds, effort, limit);
  }

  public LearningExtent withSeeds(int number) {
    return with(tasks, smoke, methods, number, effort, limit);
  }

  public LearningExtent withSteps(long steps) {
    Effort changed = new Effort(steps, effort.batchSize(), effort.sessions());
    return with(tasks, smoke, methods, seeds, changed, limit);
  }

  public LearningExtent withLimit(Duration time) {
    return with(tasks, smoke, methods, seeds, effort, time);
  }

  /** The same effort beside the cells. */
  private LearningExtent with(
      List<SimulatedTask> newTasks,
      List<SimulatedTask> newSmoke,
      List<LearningMethod> newMethods,
      int newSeeds,
      Effort newEffort,
      Duration newLimit) {
    return new LearningExtent(
        newTasks,
        newSmoke,
        newMethods,
        newSeeds,
        newEffort,
        newLimit,
        tabularSeeds,
        tabular,
        onlineSeeds,
        logged);
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
