package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.HistoryForm;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A task that only order tells: a history has as many rows of one kind as of the other, in any
 * order, and people take what the newest row is like.
 */
class HistoryLearningTest {
  private static final int LENGTH = 6;
  private static final int ROWS = 256;

  private static final NetworkSchema SCHEMA =
      new NetworkSchema(
          List.of(new Column.Flag("always")),
          List.of(new Column.Flag("valid"), new Column.Flag("kind")),
          LENGTH,
          List.of(new Column.Flag("kind")),
          List.of("taken"));

  private static LearnerData log(int firstRow) {
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int row = firstRow; row < firstRow + ROWS; row++) {
      int pairs = 1 + row % (LENGTH / 2);
      float[] history = new float[LENGTH * 2];
      float newest = 0;
      for (int pair = 0; pair < pairs; pair++) {
        int at = (LENGTH - 2 * (pair + 1)) * 2;
        float second = CounterRandom.uniform(1, 2, row, pair, 0) < 0.5 ? 1 : 0;
        history[at] = 1;
        history[at + 1] = 1 - second;
        history[at + 2] = 1;
        history[at + 3] = second;
        newest = pair == 0 ? second : newest;
      }
      rows.add(
          new LearnerData.Row(
              row,
              new float[] {1},
              history,
              new float[] {0, 1},
              new int[0],
              (int) newest,
              0.5,
              new float[] {1},
              true,
              null,
              1));
    }
    return LearnerData.of(SCHEMA, rows);
  }

  private static TrainedPolicy clone(HistoryForm form) {
    TrainingPlan plan =
        TrainingPlan.of(4, 200)
            .withBatchSize(32)
            .withLearningRate(1e-2)
            .withNetworks(new NetworkConfig(16, 8, 8).withForm(form));
    return new Learner(OrtEnvironment.getEnvironment())
        .train(BehaviourCloning.DEFAULT, SCHEMA, log(0), plan, ProgressListener.NONE);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MEAN")
  void whatKnowsTheOrderLearnsThatTheNewestRowDecides(HistoryForm form) {
    LearnerData unseen = log(ROWS);
    TrainingForward forward = TrainingForward.of(clone(form), unseen);
    double likelihood = 0;
    for (int row = 0; row < ROWS; row++) {
      likelihood += forward.probability(row, unseen.action()[row]) / ROWS;
    }
    assertTrue(likelihood > 0.95, form + " gives " + likelihood);
  }

  @Test
  void theMeanCannotTell() {
    TrainedPolicy policy = clone(HistoryForm.MEAN);
    LearnerData unseen = log(ROWS);
    TrainingForward forward = TrainingForward.of(policy, unseen);
    for (int row = 0; row < ROWS; row++) {
      assertEquals(0.5, forward.probability(row, 0), 0.25);
    }
  }

  @ParameterizedTest
  @EnumSource
  void equalDataAndSeedGiveEqualWeights(HistoryForm form) {
    assertArrayEquals(clone(form).actor().values(), clone(form).actor().values());
  }
}
