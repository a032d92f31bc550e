package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A log that takes an item of the state's own kind, always: of six candidates, two are of each of
 * three kinds, and which kind is the state's turns from state to state.
 */
class AntiExplorationTest {
  private static final int KINDS = 3;
  private static final int CANDIDATES = 6;
  private static final NetworkSchema SCHEMA =
      new NetworkSchema(columns("state"), List.of(), 0, columns("item"), List.of("pay"));

  private static final LearnerData LOG = log(0, 600);

  private static List<Column> columns(String name) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < KINDS; i++) {
      columns.add(new Column.Number(name + i));
    }
    return columns;
  }

  private static double noise(int row, int slot, int column) {
    return CounterRandom.uniform(11, 1, row, slot, column) - 0.5;
  }

  private static float[] vector(int row, int slot, int kind) {
    float[] vector = new float[KINDS];
    for (int column = 0; column < KINDS; column++) {
      vector[column] = (float) (noise(row, slot, column) + (column == kind ? 2 : 0));
    }
    return vector;
  }

  /** The next kind pays more, but no row shows it in a state like this. */
  private static LearnerData log(int from, int to) {
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int row = from; row < to; row++) {
      int kind = row % KINDS;
      float[] items = new float[CANDIDATES * KINDS];
      for (int slot = 0; slot < CANDIDATES; slot++) {
        System.arraycopy(vector(row, slot, slot % KINDS), 0, items, slot * KINDS, KINDS);
      }
      rows.add(
          new LearnerData.Row(
              row,
              vector(row, CANDIDATES, kind),
              new float[0],
              items,
              new int[0],
              kind + (noise(row, 9, 9) < 0 ? 0 : KINDS),
              1,
              new float[] {kind + (float) noise(row, 8, 8)},
              true,
              null,
              1));
    }
    return LearnerData.of(SCHEMA, rows);
  }

  private static TrainingPlan plan(long steps) {
    return TrainingPlan.of(3, steps)
        .withBatchSize(64)
        .withLearningRate(3e-3)
        .withNetworks(new NetworkConfig(32, 16, 16));
  }

  private static TrainedPolicy train(Algorithm algorithm, long steps) {
    return new Learner(OrtEnvironment.getEnvironment())
        .train(algorithm, SCHEMA, LOG, plan(steps), ProgressListener.NONE);
  }

  @Test
  void noveltyTellsLoggedFromOtherCandidatesOfUnseenRows() {
    TrainedPolicy predictor = train(new Novelty(), 400);
    LearnerData unseen = log(600, 800);
    float[] novelty = Novelty.of(predictor, OrtEnvironment.getEnvironment(), unseen, 64);
    Novelty.scale(novelty, unseen);
    double above = 0;
    double pairs = 0;
    double others = 0;
    int count = 0;
    for (int row = 0; row < unseen.rows(); row++) {
      float logged = novelty[unseen.itemOffsets()[row] + unseen.action()[row]];
      for (int slot = 0; slot < CANDIDATES; slot++) {
        if (slot % KINDS != row % KINDS) {
          float other = novelty[unseen.itemOffsets()[row] + slot];
          above += other > logged ? 1 : other == logged ? 0.5 : 0;
          pairs++;
          others += other;
          count++;
        }
      }
    }
    assertTrue(above / pairs >= 0.75, "AUC " + above / pairs);
    assertTrue(1 <= 0.5 * others / count, "others are as novel as " + others / count);
  }

  /** Shares of the policy that is on kinds that were never logged in the row's state. */
  private static double strangeShare(TrainedPolicy policy) {
    TrainingForward forward = TrainingForward.of(policy, LOG);
    double share = 0;
    for (int row = 0; row < LOG.rows(); row++) {
      for (int slot = 0; slot < CANDIDATES; slot++) {
        share += slot % KINDS == row % KINDS ? 0 : forward.probability(row, slot);
      }
    }
    return share / LOG.rows();
  }

  @Test
  void thePolicyStaysWithWhatIsKnown() {
    double free =
        strangeShare(
            train(new AntiExploration(AntiExploration.Config.DEFAULT.withPenalty(0)), 300));
    double paying = strangeShare(train(new AntiExploration(AntiExploration.Config.DEFAULT), 300));
    assertTrue(free > 0.3, "without a price " + free);
    assertTrue(paying < 0.05, "with a price " + paying);
  }
}
