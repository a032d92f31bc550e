package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TwoByTwoTest {

  /** Three of four cups of each kind named rightly: Fisher's lady, 1935; 2 · 17/70. */
  @Test
  void theLadyTastingTea() {
    assertEquals(34.0 / 70, new TwoByTwo(3, 4, 1, 4).exactP(), 1e-12);
  }

  /** All four of each: one table in 70 each way. */
  @Test
  void theLadyWhoKnows() {
    assertEquals(2.0 / 70, new TwoByTwo(4, 4, 0, 4).exactP(), 1e-12);
  }

  @Property(tries = 200)
  void everyTableAgreesWithCountingAllOfItsMargins(
      @ForAll @LongRange(max = 12) long controlEvents,
      @ForAll @LongRange(max = 12) long controlOthers,
      @ForAll @LongRange(max = 12) long treatmentEvents,
      @ForAll @LongRange(max = 12) long treatmentOthers) {
    long control = controlEvents + controlOthers;
    long treatment = treatmentEvents + treatmentOthers;
    long events = controlEvents + treatmentEvents;
    double observed = ways(control, controlEvents) * ways(treatment, treatmentEvents);
    double total = 0;
    double asUnlikely = 0;
    for (long cell = Math.max(0, events - treatment); cell <= Math.min(events, control); cell++) {
      double ways = ways(control, cell) * ways(treatment, events - cell);
      total += ways;
      asUnlikely += ways <= observed ? ways : 0;
    }
    double p = new TwoByTwo(controlEvents, control, treatmentEvents, treatment).exactP();
    assertEquals(asUnlikely / total, p, 1e-12);
  }

  @Test
  void aMillionUnitsWithFewEventsCostTheEvents() {
    TwoByTwo rare = new TwoByTwo(2, 1_000_000, 14, 1_000_000);
    assertTrue(rare.small());
    assertEquals(0.00418, rare.exactP(), 0.00001);
  }

  @Test
  void tenInEveryCellAreNotSmall() {
    assertFalse(new TwoByTwo(10, 20, 10, 20).small());
    assertTrue(new TwoByTwo(10, 20, 9, 20).small());
  }

  @Test
  void moreEventsThanUnitsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new TwoByTwo(3, 2, 0, 2));
  }

  /** Exact: below 2^53. */
  private static double ways(long of, long chosen) {
    double ways = 1;
    for (long step = 1; step <= chosen; step++) {
      ways = ways * (of - chosen + step) / step;
    }
    return ways;
  }
}
