package io.bellwether.loadtest.learning.online;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.loadtest.learning.bsim.Ratios;
import io.bellwether.loadtest.learning.bsim.SimulatedFeatures;
import io.bellwether.loadtest.learning.bsim.SimulatedLog;
import io.bellwether.loadtest.learning.bsim.SimulatedTask;
import io.bellwether.loadtest.learning.online.OnlineCurve.Window;
import io.bellwether.loadtest.people.Estimate;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import io.bellwether.trainer.algorithm.Kept;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.algorithm.TrainingPlan;
import io.bellwether.trainer.network.NetworkConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OnlineRoundsTest {
  private static final OnlineRounds.Extent SMALL = new OnlineRounds.Extent(2, 10, 10);
  private static final TrainingPlan PLAN =
      TrainingPlan.of(1, 30).withBatchSize(64).withNetworks(new NetworkConfig(8, 4, 4));

  private final SimulatedTask task = new SimulatedTask(Profile.DENSE, 20);
  private final SimulatedLog log = task.log(1);
  private final TrainedPolicy start =
      new Learner(OrtEnvironment.getEnvironment())
          .train(BehaviourCloning.DEFAULT, log.schema(), log.data(), PLAN, ProgressListener.NONE);

  private OnlineRounds rounds() {
    return new OnlineRounds(
        task, SMALL, PLAN.withLearningRate(1e-2), OnlineRounds.careful().withCritics(2));
  }

  @Test
  void theFirstWindowIsServedByTheFirstPolicyAndTheNextByAChangedOne() throws InterruptedException {
    OnlineCurve curve = rounds().from(start, Kept.POLICY, List.of());
    assertEquals(2, curve.windows().size());
    assertEquals(10_000, curve.windows().get(0).first());
    assertEquals(10_010, curve.windows().get(1).first());
    assertEquals(1, curve.windows().get(0).share());
    assertFalse(curve.windows().get(1).share() == 1);
    assertFalse(curve.gain() == 0);
    assertEquals(curve, rounds().from(start, Kept.POLICY, List.of()));
  }

  @Test
  void theLogStaysInWhatIsLearnedWhereDataIsKept() throws InterruptedException {
    for (Kept kept : List.of(Kept.DATA, Kept.BOTH)) {
      OnlineCurve curve = rounds().from(start, kept, List.of(log.data()));
      assertEquals(2, curve.windows().size());
      assertFalse(curve.gain() == 0);
    }
  }

  @Test
  void aCurveIsAcceptedWhereNoWindowFallsAndTheEndIsHigher() {
    assertTrue(curve(1.96, 2.0, 2.05).isAccepted());
    assertFalse(curve(1.88, 2.0, 2.05).isAccepted());
    assertFalse(curve(1.96, 2.0, 2.03).isAccepted());
    assertEquals(0.98, curve(1.96, 2.0, 2.05).worstShare(), 1e-12);
    assertEquals(0.025, curve(1.96, 2.0, 2.05).gain(), 1e-12);
  }

  private static OnlineCurve curve(double window, double start, double end) {
    return new OnlineCurve(
        List.of(
            new Window(10_000, ratios(start), ratios(start)),
            new Window(10_500, ratios(window), ratios(start))),
        ratios(start),
        ratios(end));
  }

  private static Ratios ratios(double watch) {
    List<Estimate> signals = new ArrayList<>();
    for (int signal = 0; signal < SimulatedFeatures.SIGNALS.size(); signal++) {
      signals.add(new Estimate(signal == 0 ? watch : 1, 0.01));
    }
    return new Ratios(signals, 1, 1);
  }
}
