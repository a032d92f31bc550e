package io.bellwether.trainer.exports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.imports.vw.ItemFeatures;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Transitions as JSON for people and tools. Features are as they were sent; those of registered
 * items are read back from the encoded ones, where a hashed category is known by its bucket alone.
 * Immutable.
 */
final class LoggedJson {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ItemFeatures itemFeatures;
  private final String featureDigest;
  private final int itemWidth;

  LoggedJson(Surface surface) {
    FeatureLayout layout = FeatureLayout.of(surface);
    this.itemFeatures = new ItemFeatures(surface.item());
    this.featureDigest = layout.digest();
    this.itemWidth = layout.itemWidth();
  }

  /** The whole transition as one object. */
  ObjectNode of(Transition transition) {
    Decision decision = transition.getDecision();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("decision_id", decision.getDecisionId());
    json.put("surface", decision.getSurface());
    json.put("subject_id", decision.getSubjectId());
    json.put("decided_at", time(decision.getDecidedAtMicros()));
    json.put("policy_name", decision.getPolicyName());
    json.put("policy_version", decision.getPolicyVersion());
    json.put("mode", decision.getMode());
    json.put("learnable", decision.getLearnable());
    json.put("sample_weight", decision.getSampleWeight());
    json.set("context", context(decision));
    ArrayNode candidates = json.putArray("candidates");
    List<ObjectNode> features = features(decision);
    for (int i = 0; i < features.size(); i++) {
      candidates
          .addObject()
          .put("id", decision.getCandidateIds().get(i))
          .set("features", features.get(i));
    }
    ArrayNode shown = json.putArray("shown");
    decision.getSlate().forEach(placement -> shown.add(placement.getItemId()));
    json.put("propensity_kind", decision.getPropensityKind());
    if (!decision.getPropensityKind().equals("NONE")) {
      ArrayNode propensity = json.putArray("propensity");
      for (Placement placement : decision.getSlate()) {
        propensity.add(placement.getPropensity());
      }
    }
    addSignals(json, transition);
    json.put("session_id", transition.getSessionId());
    json.put("step", transition.getStep());
    json.put("next_decision_id", transition.getNextDecisionId());
    json.put("terminated", transition.getTerminated());
    json.put("truncated", transition.getTruncated());
    return json;
  }

  /** Values per shown item, null where none was observed; those of whole slates apart. */
  private static void addSignals(ObjectNode json, Transition transition) {
    int positions = transition.getDecision().getSlate().size();
    ObjectNode signals = json.putObject("signals");
    ObjectNode whole = json.putObject("slate_signals");
    for (SignalValue value : transition.getSignals()) {
      if (value.getPosition() < 0) {
        whole.put(value.getSignal(), value.getValue());
        continue;
      }
      ArrayNode values =
          signals.get(value.getSignal()) instanceof ArrayNode there
              ? there
              : signals.putArray(value.getSignal());
      while (values.size() < positions) {
        values.addNull();
      }
      values.set(value.getPosition(), JsonNodeFactory.instance.numberNode(value.getValue()));
    }
  }

  /** The context as it was sent. */
  JsonNode context(Decision decision) {
    return parsed(decision.getRawContext(), decision.getDecisionId());
  }

  /** Features of each candidate; empty ones where nothing tells them. */
  List<ObjectNode> features(Decision decision) {
    int candidates = decision.getCandidateIds().size();
    if (decision.getRawItems() != null) {
      JsonNode raw = parsed(decision.getRawItems(), decision.getDecisionId());
      return java.util.stream.IntStream.range(0, candidates)
          .mapToObj(
              i ->
                  raw.get(i) instanceof ObjectNode object
                      ? object
                      : JsonNodeFactory.instance.objectNode())
          .toList();
    }
    boolean readable =
        decision.getFeatureDigest().equals(featureDigest)
            && decision.getItems().remaining() == candidates * itemWidth * Float.BYTES;
    float[] rows = readable ? Floats.of(decision.getItems()) : new float[0];
    return java.util.stream.IntStream.range(0, candidates)
        .mapToObj(
            i ->
                readable
                    ? itemFeatures.decode(rows, i * itemWidth)
                    : JsonNodeFactory.instance.objectNode())
        .toList();
  }

  private static JsonNode parsed(String json, String decisionId) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "decision " + decisionId + " holds features that are no JSON", e);
    }
  }

  static String time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }
}
