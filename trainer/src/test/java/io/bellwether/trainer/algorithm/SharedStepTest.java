package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.NetworkConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedStepTest {
  private static final TabularProcess PROCESS = TabularProcess.freshOrTired();
  private static final LearnerData DATA = PROCESS.repeated(20);
  private static final Learner LEARNER = new Learner(OrtEnvironment.getEnvironment());
  private static final int STEPS = 12;

  @TempDir Path folder;

  /** Has a slow copy, prices, and a value that is carried from step to step. */
  private record Everything(ConstrainedActorCritic critic) implements Algorithm {
    @Override
    public void addLosses(StepGraph step) {
      critic.addLosses(step);
      Tensor carried = step.carried("meanReward", new float[] {0.5f});
      Tensor mean = step.mean(step.rewards().slice(1, 0, 1)).reshape(1);
      step.carry("meanReward", carried.mul(0.9f).add(mean.mul(0.1f)));
      step.gauge("meanReward.now", carried.sum());
    }

    @Override
    public List<Promise> promises() {
      return critic.promises();
    }

    @Override
    public MultiplierConfig multipliers() {
      return critic.multipliers();
    }

    @Override
    public double discount() {
      return critic.discount();
    }
  }

  private static final Algorithm EVERYTHING =
      new Everything(
          new ConstrainedActorCritic(
              ConstrainedActorCritic.Config.DEFAULT.withDiscount(TabularProcess.DISCOUNT),
              List.of(
                  new Promise(
                      TabularProcess.AUXILIARY,
                      Promise.Sense.AT_LEAST,
                      new Promise.ShareOfLog(1.2))),
              MultiplierConfig.DEFAULT.withEvery(3)));

  private static final TrainedPolicy ONE = train(LEARNER.sharedBy(1), EVERYTHING);

  private static TrainingPlan plan() {
    TrainingPlan usual = TrainingPlan.of(5, STEPS);
    return new TrainingPlan(
        5,
        STEPS,
        64,
        3e-3,
        usual.adam(),
        usual.targetRate(),
        1,
        new NetworkConfig(8, 8, 8),
        usual.exploration());
  }

  private static TrainedPolicy train(Learner learner, Algorithm algorithm) {
    return learner.train(algorithm, PROCESS.schema(), DATA, plan(), ProgressListener.NONE);
  }

  private static void assertSame(TrainedPolicy expected, TrainedPolicy found) {
    assertEquals(expected.vectors().keySet(), found.vectors().keySet());
    expected
        .vectors()
        .forEach((name, values) -> assertArrayEquals(values, found.vectors().get(name), name));
    assertEquals(expected.history(), found.history());
    assertEquals(expected.promises(), found.promises());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void theNumberOfLearnersChangesNoBit(int learners) {
    assertSame(ONE, train(LEARNER.sharedBy(learners), EVERYTHING));
    assertTrue(ONE.promises().get(0).multiplier() > 0, "a price was set");
    assertNotEquals(0.5, ONE.history().get(STEPS - 1).gauges().get("meanReward.now"));
  }

  @Test
  void aMeanOfPartsIsThatOfTheWholeBatch() {
    Algorithm cloning = BehaviourCloning.DEFAULT;
    TrainedPolicy shared = train(LEARNER.sharedBy(2), cloning);
    TrainedPolicy whole = train(LEARNER, cloning);
    assertArrayEquals(whole.actor().values(), shared.actor().values(), 2e-4f);
    for (int report = 0; report < STEPS; report++) {
      SortedMap<String, Double> found = shared.history().get(report).gauges();
      whole
          .history()
          .get(report)
          .gauges()
          .forEach(
              (gauge, expected) ->
                  assertEquals(expected, found.getOrDefault(gauge, Double.NaN), 1e-4, gauge));
    }
  }

  @Test
  void twoLearnersGoOnWhereFourWereInterrupted() {
    assertThrows(
        IllegalStateException.class,
        () ->
            LEARNER
                .sharedBy(4)
                .train(
                    EVERYTHING,
                    PROCESS.schema(),
                    DATA,
                    plan(),
                    progress -> {
                      if (progress.step() == 8) {
                        throw new IllegalStateException("interrupted");
                      }
                    },
                    checkpoints()));
    TrainedPolicy resumed =
        LEARNER
            .sharedBy(2)
            .train(
                EVERYTHING,
                PROCESS.schema(),
                DATA,
                plan(),
                progress -> assertTrue(progress.step() >= 8),
                checkpoints());
    assertSame(ONE, resumed);
  }

  private Checkpoints checkpoints() {
    return new CheckpointFolder(folder, "1", Duration.ZERO, notice -> {}, () -> 0);
  }

  @Test
  void threeLearnersOrBatchesThatDoNotFallIntoPartsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> LEARNER.sharedBy(3));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            LEARNER
                .sharedBy(2)
                .train(
                    BehaviourCloning.DEFAULT,
                    PROCESS.schema(),
                    DATA,
                    plan().withBatchSize(40),
                    ProgressListener.NONE));
  }
}
