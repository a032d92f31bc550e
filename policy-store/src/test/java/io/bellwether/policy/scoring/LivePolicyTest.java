package io.bellwether.policy.scoring;

import static io.bellwether.policy.scoring.PolicyGraphs.SCHEMA;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class LivePolicyTest {

  private final LivePolicy live = new LivePolicy();

  @Test
  void aReplacedVersionScoresUntilItsLastUseIsClosed() {
    Scorer first = open(1);
    live.replace("first", first);
    LivePolicy.Use use = live.acquire().orElseThrow();
    live.replace("second", open(2));
    assertEquals("first", use.version());
    score(use.scorer());
    use.close();
    use.close();
    assertThrows(IllegalStateException.class, () -> score(first));
    try (LivePolicy.Use next = live.acquire().orElseThrow()) {
      assertEquals("second", next.version());
      score(next.scorer());
    }
    live.close();
  }

  @Test
  void aClearedPolicyIsNone() {
    assertTrue(live.acquire().isEmpty());
    Scorer scorer = open(1);
    live.replace("first", scorer);
    live.clear();
    assertTrue(live.acquire().isEmpty());
    assertThrows(IllegalStateException.class, () -> score(scorer));
  }

  @Test
  void aVersionThatFailsItsWarmUpDoesNotReplaceTheOld() {
    live.replace("good", open(1));
    var model = PolicyGraphs.model(SCHEMA, PolicyGraphs.weights(SCHEMA, 2));
    for (int i = 0; i < model.getGraph().getNodeCount(); i++) {
      if (model.getGraph().getNode(i).getName().equals("logits")) {
        model.getGraphBuilder().setNode(i, PolicyGraphs.node("Log", List.of("bare"), "logits"));
      }
    }
    Scorer bad = Scorer.open(model.build().toByteArray(), SCHEMA);
    assertThrows(ScoringException.class, () -> live.replace("bad", bad));
    assertThrows(IllegalStateException.class, () -> score(bad));
    try (LivePolicy.Use use = live.acquire().orElseThrow()) {
      assertEquals("good", use.version());
    }
    live.close();
  }

  private static Scorer open(long seed) {
    return Scorer.open(PolicyGraphs.graph(SCHEMA, seed), SCHEMA);
  }

  private static void score(Scorer scorer) {
    ScoringBatch batch = new ScoringBatch(SCHEMA);
    batch.add(new float[5], new float[12], new float[6]);
    scorer.score(batch);
  }
}
