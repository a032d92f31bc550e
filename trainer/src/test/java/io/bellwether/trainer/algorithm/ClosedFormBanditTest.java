package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What algorithms make of three arms that pay (1, 0.5, 0) and were logged with (0.2, 0.5, 0.3),
 * against the answers of ALGORITHMS.md.
 */
class ClosedFormBanditTest {
  private static final double[] LOGGED = {0.2, 0.5, 0.3};
  private static final double[] PAID = {1, 0.5, 0};
  private static final double UNIT = ClosedForms.BANDIT_SCALE;

  private static double[] chances(Algorithm algorithm, long steps) {
    return ClosedForms.bandit(algorithm, steps).chances()[0];
  }

  @Test
  void theBestSevenTenthsAreTheFirstTwoArmsByTheirShares() {
    double[] chances = chances(new FilteredCloning(0.7, 0, 1e-4), 800);
    assertArrayEquals(new double[] {2 / 7.0, 5 / 7.0, 0}, chances, 0.02);
  }

  @Test
  void theBestFifthIsTheBestArm() {
    assertTrue(chances(new FilteredCloning(0.2, 0, 1e-4), 800)[0] > 0.97);
  }

  @Test
  void aSoftPolicyIsTheSoftmaxOfItsValues() {
    DiscreteSac.Config config =
        DiscreteSac.Config.DEFAULT.withTemperature(Temperature.fixed(0.5 / UNIT));
    double[] chances = chances(new DiscreteSac(config), 1000);
    assertArrayEquals(new double[] {0.665241, 0.244728, 0.090031}, chances, 0.013);
  }

  @Test
  void theTemperatureHoldsTheEntropyAtItsShare() {
    Temperature quick = new Temperature(0.2, 0.3, 0.05);
    double[] chances =
        chances(new DiscreteSac(DiscreteSac.Config.DEFAULT.withTemperature(quick)), 1500);
    double entropy = 0;
    for (double chance : chances) {
      entropy -= chance * Math.log(chance);
    }
    assertEquals(0.3 * Math.log(3), entropy, 0.02 * Math.log(3));
  }

