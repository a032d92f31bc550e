package io.bellwether.trainer.gate;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.Progress;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.RewardModel;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.algorithm.TrainingPlan;
import io.bellwether.trainer.data.LearnerColumns;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.data.TrainingRow;
import io.bellwether.trainer.export.OnnxExporter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Fits the reward models of all folds side by side, on the sample of a log. The result depends on
 * nothing but the request and the sample. Confined to one thread.
 */
final class FitRewardModels {

  /** Fewer decisions than this on one side teach a model nothing. */
  private static final int LEAST_DECISIONS = 10;

  private static final String LOSS = "critic.loss";

  private final EvaluationRequest request;
  private final Consumer<String> progress;

  /**
   * @param progress takes a line now and then, from any thread
   */
  FitRewardModels(EvaluationRequest request, Consumer<String> progress) {
    this.request = request;
    this.progress = progress;
  }

  /** The models; none where a fold is too small to learn from. */
  RewardModels on(List<EvaluatedDecision> sample) {
    List<List<EvaluatedDecision>> others = new ArrayList<>();
    for (int fold = 0; fold < RewardModels.FOLDS; fold++) {
      int predicted = fold;
      others.add(
          sample.stream()
              .filter(decision -> RewardModels.foldOf(decision.unit()) != predicted)
              .toList());
      if (others.get(fold).size() < LEAST_DECISIONS) {
        progress.accept("no reward model: too few decisions to learn from");
        return RewardModels.none();
      }
    }
    Steps steps = new Steps();
    List<Fitted> fitted =
        IntStream.range(0, RewardModels.FOLDS)
            .parallel()
            .mapToObj(fold -> fit(fold, others.get(fold), steps))
            .toList();
    return new RewardModels(
        fitted.stream().map(Fitted::graph).toList(), fitted.stream().map(Fitted::curve).toList());
  }

  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  private record Fitted(byte[] graph, LearningCurve curve) {}

  /** How far all folds are together. Thread-safe. */
  private final class Steps implements ProgressListener {

    private final AtomicLong reports = new AtomicLong();

    @Override
    public void onProgress(Progress report) {
      // all folds report at the same steps
      if (reports.incrementAndGet() % RewardModels.FOLDS == 0) {
        progress.accept(
            "reward models: step %d of %d, %d %%"
                .formatted(
                    report.step(),
                    request.modelSteps(),
                    100 * report.step() / request.modelSteps()));
      }
    }
  }

  private Fitted fit(int fold, List<EvaluatedDecision> decisions, Steps steps) {
    List<TrainingRow> rows =
        decisions.stream()
            .flatMap(decision -> decision.rows().stream())
            .sorted(Comparator.comparingLong(TrainingRow::rowId))
            .toList();
    TrainedPolicy model =
        new Learner(OrtEnvironment.getEnvironment())
            .train(
                new RewardModel(),
                SurfaceSchema.network(request.surface()),
                LearnerColumns.unlinked(rows),
                TrainingPlan.of(request.seed(), request.modelSteps()),
                steps);
    List<LearningCurve.Point> points = new ArrayList<>();
    for (Progress report : model.history()) {
      points.add(
          new LearningCurve.Point(report.step(), report.gauges().getOrDefault(LOSS, Double.NaN)));
    }
    points.removeIf(point -> !Double.isFinite(point.loss()));
    return new Fitted(
        new OnnxExporter().export(model, new TreeMap<>()),
        new LearningCurve(fold, decisions.size(), points));
  }
}
