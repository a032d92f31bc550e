package io.bellwether.trainer.gate;

import io.bellwether.evaluation.report.Constraint;
import io.bellwether.evaluation.report.EvaluationPlan;
import io.bellwether.evaluation.report.Objective;
import io.bellwether.evaluation.report.Range;
import io.bellwether.ingestion.surface.Constraint.Direction;
import io.bellwether.ingestion.surface.Signal;
import java.util.List;

/** What a surface's declaration asks of a policy, in the words of the evaluation. */
final class SurfacePlan {

  private SurfacePlan() {}

  static EvaluationPlan of(EvaluationRequest request) {
    List<Constraint> promises =
        request.surface().constraints().stream().map(SurfacePlan::promise).toList();
    EvaluationPlan plan =
        EvaluationPlan.of(
                Objective.maximize(request.surface().objective().signal())
                    .withRelativeMinLift(request.minLift()))
            .withConstraints(promises)
            .withAlpha(request.alpha())
            .withLooks(request.looks())
            .withLargestWeight(request.largestWeight())
            .withSegments(request.segments())
            .withBootstrap(request.replicates(), request.seed())
            .withApprover(request.approver());
    if (!request.estimators().isEmpty()) {
      plan = plan.withEstimatorNames(request.estimators());
    }
    for (Signal signal : request.surface().signals()) {
      if (signal.type() == Signal.Type.FLAG) {
        plan = plan.withRange(signal.name(), Range.FLAG);
      } else if (Double.isFinite(signal.min()) && Double.isFinite(signal.max())) {
        plan = plan.withRange(signal.name(), new Range(signal.min(), signal.max()));
      }
    }
    return plan;
  }

  private static Constraint promise(io.bellwether.ingestion.surface.Constraint declared) {
    String signal = declared.signal();
    double bound = declared.bound();
    if (declared.direction() == Direction.AT_LEAST) {
      return declared.relative()
          ? Constraint.atLeastOfBaseline(signal, bound)
          : Constraint.atLeast(signal, bound);
    }
    return declared.relative()
        ? Constraint.atMostOfBaseline(signal, bound)
        : Constraint.atMost(signal, bound);
  }
}