  @Test
  void anEntropyPenaltyChangesTheWayAndNotTheEnd() {
    DiscreteSac.Config config =
        new DiscreteSac.Config(0, Temperature.fixed(0.5 / UNIT), Agreement.MEAN, 0, 0.5);
    double[] chances = chances(new DiscreteSac(config), 1000);
    assertArrayEquals(new double[] {0.665241, 0.244728, 0.090031}, chances, 0.013);
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 0.565921, 0.609663, 0.106615",
    "1, 0.386293, 0.655289, 0.150324",
    "2, 0.216946, 0.698376, 0.191410"
  })
  void conservatismPunishesGoodArmsThatWereSeldomLogged(
      double conservatism, double first, double second, double third) {
    double[] values = values(Cql.Config.DEFAULT.withConservatism(conservatism));
    assertArrayEquals(new double[] {first, second, third}, values, 0.014);
    double mean = 0;
    for (int arm = 0; arm < 3; arm++) {
      mean += LOGGED[arm] * values[arm];
    }
    assertEquals(0.45, mean, 0.009);
  }

  @Test
  void calibratedValuesAreNotPushedBelowTheLoggedReturn() {
    double[] values = values(Cql.Config.DEFAULT.withConservatism(1).withCalibration());
    double[] expected =
        smallest(
            q -> {
              double loss = 0;
              for (int logged = 0; logged < 3; logged++) {
                double together = 0;
                for (double value : q) {
                  together += Math.exp(Math.max(value, PAID[logged]));
                }
                double error = q[logged] - PAID[logged];
                loss += LOGGED[logged] * (error * error / 2 + Math.log(together) - q[logged]);
              }
              return loss;
            });
    assertArrayEquals(expected, values, 0.03);
  }

  /** Minimum of a convex function of three numbers, by gradient descent with differences. */
  private static double[] smallest(ToDoubleFunction<double[]> loss) {
    double[] at = {0, 0, 0};
    for (int step = 0; step < 20_000; step++) {
      double[] gradient = new double[3];
      for (int i = 0; i < 3; i++) {
        double[] above = at.clone();
        above[i] += 1e-5;
        double[] below = at.clone();
        below[i] -= 1e-5;
        gradient[i] = (loss.applyAsDouble(above) - loss.applyAsDouble(below)) / 2e-5;
      }
      for (int i = 0; i < 3; i++) {
        at[i] -= 0.02 * gradient[i];
      }
    }
    return at;
  }

  private static double[] values(Cql.Config config) {
    TabularProcess process = TabularProcess.bandit();
    TrainedPolicy policy =
        ClosedForms.train(new Cql(config), process.schema(), ClosedForms.banditInUnits(), 1000);
    assertEquals(1, policy.signalScale()[0], 1e-4);
    return TabularAnswer.of(policy, process).actionValues()[0][0];
  }

  @Test
  void thePriceOfAGapIsFoundThatHoldsIt() {
    TabularProcess process = TabularProcess.bandit();
    TrainedPolicy policy =
        ClosedForms.train(
            new Cql(Cql.Config.DEFAULT.withGap(0.95)),
            process.schema(),
            ClosedForms.banditInUnits(),
            1500);
    double gap = ClosedForms.lastGauge(policy, "critic.gap");
    // a mean over twelve rows, of which two have no weight
    assertEquals(0.95, gap, 0.015);
  }

  @Test
  void anInSamplePolicyTiltsTheLogByItsAdvantage() {
    Iql.Config config = Iql.Config.DEFAULT.withInverseTemperature(3 * UNIT);
    TabularAnswer answer = ClosedForms.bandit(new Iql(config), 1000);
    assertArrayEquals(new double[] {0.612555, 0.341699, 0.045746}, answer.chances()[0], 0.013);
    assertEquals(0.565789, answer.stateValues()[0][0], 0.012);
  }

  @Test
  void aThresholdThatForbidsTheBestArmTakesTheSecond() {
    assertTrue(chances(new Bcq(Bcq.Config.DEFAULT), 800)[0] > 0.97);
    assertTrue(chances(new Bcq(Bcq.Config.DEFAULT.withThreshold(0.5)), 800)[1] > 0.97);
  }

  @Test
  void criticRegularisedRegressionTiltsTheLogByItsAdvantage() {
    Crr.Config config = Crr.Config.DEFAULT.withConservatism(0).withTemperature(1 / UNIT);
    assertArrayEquals(
        new double[] {0.325930, 0.494216, 0.179854}, chances(new Crr(config), 1000), 0.01);
  }

  @Test
  void binaryWeightsEndAtTheBestArmAndStayThere() {
    Crr.Config config = Crr.Config.DEFAULT.withConservatism(0).withWeighting(Crr.Weighting.BINARY);
    assertTrue(chances(new Crr(config), 1200)[0] > 0.95);
  }

  @Test
  void normalisedWeightsHaveTheSameAnswer() {
    Awac.Config config = Awac.Config.DEFAULT.withTemperature(1 / UNIT);
    assertArrayEquals(
        new double[] {0.325930, 0.494216, 0.179854}, chances(new Awac(config), 1000), 0.01);
  }

  @Test
  void aPolicyNearTheLogIsTheLogTiltedByTheReward() {
    ActorCritic.Config config = new ActorCritic.Config(0, 0.5 / UNIT, 0);
    assertArrayEquals(
        new double[] {0.471098, 0.433268, 0.095634}, chances(new ActorCritic(config), 1000), 0.01);
  }

  @Test
  void valuesWeighAsMuchAsTheirSizeSaysBesideImitation() {
    double[] expected = LOGGED.clone();
    for (int round = 0; round < 500; round++) {
      double worth = 0;
      for (int arm = 0; arm < 3; arm++) {
        worth += expected[arm] * PAID[arm];
      }
      double[] best = imitationAndValue(2.5 / worth);
      for (int arm = 0; arm < 3; arm++) {
        expected[arm] += 0.1 * (best[arm] - expected[arm]);
      }
    }
    double[] chances = chances(new Td3(Td3.Config.DEFAULT), 1500);
    assertArrayEquals(expected, chances, 0.02);
  }

  /** Largest {@code Σ π weight r + Σ β log π}: {@code π = β / (μ - weight r)}, μ by bisection. */
  private static double[] imitationAndValue(double weight) {
    double low = weight * PAID[0] + 1e-9;
    double high = low + 1 + weight;
    for (int halving = 0; halving < 100; halving++) {
      double middle = (low + high) / 2;
      double sum = 0;
      for (int arm = 0; arm < 3; arm++) {
        sum += LOGGED[arm] / (middle - weight * PAID[arm]);
      }
      low = sum > 1 ? middle : low;
      high = sum > 1 ? high : middle;
    }
    double[] chances = new double[3];
    for (int arm = 0; arm < 3; arm++) {
      chances[arm] = LOGGED[arm] / (low - weight * PAID[arm]);
    }
    return chances;
  }

  @Test
  void theSmallerOfTwoNoisyCriticsOverestimatesLess() {
    int rows = 20_000;
    Graph graph = new Graph();
    Tensor first = graph.input("first", ElementType.FLOAT, Shape.of(rows, 10));
    Tensor second = graph.input("second", ElementType.FLOAT, Shape.of(rows, 10));
    Tensor smallest = Agreement.SMALLEST.of(List.of(first, second));
    graph.output("one", first.max(-1).mean());
    graph.output("mean", Agreement.MEAN.of(List.of(first, second)).max(-1).mean());
    graph.output("smallest", smallest.max(-1).mean());
    graph.output("chosen", smallest.mul(TwinCritics.best(first)).sum(-1).mean());
    graph.output("other", second.mul(TwinCritics.best(first)).sum(-1).mean());
    try (TrainingSession session =
        new TrainingSession(OrtEnvironment.getEnvironment(), graph, List.of())) {
      for (int i = 0; i < rows * 10; i++) {
        session.floats("first").put(i, (float) CounterRandom.normal(5, 1, i, 0, 0));
        session.floats("second").put(i, (float) CounterRandom.normal(5, 2, i, 0, 0));
      }
      session.step();
      assertEquals(1.538, session.scalar("one"), 0.02);
      assertEquals(1.087, session.scalar("mean"), 0.02);
      assertEquals(0.673, session.scalar("smallest"), 0.02);
      assertEquals(-0.049, session.scalar("chosen"), 0.02);
      assertEquals(0, session.scalar("other"), 0.02);
    }
  }

  @Test
  void expectilesOverCandidatesAreThePublishedOnes() {
    double[][] policies = {LOGGED, {0.9, 0.1, 0}};
    double[][] values = {PAID, {0, 1, 7}};
    double[][] published = {{0.5, 0.45}, {0.7, 0.565789}, {0.9, 0.788462}, {0.99, 0.973301}};
    Graph graph = new Graph();
    Tensor policy = graph.input("policy", ElementType.FLOAT, Shape.of(2, 3));
    Tensor value = graph.input("value", ElementType.FLOAT, Shape.of(2, 3));
    Tensor open = graph.input("open", ElementType.FLOAT, Shape.of(2, 3));
    Tensor level = graph.input("level", ElementType.FLOAT, Shape.of());
    graph.output("expectile", Annealed.expectile(policy, value, open, level));
    try (TrainingSession session =
        new TrainingSession(OrtEnvironment.getEnvironment(), graph, List.of())) {
      for (int i = 0; i < 6; i++) {
        session.floats("policy").put(i, (float) policies[i / 3][i % 3]);
        session.floats("value").put(i, (float) values[i / 3][i % 3]);
        session.floats("open").put(i, i == 5 ? 0 : 1);
      }
      for (double[] known : published) {
        session.set("level", (float) known[0]);
        session.step();
        assertEquals(known[1], session.values("expectile")[0], 1e-5);
        if (known[0] == 0.9) {
          assertEquals(0.5, session.values("expectile")[1], 1e-5);
        }
      }
    }
  }
}
