package io.bellwether.loadtest.learning.tabular;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.algorithm.Algorithms;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.algorithm.TrainingPlan;
import io.bellwether.trainer.export.OnnxExporter;
import io.bellwether.trainer.network.NetworkConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What the trainer's own learners reach from logs of tasks whose constrained optimum is known:
 * networks, sampled sessions, estimated promises and all.
 *
 * @param rows one per task, algorithm and seed
 */
public record NetworkStudy(List<Row> rows) {

  /**
   * One algorithm on one task with one seed. Values are those of the learned policy in the true
   * process.
   *
   * @param gapShare what the value lacks to the optimum, as a share of it; negative where a limit
   *     was broken for it
   * @param violationShare largest part of a bound by which a limit is broken; 0 where all are kept
   */
  public record Row(
      String task,
      String algorithm,
      long seed,
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
   * What is spent on each row.
   *
   * @param sessions in the log
   * @param steps of training
   */
  public record Effort(int sessions, long steps) {
    public static final Effort DEFAULT = new Effort(1500, 2000);
  }

  private static final Exploration SERVED = Exploration.asUsed(1, 0);
  private static final NetworkConfig NARROW = new NetworkConfig(32, 16, 8);
  private static final int BATCH = 256;

  public NetworkStudy {
    rows = List.copyOf(rows);
  }

  /** Names of the tasks that {@link #run} takes: one of each kind. */
  public static List<String> tasks() {
    return chosen().stream().map(ConstrainedTask::name).toList();
  }

  private static List<ConstrainedTask> chosen() {
    return List.of(
        KnownTasks.bandit(),
        KnownTasks.freshOrTired(0.7),
        KnownTasks.session("like at least 0.6", Limit.atLeast(1, 0.6)),
        KnownTasks.session("hate at most 0.25", Limit.atMost(2, 0.25)),
        KnownTasks.random(1));
  }

  /** Trains every algorithm with every seed on every task, one after the other. */
  public static NetworkStudy run(List<Algorithms.Entry> algorithms, int seeds, Effort effort) {
    List<Row> rows = new ArrayList<>();
    for (ConstrainedTask task : chosen()) {
      for (long seed = 1; seed <= seeds; seed++) {
        LoggedTask logged = new LoggedTask(task, seed, effort.sessions);
        for (Algorithms.Entry algorithm : algorithms) {
          rows.add(row(logged, algorithm, effort.steps));
        }
      }
    }
    return new NetworkStudy(rows);
  }

  static Row row(LoggedTask logged, Algorithms.Entry algorithm, long steps) {
    ConstrainedTask task = logged.task();
    double[] values = task.process().values(policy(logged, trained(logged, algorithm, steps)));
    double optimum = TabularStudy.optimum(task).value();
    return new Row(
        task.name(),
        algorithm.word(),
        logged.seed(),
        values[0],
        optimum,
        (optimum - values[0]) / Math.abs(optimum),
        task.violationShare(values));
  }

  private static TrainedPolicy trained(LoggedTask logged, Algorithms.Entry algorithm, long steps) {
    TrainingPlan plan =
        TrainingPlan.of(logged.seed(), steps)
            .withBatchSize(BATCH)
            .withNetworks(NARROW)
            .withExploration(SERVED);
    return new Learner(OrtEnvironment.getEnvironment())
        .train(
            algorithm.factory().of(new Algorithms.Task(logged.discount(), logged.promises())),
            logged.schema(),
            logged.data(),
            plan,
            ProgressListener.NONE);
  }

  /** The chances {@code [state][action]} with which a policy is served: exported and scored. */
  static double[][] policy(LoggedTask logged, TrainedPolicy trained) {
    int states = logged.task().process().states();
    int actions = logged.task().process().actions();
    FeatureSchema taken = new FeatureSchema("tabular", states, 0, 0, actions, List.of());
    byte[] graph = new OnnxExporter().export(trained, new TreeMap<>());
    double[][] policy = new double[states][actions];
    try (Scorer scorer = Scorer.open(graph, taken)) {
      ScoringBatch batch = new ScoringBatch(taken);
      for (int state = 0; state < states; state++) {
        batch.add(logged.context(state), new float[0], logged.items());
      }
      ScoredBatch scored = scorer.score(batch);
      MixedWeights weights = new MixedWeights();
      for (int state = 0; state < states; state++) {
        weights.set(scored.logits(), scored.from(state), scored.to(state), SERVED);
        for (int action = 0; action < actions; action++) {
          policy[state][action] = weights.weight(action);
        }
      }
    }
    return policy;
  }

  /** The largest distance of an algorithm from an optimum or a bound, over tasks and seeds. */
  public double worstGap(String algorithm) {
    return rows.stream()
        .filter(row -> row.algorithm.equals(algorithm))
        .mapToDouble(Row::worst)
        .max()
        .orElseThrow(() -> new IllegalArgumentException("the study has no row of " + algorithm));
  }
}
