package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.Parameters;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What algorithms make of the process in which bait pays at once and tires, against the answers of
 * ALGORITHMS.md. Values are in the rewards' own units.
 */
class ClosedFormProcessTest {
  private static final double DISCOUNT = TabularProcess.DISCOUNT;

  /** Entropy worth so much more than any value that a policy stays even. */
  private static final Temperature EVEN = Temperature.fixed(1000);

  private static final TabularProcess PROCESS = TabularProcess.freshOrTired();

  /** Deviation of the main rewards, which stand in the data equally often. */
  private static final double UNIT = Math.sqrt((1 + 0.36 + 0.16 + 0.09) / 4 - 0.575 * 0.575);

  @Test
  void softValuesAreTheOnesThatPayForEntropy() {
    DiscreteSac.Config config =
        DiscreteSac.Config.DEFAULT
            .withDiscount(DISCOUNT)
            .withTemperature(Temperature.fixed(0.2 / UNIT));
    TabularAnswer answer = ClosedForms.freshOrTired(new DiscreteSac(config), 1500);
    double[][] values = answer.actionValues()[TabularProcess.MAIN];
    assertArrayEquals(new double[] {7.313922, 7.206909}, values[0], 0.02 * 7.3);
    assertArrayEquals(new double[] {6.538129, 6.672519}, values[1], 0.02 * 6.6);
    assertEquals(0.630663, answer.chances()[0][0], 0.013);
    assertEquals(0.338060, answer.chances()[1][0], 0.013);
    double[] plain = PROCESS.stateValues(answer.chances(), TabularProcess.MAIN, DISCOUNT);
    assertEquals(6.106495, plain[0], 0.02);
  }

