package io.bellwether.loadtest.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RampTest {

  @Test
  void findsTheRateFromWhichOnTheServiceDoesNotKeepUp() throws Exception {
    Ramp ramp = new Ramp(perSecond -> answering(perSecond, 3_000));
    double highest = ramp.highest(100);
    assertTrue(highest <= 3_000 / 0.98 && highest > 0.9 * 3_000, () -> "found " + highest);
  }

  @Test
  void oneHiccupDoesNotEndIt() throws Exception {
    int[] calls = {0};
    Ramp ramp = new Ramp(perSecond -> answering(perSecond, calls[0]++ == 2 ? 10 : 3_000));
    assertTrue(ramp.highest(100) > 0.9 * 3_000);
    assertFalse(ramp.steps().get(2).sustained());
  }

  @Test
  void whereNothingIsSustainedItIsWhatWasAnswered() throws Exception {
    Ramp ramp = new Ramp(perSecond -> answering(perSecond, 40));
    assertEquals(40, ramp.highest(300), 1);
  }

  /** A service that answers so many per second and refuses the others. */
  private static LoadReport answering(double offered, double most) {
    long requests = Math.round(10 * offered);
    long answered = Math.round(10 * Math.min(offered, most));
    return new LoadReport(
        requests,
        answered,
        0,
        requests - answered,
        0,
        0,
        offered,
        10,
        10,
        0,
        new Latencies(),
        new Latencies(),
        new Latencies());
  }
}
