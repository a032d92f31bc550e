package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.algorithm.Promise.Absolute;
import io.bellwether.trainer.algorithm.Promise.Sense;
import io.bellwether.trainer.network.NetworkConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Learners with constraints on processes whose answers ALGORITHMS.md gives. */
class ConstrainedTabularTest {

  /** Prices that arrive within some hundred steps. */
  private static final MultiplierConfig QUICK = new MultiplierConfig(0.2, 0.1, 0, 20, 5, 8192, 0);

  private record Answer(TrainedPolicy policy, double[][] chances) {}

  private static Answer learn(
      Algorithm algorithm, TabularProcess process, LearnerData data, long steps) {
    TrainedPolicy policy =
        new Learner(OrtEnvironment.getEnvironment())
            .train(
                algorithm,
                process.schema(),
                data,
                TrainingPlan.of(3, steps)
                    .withBatchSize(data.rows())
                    .withLearningRate(3e-3)
                    .withNetworks(new NetworkConfig(16, 8, 8)),
                ProgressListener.NONE);
    return new Answer(policy, TabularAnswer.of(policy, process).chances());
  }

  private static List<Promise> atLeast(double limit) {
    return List.of(new Promise(TabularProcess.AUXILIARY, Sense.AT_LEAST, new Absolute(limit)));
  }

  private static double worth(TabularProcess process, double[][] chances, int signal) {
    return process.atStart(process.stateValues(chances, signal, TabularProcess.DISCOUNT));
  }

  /** An algorithm that is nothing but its stages. */
  private record Staged(Function<Engine, TrainedPolicy> stages) implements Algorithm {
    @Override
    public void addLosses(StepGraph step) {
      throw new UnsupportedOperationException("it has stages only");
    }

    @Override
    public TrainedPolicy train(Engine engine) {
      return stages.apply(engine);
    }
  }

