package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FineTuningTest {
  private static final TrainedPolicy OFFLINE = PlayedBandit.young();
  private static final FineTuning.Config FEW_CRITICS = FineTuning.Config.DEFAULT.withCritics(3);

  /** Ten logged rows and ten new ones. */
  private static final Deployments BOTH =
      Deployments.of(
          List.of(
              PlayedBandit.PROCESS.repeated(10),
              PlayedBandit.renumbered(PlayedBandit.PROCESS.repeated(10), 1000)));

  private static final int BATCH = 8;

  @Test
  void whatIsClearlyBetterIsKept() {
    assertEquals(Kept.POLICY, Kept.of(1.2, 1.0, 0.1));
    assertEquals(Kept.BOTH, Kept.of(1.05, 1.0, 0.1));
    assertEquals(Kept.BOTH, Kept.of(0.95, 1.0, 0.1));
    assertEquals(Kept.DATA, Kept.of(0.8, 1.0, 0.1));
    PolicyDiagnosis.OfSignal objective = new PolicyDiagnosis.OfSignal("watch", 1, 1.2, 0.1, null);
    assertEquals(Kept.POLICY, Kept.of(objective));
    assertThrows(IllegalArgumentException.class, () -> Kept.of(Double.NaN, 1, 0.1));
  }

  @Test
  void exactlyHalfOfEveryBatchIsOfTheLog() {
    int rows = 1003;
    boolean[] logged = new boolean[rows];
    for (int row = 0; row < rows; row++) {
      logged[row] = row % 10 != 0;
    }
    HalvedBatches batches =
        new HalvedBatches(3, LongStream.range(0, rows).toArray(), logged, BATCH);
    int[] batch = new int[BATCH];
    int[] seen = new int[rows];
    for (int number = 0; number < 300; number++) {
      batches.fill(number, batch);
      int ofLog = 0;
      for (int row : batch) {
        ofLog += logged[row] ? 1 : 0;
        seen[row]++;
      }
      assertEquals(BATCH / 2, ofLog);
    }
    for (int row = 0; row < rows; row++) {
      assertTrue(seen[row] > 0, "row " + row);
    }
  }

  @Test
  void aHalfWithoutRowsIsRefused() {
    FineTuning none = new FineTuning(Kept.DATA, FEW_CRITICS, OFFLINE, new boolean[20]);
    assertThrows(
        InvalidLearnerDataException.class,
        () ->
            PlayedBandit.train(
                none, BOTH.data(), PlayedBandit.plan(0.01, 1e-8).withBatchSize(BATCH)));
  }

  @ParameterizedTest
  @EnumSource(
      value = Kept.class,
      names = {"POLICY", "BOTH"})
  void beforeItsFirstStepAWarmStartHasEveryLogitOfTheOfflinePolicy(Kept kept) {
    TrainingPlan still = PlayedBandit.plan(Double.MIN_NORMAL, 1e-8).withBatchSize(BATCH);
    TrainedPolicy found =
        PlayedBandit.train(
            new FineTuning(kept, FEW_CRITICS, OFFLINE, BOTH.isOlderThan(0)), BOTH.data(), still);
    assertArrayEquals(
        PlayedBandit.logitBits(OFFLINE, BOTH.data()), PlayedBandit.logitBits(found, BOTH.data()));
  }

  @ParameterizedTest
  @EnumSource(
      value = Kept.class,
      names = {"DATA", "BOTH"})
  void withTheLogInHalfOfEveryBatchItFindsTheBestArm(Kept kept) {
    ProximalPolicy.Config online =
        new ProximalPolicy.Config(0.5, 1, 0.2, true, 0.01, 0.1, 60, List.of());
    TrainingPlan plan = PlayedBandit.plan(0.01, 1e-8).withBatchSize(BATCH);
    FineTuning first =
        new FineTuning(kept, FEW_CRITICS.withOnline(online), OFFLINE, BOTH.isOlderThan(0));
    TrainedPolicy round = PlayedBandit.train(first, BOTH.data(), plan);
    TrainedPolicy next =
        PlayedBandit.train(first.after(round, BOTH.isOlderThan(0)), BOTH.data(), plan);
    assertTrue(PlayedBandit.value(next) > 0.85, "worth " + PlayedBandit.value(next));
  }

  @Test
  void twoCriticsAreDrawnAtEachStep() {
    FineTuning tuning =
        new FineTuning(
            Kept.DATA,
            FEW_CRITICS.withOnline(ProximalPolicy.Config.DEFAULT.withDiscount(0.9)),
            OFFLINE,
            BOTH.isOlderThan(0));
    int[] times = new int[3];
    for (long step = 1; step <= 300; step++) {
      var drawn = tuning.schedule(PlayedBandit.plan(0.01, 1e-8), step);
      int count = 0;
      for (int member = 0; member < times.length; member++) {
        boolean isDrawn = drawn.getOrDefault("drawn." + member, Float.NaN) == 0;
        count += isDrawn ? 1 : 0;
        times[member] += isDrawn ? 1 : 0;
      }
      assertEquals(2, count);
    }
    for (int each : times) {
      assertTrue(each > 150, each + " of 300");
    }
  }
}
