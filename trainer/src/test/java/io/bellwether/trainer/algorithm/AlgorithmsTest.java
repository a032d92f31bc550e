package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every algorithm of the catalogue, whatever it learns. */
class AlgorithmsTest {
  private static final int STEPS = 3;
  private static final int BATCH = 8;
  private static final int ROWS = 41;

  /** Flags alone, so that nothing about the rows is measured that more candidates could change. */
  private static final NetworkSchema SCHEMA =
      new NetworkSchema(
          List.of(new Column.Flag("evening"), new Column.Flag("new")),
          List.of(),
          0,
          List.of(new Column.Flag("short"), new Column.Flag("fresh"), new Column.Flag("calm")),
          List.of("watch", "like"));

  static List<String> words() {
    return Algorithms.all().stream().map(Algorithms.Entry::word).toList();
  }

  private static TrainedPolicy train(String word, List<LearnerData.Row> rows) {
    Algorithm algorithm = Algorithms.of(word).factory().of(new Algorithms.Task(0.9, List.of()));
    return new Learner(OrtEnvironment.getEnvironment())
        .train(
            algorithm,
            SCHEMA,
            LearnerData.of(SCHEMA, rows),
            TrainingPlan.of(5, STEPS).withBatchSize(BATCH).withNetworks(new NetworkConfig(8, 4, 4)),
            ProgressListener.NONE);
  }

