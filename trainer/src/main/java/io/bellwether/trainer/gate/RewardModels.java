package io.bellwether.trainer.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.policy.scoring.CounterRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Reward models in folds of subjects: each predicts the decisions of the fold that it has not seen,
 * so that no prediction knows the reward that it is held against. Folds are a function of the
 * subject alone. Immutable.
 *
 * @param graphs by the fold that each predicts; empty where there was too little to learn from
 * @param learning how they learned, in the same order
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record RewardModels(List<byte[]> graphs, List<LearningCurve> learning) {

  static final int FOLDS = 2;

  private static final long FOLD_TAG = 903;

  RewardModels {
    graphs = List.copyOf(graphs);
    learning = List.copyOf(learning);
  }

  static RewardModels none() {
    return new RewardModels(List.of(), List.of());
  }

  /** The fold of a subject. */
  static int foldOf(long unit) {
    return (int) (FOLDS * CounterRandom.uniform(unit, FOLD_TAG, 0, 0, 0));
  }

  ObjectNode toJson() {
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("folds", graphs.size());
    ArrayNode curves = json.putArray("learning");
    for (LearningCurve curve : learning) {
      ObjectNode node = curves.addObject();
      node.put("fold", curve.fold()).put("decisions", curve.decisions());
      ArrayNode points = node.putArray("points");
      curve
          .points()
          .forEach(point -> points.addObject().put("step", point.step()).put("loss", point.loss()));
    }
    return json;
  }

  /** How many graphs belong to it. */
  static int folds(JsonNode json) {
    return json.get("folds").asInt();
  }

  static RewardModels fromJson(JsonNode json, List<byte[]> graphs) {
    List<LearningCurve> curves = new ArrayList<>();
    for (JsonNode curve : json.get("learning")) {
      List<LearningCurve.Point> points = new ArrayList<>();
      for (JsonNode point : curve.get("points")) {
        points.add(
            new LearningCurve.Point(point.get("step").asLong(), point.get("loss").asDouble()));
      }
      curves.add(
          new LearningCurve(curve.get("fold").asInt(), curve.get("decisions").asLong(), points));
    }
    return new RewardModels(graphs, curves);
  }
}
