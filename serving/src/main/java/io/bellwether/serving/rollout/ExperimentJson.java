package io.bellwether.serving.rollout;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.serving.experiment.Experiment;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Move;
import io.bellwether.serving.experiment.Phase;
import jakarta.inject.Singleton;
import java.util.Map;

/** Experiments as clients see them; what is not there is left out. Thread-safe. */
@Singleton
final class ExperimentJson {

  private final ObjectMapper mapper;

  ExperimentJson(ObjectMapper mapper) {
    this.mapper = mapper.copy().setDefaultPropertyInclusion(JsonInclude.Include.NON_ABSENT);
  }

  JsonNode state(ExperimentState state) {
    return mapper.valueToTree(state);
  }

  JsonNode declaration(Experiment experiment) {
    return mapper.valueToTree(experiment);
  }

  /** A move: what it led to is told by its status and phase. */
  JsonNode move(Move move, boolean withEvidence) {
    ObjectNode node = mapper.createObjectNode();
    node.put("sequence", move.sequence());
    node.put("kind", move.kind().name());
    node.put("who", move.who());
    node.put("when", move.when().toString());
    node.put("why", move.why());
    node.put("status", move.after().status().name());
    move.after().phase().map(Phase::number).ifPresent(number -> node.put("phase", number));
    if (withEvidence) {
      move.evidence().ifPresent(evidence -> node.set("evidence", evidence));
    }
    return node;
  }

  byte[] bytes(JsonNode node) {
    try {
      return mapper.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is always JSON", e);
    }
  }

  /** RFC 7396: objects are merged, null takes away, everything else replaces. */
  static JsonNode merged(JsonNode target, JsonNode patch) {
    if (!patch.isObject()) {
      return patch;
    }
    ObjectNode merged =
        target instanceof ObjectNode object ? object.deepCopy() : ((ObjectNode) patch).objectNode();
    for (Map.Entry<String, JsonNode> field : patch.properties()) {
      if (field.getValue().isNull()) {
        merged.remove(field.getKey());
      } else {
        merged.set(field.getKey(), merged(merged.path(field.getKey()), field.getValue()));
      }
    }
    return merged;
  }
}