  @ParameterizedTest
  @CsvSource({
    "0.7, 6.202468, 6.094675, 5.427143, 5.560909",
    "0.9, 6.422210, 6.312101, 5.648276, 5.780188"
  })
  void inSampleValuesFollowTheExpectile(
      double expectile, double bait, double quality, double tiredBait, double tiredQuality) {
    Iql.Config config = Iql.Config.DEFAULT.withDiscount(DISCOUNT).withExpectile(expectile);
    requireValues(
        ClosedForms.freshOrTired(new Iql(config), 1500), bait, quality, tiredBait, tiredQuality);
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 5.982847, 5.878467, 5.205474, 5.341971",
    "0.7, 6.202468, 6.094675, 5.427143, 5.560909"
  })
  void backupsOfAnEvenPolicyFollowTheExpectileOfTheirStep(
      double expectile, double bait, double quality, double tiredBait, double tiredQuality) {
    Annealed.Config config = new Annealed.Config(DISCOUNT, expectile, expectile, 0.6, 0, EVEN);
    requireValues(
        ClosedForms.freshOrTired(new Annealed(config), 1500),
        bait,
        quality,
        tiredBait,
        tiredQuality);
  }

  private static void requireValues(TabularAnswer answer, double... expected) {
    double[][] values = answer.actionValues()[TabularProcess.MAIN];
    assertArrayEquals(new double[] {expected[0], expected[1]}, values[0], 0.02 * expected[0]);
    assertArrayEquals(new double[] {expected[2], expected[3]}, values[1], 0.02 * expected[3]);
    assertEquals(expected[0] - expected[1], values[0][0] - values[0][1], 0.02);
    assertEquals(expected[3] - expected[2], values[1][1] - values[1][0], 0.02);
  }

  @Test
  void theExpectileFallsThroughThreeFifthsOfTheSteps() {
    Annealed.Config config = Annealed.Config.DEFAULT;
    assertEquals(0.7, config.expectile(1, 1000), 1e-12);
    assertEquals(0.6, config.expectile(301, 1000), 1e-12);
    assertEquals(0.5, config.expectile(601, 1000), 1e-12);
    assertEquals(0.5, config.expectile(1000, 1000), 1e-12);
  }

  @Test
  void anUnconstrainedPolicyTakesBaitWhileFresh() {
    ActorCritic.Config config =
        ActorCritic.Config.DEFAULT.withDiscount(DISCOUNT).withCloseness(0.02);
    double[][] chances = ClosedForms.freshOrTired(new ActorCritic(config), 1500).chances();
    assertTrue(chances[0][0] > 0.95, "bait while fresh: " + chances[0][0]);
    assertTrue(chances[1][1] > 0.95, "quality while tired: " + chances[1][1]);
  }

  @Test
  void theGainOfAnEvenPolicyIsItsRewardInTheLongRun() {
    AverageReward.Config config = new AverageReward.Config(0.01, 0, EVEN);
    TrainedPolicy policy = averageReward(config, 1500);
    assertEquals(0.557692, gain(policy), 0.02 * 0.557692);
    double[][] values = TabularAnswer.of(policy, PROCESS).actionValues()[TabularProcess.MAIN];
    double fresh = (values[0][0] + values[0][1]) / 2;
    double tired = (values[1][0] + values[1][1]) / 2;
    assertEquals(-0.692308, tired - fresh, 0.02);
  }

  @Test
  void theBestGainIsThatOfBaitWhileFresh() {
    AverageReward.Config config = new AverageReward.Config(0.01, 0, Temperature.fixed(0.02));
    TrainedPolicy policy = averageReward(config, 1500);
    double[][] chances = TabularAnswer.of(policy, PROCESS).chances();
    assertTrue(chances[0][0] > 0.95, "bait while fresh: " + chances[0][0]);
    assertTrue(chances[1][1] > 0.95, "quality while tired: " + chances[1][1]);
    assertEquals(0.618182, gain(policy), 0.02 * 0.618182);
  }

  private static TrainedPolicy averageReward(AverageReward.Config config, long steps) {
    return ClosedForms.train(
        new AverageReward(config), PROCESS.schema(), PROCESS.repeated(20), steps);
  }

  private static double gain(TrainedPolicy policy) {
    return ClosedForms.lastGauge(policy, "critic.gain") * policy.signalScale()[0];
  }

  @Test
  void eachHeadLooksOneStepFurther() {
    int heads = 3;
    IteratedQ.Config config = new IteratedQ.Config(DISCOUNT, heads, 30, 1_000_000, true, 0, EVEN);
    TrainedPolicy policy =
        ClosedForms.train(new IteratedQ(config), PROCESS.schema(), PROCESS.repeated(20), 1200);
    double[][] values =
        headValues(policy, Objects.requireNonNull(policy.vectors().get("base")), heads, 0);
    float[] learned = Objects.requireNonNull(policy.vectors().get(StepGraph.CRITIC));
    for (int head = 0; head < heads; head++) {
      values = lookedAhead(values);
      double[][] found = headValues(policy, learned, heads, head);
      for (int state = 0; state < 2; state++) {
        assertArrayEquals(values[state], found[state], 0.02 * values[state][0], "head " + head);
        assertArrayEquals(
            headValues(policy, learned, heads, heads - 1)[state],
            headValues(policy, policy.critic().values(), heads, head)[state],
            1e-5,
            "what is left behind is the last head");
      }
    }
  }

  private static double[][] lookedAhead(double[][] next) {
    double[][] values = new double[2][2];
    for (int state = 0; state < 2; state++) {
      for (int action = 0; action < 2; action++) {
        values[state][action] = PROCESS.rewards()[TabularProcess.MAIN][state][action];
        for (int to = 0; to < 2; to++) {
          values[state][action] +=
              DISCOUNT
                  * PROCESS.transition()[state][action][to]
                  * Math.max(next[to][0], next[to][1]);
        }
      }
    }
    return values;
  }

  @Test
  void lookingAheadFromNothingIsThePublishedSequence() {
    double[][] values = lookedAhead(lookedAhead(new double[2][2]));
    assertArrayEquals(new double[] {1.576, 1.446}, values[0], 1e-9);
    assertArrayEquals(new double[] {0.814, 0.93}, values[1], 1e-9);
  }

  /** Main values {@code [state][action]} of one head of a critic with these weights. */
  private static double[][] headValues(TrainedPolicy policy, float[] critic, int heads, int head) {
    float[] scale = new float[policy.signalScale().length * heads];
    for (int output = 0; output < scale.length; output++) {
      scale[output] = policy.signalScale()[output / heads];
    }
    TrainedPolicy perHead =
        new TrainedPolicy(
            policy.networks(),
            policy.actor(),
            true,
            new Parameters(policy.critic().layout(), critic),
            true,
            policy.vectors(),
            scale,
            policy.history(),
            policy.promises());
    LearnerData data = PROCESS.weighted();
    TrainingForward forward = TrainingForward.of(perHead, data);
    double[][] values = new double[2][2];
    for (int row = 0; row < data.rows(); row++) {
      for (int action = 0; action < 2; action++) {
        values[PROCESS.state(data, row)][action] = forward.actionValue(row, action, head);
      }
    }
    return values;
  }

  @Test
  void oneHeadIsACriticWithACopyThatIsRenewedNowAndThen() {
    IteratedQ.Config config = new IteratedQ.Config(DISCOUNT, 1, 30, 70, false, 0, EVEN);
    TrainedPolicy iterated =
        ClosedForms.train(new IteratedQ(config), PROCESS.schema(), PROCESS.repeated(20), 300);
    TrainedPolicy renewed =
        ClosedForms.train(new RenewedCopy(70), PROCESS.schema(), PROCESS.repeated(20), 300);
    assertArrayEquals(renewed.critic().values(), iterated.critic().values());
    assertArrayEquals(renewed.actor().values(), iterated.actor().values());
  }

  /** Expected backups of a copy that is replaced every so many steps: the slow obvious version. */
  private record RenewedCopy(int every) implements Algorithm {
    @Override
    public double discount() {
      return DISCOUNT;
    }

    @Override
    public void addLosses(StepGraph step) {
      var critic = step.networks().critic();
      StepCritic copy =
          new StepCritic(
              step,
              "copy",
              critic,
              step.vector(
                  "copy",
                  critic.layout(),
                  returns -> step.networks().initialCritic(step.plan().seed(), returns).values()));
      Tensor next = step.expectation(step.actor().policy(Moment.NEXT), copy.all(Moment.NEXT));
      Tensor target = step.rewards().add(next.mul(step.continues()).mul((float) DISCOUNT));
      Tensor error = step.critic().logged().sub(target.stopGradient());
      step.minimiseCritic(step.mean(error.square().mul(0.5f)), Pace.THROUGHOUT);
      new SoftPolicy(step, EVEN).improve(step.output(step.critic().all(Moment.NOW), 0));
    }

    @Override
    public void after(long step, TrainingSession session) {
      if (step % every == 0) {
        session.floats("copy").put(session.read(StepGraph.CRITIC));
      }
    }
  }
}
