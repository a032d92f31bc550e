package io.bellwether.policy.scoring;

import static io.bellwether.policy.scoring.PolicyGraphs.SCHEMA;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DecisionDifferenceTest {

  private static final Exploration EXPLORATION = new Exploration(1, 0.02, 1e-4);
  private static final int REQUESTS = 20;

  @Test
  void aGraphDecidesLikeItself() {
    DecisionDifference.Measured measured = compare(1, 1);
    assertEquals(new DecisionDifference.Measured(REQUESTS, 0, 0), measured);
    assertTrue(measured.within(0, 0));
  }

  @Test
  void anotherGraphDecidesOtherwiseAndBothFiguresHaveToBeWithinTheirBounds() {
    DecisionDifference.Measured measured = compare(1, 2);
    double changed = measured.changedSlates();
    double difference = measured.propensityDifference();
    assertTrue(changed > 0.1 && difference > 0.01, measured::toString);
    assertTrue(measured.within(changed, difference));
    assertFalse(measured.within(changed, difference / 2));
    assertFalse(measured.within(changed / 2, difference));
  }

  @Test
  void withoutARequestNothingIsShown() {
    try (Scorer scorer = open(1)) {
      assertFalse(new DecisionDifference(scorer, scorer, EXPLORATION, 3).measured().within(1, 1));
    }
  }

  private static DecisionDifference.Measured compare(long first, long second) {
    try (Scorer reference = open(first);
        Scorer other = open(second)) {
      DecisionDifference difference = new DecisionDifference(reference, other, EXPLORATION, 3);
      for (int request = 0; request < REQUESTS; request++) {
        difference.add(
            ScorerTest.context(SCHEMA, request),
            ScorerTest.history(SCHEMA, request),
            ScorerTest.items(SCHEMA, request, 10));
      }
      return difference.measured();
    }
  }

  private static Scorer open(long seed) {
    return Scorer.open(PolicyGraphs.graph(SCHEMA, seed), SCHEMA);
  }
}