  /** Rows in episodes of four, with two to five candidates and noisy rewards. */
  private static List<LearnerData.Row> rows() {
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      int candidates = 2 + row % 4;
      int action = (int) (CounterRandom.uniform(9, 1, row, 0, 0) * candidates);
      float watch = (float) CounterRandom.normal(9, 2, row, 0, 0);
      float like = row % 5 == 0 ? 1 : 0;
      boolean last = row % 4 == 3 || row == ROWS - 1;
      rows.add(
          row(row, candidates, action, new float[] {watch, like}, last && row % 8 == 3, !last));
    }
    return rows;
  }

  private static LearnerData.Row row(
      int id, int candidates, int action, float[] rewards, boolean ends, boolean goesOn) {
    float[] items = new float[candidates * 3];
    for (int i = 0; i < items.length; i++) {
      items[i] = CounterRandom.uniform(9, 3, id, i, 0) < 0.5 ? 1 : 0;
    }
    return new LearnerData.Row(
        id,
        new float[] {id % 2, id % 3 == 0 ? 1 : 0},
        new float[0],
        items,
        new int[0],
        action,
        1.0 / candidates,
        rewards,
        ends,
        goesOn ? Long.valueOf(id + 1) : null,
        1);
  }

  @ParameterizedTest
  @MethodSource("words")
  void neitherTheOrderOfRowsNorEmptySlotsChangeWhatIsLearned(String word) {
    List<LearnerData.Row> rows = rows();
    List<LearnerData.Row> backwards = new ArrayList<>(rows);
    Collections.reverse(backwards);
    TrainedPolicy first = train(word, rows);
    TrainedPolicy second = train(word, backwards);
    assertArrayEquals(first.actor().values(), second.actor().values());
    assertArrayEquals(first.critic().values(), second.critic().values());
    assertEquals(first.vectors().keySet(), second.vectors().keySet());
    first
        .vectors()
        .forEach((name, values) -> assertArrayEquals(values, second.vectors().get(name), name));

    int unseen = unseen(rows);
    List<LearnerData.Row> padded = new ArrayList<>(rows);
    LearnerData.Row like = rows.get(unseen);
    float[] more = new float[like.items().length + 7 * 3];
    System.arraycopy(like.items(), 0, more, 0, like.items().length);
    padded.set(
        unseen,
        new LearnerData.Row(
            like.rowId(),
            like.context(),
            like.history(),
            more,
            like.closed(),
            like.action(),
            like.propensity(),
            like.rewards(),
            like.terminated(),
            like.nextRowId(),
            like.weight()));
    TrainedPolicy third = train(word, padded);
    LearnerData data = LearnerData.of(SCHEMA, rows);
    TrainingForward expected = TrainingForward.of(first, data);
    TrainingForward found = TrainingForward.of(third, data);
    for (int row = 0; row < data.rows(); row++) {
      assertArrayEquals(expected.probabilities(row), found.probabilities(row), 1e-4, "row " + row);
    }
  }

  /** A row that follows another one, and neither it nor what it follows stands in any batch. */
  private static int unseen(List<LearnerData.Row> rows) {
    LearnerData data = LearnerData.of(SCHEMA, rows);
    boolean[] seen = new boolean[data.rows()];
    BatchPlan batches = new BatchPlan(5, data.rowId(), BATCH);
    int[] batch = new int[BATCH];
    for (int step = 0; step < STEPS; step++) {
      batches.fill(step, batch);
      for (int row : batch) {
        seen[row] = true;
      }
    }
    return IntStream.range(1, data.rows())
        .filter(row -> !seen[row] && !seen[row - 1] && data.next()[row - 1] == row)
        .findFirst()
        .orElseThrow();
  }

  /** One person, one candidate each time, and nothing that ever varies. */
  @ParameterizedTest
  @MethodSource("words")
  void aLogWithoutAnyChoiceMakesAPolicyThatStillIsOne(String word) {
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int row = 0; row < 12; row++) {
      rows.add(row(row, 1, 0, new float[] {3, 0}, row == 11, row < 11));
    }
    TrainedPolicy policy = train(word, rows);
    requireFinite(policy, rows);
  }

  /** Episodes of one row each, of which some end and some are cut, with rewards that never vary. */
  @ParameterizedTest
  @MethodSource("words")
  void episodesOfOneRowMakeAPolicyThatStillIsOne(String word) {
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int row = 0; row < 12; row++) {
      rows.add(row(row, 3, row % 3, new float[2], row % 2 == 0, false));
    }
    TrainedPolicy policy = train(word, rows);
    requireFinite(policy, rows);
  }

  private static void requireFinite(TrainedPolicy policy, List<LearnerData.Row> rows) {
    policy
        .vectors()
        .forEach(
            (name, values) -> {
              for (float value : values) {
                assertTrue(Float.isFinite(value), name + " has " + value);
              }
            });
    LearnerData data = LearnerData.of(SCHEMA, rows);
    TrainingForward forward = TrainingForward.of(policy, data);
    for (int row = 0; row < data.rows(); row++) {
      double sum = 0;
      for (double chance : forward.probabilities(row)) {
        sum += chance;
      }
      assertEquals(1, sum, 1e-5);
    }
  }

  @Test
  void algorithmsWithoutConstraintsLeavePromisesAside() {
    Promise promise = new Promise(1, Promise.Sense.AT_LEAST, new Promise.ShareOfLog(1));
    for (String word :
        List.of(
            "behaviour-cloning",
            "filtered-cloning",
            "discrete-sac",
            "td3",
            "cql",
            "iql",
            "bcq",
            "crr",
            "awac",
            "actor-critic",
            "annealed",
            "iterated-q",
            "average-reward")) {
      Algorithm algorithm =
          Algorithms.of(word).factory().of(new Algorithms.Task(0.9, List.of(promise)));
      assertTrue(algorithm.promises().isEmpty(), word);
    }
  }

  @Test
  void aLossThatIsNoNumberStopsTheRun() {
    Algorithm broken =
        step -> step.minimiseActor(step.actor().meanSquaredLogit().negate().add(-1f).log());
    DivergedException stopped =
        assertThrows(
            DivergedException.class,
            () ->
                new Learner(OrtEnvironment.getEnvironment())
                    .train(
                        broken,
                        SCHEMA,
                        LearnerData.of(SCHEMA, rows()),
                        TrainingPlan.of(5, STEPS)
                            .withBatchSize(BATCH)
                            .withNetworks(new NetworkConfig(8, 4, 4)),
                        ProgressListener.NONE));
    assertTrue(String.valueOf(stopped.getMessage()).contains("NaN"), stopped.getMessage());
  }

  @Test
  void everyWordIsNamedOnce() {
    assertEquals(words().size(), words().stream().distinct().count());
    assertFalse(words().isEmpty());
  }
}
