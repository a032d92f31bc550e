package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.serving.experiment.Assigned;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes down what was done: the record that is logged, and from which the answer is read. */
final class DecisionRecord {

  static final String DEFERRED = "DEFERRED";
  private static final String ACTIVE = "ACTIVE";

  private DecisionRecord() {}

  /**
   * The record of a slate, complete but for the candidates' features, which are written when it is
   * encoded.
   *
   * @param degraded why the answer is less than full; null where it is full
   */
  static Decision of(Situation situation, Drawn drawn, @Nullable Degraded degraded) {
    Question question = situation.question();
    DecisionRequest request = situation.request();
    Considered considered = situation.considered();
    Surface surface = situation.surface().surface();
    Scores scores = drawn.scores();
    Instant now = question.occasion().now();
    Decision decision = new Decision();
    decision.setDecisionId(request.decisionId());
    decision.setSurface(surface.name());
    decision.setSubjectId(request.subjectId());
    decision.setDecidedAtMicros(micros(now));
    decision.setOutcomesUntilMicros(micros(now.plus(surface.longestWindow())));
    decision.setSurfaceDigest(surface.digest());
    decision.setFeatureDigest(situation.surface().layout().digest());
    decision.setContext(Floats.toBytes(request.context(), request.context().length));
    decision.setHistory(Floats.toBytes(situation.history(), situation.history().length));
    decision.setRawContext(request.sent().json());
    decision.setRawItems(considered.rawItems());
    decision.setCandidateIds(considered.ids());
    decision.setLogits(Floats.toBytes(scores.logits(), scores.logits().length));
    decision.setSlate(placements(considered.ids(), drawn.slate()));
    decision.setSeed(question.seed());
    decision.setTemperature(scores.exploration().temperature());
    decision.setUniform(drawn.uniform());
    decision.setPolicyName(surface.name());
    decision.setPolicyVersion(scores.version());
    decision.setMode(drawn.manner().mode());
    decision.setDegraded(degraded);
    decision.setPropensityKind(drawn.manner().propensityKind());
    decision.setLearnable(drawn.manner().learnable() && !request.deferred());
    decision.setSampleWeight(1.0);
    decision.setRequestDigest(request.digest());
    decision.setActivation(request.deferred() ? DEFERRED : ACTIVE);
    if (question.assigned() instanceof Assigned.ToVariant variant) {
      decision.setAssignment(assignment(variant));
    }
    decision.setRules(considered.trace());
    decision.setRetrieval(considered.retrieval());
    decision.setStages(question.clock().stages());
    decision.setTraceId(question.traceId());
    return decision;
  }

  private static List<Placement> placements(List<String> ids, Slate slate) {
    List<Placement> placements = new ArrayList<>(slate.size());
    for (int position = 0; position < slate.size(); position++) {
      int candidate = slate.candidates()[position];
      placements.add(new Placement(candidate, ids.get(candidate), slate.propensities()[position]));
    }
    return placements;
  }

  private static Assignment assignment(Assigned.ToVariant assigned) {
    return new Assignment(
        assigned.state().name(),
        assigned.phase().number(),
        assigned.variant().name(),
        assigned.unit(),
        assigned.bucket(),
        assigned.share(),
        assigned.forced());
  }

  static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
