package io.bellwether.trainer.gate;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.RewardModel;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.algorithm.TrainingPlan;
import io.bellwether.trainer.data.LearnerColumns;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.data.TrainingRow;
import io.bellwether.trainer.export.OnnxExporter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Reward models in two folds of subjects: each predicts the decisions of the fold that it has not
 * seen, so that no prediction knows the reward that it is held against. Folds are a function of the
 * subject alone. Confined to one thread; predictions use all cores.
 */
final class CrossFittedModels {

  private static final int FOLDS = 2;
  private static final long FOLD_TAG = 903;

  /** Fewer decisions than this on one side teach a model nothing. */
  private static final int LEAST_DECISIONS = 10;

  private final EvaluationRequest request;
  private final Consumer<String> progress;

  CrossFittedModels(EvaluationRequest request, Consumer<String> progress) {
    this.request = request;
    this.progress = progress;
  }

  /**
   * What the models say about each decision.
   *
   * @param target the target's chances per decision, {@code [candidates]} each
   * @param baseline the baseline's; empty where the logging policy is the baseline
   * @return one per decision; empty where a fold is too small to learn from
   */
  List<RewardTerms> of(EvaluatedLog log, List<double[]> target, List<double[]> baseline) {
    List<Subject> subjects =
        IntStream.range(0, log.decisions().size())
            .mapToObj(
                i ->
                    new Subject(
                        i,
                        log.decisions().get(i),
                        target.get(i),
                        baseline.isEmpty() ? new double[0] : baseline.get(i)))
            .toList();
    RewardTerms[] terms = new RewardTerms[subjects.size()];
    for (int fold = 0; fold < FOLDS; fold++) {
      int predicted = fold;
      List<Subject> mine = subjects.stream().filter(s -> s.fold() == predicted).toList();
      List<Subject> others = subjects.stream().filter(s -> s.fold() != predicted).toList();
      if (others.size() < LEAST_DECISIONS) {
        progress.accept("no reward model: too few decisions to learn from");
        return List.of();
      }
      try (Scorer model = train(others)) {
        List<RewardTerms> ofFold = InParallel.map(mine, batch -> predict(model, batch));
        for (int i = 0; i < mine.size(); i++) {
          terms[mine.get(i).index()] = ofFold.get(i);
        }
      }
      progress.accept("reward model " + (fold + 1) + " of " + FOLDS);
    }
    return Arrays.asList(terms);
  }

  /** One decision with the chances under both policies. */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  private record Subject(
      int index, EvaluatedDecision decision, double[] target, double[] baseline) {

    int fold() {
      return CounterRandom.uniform(decision.unit(), FOLD_TAG, 0, 0, 0) < 0.5 ? 0 : 1;
    }
  }

  private Scorer train(List<Subject> subjects) {
    List<TrainingRow> rows =
        subjects.stream()
            .flatMap(subject -> subject.decision().rows().stream())
            .sorted(Comparator.comparingLong(TrainingRow::rowId))
            .toList();
    TrainedPolicy model =
        new Learner(OrtEnvironment.getEnvironment())
            .train(
                new RewardModel(),
                SurfaceSchema.network(request.surface()),
                LearnerColumns.unlinked(rows),
                TrainingPlan.of(request.seed(), request.modelSteps()),
                ProgressListener.NONE);
    return Scorer.open(
        new OnnxExporter().export(model, new TreeMap<>()), SurfaceSchema.policy(request.surface()));
  }

  private static List<RewardTerms> predict(Scorer model, List<Subject> subjects) {
    ScoringBatch batch = new ScoringBatch(model.schema());
    for (Subject subject : subjects) {
      EvaluatedDecision decision = subject.decision();
      batch.add(decision.context(), decision.history(), decision.items());
    }
    ScoredBatch scored = model.score(batch);
    RowChances chances = new RowChances();
    List<RewardTerms> terms = new ArrayList<>(subjects.size());
    for (int i = 0; i < subjects.size(); i++) {
      terms.add(terms(subjects.get(i), scored, i, model.schema().signals().size(), chances));
    }
    return terms;
  }

  private static RewardTerms terms(
      Subject subject, ScoredBatch scored, int request, int signals, RowChances chances) {
    int[] slate = subject.decision().slate();
    boolean hasBaseline = subject.baseline().length > 0;
    double[][] prediction = new double[signals][slate.length];
    double[][] direct = new double[signals][];
    double[][] baselineDirect = new double[hasBaseline ? signals : 0][];
    int from = scored.from(request);
    double[] values = new double[scored.to(request) - from];
    for (int signal = 0; signal < signals; signal++) {
      for (int i = 0; i < values.length; i++) {
        values[i] = scored.value(from + i, signal);
      }
      for (int position = 0; position < slate.length; position++) {
        prediction[signal][position] = values[slate[position]];
      }
      direct[signal] = chances.means(subject.target(), slate, values);
      if (hasBaseline) {
        baselineDirect[signal] = chances.means(subject.baseline(), slate, values);
      }
    }
    return new RewardTerms(prediction, direct, baselineDirect);
  }
}
