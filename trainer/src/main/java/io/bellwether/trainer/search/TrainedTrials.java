package io.bellwether.trainer.search;

import io.bellwether.evaluation.report.Bounds;
import io.bellwether.evaluation.report.Certificate;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.evaluation.report.SignalEstimate;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.TransitionSource;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.EvaluationRequest;
import io.bellwether.trainer.gate.OfflineEvaluation;
import io.bellwether.trainer.gate.ScoredTarget;
import io.bellwether.trainer.gate.TargetPolicy;
import io.bellwether.trainer.job.Training;
import io.bellwether.trainer.job.TrainingFailed;
import io.bellwether.trainer.job.TrainingRequest;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Trains on what was decided before the split, into a store of the search's own, and judges by the
 * decisions from then on.
 */
final class TrainedTrials implements Trials {

  private final SearchRequest request;
  private final SearchPlan plan;
  private final SearchFolder folder;
  private final Clock clock;
  private final String codeVersion;
  private final TransitionSource source;
  private final PolicyStore store;

  TrainedTrials(
      SearchRequest request,
      SearchPlan plan,
      SearchFolder folder,
      Clock clock,
      String codeVersion) {
    this.request = request;
    this.plan = plan;
    this.folder = folder;
    this.clock = clock;
    this.codeVersion = codeVersion;
    this.source = plan.pinned(request.source());
    this.store = new PolicyStore(folder.store(), clock);
  }

  @Override
  public Trial run(Step step, Draw draw) throws IOException {
    long startedNanos = System.nanoTime();
    VersionId version;
    try {
      version = trained(step, draw);
    } catch (TrainingFailed e) {
      if (step.equals(Step.BASELINE)) {
        throw e;
      }
      String reason = String.valueOf(e.getMessage());
      return trial(step, draw, Trial.Standing.FAILED, null, List.of(), "", reason, startedNanos);
    }
    try (TargetPolicy target = target(version)) {
      OffPolicyReport report = evaluate(target, null, request().withReplicates(0)).report();
      List<String> broken = broken(report);
      Optional<SignalEstimate> objective = objective(report);
      return trial(
          step,
          draw,
          broken.isEmpty() ? Trial.Standing.KEEPS : Trial.Standing.BREAKS,
          objective.orElse(null),
          broken,
          version.value(),
          objective.isPresent() ? "" : "no estimate of the objective",
          startedNanos);
    }
  }

  private VersionId trained(Step step, Draw draw) throws IOException {
    TrainingRequest training =
        TrainingRequest.of(request.surface(), source, draw.method(), folder.run(step))
            .withSeed(request.seed())
            .withEpochs(draw.epochs(step.rung()))
            .withBatchSize(draw.batchSize())
            .withParallelism(request.parallelism())
            .withDecidedBefore(plan.split());
    return new Training(store, clock, codeVersion, line -> {}).run(training).id();
  }

  private static Trial trial(
      Step step,
      Draw draw,
      Trial.Standing standing,
      @Nullable SignalEstimate objective,
      List<String> broken,
      String version,
      String reason,
      long startedNanos) {
    OptionalDouble value =
        objective == null ? OptionalDouble.empty() : objective.estimate().point();
    Bounds.@Nullable Within within =
        objective != null && objective.interval() instanceof Bounds.Within known ? known : null;
    return new Trial(
        step.draw(),
        step.rung(),
        draw.method(),
        draw.epochs(step.rung()),
        draw.batchSize(),
        standing,
        value.isPresent() ? value.getAsDouble() : null,
        within == null ? null : within.interval().lower(),
        within == null ? null : within.interval().upper(),
        broken,
        version,
        reason,
        (System.nanoTime() - startedNanos) / 1e9);
  }

  /** The objective's value under the target, by the estimator that decides. */
  private static Optional<SignalEstimate> objective(OffPolicyReport report) {
    return report.overall().stream()
        .filter(each -> each.policy().equals("target"))
        .filter(each -> each.signal().equals(report.terms().objective().signal()))
        .filter(each -> each.estimator().equals(report.terms().primary()))
        .findFirst();
  }

  /** By the estimates: what is uncertain is the gate's to judge. */
  private static List<String> broken(OffPolicyReport report) {
    List<String> broken = new ArrayList<>();
    for (Certificate promise : report.constraints()) {
      OptionalDouble margin = promise.margin().estimate().point();
      if (margin.isEmpty() || margin.getAsDouble() < 0) {
        broken.add(promise.constraint().signal());
      }
    }
    return broken;
  }

  /** What judges: the decisions from the split on. */
  EvaluationRequest request() {
    return EvaluationRequest.of(request.surface(), source)
        .withRange(plan.split(), plan.end())
        .withModelSteps(request.modelSteps())
        .withSeed(request.seed());
  }

  /** A policy of the search; the caller closes it. */
  TargetPolicy target(VersionId version) {
    return ScoredTarget.open(store, version, request.surface());
  }

  /** A policy beside another one, or beside the logging policy. */
  EvaluationRecord evaluate(
      TargetPolicy target, @Nullable TargetPolicy other, EvaluationRequest evaluation)
      throws IOException {
    OfflineEvaluation judge =
        new OfflineEvaluation(
            clock, codeVersion, folder.evaluations(), request.parallelism(), line -> {});
    return other == null
        ? judge.evaluate(evaluation, target)
        : judge.evaluate(evaluation, target, other);
  }
}
