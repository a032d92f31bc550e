package io.bellwether.loadtest.learning.bsim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.loadtest.people.Estimate;
import io.bellwether.loadtest.people.LinearPolicy;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.ShortVideoWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TrueRatiosTest {
  private static final ShortVideoWorld WORLD = ShortVideoWorld.of(Profile.KUAIRAND);

  private static TrueRatios truth;

  @BeforeAll
  static void measureTheLoggingPolicy() throws InterruptedException {
    truth = new TrueRatios(WORLD, 0, SimulatedTask.SESSIONS, 2);
  }

  @Test
  void theLoggingPolicyIsWorthOneTimesItself() throws InterruptedException {
    Ratios ratios = truth.of(LinearPolicy.logging(WORLD.catalogue()));
    for (Estimate each : ratios.signals()) {
      assertEquals(new Estimate(1, 0), each);
    }
    assertEquals(1, ratios.score());
    assertEquals(0, ratios.normalised());
    assertEquals(1, ratios.worstHate());
    assertTrue(ratios.isSafelyKept());
  }

  /** Price of the reference: specification of {@code ShortVideoSim-v1}, "Ground truth". */
  @Test
  void theConstrainedReferenceScoresWhatTheSpecificationSays() throws InterruptedException {
    Ratios ratios = truth.of(LinearPolicy.constrainedReference(WORLD.catalogue()));
    assertEquals(Ratios.REFERENCE_SCORE, ratios.score(), 5e-4);
    assertEquals(1, ratios.normalised(), 5e-4);
    assertTrue(ratios.isKept());
    assertEquals(-0.32, ratios.hate().mean() - 1, 0.005);
    assertEquals(0.16, ratios.kept().get(1).mean() - 1, 0.005, "like");
  }

  @Test
  void theUnconstrainedReferencePaysForWhatItBreaks() throws InterruptedException {
    Ratios ratios =
        truth.of(
            LinearPolicy.greedy(
                WORLD.catalogue(), new LinearPolicy.Weights(1.33, 0.64, -0.51, 1.61, 0.10)));
    assertEquals(2.194, ratios.watch().mean(), 5e-4);
    assertFalse(ratios.isKept());
    assertTrue(ratios.score() < ratios.watch().mean() - 1);
  }

  @Test
  void eachBrokenPromiseCostsFiveTimesWhatIsMissing() {
    assertEquals(2, ratios(2, 0.97, 1.05).score(), 1e-12);
    assertEquals(2 - 5 * 0.02, ratios(2, 0.95, 1.05).score(), 1e-12);
    assertEquals(2 - 5 * (0.02 + 0.1), ratios(2, 0.95, 1.15).score(), 1e-12);
  }

  /** All reactions but the like stand well, and so does hate unless {@code hate} says otherwise. */
  private static Ratios ratios(double watch, double like, double hate) {
    List<Estimate> signals = new ArrayList<>();
    for (double mean : new double[] {watch, 2, like, 1, 1, 1, hate}) {
      signals.add(new Estimate(mean, 0.01));
    }
    return new Ratios(signals, 1, 1);
  }

  @Test
  void ratiosOfOtherSignalsAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new Ratios(List.of(new Estimate(1, 0)), 1, 1));
  }
}
