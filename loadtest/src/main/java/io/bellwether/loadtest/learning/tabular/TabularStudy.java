package io.bellwether.loadtest.learning.tabular;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What exact constrained learners reach on processes whose constrained optimum is known.
 *
 * @param rows one per task and learner
 * @param refusals what was said of tasks that no policy solves
 */
public record TabularStudy(List<Row> rows, List<Refusal> refusals) {

  /** How a policy was learned. */
  public enum Learner {
    /** Multi-critic Lagrangian with PID multipliers, occupancy measures averaged. */
    PID_AVERAGED,
    /** The same, its last policy. */
    PID_LAST,
    /**
     * Two-stage constrained actor-critic: the best of a grid over λ and Λ that keeps all limits.
     */
    TWO_STAGE,
    /** Lagrangian with one critic for the priced reward. */
    SINGLE_CRITIC
  }

  /**
   * One learner on one task.
   *
   * @param value expected discounted sum of the objective
   * @param optimum the best that any policy reaches within the limits, by linear program
   * @param gapShare what the value lacks to the optimum, as a share of it; negative where a limit
   *     was broken for it
   * @param violationShare largest part of a bound by which a limit is broken; 0 where all are kept
   */
  public record Row(
      String task,
      Learner learner,
      double value,
      double optimum,
      double gapShare,
      double violationShare) {

    /** The farther from what was wanted, of gap and violation. */
    public double worst() {
      return Math.max(gapShare, violationShare);
    }
  }

  /**
   * A task that cannot be solved.
   *
   * @param farthest per limit, the most (or least) that any policy reaches of its signal
   * @param byProgram whether the linear program says so
   * @param byLearner whether the learner does, its price at the cap for good
   */
  public record Refusal(String task, List<Double> farthest, boolean byProgram, boolean byLearner) {}

  /** λ of stage one: the sharper, the nearer to the frontier, as long as stage two settles. */
  private static final double[] NEARNESS = {0.05, 0.03, 0.01};

  private static final double LARGEST_TOTAL = 3;
  private static final double SMALLEST_TOTAL = 0.001;

  public TabularStudy {
    rows = List.copyOf(rows);
    refusals = List.copyOf(refusals);
  }

  /** Takes some seconds of one core. The same at every run: nothing here is drawn by chance. */
  public static TabularStudy run() {
    List<Row> rows = new ArrayList<>();
    for (ConstrainedTask task : KnownTasks.solvable()) {
      rows.addAll(rows(task));
    }
    return new TabularStudy(rows, List.of(refusal(KnownTasks.impossible())));
  }

  static List<Row> rows(ConstrainedTask task) {
    double optimum = optimum(task).value();
    double[] scales = PricedLearner.scales(task);
    PricedLearner.Run priced = PricedLearner.DEFAULT.run(task, scales);
    double[][] single = SingleCriticLearner.DEFAULT.run(task, scales);
    return List.of(
        row(task, Learner.PID_AVERAGED, priced.averagedPolicy(), optimum),
        row(task, Learner.PID_LAST, priced.lastPolicy(), optimum),
        row(task, Learner.TWO_STAGE, twoStage(task), optimum),
        row(task, Learner.SINGLE_CRITIC, single, optimum));
  }

  /**
   * The best policy of a task.
   *
   * @throws IllegalArgumentException if none keeps its limits
   */
  static OccupancyProgram.Optimum optimum(ConstrainedTask task) {
    if (new OccupancyProgram(task.process()).solve(task.limits())
        instanceof OccupancyProgram.Optimum optimum) {
      return optimum;
    }
    throw new IllegalArgumentException("no policy keeps the limits of " + task.name());
  }

  private static double[][] twoStage(ConstrainedTask task) {
    ConstrainedProcess process = task.process();
    double[][] best = process.uniform();
    double most = Double.NEGATIVE_INFINITY;
    for (double nearness : NEARNESS) {
      double[][] policy =
          new TwoStageLearner(process, nearness)
              .smallestThatKeeps(task, LARGEST_TOTAL, SMALLEST_TOTAL);
      double[] values = process.values(policy);
      if (task.violationShare(values) == 0 && values[0] > most) {
        best = policy;
        most = values[0];
      }
    }
    return best;
  }

  private static Row row(ConstrainedTask task, Learner learner, double[][] policy, double optimum) {
    double[] values = task.process().values(policy);
    return new Row(
        task.name(),
        learner,
        values[0],
        optimum,
        (optimum - values[0]) / Math.abs(optimum),
        task.violationShare(values));
  }

  static Refusal refusal(ConstrainedTask task) {
    OccupancyProgram program = new OccupancyProgram(task.process());
    boolean infeasible = program.solve(task.limits()) instanceof OccupancyProgram.Infeasible;
    PricedLearner.Run run = PricedLearner.DEFAULT.run(task, PricedLearner.scales(task));
    boolean hopeless = false;
    for (boolean ofLimit : run.hopeless()) {
      hopeless |= ofLimit;
    }
    return new Refusal(
        task.name(),
        Arrays.stream(program.farthest(task.limits())).boxed().toList(),
        infeasible,
        hopeless);
  }

  /** The largest distance of a learner from the optimum or from a bound, over all tasks. */
  public double worstGap(Learner learner) {
    return rows.stream()
        .filter(row -> row.learner == learner)
        .mapToDouble(Row::worst)
        .max()
        .orElseThrow(() -> new IllegalArgumentException("the study has no row of " + learner));
  }
}
