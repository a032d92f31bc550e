package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes transitions as dsjson: a slate of one item as a contextual bandit, a longer one as a
 * conditional contextual bandit with a slot per position. {@link DsjsonReader} reads back the same
 * decisions.
 *
 * <p>The reward is the surface's objective; other signals have no place. A value of the slate as a
 * whole adds to the only position's, and stands in the line's own {@code _label_cost} where there
 * are several, which VW itself does not read. History is not a feature. {@code ns-name} is written
 * as {@code name} inside namespace {@code ns}; a weight above 1 as {@code pdrop}. The whole
 * distribution of a position is written where the logged scores give the logged propensity, and
 * otherwise only the chosen item's chance: rules and other things may have shaped it.
 *
 * <p>Immutable and thread-safe.
 */
public final class DsjsonExport {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double SAME_CHANCE = 1e-4;

  /**
   * Key of the propensities' kind where they are not exact: ours, and one that VW passes over.
   * Without it, an estimate would come back as the real thing.
   */
  static final String KIND = "_propensity_kind";

  private final String objective;
  private final String featureDigest;
  private final int itemWidth;
  private final ItemFeatures itemFeatures;

  /** What became of a transition. */
  public sealed interface Exported {}

  /** A line without its ending. */
  public record Line(String json) implements Exported {}

  /**
   * Something that dsjson cannot say.
   *
   * @param reason what was found and what would be right
   */
  public record LeftOut(String reason) implements Exported {}

  /**
   * @param surface of the transitions
   */
  public DsjsonExport(Surface surface) {
    FeatureLayout layout = FeatureLayout.of(surface);
    this.objective = surface.objective().signal();
    this.featureDigest = layout.digest();
    this.itemWidth = layout.itemWidth();
    this.itemFeatures = new ItemFeatures(surface.item());
  }

  /** The line of a transition. */
  public Exported export(Transition transition) {
    Decision decision = transition.getDecision();
    String reason = obstacle(decision);
    if (reason != null) {
      return new LeftOut(decision.getDecisionId() + " " + reason);
    }
    try {
      return new Line(JSON.writeValueAsString(line(transition, decision)));
    } catch (JsonProcessingException e) {
      return new LeftOut(
          decision.getDecisionId() + " holds features that are no JSON: " + e.getOriginalMessage());
    }
  }

  private static @Nullable String obstacle(Decision decision) {
    if (decision.getMode().equals("FLAG")) {
      return "is a variant of a flag, not a choice among candidates";
    }
    if (decision.getSlate().isEmpty()) {
      return "shows nothing, must show one item at least";
    }
    if (decision.getPropensityKind().equals("NONE")) {
      return "has no propensities, which dsjson must have";
    }
    if (decision.getPropensityKind().equals("DETERMINISTIC")) {
      return "was certain and no draw: a propensity of 1 would say that it was sampled";
    }
    if (!(decision.getSampleWeight() >= 1)) {
      return "has the weight " + decision.getSampleWeight() + ", dsjson can say weights from 1 on";
    }
    for (Placement placement : decision.getSlate()) {
      if (!(placement.getPropensity() > 0 && placement.getPropensity() <= 1)) {
        return "has the propensity " + placement.getPropensity() + ", must be in (0, 1]";
      }
    }
    return null;
  }

  private ObjectNode line(Transition transition, Decision decision) throws JsonProcessingException {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    boolean single = decision.getSlate().size() == 1;
    double[] rewards = new double[decision.getSlate().size()];
    double whole = 0;
    for (SignalValue value : transition.getSignals()) {
      if (value.getSignal().equals(objective)) {
        if (value.getPosition() >= 0 && value.getPosition() < rewards.length) {
          rewards[value.getPosition()] += value.getValue();
        } else {
          whole += value.getValue();
        }
      }
    }
    if (single) {
      addLabel(line, decision, rewards[0] + whole);
    } else if (whole != 0) {
      line.put("_label_cost", -whole);
    }
    line.put("Version", "1");
    line.put("EventId", decision.getDecisionId());
    line.put(
        "Timestamp",
        Instant.EPOCH.plus(decision.getDecidedAtMicros(), ChronoUnit.MICROS).toString());
    if (!decision.getPropensityKind().equals(Propensities.EXACT.name())) {
      line.put(KIND, decision.getPropensityKind());
    }
    if (!decision.getLearnable()) {
      line.put("_skipLearn", true);
    }
    if (single) {
      addChances(line, "a", "p", 1, chances(decision)[0]);
    }
    line.set("c", context(decision));
    if (single) {
      line.set("o", outcomes(transition, -1, decision.getDecisionId()));
    } else {
      addOutcomes(line.putArray("_outcomes"), transition, rewards);
    }
    if (decision.getSampleWeight() > 1) {
      line.put("pdrop", 1 - 1 / decision.getSampleWeight());
    }
    line.putObject("VWState").put("m", decision.getPolicyVersion());
    return line;
  }

  private static void addLabel(ObjectNode line, Decision decision, double reward) {
    Placement placement = decision.getSlate().get(0);
    line.put("_label_cost", -reward);
    line.put("_label_probability", placement.getPropensity());
    line.put("_label_Action", placement.getCandidate() + 1);
    line.put("_labelIndex", placement.getCandidate());
  }

  private void addOutcomes(ArrayNode slots, Transition transition, double[] rewards) {
    Decision decision = transition.getDecision();
    Chances[] chances = chances(decision);
    for (int position = 0; position < rewards.length; position++) {
      ObjectNode slot = slots.addObject();
      slot.put("_label_cost", -rewards[position]);
      addChances(slot, "_a", "_p", 0, chances[position]);
      slot.set("_o", outcomes(transition, position, decision.getDecisionId()));
    }
  }