  private static float[] repeated(LearnerData data, double... perAction) {
    float[] values = new float[data.closed().length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) perAction[i % perAction.length];
    }
    return values;
  }

  @ParameterizedTest
  @EnumSource(ActorLoss.class)
  void everyActorLossEndsAtTheClosedFormOfStageTwo(ActorLoss loss) {
    double[] published = {0.323513, 0.339864, 0.336622};
    double[] unnormalised = new double[3];
    for (int arm = 0; arm < 3; arm++) {
      double prior =
          0.5 * Math.log(new double[] {0.1, 0.3, 0.6}[arm])
              + 0.5 * Math.log(new double[] {0.3, 0.3, 0.4}[arm]);
      unnormalised[arm] = Math.exp(prior + new double[] {1, 0.5, 0}[arm] - 0.45);
    }
    double sum = unnormalised[0] + unnormalised[1] + unnormalised[2];
    for (int arm = 0; arm < 3; arm++) {
      assertEquals(published[arm], unnormalised[arm] / sum, 1e-5);
    }
    TabularProcess process = TabularProcess.bandit();
    LearnerData data = process.repeated(10);
    float[] weights = new float[data.rows()];
    for (int row = 0; row < weights.length; row++) {
      weights[row] = (float) (published[data.action()[row]] / data.propensity()[row]);
    }
    Given given =
        Given.NONE
            .withCandidates(
                Distillation.TARGET,
                repeated(
                    data, Math.log(published[0]), Math.log(published[1]), Math.log(published[2])))
            .withRows(Distillation.WEIGHT, weights);
    Staged staged = new Staged(engine -> engine.learn(new Distillation(loss, 0.7), given));
    assertArrayEquals(published, learn(staged, process, data, 800).chances()[0], 0.007);
  }

  @ParameterizedTest
  @CsvSource({"0.3, 5.76245, 0.78063", "0.05, 6.23721, 0.51859", "0.02, 6.51140, 0.36106"})
  void twoStagesEndWhereTheSpecificationSays(double size, double main, double auxiliary) {
    TabularProcess process = TabularProcess.freshOrTired();
    TwoStageActorCritic.Config config =
        TwoStageActorCritic.Config.DEFAULT
            .withDiscount(TabularProcess.DISCOUNT)
            .withSharpness(0.05)
            .withSizes(List.of(size))
            .withUnit(TemperatureUnit.OWN);
    double[][] chances =
        learn(new TwoStageActorCritic(config, atLeast(0.3)), process, process.repeated(100), 2000)
            .chances();
    assertEquals(main, worth(process, chances, TabularProcess.MAIN), 0.02 * main);
    assertEquals(auxiliary, worth(process, chances, TabularProcess.AUXILIARY), 0.02 * auxiliary);
  }

  @Test
  void theSmallestSizeThatKeepsThePromiseIsServed() {
    TabularProcess process = TabularProcess.freshOrTired();
    TwoStageActorCritic.Config config =
        TwoStageActorCritic.Config.DEFAULT
            .withDiscount(TabularProcess.DISCOUNT)
            .withSharpness(0.05)
            .withSizes(List.of(1.0, 0.1, 0.02))
            .withUnit(TemperatureUnit.OWN);
    LearnerData data = process.repeated(100);
    // 0.02 is worth 0.361 of the second signal, 0.1 is worth 0.669.
    Answer kept = learn(new TwoStageActorCritic(config, atLeast(0.6)), process, data, 2000);
    assertEquals(0.66899, worth(process, kept.chances(), TabularProcess.AUXILIARY), 0.02);
    assertTrue(kept.policy().promises().get(0).isKept());
    // Nothing is worth 2.
    Answer broken = learn(new TwoStageActorCritic(config, atLeast(2)), process, data, 500);
    assertFalse(broken.policy().promises().get(0).isKept());
    assertTrue(broken.policy().promises().get(0).hopeless());
  }

  @Test
  void pricesMixTwoArmsEvenly() {
    TabularProcess process = TabularProcess.constrainedBandit();
    PidActorCritic.Config config =
        PidActorCritic.Config.DEFAULT.withTemperature(0.05).withUnit(TemperatureUnit.OWN);
    Answer answer =
        learn(new PidActorCritic(config, atLeast(0.3), QUICK), process, process.repeated(20), 1500);
    assertEquals(0.5, answer.chances()[0][0], 0.02);
    assertEquals(1.5, answer.policy().promises().get(0).multiplier(), 0.05);
    assertFalse(answer.policy().promises().get(0).hopeless());
  }

  @Test
  void pricesFindTheConstrainedOptimumOfAProcess() {
    TabularProcess process = TabularProcess.freshOrTired();
    PidActorCritic.Config config =
        PidActorCritic.Config.DEFAULT
            .withDiscount(TabularProcess.DISCOUNT)
            .withTemperature(0.02)
            .withUnit(TemperatureUnit.OWN);
    Answer answer =
        learn(new PidActorCritic(config, atLeast(0.7), QUICK), process, process.repeated(20), 3000);
    assertEquals(5.955224, worth(process, answer.chances(), TabularProcess.MAIN), 0.02 * 5.955224);
    assertEquals(0.7, worth(process, answer.chances(), TabularProcess.AUXILIARY), 0.02 * 0.7);
  }

  @Test
  void aPriceThatStaysAtItsCapIsTold() {
    TabularProcess process = TabularProcess.constrainedBandit();
    PidActorCritic.Config config =
        PidActorCritic.Config.DEFAULT.withTemperature(0.05).withUnit(TemperatureUnit.OWN);
    MultiplierConfig steep = new MultiplierConfig(1, 1, 0, 5, 5, 8192, 0);
    Answer answer =
        learn(new PidActorCritic(config, atLeast(0.8), steep), process, process.repeated(20), 800);
    assertTrue(answer.policy().promises().get(0).hopeless());
  }

  @Test
  void withoutPromisesTheBaselineTiltsTheLog() {
    TabularProcess process = TabularProcess.bandit();
    double closeness = 0.5;
    double[] expected = new double[3];
    double sum = 0;
    for (int arm = 0; arm < 3; arm++) {
      expected[arm] =
          process.logging()[0][arm] * Math.exp((1 - 0.5 * arm) / (Math.sqrt(0.1225) * closeness));
      sum += expected[arm];
    }
    for (int arm = 0; arm < 3; arm++) {
      expected[arm] /= sum;
    }
    RewardConstrained baseline =
        new RewardConstrained(0, closeness, List.of(), RewardConstrained.LIBRARY_GAINS);
    assertArrayEquals(
        expected, learn(baseline, process, process.repeated(10), 2000).chances()[0], 0.02);
  }

  @Test
  void onePenalisedCriticKeepsAPromiseOfABandit() {
    TabularProcess process = TabularProcess.constrainedBandit();
    RewardConstrained baseline =
        new RewardConstrained(
            0, 0.1, atLeast(0.3), new MultiplierConfig(0.05, 0.01, 0, 20, 5, 8192, 0));
    Answer answer = learn(baseline, process, process.repeated(20), 3000);
    assertEquals(0.5, answer.chances()[0][0], 0.05);
  }

  @Test
  void theBudgetIsWhatTheChampionIsLeftBy() {
    TabularProcess process = TabularProcess.bandit();
    double[] expected = new double[3];
    double sum = 0;
    for (int arm = 0; arm < 3; arm++) {
      expected[arm] = process.logging()[0][arm] * Math.exp((1 - 0.5 * arm) / 0.5);
      sum += expected[arm];
    }
    double budget = 0;
    for (int arm = 0; arm < 3; arm++) {
      expected[arm] /= sum;
      budget += expected[arm] * Math.log(expected[arm] / process.logging()[0][arm]);
    }
    Answer answer = learn(new ChampionActorCritic(0, budget), process, process.repeated(10), 2000);
    assertArrayEquals(expected, answer.chances()[0], 0.02);
  }

  @Test
  void aMixtureIsBetterThanBothOfItsMembers() {
    double[][][] toTheAction = {{{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}};
    double[][][] paysForChange = {{{0, 1}, {1, 0}}};
    TabularProcess process =
        new TabularProcess(
            new double[][] {{0.5, 0.5}, {0.5, 0.5}},
            toTheAction,
            paysForChange,
            new double[] {1, 0});
    LearnerData data = process.repeated(20);
    // As often as the best mixture visits them: the log's own shares lead to an even mixture.
    for (int row = 0; row < data.rows(); row++) {
      data.weight()[row] = process.state(data, row) == 0 ? 1.05f : 0.95f;
    }
    PolicyMixture mixture =
        new PolicyMixture(
            new PolicyMixture.Config(TabularProcess.DISCOUNT, 0.25, TemperatureUnit.OWN, 0),
            List.of(),
            QUICK);
    List<float[]> members = new ArrayList<>();
    members.add(repeated(data, 0, -30));
    members.add(repeated(data, -30, 0));
    Staged staged =
        new Staged(
            engine -> {
              PolicyStages stages = PolicyStages.of(engine, TabularProcess.DISCOUNT, 1);
              TrainedPolicy logging = stages.loggingCritics(2);
              double[] units = stages.units(TemperatureUnit.OWN, logging);
              return mixture.mixed(engine, stages, logging, units, members);
            });
    double[][] chances = learn(staged, process, data, 3000).chances();
    assertEquals(0.527778, chances[0][1], 0.03);
    assertEquals(0.527778, chances[1][1], 0.03);
    assertEquals(5.013889, worth(process, chances, TabularProcess.MAIN), 0.02);
  }

  @Test
  void aMixtureOfWhatIsGoodForEverySignalKeepsThePromise() {
    TabularProcess process = TabularProcess.constrainedBandit();
    PolicyMixture mixture =
        new PolicyMixture(
            new PolicyMixture.Config(0, 0.05, TemperatureUnit.OWN, 0.001), atLeast(0.3), QUICK);
    double[][] chances = learn(mixture, process, process.repeated(20), 1500).chances();
    assertTrue(chances[0][0] <= 0.51);
  }
}
