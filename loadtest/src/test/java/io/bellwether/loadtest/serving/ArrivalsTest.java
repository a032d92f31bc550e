package io.bellwether.loadtest.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private static final int MANY = 200_000;

  @Test
  void poissonArrivalsComeAtTheirRate() {
    long last = nth(Arrivals.poisson(1_000, 7), MANY);
    assertEquals(MANY / 1_000.0, last / 1e9, 1.5);
  }

  @Test
  void gapsOfPoissonArrivalsVaryAsMuchAsTheirMean() {
    Arrivals arrivals = Arrivals.poisson(500, 7);
    double sum = 0;
    double squares = 0;
    long before = 0;
    for (int i = 0; i < MANY; i++) {
      long at = arrivals.nextNanos();
      assertTrue(at >= before);
      double gap = (at - before) / 1e9;
      sum += gap;
      squares += gap * gap;
      before = at;
    }
    double mean = sum / MANY;
    assertEquals(1 / 500.0, mean, 0.01 / 500);
    assertEquals(mean, Math.sqrt(squares / MANY - mean * mean), 0.02 * mean);
  }

  @Test
  void aBurstComesAtOneMomentAndTheRateStays() {
    Arrivals bursts = Arrivals.bursts(1_000, 20, 3);
    long previous = -1;
    long at = 0;
    for (int burst = 0; burst < MANY / 20; burst++) {
      at = bursts.nextNanos();
      assertTrue(at > previous);
      for (int i = 1; i < 20; i++) {
        assertEquals(at, bursts.nextNanos());
      }
      previous = at;
    }
    assertEquals(MANY / 1_000.0, at / 1e9, 6);
  }

  @Test
  void equalSeedsGiveEqualTimes() {
    assertEquals(nth(Arrivals.poisson(10, 1), 100), nth(Arrivals.poisson(10, 1), 100));
    assertTrue(nth(Arrivals.poisson(10, 1), 100) != nth(Arrivals.poisson(10, 2), 100));
  }

  @Test
  void aRateIsAboveZero() {
    assertThrows(IllegalArgumentException.class, () -> Arrivals.poisson(0, 1));
    assertThrows(IllegalArgumentException.class, () -> Arrivals.poisson(Double.NaN, 1));
    assertThrows(IllegalArgumentException.class, () -> Arrivals.bursts(1, 0, 1));
  }

  private static long nth(Arrivals arrivals, int n) {
    long at = 0;
    for (int i = 0; i < n; i++) {
      at = arrivals.nextNanos();
    }
    return at;
  }
}
