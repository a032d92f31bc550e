package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.graph.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProximalPolicyTest {
  private static final TrainedPolicy YOUNG = PlayedBandit.young();

  /** The loss of advantage actor-critic as it is usually written, without any ratio. */
  private record PlainActorCritic(ProximalPolicy same) implements Algorithm {
    @Override
    public TrainedPolicy train(Engine engine) {
      Engine own = engine.inUnitsOf(same.before());
      TrainingPlan plan = own.plan().withBatchSize(own.data().rows()).withSteps(1);
      return own.learn(this, same.given(own), plan);
    }

    @Override
    public void addLosses(StepGraph step) {
      Tensor error = step.critic().logged().sub(step.perRow("return.0"));
      step.minimiseCritic(step.mean(error.square().mul(0.5f)), Pace.UNCHANGING);
      StepActor actor = step.actor();
      Tensor entropy = actor.policy(Moment.NOW).mul(actor.logPolicy(Moment.NOW)).sum(-1).negate();
      Tensor gain = actor.loggedLogPolicy().mul(step.perRow("advantage.0"));
      double weight = same.config().entropy();
      step.minimiseActor(
          step.mean(gain.add(entropy.mul((float) weight)).negate()), Pace.UNCHANGING);
    }
  }

  @Test
  void withOneEpochAndNothingClippedItIsAdvantageActorCritic() {
    LearnerData data = PlayedBandit.playedBy(YOUNG);
    ProximalPolicy preset = new ProximalPolicy(ProximalPolicy.Config.A2C, YOUNG);
    TrainingPlan plan = PlayedBandit.plan(0.1, 0.5);
    TrainedPolicy found = PlayedBandit.train(preset, data, plan);
    TrainedPolicy plain = PlayedBandit.train(new PlainActorCritic(preset), data, plan);
    assertArrayEquals(plain.actor().values(), found.actor().values(), 1e-6f);
    assertArrayEquals(plain.critic().values(), found.critic().values(), 1e-6f);
    assertTrue(distance(YOUNG.actor().values(), found.actor().values()) > 1e-3);
  }

  private static double distance(float[] from, float[] to) {
    double most = 0;
    for (int i = 0; i < from.length; i++) {
      most = Math.max(most, Math.abs(from[i] - to[i]));
    }
    return most;
  }

  @Test
  void aRoundWithoutStepsOfAnySizeLeavesEveryLogitBitForBit() {
    LearnerData data = PlayedBandit.playedBy(YOUNG);
    TrainingPlan still = PlayedBandit.plan(Double.MIN_NORMAL, 1e-8);
    TrainedPolicy found =
        PlayedBandit.train(new ProximalPolicy(ProximalPolicy.Config.DEFAULT, YOUNG), data, still);
    assertArrayEquals(PlayedBandit.logitBits(YOUNG, data), PlayedBandit.logitBits(found, data));
  }

  @Test
  void roundByRoundItFindsTheBestArm() {
    TrainedPolicy policy = YOUNG;
    double before = PlayedBandit.value(policy);
    for (int round = 0; round < 8; round++) {
      policy =
          PlayedBandit.train(
              new ProximalPolicy(ProximalPolicy.Config.DEFAULT, policy),
              PlayedBandit.playedBy(policy),
              PlayedBandit.plan(0.02, 1e-8));
    }
    assertTrue(before < 0.7, "began at " + before);
    assertTrue(PlayedBandit.value(policy) > 0.85, "ended at " + PlayedBandit.value(policy));
  }

  @Test
  void whatIsClippedStaysNearHoweverOftenItIsLookedAt() {
    double clipped = variation(0.2);
    double free = variation(Double.POSITIVE_INFINITY);
    assertTrue(clipped < 0.35, "moved by " + clipped);
    assertTrue(free > 0.5, "moved by " + free);
  }

  /** How far a round of very many epochs moves the policy, from 0 to 1. */
  private static double variation(double clip) {
    ProximalPolicy.Config many = new ProximalPolicy.Config(0, 1, clip, true, 0, 0, 400, List.of());
    TrainedPolicy found =
        PlayedBandit.train(
            new ProximalPolicy(many, YOUNG),
            PlayedBandit.playedBy(YOUNG),
            PlayedBandit.plan(0.005, 1e-8));
    double[] before = PlayedBandit.chances(YOUNG);
    double[] after = PlayedBandit.chances(found);
    double moved = 0;
    for (int arm = 0; arm < before.length; arm++) {
      moved += Math.abs(after[arm] - before[arm]) / 2;
    }
    return moved;
  }

  @Test
  void weightsAreOnePerSignalAndTheObjectivesByDefault() {
    ProximalPolicy.Config usual = ProximalPolicy.Config.DEFAULT;
    assertEquals(1, usual.weight(0));
    assertEquals(0, usual.weight(1));
    ProximalPolicy.Config two = usual.withWeights(List.of(1.0, 2.0));
    assertThrows(IllegalArgumentException.class, () -> new ProximalPolicy(two, YOUNG));
  }
}
