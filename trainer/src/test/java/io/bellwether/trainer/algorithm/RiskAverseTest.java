package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arm A pays 1 nine times of ten and costs 2 otherwise; arm B pays 0.6. */
class RiskAverseTest {
  private static final NetworkSchema SCHEMA = Bandits.schema(2, "pay");
  private static final int QUANTILES = 20;

  private static final float[] A = {-2, 1, 1, 1, 1, 1, 1, 1, 1, 1};

  private static double worth(Risk risk, Risk.BadEnd end, float... quantiles) {
    Graph graph = new Graph();
    Tensor input = graph.input("quantiles", ElementType.FLOAT, Shape.of(1, quantiles.length));
    graph.output("worth", risk.of(input, end));
    try (TrainingSession session =
        new TrainingSession(OrtEnvironment.getEnvironment(), graph, List.of())) {
      session.floats("quantiles").put(quantiles);
      session.step();
      return session.scalar("worth");
    }
  }

  private static float[] harm() {
    float[] harm = new float[A.length];
    for (int i = 0; i < harm.length; i++) {
      harm[i] = -A[A.length - 1 - i];
    }
    return harm;
  }

  @ParameterizedTest
  @CsvSource({"1, 0.7", "0.5, 0.4", "0.25, -0.2", "0.1, -2.0", "0.75, 0.6"})
  void theWorstShareOfTheArmIsThePublishedOne(double share, double expected) {
    Risk risk = new Risk.WorstShare(share);
    assertEquals(expected, worth(risk, Risk.BadEnd.LOW, A), 1e-6);
    assertEquals(-expected, worth(risk, Risk.BadEnd.HIGH, harm()), 1e-6);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 0.402505", "1, -0.067656", "2, -0.859739"})
  void theEntropicWorthOfTheArmIsThePublishedOne(double aversion, double expected) {
    Risk risk = new Risk.Entropic(aversion);
    assertEquals(expected, worth(risk, Risk.BadEnd.LOW, A), 1e-5);
    assertEquals(-expected, worth(risk, Risk.BadEnd.HIGH, harm()), 1e-5);
  }

  @Test
  void aFractionOfAQuantileCountsInPart() {
    assertArrayEquals(
        new float[] {0.4f, 0.4f, 0.2f, 0, 0}, new Risk.WorstShare(0.5).weights(5), 1e-6f);
  }

  private static LearnerData arms() {
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int arm = i % 2;
      float reward = arm == 1 ? 0.6f : A[i / 2];
      rows.add(
          new LearnerData.Row(
              i,
              new float[] {1},
              new float[0],
              new float[] {1, 0, 0, 1},
              new int[0],
              arm,
              0.5,
              new float[] {reward},
              true,
              null,
              1));
    }
    return LearnerData.of(SCHEMA, rows);
  }

  private static TrainedPolicy train(Risk risk) {
    LearnerData data = arms();
    return new Learner(OrtEnvironment.getEnvironment())
        .train(
            new RiskAverse(
                RiskAverse.Config.DEFAULT.withRisk(risk).withQuantiles(QUANTILES, 0.01),
                List.of(),
                MultiplierConfig.DEFAULT),
            SCHEMA,
            data,
            TrainingPlan.of(3, 600)
                .withBatchSize(data.rows())
                .withLearningRate(1e-2)
                .withNetworks(new NetworkConfig(16, 8, 8)),
            ProgressListener.NONE);
  }

  /** Chance of arm A, which the log takes half of the time. */
  private static double chanceOfA(TrainedPolicy policy) {
    return TrainingForward.of(policy, arms()).probability(0, 0);
  }

  private static float[] quantiles(TrainedPolicy policy) {
    LearnerData data = arms();
    TrainingPlan plan =
        TrainingPlan.of(0, 1).withBatchSize(data.rows()).withNetworks(policy.networks().config());
    StepGraph graph = new StepGraph(policy.networks(), plan, 2, new float[0]);
    graph.report("returns", graph.critic().logged());
    int[] rows = new int[data.rows()];
    Arrays.setAll(rows, row -> row);
    try (TrainingSession session = graph.open(OrtEnvironment.getEnvironment())) {
      session.floats(StepGraph.CRITIC).put(policy.critic().values());
      new BatchFeed(data, SCHEMA, 2, policy.signalScale()).fill(session, rows);
      session.step();
      float[] quantiles = Arrays.copyOf(session.values("returns"), QUANTILES);
      for (int i = 0; i < QUANTILES; i++) {
        quantiles[i] *= policy.signalScale()[0];
      }
      return quantiles;
    }
  }

  @Test
  void quantilesAreLearnedAndTheirWorstDecide() {
    TrainedPolicy policy = train(new Risk.WorstShare(0.5));
    float[] learned = quantiles(policy);
    Map.of(1.0, 0.7, 0.5, 0.4, 0.25, -0.2, 0.1, -2.0)
        .forEach(
            (share, expected) ->
                assertEquals(
                    expected,
                    worth(new Risk.WorstShare(share), Risk.BadEnd.LOW, learned),
                    0.06,
                    "worst share " + share));
    assertTrue(chanceOfA(policy) < 0.35, "the arm that is safe: " + chanceOfA(policy));
  }

  @Test
  void aboveThreeQuartersThePreferenceIsTheOther() {
    assertTrue(chanceOfA(train(new Risk.WorstShare(1))) > 0.65);
  }

  @Test
  void theEntropicLearnerPrefersTheSafeArmToo() {
    assertTrue(chanceOfA(train(new Risk.Entropic(1))) < 0.35);
  }

  @Test
  void whatPromisesHoldDownIsAtRiskAtItsHighEnd() {
    Promise atMost = new Promise(2, Promise.Sense.AT_MOST, new Promise.ShareOfLog(1));
    Promise atLeast = new Promise(1, Promise.Sense.AT_LEAST, new Promise.ShareOfLog(1));
    SortedMap<Integer, Risk.BadEnd> both = atRisk(List.of(atLeast, atMost));
    assertEquals(Map.of(2, Risk.BadEnd.HIGH), both);
    assertEquals(Map.of(0, Risk.BadEnd.LOW), atRisk(List.of(atLeast)));
  }

  private static SortedMap<Integer, Risk.BadEnd> atRisk(List<Promise> promises) {
    return new RiskAverse(RiskAverse.Config.DEFAULT, promises, MultiplierConfig.DEFAULT).atRisk();
  }
}
