package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Learners that ask about logged actions alone are not lured by what nobody ever tried. */
class InSampleTest {
  private static final int CANDIDATES = 5;

  /** The last candidate of every row, never logged, better by far in all that pays. */
  private static final int PLANTED = CANDIDATES - 1;

  private static final NetworkSchema SCHEMA =
      new NetworkSchema(
          List.of(new Column.Flag("evening")),
          List.of(),
          0,
          List.of(new Column.Number("quality"), new Column.Flag("fresh")),
          List.of("watch", "like"));

  private static LearnerData log() {
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int row = 0; row < 400; row++) {
      float[] items = new float[CANDIDATES * 2];
      for (int candidate = 0; candidate < CANDIDATES; candidate++) {
        items[candidate * 2] =
            candidate == PLANTED
                ? 3
                : (float) Math.rint(16 * CounterRandom.uniform(7, 1, row, candidate, 0)) / 16;
        items[candidate * 2 + 1] = CounterRandom.uniform(7, 2, row, candidate, 0) < 0.5 ? 1 : 0;
      }
      int action = (int) (CounterRandom.uniform(7, 3, row, 0, 0) * PLANTED);
      float quality = items[action * 2];
      boolean last = row % 5 == 4;
      rows.add(
          new LearnerData.Row(
              row,
              new float[] {row % 2},
              new float[0],
              items,
              new int[0],
              action,
              1.0 / PLANTED,
              new float[] {quality, quality > 0.8 ? 1 : 0},
              last,
              last ? null : Long.valueOf(row + 1),
              1));
    }
    return LearnerData.of(SCHEMA, rows);
  }

  private static Algorithm algorithm(String word) {
    return Algorithms.of(word).factory().of(new Algorithms.Task(0.8, List.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"iql", "constrained-actor-critic", "risk-averse", "entropic"})
  void valuesDoNotDependOnWhatWasNotLogged(String word) {
    assertArrayEquals(
        train(algorithm(word), log(), 20).critic().values(),
        train(algorithm(word), withOtherCandidates(log()), 20).critic().values());
  }

  @ParameterizedTest
  @ValueSource(strings = {"discrete-sac", "cql", "crr", "awac", "td3"})
  void valuesOfOthersDo(String word) {
    assertFalse(
        Arrays.equals(
            train(algorithm(word), log(), 5).critic().values(),
            train(algorithm(word), withOtherCandidates(log()), 5).critic().values()));
  }

  /** Swaps items among those that were not logged; all columns keep their mean and deviation. */
  private static LearnerData withOtherCandidates(LearnerData data) {
    float[] items = data.items().clone();
    for (int row = 0; row < data.rows(); row += 2) {
      int from = data.itemOffsets()[row] + (data.action()[row] == 0 ? 1 : 0);
      int next = data.itemOffsets()[row + 1] + (data.action()[row + 1] == 0 ? 1 : 0);
      for (int column = 0; column < 2; column++) {
        float kept = items[from * 2 + column];
        items[from * 2 + column] = items[next * 2 + column];
        items[next * 2 + column] = kept;
      }
    }
    return new LearnerData(
        data.context(),
        data.history(),
        data.itemOffsets(),
        items,
        data.closed(),
        data.action(),
        data.propensity(),
        data.rewards(),
        data.terminated(),
        data.next(),
        data.rowId(),
        data.weight());
  }

  /** A graph declares only the feeds that it uses. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "behaviour-cloning",
        "filtered-cloning",
        "iql",
        "constrained-actor-critic",
      })
  void whatMightBeDoneNextIsNotEvenFed(String word) {
    TrainedPolicy shape = train(BehaviourCloning.DEFAULT, log(), 1);
    TrainingPlan plan =
        TrainingPlan.of(1, 1).withBatchSize(4).withNetworks(shape.networks().config());
    StepGraph step = new StepGraph(shape.networks(), plan, CANDIDATES, new float[] {1, 1});
    algorithm(word).addLosses(step);
    try (TrainingSession session = step.open(OrtEnvironment.getEnvironment())) {
      assertFalse(session.hasFeed(BatchFeed.at(Moment.NEXT, BatchFeed.ITEMS)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "behaviour-cloning",
        "filtered-cloning",
        "iql",
        "constrained-actor-critic",
        "risk-averse"
      })
  void attractiveItemsThatNobodyTriedAreHardlyEverChosen(String word) {
    LearnerData data = log();
    TrainedPolicy policy = train(algorithm(word), data, 1500);
    TrainingForward forward = TrainingForward.of(policy, data);
    double planted = 0;
    for (int row = 0; row < data.rows(); row++) {
      planted += forward.probability(row, PLANTED) / data.rows();
    }
    assertTrue(planted < 0.01, "chosen with a chance of " + planted);
  }

  private static TrainedPolicy train(Algorithm algorithm, LearnerData data, long steps) {
    return new Learner(OrtEnvironment.getEnvironment())
        .train(
            algorithm,
            SCHEMA,
            data,
            TrainingPlan.of(4, steps)
                .withBatchSize(64)
                .withLearningRate(5e-3)
                .withNetworks(new NetworkConfig(16, 8, 8)),
            ProgressListener.NONE);
  }
}
