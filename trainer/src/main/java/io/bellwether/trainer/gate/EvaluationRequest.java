package io.bellwether.trainer.gate;

import io.bellwether.evaluation.report.Looks;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.data.Selection;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.TransitionSource;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an evaluation rests on, fixed before anybody looks at the data. Immutable.
 *
 * @param surface whose objective and constraints decide
 * @param source of the logged decisions
 * @param selection which of them are read; a policy should not be judged by decisions of subjects
 *     that it learned from
 * @param alpha error probability of the verdict, in (0, 0.5)
 * @param minLift share of the baseline's value by which the target must be shown to be better;
 *     negative for "not much worse"
 * @param looks whether the report is made once, or again and again while the log grows
 * @param largestWeight what no weight of a decision exceeds, known before the log was seen;
 *     infinite where nothing is declared, and then intervals that rest on it are left out
 * @param modelSteps training steps of each fold's reward model; 0 for none, and then
 *     self-normalised importance sampling decides
 * @param estimators names of what is shown beside the estimator that decides; empty for all that
 *     suit the log
 * @param segments context features by whose values the report is split; none of them decides
 * @param clusterFeature item feature that says which items are alike; empty for none, absent for
 *     the only category or list among the item features, where there is exactly one
 * @param replicates resamples of the bootstrap
 * @param approver who answers for a pass with warnings; empty for nobody
 * @param seed of reward models, bootstrap and Monte Carlo
 */
public record EvaluationRequest(
    Surface surface,
    TransitionSource source,
    Selection selection,
    double alpha,
    double minLift,
    Looks looks,
    double largestWeight,
    long modelSteps,
    List<String> estimators,
    List<String> segments,
    @Nullable String clusterFeature,
    int replicates,
    String approver,
    long seed) {

  /** What EVALUATION.md asks of a report. */
  private static final int REPLICATES = 2000;

  public EvaluationRequest {
    estimators = List.copyOf(estimators);
    segments = List.copyOf(segments);
    if (modelSteps < 0) {
      throw new IllegalArgumentException("a reward model of " + modelSteps + " steps");
    }
    if (!(largestWeight > 0)) {
      throw new IllegalArgumentException("a largest weight is above 0, found " + largestWeight);
    }
    if (replicates < 0) {
      throw new IllegalArgumentException("a bootstrap of " + replicates + " replicates");
    }
  }

  /**
   * All decisions, 5 % error probability, any improvement, one look, no largest weight, 500 steps,
   * every estimator, no segments, 2000 replicates, nobody who answers for warnings, seed 1.
   */
  public static EvaluationRequest of(Surface surface, TransitionSource source) {
    return new EvaluationRequest(
        surface,
        source,
        Selection.all(),
        0.05,
        0,
        new Looks.Once(),
        Double.POSITIVE_INFINITY,
        500,
        List.of(),
        List.of(),
        null,
        REPLICATES,
        "",
        1);
  }

  /** Whose decisions are used. */
  public Subjects subjects() {
    return selection.subjects();
  }

  public EvaluationRequest withSelection(Selection other) {
    return changed(draft -> draft.selection = other);
  }

  public EvaluationRequest withSubjects(Subjects subjects) {
    return withSelection(
        new Selection(subjects, selection.from(), selection.to(), selection.asOf()));
  }

  /** Decisions made from one time to before another; either may be absent. */
  public EvaluationRequest withRange(@Nullable Instant from, @Nullable Instant to) {
    return withSelection(new Selection(selection.subjects(), from, to, selection.asOf()));
  }

  /** As of a time; absent for all that is known. */
  public EvaluationRequest withAsOf(@Nullable Instant time) {
    return withSelection(
        new Selection(selection.subjects(), selection.from(), selection.to(), time));
  }

  public EvaluationRequest withAlpha(double probability) {
    return changed(draft -> draft.alpha = probability);
  }

  public EvaluationRequest withMinLift(double share) {
    return changed(draft -> draft.minLift = share);
  }

  public EvaluationRequest withLooks(Looks other) {
    return changed(draft -> draft.looks = other);
  }

  public EvaluationRequest withLargestWeight(double weight) {
    return changed(draft -> draft.largestWeight = weight);
  }

  public EvaluationRequest withModelSteps(long steps) {
    return changed(draft -> draft.modelSteps = steps);
  }

  public EvaluationRequest withEstimators(List<String> names) {
    return changed(draft -> draft.estimators = names);
  }

  public EvaluationRequest withSegments(List<String> features) {
    return changed(draft -> draft.segments = features);
  }

  public EvaluationRequest withClusterFeature(@Nullable String feature) {
    return changed(draft -> draft.clusterFeature = feature);
  }

  public EvaluationRequest withReplicates(int count) {
    return changed(draft -> draft.replicates = count);
  }

  public EvaluationRequest withApprover(String name) {
    return changed(draft -> draft.approver = name);
  }

  public EvaluationRequest withSeed(long other) {
    return changed(draft -> draft.seed = other);
  }

  private EvaluationRequest changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.request();
  }

  private static final class Draft {
    final Surface surface;
    final TransitionSource source;
    Selection selection;
    double alpha;
    double minLift;
    Looks looks;
    double largestWeight;
    long modelSteps;
    List<String> estimators;
    List<String> segments;
    @Nullable String clusterFeature;
    int replicates;
    String approver;
    long seed;

    Draft(EvaluationRequest request) {
      surface = request.surface;
      source = request.source;
      selection = request.selection;
      alpha = request.alpha;
      minLift = request.minLift;
      looks = request.looks;
      largestWeight = request.largestWeight;
      modelSteps = request.modelSteps;
      estimators = request.estimators;
      segments = request.segments;
      clusterFeature = request.clusterFeature;
      replicates = request.replicates;
      approver = request.approver;
      seed = request.seed;
    }

    EvaluationRequest request() {
      return new EvaluationRequest(
          surface,
          source,
          selection,
          alpha,
          minLift,
          looks,
          largestWeight,
          modelSteps,
          estimators,
          segments,
          clusterFeature,
          replicates,
          approver,
          seed);
    }
  }
}
