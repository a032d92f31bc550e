package io.bellwether.trainer.imports;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureEncoder;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.Surface;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows of one Open Bandit log as decisions of the surface {@code open-bandit}: the candidates
 * are all items of the campaign, the slate is the one item, its propensity is the logged one.
 *
 * <p>Nobody says which rows are one person's, so each row is a subject and a session of its own,
 * truncated after one step. Uniform logs have exact propensities, Thompson sampling's come from
 * simulation. Logits are zeros: how the logging policy scored was not logged. The time of a click
 * is not known either; it counts as the time of its decision. Confined to one thread.
 */
final class OpenBanditTransitions {

  static final String MODE = "IMPORTED";
  private static final String CLICK = "click";

  private final OpenBanditFiles.Log log;
  private final Surface surface;
  private final OpenBanditItems items;
  private final FeatureLayout layout;
  private final FeatureEncoder contexts;
  private final ByteBuffer logits;
  private final long windowMicros;

  OpenBanditTransitions(OpenBanditFiles.Log log, Surface surface, OpenBanditItems items) {
    this.log = log;
    this.surface = surface;
    this.items = items;
    this.layout = FeatureLayout.of(surface);
    this.contexts = new FeatureEncoder(surface.context());
    this.logits = Floats.toBytes(new float[items.count()], items.count());
    this.windowMicros = surface.longestWindow().toNanos() / 1000;
  }

  /**
   * The transition of a row.
   *
   * @param number the row's 0-based place in its file
   * @throws UnreadableLine when the surface does not accept the row's context
   */
  Transition of(long number, OpenBanditRow row) throws UnreadableLine {
    String id = "obd-" + log.name() + "-" + number;
    List<SignalValue> signals = new ArrayList<>();
    if (row.clicked()) {
      signals.add(
          SignalValue.newBuilder()
              .setSignal(CLICK)
              .setPosition(0)
              .setValue(1)
              .setOutcomes(1)
              .build());
    }
    return Transition.newBuilder()
        .setDecision(decision(id, number, row))
        .setSignals(signals)
        .setOutcomeCount(signals.size())
        .setSessionId(id)
        .setStep(0)
        .setNextDecisionId(null)
        .setTerminated(false)
        .setTruncated(true)
        .setJoinedAtMicros(row.decidedAtMicros() + windowMicros)
        .build();
  }

  /** The outcome behind a transition's signal; empty where nobody clicked. */
  Optional<Outcome> outcome(Transition transition) {
    if (transition.getSignals().isEmpty()) {
      return Optional.empty();
    }
    Decision decision = transition.getDecision();
    return Optional.of(
        Outcome.newBuilder()
            .setOutcomeId(decision.getDecisionId() + "-" + CLICK)
            .setDecisionId(decision.getDecisionId())
            .setItemId(decision.getSlate().get(0).getItemId())
            .setSignal(CLICK)
            .setValue(1)
            .setOccurredAtMicros(decision.getDecidedAtMicros())
            .setReceivedAtMicros(decision.getDecidedAtMicros())
            .build());
  }

  private Decision decision(String id, long number, OpenBanditRow row) throws UnreadableLine {
    boolean uniform = log.policy().equals("random");
    ObjectNode context = context(row);
    float[] encoded = items.encoded(row.affinities());
    return Decision.newBuilder()
        .setDecisionId(id)
        .setSurface(surface.name())
        .setSubjectId(log.name() + "-row-" + number)
        .setDecidedAtMicros(row.decidedAtMicros())
        .setOutcomesUntilMicros(row.decidedAtMicros() + windowMicros)
        .setSurfaceDigest(surface.digest())
        .setFeatureDigest(layout.digest())
        .setContext(encoded(context))
        .setHistory(ByteBuffer.allocate(0))
        .setItems(Floats.toBytes(encoded, encoded.length))
        .setRawContext(context.toString())
        .setRawItems(null)
        .setCandidateIds(items.ids())
        .setLogits(logits)
        .setSlate(
            List.of(
                Placement.newBuilder()
                    .setCandidate(row.item())
                    .setItemId(items.ids().get(row.item()))
                    .setPropensity(row.propensity())
                    .build()))
        .setSeed(0)
        .setTemperature(1)
        .setUniform(uniform ? 1 : 0)
        .setPolicyName("open-bandit-" + log.policy())
        .setPolicyVersion("open-bandit-" + log.name())
        .setMode(MODE)
        .setPropensityKind(uniform ? "EXACT" : "MONTE_CARLO")
        .build();
  }

  private ObjectNode context(OpenBanditRow row) {
    ObjectNode context = JsonNodeFactory.instance.objectNode();
    context.put("place", Integer.toString(row.place())).put("campaign", log.campaign());
    for (int i = 0; i < row.userFeatures().size(); i++) {
      if (!row.userFeatures().get(i).isEmpty()) {
        context.put("user_feature_" + i, row.userFeatures().get(i));
      }
    }
    return context;
  }

  private ByteBuffer encoded(ObjectNode context) throws UnreadableLine {
    float[] row = new float[contexts.width()];
    List<Violation> violations = new ArrayList<>();
    contexts.encode(context, "#/context", row, 0, violations);
    if (!violations.isEmpty()) {
      Violation violation = violations.get(0);
      throw new UnreadableLine(
          "the surface refuses it: " + violation.pointer() + " " + violation.detail());
    }
    return Floats.toBytes(row, row.length);
  }
}