  /** The outcomes behind the reward; of all positions where {@code position} is -1. */
  private ArrayNode outcomes(Transition transition, int position, String id) {
    ArrayNode outcomes = JsonNodeFactory.instance.arrayNode();
    for (Observation observation : transition.getOutcomes()) {
      if (observation.getSignal().equals(objective)
          && (position < 0 || observation.getPosition() == position)) {
        outcomes.addObject().put("v", observation.getValue()).put("EventId", id);
      }
    }
    return outcomes;
  }

  /**
   * The chances at one position.
   *
   * @param candidates the chosen one first
   * @param chances of these, as many
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Chances(int[] candidates, double[] chances) {}

  private static void addChances(
      ObjectNode holder, String candidates, String chances, int base, Chances at) {
    ArrayNode numbers = holder.putArray(candidates);
    ArrayNode probabilities = holder.putArray(chances);
    for (int i = 0; i < at.candidates().length; i++) {
      numbers.add(at.candidates()[i] + base);
      probabilities.add(at.chances()[i]);
    }
  }

  private static Chances[] chances(Decision decision) {
    List<Placement> slate = decision.getSlate();
    Chances[] result = new Chances[slate.size()];
    double[] weights = decision.getRules() == null ? weights(decision) : new double[0];
    double left = 0;
    for (double weight : weights) {
      left += weight;
    }
    for (int position = 0; position < result.length; position++) {
      int chosen = slate.get(position).getCandidate();
      double propensity = slate.get(position).getPropensity();
      boolean agrees =
          chosen < weights.length
              && Math.abs(weights[chosen] / left - propensity) <= SAME_CHANCE * propensity;
      result[position] =
          agrees
              ? all(weights, left, chosen, propensity)
              : new Chances(new int[] {chosen}, new double[] {propensity});
      if (chosen < weights.length) {
        left -= weights[chosen];
        weights[chosen] = 0;
      }
    }
    return result;
  }

  private static Chances all(double[] weights, double left, int chosen, double propensity) {
    int open = 0;
    for (double weight : weights) {
      open += weight > 0 ? 1 : 0;
    }
    int[] candidates = new int[open];
    double[] chances = new double[open];
    candidates[0] = chosen;
    chances[0] = propensity;
    int next = 1;
    for (int i = 0; i < weights.length; i++) {
      if (i != chosen && weights[i] > 0) {
        candidates[next] = i;
        chances[next++] = weights[i] / left;
      }
    }
    return new Chances(candidates, chances);
  }

  /** Each candidate's chance at the first position; empty where the scores do not give it. */
  private static double[] weights(Decision decision) {
    float[] logits = Floats.of(decision.getLogits());
    double[] weights = new double[logits.length];
    if (logits.length != decision.getCandidateIds().size() || !(decision.getTemperature() > 0)) {
      return new double[0];
    }
    double max = Double.NEGATIVE_INFINITY;
    for (float logit : logits) {
      max = Math.max(max, logit);
    }
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = StrictMath.exp((logits[i] - max) / decision.getTemperature());
      sum += weights[i];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] =
          (1 - decision.getUniform()) * weights[i] / sum + decision.getUniform() / weights.length;
    }
    return weights;
  }

  private ObjectNode context(Decision decision) throws JsonProcessingException {
    ObjectNode context = inNamespaces(JSON.readTree(decision.getRawContext()));
    ArrayNode actions = context.putArray("_multi");
    JsonNode raw = decision.getRawItems() == null ? null : JSON.readTree(decision.getRawItems());
    boolean decodes = raw == null && decision.getFeatureDigest().equals(featureDigest);
    float[] rows = decodes ? Floats.of(decision.getItems()) : new float[0];
    for (int i = 0; i < decision.getCandidateIds().size(); i++) {
      ObjectNode action = JsonNodeFactory.instance.objectNode();
      action.put("_tag", decision.getCandidateIds().get(i));
      if (raw != null) {
        action.setAll(inNamespaces(raw.path(i)));
      } else if (rows.length >= (i + 1) * itemWidth) {
        action.setAll(inNamespaces(itemFeatures.decode(rows, i * itemWidth)));
      }
      actions.add(action);
    }
    if (decision.getSlate().size() > 1) {
      ArrayNode slots = context.putArray("_slots");
      decision.getSlate().forEach(placement -> slots.addObject());
    }
    return context;
  }

  /** Flat features as VW's JSON, the inverse of {@link FlatFeatures}. */
  private static ObjectNode inNamespaces(JsonNode flat) {
    ObjectNode features = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : flat.properties()) {
      String name = field.getKey();
      JsonNode value = field.getValue();
      int dash = name.indexOf('-');
      String namespace = dash > 0 ? name.substring(0, dash) : "";
      if (name.startsWith("_") || value.isNull() || (value.isArray() && value.isEmpty())) {
        continue;
      }
      if (namespace.isEmpty()
          || dash + 1 == name.length()
          || flat.has(namespace)
          || name.charAt(dash + 1) == '_') {
        put(features, name, value);
      } else {
        put(features.withObjectProperty(namespace), name.substring(dash + 1), value);
      }
    }
    return features;
  }

  private static void put(ObjectNode holder, String key, JsonNode value) {
    if (!value.isArray() || !value.path(0).isTextual()) {
      holder.set(key, value);
      return;
    }
    // VW reads no arrays of texts, but the words of a text.
    StringBuilder words = new StringBuilder();
    for (JsonNode word : value) {
      words.append(words.isEmpty() ? "" : " ").append(word.asText().replaceAll("[ \t]", "_"));
    }
    holder.putObject(key).put("_text", words.toString());
  }
}
