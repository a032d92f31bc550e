package io.bellwether.serving.ofrep;

import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.serving.experiment.Assigned.ToVariant;
import io.bellwether.serving.experiment.Variant;
import io.bellwether.serving.request.JsonBody;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The record of a flag's evaluation: a decision among the experiment's variants. It holds no
 * features and is not learnt from, since a hash chose and no policy; outcomes join it like any
 * other.
 */
final class FlagDecision {

  private static final String MODE = "FLAG";

  private FlagDecision() {}

  /**
   * The record.
   *
   * @param deferred whether it counts only once it is known to have been shown
   */
  static Decision of(
      Evaluation evaluation, ToVariant assigned, String subjectId, Instant now, boolean deferred) {
    Surface surface = evaluation.surface().surface();
    List<String> names =
        assigned.state().declaration().variants().stream().map(Variant::name).toList();
    String chosen = assigned.variant().name();
    Decision decision = new Decision();
    decision.setDecisionId(evaluation.decisionId());
    decision.setSurface(surface.name());
    decision.setSubjectId(subjectId);
    decision.setDecidedAtMicros(micros(now));
    decision.setOutcomesUntilMicros(micros(now.plus(surface.longestWindow())));
    decision.setSurfaceDigest(surface.digest());
    decision.setFeatureDigest(evaluation.surface().layout().digest());
    decision.setContext(ByteBuffer.allocate(0));
    decision.setHistory(ByteBuffer.allocate(0));
    decision.setItems(ByteBuffer.allocate(0));
    decision.setRawContext(JsonBody.write(evaluation.attributes()));
    decision.setCandidateIds(names);
    decision.setLogits(Floats.toBytes(new float[names.size()], names.size()));
    decision.setSlate(List.of(new Placement(names.indexOf(chosen), chosen, assigned.share())));
    decision.setSeed(DecisionSeed.seedOf(evaluation.decisionId()));
    decision.setTemperature(1);
    decision.setUniform(0);
    decision.setPolicyName(surface.name());
    decision.setPolicyVersion(assigned.version());
    decision.setMode(MODE);
    decision.setPropensityKind("EXACT");
    decision.setLearnable(false);
    decision.setSampleWeight(1);
    decision.setAssignment(
        new Assignment(
            assigned.state().name(),
            assigned.phase().number(),
            chosen,
            assigned.unit(),
            assigned.bucket(),
            assigned.share(),
            assigned.forced()));
    decision.setActivation(deferred ? "DEFERRED" : "ACTIVE");
    return decision;
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
