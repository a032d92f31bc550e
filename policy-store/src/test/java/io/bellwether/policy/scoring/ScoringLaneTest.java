package io.bellwether.policy.scoring;

import static io.bellwether.policy.scoring.PolicyGraphs.SCHEMA;
import static io.bellwether.policy.scoring.PolicyGraphs.WITHOUT_HISTORY;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.schema.FeatureSchema;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScoringLaneTest {

  /** Repeated, growing past every buffer's first size, and more shapes than are kept. */
  private static final int[][] SHAPES = {
    {1, 5}, {1, 5}, {3, 20}, {1, 5}, {1, 700}, {9, 3}, {1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 6},
    {1, 7}, {1, 8}, {1, 9}, {1, 10}, {1, 5}, {20, 300}, {1, 5}
  };

  @Test
  void whatIsWrittenInPlaceIsWhatIsGivenOtherwise() {
    for (FeatureSchema schema : List.of(SCHEMA, WITHOUT_HISTORY)) {
      try (Scorer scorer = Scorer.open(PolicyGraphs.graph(schema, 3), schema);
          ScoringLane lane = new ScoringLane(schema)) {
        for (int i = 0; i < SHAPES.length; i++) {
          lane.batch().clear();
          ScoringBatch batch = new ScoringBatch(schema);
          fill(lane.batch(), i, SHAPES[i]);
          fill(batch, i, SHAPES[i]);
          lane.score(scorer);
          ScoredBatch expected = scorer.score(batch);
          for (int r = 0; r < expected.requests(); r++) {
            assertArrayEquals(
                Arrays.copyOfRange(expected.logits(), expected.from(r), expected.to(r)),
                lane.logits(r));
          }
        }
      }
    }
  }

  @Test
  void aLaneServesAllGraphsOfItsSchema() {
    try (Scorer one = Scorer.open(PolicyGraphs.graph(SCHEMA, 3), SCHEMA);
        Scorer other = Scorer.open(PolicyGraphs.graph(SCHEMA, 4), SCHEMA);
        Scorer foreign = Scorer.open(PolicyGraphs.graph(WITHOUT_HISTORY, 3), WITHOUT_HISTORY);
        ScoringLane lane = new ScoringLane(SCHEMA)) {
      fill(lane.batch(), 0, new int[] {2, 3});
      lane.score(one);
      float[] first = lane.logits(1);
      lane.score(other);
      assertTrue(first[0] != lane.logits(1)[0]);
      assertThrows(IllegalArgumentException.class, () -> lane.score(foreign));
      lane.score(one);
      assertArrayEquals(first, lane.logits(1));
    }
  }

  @Test
  void aNumberThatIsNotFiniteIsItsRequestsOwn() {
    try (Scorer scorer = Scorer.open(PolicyGraphs.graph(SCHEMA, 3), SCHEMA);
        ScoringLane lane = new ScoringLane(SCHEMA)) {
      float[] items = ScorerTest.items(SCHEMA, 0, 4);
      lane.batch().add(ScorerTest.context(SCHEMA, 0), ScorerTest.history(SCHEMA, 0), items);
      float[] broken = items.clone();
      broken[0] = Float.NaN;
      lane.batch().add(ScorerTest.context(SCHEMA, 1), ScorerTest.history(SCHEMA, 1), broken);
      lane.score(scorer);
      assertEquals(4, lane.logits(0).length);
      assertThrows(ScoringException.class, () -> lane.logits(1));
    }
  }

  @Test
  void nothingToScoreIsNothing() {
    try (Scorer scorer = Scorer.open(PolicyGraphs.graph(SCHEMA, 3), SCHEMA);
        ScoringLane lane = new ScoringLane(SCHEMA)) {
      lane.score(scorer);
      lane.batch().beginRequest(ScorerTest.context(SCHEMA, 0), ScorerTest.history(SCHEMA, 0));
      lane.score(scorer);
      assertEquals(0, lane.logits(0).length);
    }
  }

  @Test
  void warmUpMeasuresHowManyAreWorthGathering() {
    try (Scorer scorer = Scorer.open(PolicyGraphs.graph(SCHEMA, 3), SCHEMA)) {
      assertEquals(1, scorer.worthGathering());
      scorer.warmUp();
      assertTrue(scorer.worthGathering() > 1, () -> "" + scorer.worthGathering());
    }
  }

  @Test
  void moreAreGatheredWhereTheFixedPartIsLarger() {
    assertEquals(800, new Pace(10_000, 100).worthGathering());
    assertEquals(1, new Pace(10_000, 1_000_000).worthGathering());
    assertEquals(4096, new Pace(100_000, 1).worthGathering());
    assertEquals(3000, new Pace(200_000, 100).worthGathering());
    assertEquals(1, new Pace(600_000, 1).worthGathering());
  }

  private static void fill(ScoringBatch batch, int seed, int[] shape) {
    FeatureSchema schema = batch.schema();
    for (int r = 0; r < shape[0]; r++) {
      batch.add(
          ScorerTest.context(schema, seed + r),
          ScorerTest.history(schema, seed + r),
          ScorerTest.items(schema, seed + r, shape[1]));
    }
  }
}
