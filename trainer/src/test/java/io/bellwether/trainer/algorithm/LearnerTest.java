package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LearnerTest {
  private static final NetworkSchema SCHEMA = SyntheticLog.schema(2);
  private static final NetworkConfig NARROW = new NetworkConfig(8, 4, 4);

  private static TrainingPlan plan(long seed, long steps) {
    return TrainingPlan.of(seed, steps).withBatchSize(16).withNetworks(NARROW);
  }

  private static TrainedPolicy train(Algorithm algorithm, LearnerData data, TrainingPlan plan) {
    return new Learner(OrtEnvironment.getEnvironment())
        .train(algorithm, SCHEMA, data, plan, ProgressListener.NONE);
  }

  private static ConstrainedActorCritic actorCritic(double discount) {
    MultiplierConfig often = new MultiplierConfig(1, 0.25, 0, 50, 10, 100, 1);
    return new ConstrainedActorCritic(
        ConstrainedActorCritic.Config.DEFAULT.withDiscount(discount),
        List.of(new Promise(1, Promise.Sense.AT_LEAST, new Promise.ShareOfLog(1.1))),
        often);
  }

  @Test
  void equalDataAndSeedGiveEqualWeights() {
    LearnerData data = SyntheticLog.rows(SCHEMA, 50, 2, 6);
    TrainedPolicy once = train(actorCritic(0.9), data, plan(5, 60));
    TrainedPolicy again = train(actorCritic(0.9), data, plan(5, 60));
    assertArrayEquals(once.actor().values(), again.actor().values());
    assertArrayEquals(once.critic().values(), again.critic().values());
    assertEquals(once.history(), again.history());
    assertEquals(once.promises(), again.promises());
  }

  @Test
  void theOrderInWhichRowsArriveDoesNotMatter() {
    List<LearnerData.Row> rows = new ArrayList<>();
    LearnerData data = SyntheticLog.rows(SCHEMA, 20, 2, 6);
    for (int row = 0; row < data.rows(); row++) {
      rows.add(SyntheticLog.row(SCHEMA, data, row));
    }
    Collections.reverse(rows);
    LearnerData reversed = LearnerData.of(SCHEMA, rows);
    assertArrayEquals(data.next(), reversed.next());
    assertArrayEquals(
        train(actorCritic(0.5), data, plan(5, 20)).actor().values(),
        train(actorCritic(0.5), reversed, plan(5, 20)).actor().values());
  }

  @Test
  void progressIsReportedAndKept() {
    List<Long> heard = new ArrayList<>();
    TrainedPolicy policy =
        new Learner(OrtEnvironment.getEnvironment())
            .train(
                actorCritic(0.9),
                SCHEMA,
                SyntheticLog.rows(SCHEMA, 50, 2, 6),
                plan(5, 250),
                progress -> heard.add(progress.step()));
    assertEquals(List.of(100L, 200L, 250L), heard);
    assertEquals(heard, policy.history().stream().map(Progress::step).toList());
    assertTrue(
        policy
            .history()
            .get(0)
            .gauges()
            .keySet()
            .containsAll(
                List.of("actor.loss", "critic.loss", "estimate.watch", "multiplier.like")));
  }

  @Test
  void anAbsurdInputIsNamedByColumnAndRow() {
    LearnerData data = SyntheticLog.rows(SCHEMA, 8, 3, 3);
    data.items()[(3 * 4 + 1) * 4 + 3] = 3e38f;
    assertEquals(
        "items column 3 (fresh) of row 4 (id 40) is 3.0E38; it must be finite and within"
            + " ±1000000.0",
        refusal(data));
  }

  @Test
  void infiniteAndMissingNumbersAreRefusedInEveryBlock() {
    LearnerData context = SyntheticLog.rows(SCHEMA, 8, 3, 3);
    context.context()[3 * 3 + 2] = Float.POSITIVE_INFINITY;
    assertTrue(refusal(context).startsWith("context column 2 (new) of row 3"));
    LearnerData history = SyntheticLog.rows(SCHEMA, 8, 3, 3);
    history.history()[(2 * 2 + 1) * 3 + 1] = Float.NaN;
    assertTrue(refusal(history).startsWith("history column 1 (watched) of row 2"));
    LearnerData rewards = SyntheticLog.rows(SCHEMA, 8, 3, 3);
    rewards.rewards()[5 * 3 + 1] = Float.NEGATIVE_INFINITY;
    assertTrue(refusal(rewards).startsWith("rewards column 1 (like) of row 5"));
  }

  @Test
  void rowsThatContradictThemselvesAreRefused() {
    LearnerData action = SyntheticLog.rows(SCHEMA, 4, 3, 3);
    action.action()[2] = 3;
    assertEquals("row 20 took action 3 of 3 candidates", refusal(action));
    LearnerData placed = SyntheticLog.rows(SCHEMA, 4, 3, 3);
    placed.closed()[2 * 3 + placed.action()[2]] = true;
    assertEquals(
        "row 20 took action %d, which stands at an earlier position or was kept out by a rule"
            .formatted(placed.action()[2]),
        refusal(placed));
    LearnerData propensity = SyntheticLog.rows(SCHEMA, 4, 3, 3);
    propensity.propensity()[1] = -0.105;
    assertEquals("row 10 has propensity -0.105; it must be in (0, 1]", refusal(propensity));
    LearnerData twice = SyntheticLog.rows(SCHEMA, 4, 3, 3);
    twice.rowId()[2] = 10;
    assertEquals("row id 10 is repeated or out of order", refusal(twice));
    assertEquals("there are no rows to learn from", refusal(LearnerData.of(SCHEMA, List.of())));
  }

  private static String refusal(LearnerData data) {
    InvalidLearnerDataException refused =
        assertThrows(
            InvalidLearnerDataException.class,
            () -> train(BehaviourCloning.DEFAULT, data, plan(1, 1)));
    return String.valueOf(refused.getMessage());
  }

  @Test
  void aRunWhoseValuesDriftAwayIsStopped() {
    LearnerData data = SyntheticLog.rows(SCHEMA, 50, 2, 6);
    TrainingPlan reckless =
        new TrainingPlan(
            1,
            2000,
            16,
            3,
            new Adam(0.9, 0.999, 1e-8, 1e9),
            1,
            100,
            NARROW,
            plan(1, 1).exploration());
    DivergedException diverged =
        assertThrows(DivergedException.class, () -> train(actorCritic(0.99), data, reckless));
    assertTrue(diverged.step() < 2000, diverged.getMessage());
  }
}
