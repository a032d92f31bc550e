package io.bellwether.trainer.gate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.columns.Column;
import io.bellwether.trainer.columns.LogColumns;
import io.bellwether.trainer.data.Findings;
import io.bellwether.trainer.data.TrainingRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks all policies and models about batches of transitions. A batch's result depends on nothing
 * but the batch. Thread-safe; owns what policies and models have opened, until {@link #close}.
 */
final class ScoreDecisions implements AutoCloseable {

  /** A logger's chance of what it has shown may differ by this much from what was logged. */
  private static final double LOGGER_TOLERANCE = 1e-3;

  private static final double[] NONE = {};

  private final ScoringTask task;
  private final Map<String, Integer> loggers = new HashMap<>();

  ScoreDecisions(ScoringTask task) {
    this.task = task;
    for (int logger = 0; logger < task.loggers().size(); logger++) {
      loggers.put(task.loggers().get(logger), logger);
    }
  }

  /** What became of the transitions that can be used, in their order. */
  List<ScoredDecision> score(List<Transition> transitions) {
    List<EvaluatedDecision> decisions = encoded(transitions);
    if (decisions.isEmpty()) {
      return List.of();
    }
    List<double[]> target = chances(task.target(), decisions);
    List<double[]> baseline =
        task.baseline() == null ? List.of() : chances(task.baseline(), decisions);
    List<List<double[]>> ofLoggers = new ArrayList<>();
    for (TargetPolicy logger : task.loggerPolicies()) {
      ofLoggers.add(chances(logger, decisions));
    }
    List<float[]> values = task.models().isEmpty() ? List.of() : values(decisions);
    RowChances chances = new RowChances();
    List<ScoredDecision> scored = new ArrayList<>(decisions.size());
    for (int i = 0; i < decisions.size(); i++) {
      int number = i;
      Asked asked =
          new Asked(
              decisions.get(i),
              target.get(i),
              baseline.isEmpty() ? NONE : baseline.get(i),
              ofLoggers.stream().map(each -> each.get(number)).toList(),
              values.isEmpty() ? new float[0] : values.get(i));
      scored.add(scored(asked, chances));
    }
    return scored;
  }

  private List<EvaluatedDecision> encoded(List<Transition> transitions) {
    List<EvaluatedDecision> decisions = new ArrayList<>(transitions.size());
    Findings ignored = new Findings();
    for (Transition transition : transitions) {
      List<TrainingRow> rows = new ArrayList<>();
      task.encoder().encode(transition, rows::add, ignored);
      if (!rows.isEmpty()) {
        decisions.add(EvaluatedDecision.of(transition, rows));
      }
    }
    return decisions;
  }

  private static List<double[]> chances(TargetPolicy policy, List<EvaluatedDecision> decisions) {
    List<double[]> chances = policy.chances(decisions);
    for (int i = 0; i < decisions.size(); i++) {
      if (chances.get(i).length != decisions.get(i).candidateIds().size()) {
        throw new TargetRefused(
            TargetRefused.DOES_NOT_FIT,
            "%s gives %d chances for %d candidates of decision %s"
                .formatted(
                    policy.name(),
                    chances.get(i).length,
                    decisions.get(i).candidateIds().size(),
                    decisions.get(i).id()));
      }
    }
    return chances;
  }

  /** Per decision {@code [candidates * signals]}, by the model that has not seen its subject. */
  private List<float[]> values(List<EvaluatedDecision> decisions) {
    List<float[]> values = new ArrayList<>(decisions.size());
    decisions.forEach(decision -> values.add(new float[0]));
    for (int fold = 0; fold < task.models().size(); fold++) {
      Scorer model = task.models().get(fold).scorer();
      ScoringBatch batch = new ScoringBatch(model.schema());
      List<Integer> asked = new ArrayList<>();
      for (int i = 0; i < decisions.size(); i++) {
        EvaluatedDecision decision = decisions.get(i);
        if (RewardModels.foldOf(decision.unit()) == fold) {
          batch.add(decision.context(), decision.history(), decision.items());
          asked.add(i);
        }
      }
      ScoredBatch scored = model.score(batch);
      for (int i = 0; i < asked.size(); i++) {
        values.set(asked.get(i), values(scored, i, task.signals().size()));
      }
    }
    return values;
  }

  private static float[] values(ScoredBatch scored, int request, int signals) {
    int from = scored.from(request);
    float[] values = new float[(scored.to(request) - from) * signals];
    for (int i = 0; i < values.length; i++) {
      values[i] = scored.value(from + i / signals, i % signals);
    }
    return values;
  }

  /** A decision and what everybody said about it. */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  private record Asked(
      EvaluatedDecision decision,
      double[] target,
      double[] baseline,
      List<double[]> loggers,
      float[] values) {

    boolean knowsLogging() {
      return decision.logging().length > 0;
    }

    int positions() {
      return decision.slate().length;
    }
  }

  private ScoredDecision scored(Asked asked, RowChances chances) {
    EvaluatedDecision decision = asked.decision;
    int logger = loggers.getOrDefault(decision.logger(), 0);
    byte[] id = decision.id().getBytes(UTF_8);
    ByteBuffer message = ByteBuffer.allocate(task.columns().bytes(asked.positions(), id.length));
    message.putLong(decision.unit()).putLong(decision.decidedAtMicros());
    message.putLong(decision.idHash()).putInt(asked.positions());
    int dimension = 0;
    for (Column column : task.columns().ofDecision()) {
      switch (column.name()) {
        case LogColumns.NEXT -> message.putLong(next(decision));
        case LogColumns.STEP -> message.putInt(decision.step());
        case LogColumns.TERMINATED -> message.putInt(decision.isTerminated() ? 1 : 0);
        case LogColumns.LOGGER -> message.putInt(logger);
        case LogColumns.SLATE_WEIGHT -> message.putDouble(slateWeight(asked));
        default -> message.putInt(task.segments().label(dimension++, decision));
      }
    }
    Map<String, double[]> columns = columns(asked, logger, chances);
    for (int position = 0; position < asked.positions(); position++) {
      for (Column column : task.columns().ofRow()) {
        double[] values = columns.get(column.name());
        message.putDouble(values == null ? Double.NaN : values[position]);
      }
    }
    message.putInt(id.length).put(id);
    return new ScoredDecision(decision, message.array(), logger, asked.target);
  }

  private static long next(EvaluatedDecision decision) {
    return decision.nextId().isEmpty() ? 0 : DecisionSeed.seedOf(decision.nextId());
  }

  private static double slateWeight(Asked asked) {
    return asked.knowsLogging() && asked.decision.rules().isNone()
        ? SlateWeights.ofSlate(asked.target, asked.decision.logging(), asked.decision.slate())
        : Double.NaN;
  }

  /** Numbers per position, by column; a column that is not there is not known. */
  private Map<String, double[]> columns(Asked asked, int logger, RowChances chances) {
    EvaluatedDecision decision = asked.decision;
    int[] slate = decision.slate();
    Map<String, double[]> columns = new HashMap<>();
    double[] logging = decision.rows().stream().mapToDouble(TrainingRow::propensity).toArray();
    double[] target = chances.ofSlate(decision.rules(), asked.target, slate);
    columns.put(LogColumns.LOGGING, logging);
    columns.put(LogColumns.TARGET, target);
    if (asked.baseline.length > 0) {
      columns.put(LogColumns.BASELINE, chances.ofSlate(decision.rules(), asked.baseline, slate));
    }
    if (asked.knowsLogging()) {
      putDistances(asked, chances, columns);
      if (!task.clusters().isEmpty()) {
        int[] clusters = task.clusters().of(decision.items(), asked.target.length);
        columns.put(
            LogColumns.CLUSTER_WEIGHT,
            chances.clusterWeights(
                decision.rules(), asked.target, decision.logging(), slate, clusters));
      }
      if (slate.length > 1 && decision.rules().isNone()) {
        columns.put(
            LogColumns.SLOT_WEIGHT, SlateWeights.ofSlots(asked.target, decision.logging(), slate));
      } else if (slate.length == 1) {
        columns.put(LogColumns.SLOT_WEIGHT, new double[] {target[0] / logging[0]});
      }
    }
    if (!asked.loggers.isEmpty()) {
      columns.put(LogColumns.BALANCED_WEIGHT, balanced(asked, logger, target, logging, chances));
    }
    for (int signal = 0; signal < task.signals().size(); signal++) {
      putSignal(asked, signal, chances, columns);
    }
    return columns;
  }

  private static void putDistances(Asked asked, RowChances chances, Map<String, double[]> columns) {
    double[][] distances =
        chances.distances(
            asked.decision.rules(), asked.target, asked.decision.logging(), asked.decision.slate());
    double[] divergence = new double[distances.length];
    double[] unsupported = new double[distances.length];
    double[] thin = new double[distances.length];
    for (int position = 0; position < distances.length; position++) {
      divergence[position] = distances[position][0];
      unsupported[position] = distances[position][1];
      thin[position] = distances[position][2];
    }
    columns.put(LogColumns.DIVERGENCE, divergence);
    columns.put(LogColumns.UNSUPPORTED, unsupported);
    columns.put(LogColumns.THIN, thin);
  }

  /**
   * The chance of the slate up to each position under the target over its mean chance under all
   * loggers. Not known where the logger that made the decision says that it would not have done so
   * with the logged propensity.
   */
  private double[] balanced(
      Asked asked, int logger, double[] target, double[] logging, RowChances chances) {
    double[] mean = new double[target.length];
    for (int other = 0; other < asked.loggers.size(); other++) {
      double[] conditional =
          chances.ofSlate(asked.decision.rules(), asked.loggers.get(other), asked.decision.slate());
      double prefix = task.loggerShares().get(other);
      for (int position = 0; position < mean.length; position++) {
        boolean differs =
            !(Math.abs(conditional[position] / logging[position] - 1) <= LOGGER_TOLERANCE);
        prefix = other == logger && differs ? Double.NaN : prefix * conditional[position];
        mean[position] += prefix;
      }
    }
    double[] weights = new double[target.length];
    double prefix = 1;
    for (int position = 0; position < weights.length; position++) {
      prefix *= target[position];
      weights[position] = prefix / mean[position];
    }
    return weights;
  }

  private void putSignal(
      Asked asked, int signal, RowChances chances, Map<String, double[]> columns) {
    EvaluatedDecision decision = asked.decision;
    int[] slate = decision.slate();
    String name = task.signals().get(signal);
    double[] reward = new double[slate.length];
    for (int position = 0; position < slate.length; position++) {
      reward[position] = decision.rows().get(position).rewards()[signal];
    }
    columns.put(LogColumns.REWARD + name, reward);
    if (asked.values.length == 0) {
      return;
    }
    int signals = task.signals().size();
    double[] values = new double[asked.values.length / signals];
    for (int candidate = 0; candidate < values.length; candidate++) {
      values[candidate] = asked.values[candidate * signals + signal];
    }
    double[] prediction = new double[slate.length];
    for (int position = 0; position < slate.length; position++) {
      prediction[position] = values[slate[position]];
    }
    columns.put(LogColumns.PREDICTION + name, prediction);
    columns.put(
        LogColumns.DIRECT + name, chances.means(decision.rules(), asked.target, slate, values));
    if (asked.baseline.length > 0) {
      columns.put(
          LogColumns.BASELINE_DIRECT + name,
          chances.means(decision.rules(), asked.baseline, slate, values));
    }
  }

  @Override
  public void close() {
    task.target().close();
    if (task.baseline() != null) {
      task.baseline().close();
    }
    task.loggerPolicies().forEach(TargetPolicy::close);
    task.models().forEach(PortableGraph::close);
  }
}
