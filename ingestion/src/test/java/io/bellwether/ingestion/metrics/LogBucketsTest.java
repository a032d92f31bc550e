package io.bellwether.ingestion.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LogBucketsTest {

  @Property(shrinking = ShrinkingMode.OFF)
  void aValueLiesBetweenTheBoundsOfItsBucket(@ForAll double value) {
    int index = LogBuckets.indexOf(value);

    if (index == 0) {
      assertTrue(Math.abs(value) < 1e-9);
      return;
    }
    assertTrue(value <= LogBuckets.upper(index));
    // Buckets of negative values hold their lower bound, and so does that of 1e-9.
    double below = LogBuckets.upper(index - 1);
    assertTrue(index > 1 ? value > below : value >= below);
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void theMiddleOfABucketIsWithinOnePerCent(@ForAll double value) {
    int index = LogBuckets.indexOf(value);
    double outer = LogBuckets.upper(Math.abs(index));
    if (index == 0 || outer == Double.MAX_VALUE) {
      return;
    }
    double middle = outer / 1.01;
    assertEquals(1, Math.abs(value) / middle, 0.010001);
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void bucketsAscendWithTheirValues(@ForAll double a, @ForAll double b) {
    assertTrue(
        Integer.compare(LogBuckets.indexOf(a), LogBuckets.indexOf(b)) * Double.compare(a, b) >= 0);
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void anUpperBoundIsInItsBucket(@ForAll @IntRange(max = 36_000) int index) {
    assertEquals(index, LogBuckets.indexOf(LogBuckets.upper(index)));
  }

  @Test
  void smallCountsHaveBucketsOfTheirOwn() {
    for (int count = 0; count < 50; count++) {
      assertTrue(LogBuckets.indexOf(count) < LogBuckets.indexOf(count + 1));
    }
  }

  @Test
  void whatIsNotFiniteIsInNone() {
    assertThrows(IllegalArgumentException.class, () -> LogBuckets.indexOf(Double.NaN));
    assertThrows(
        IllegalArgumentException.class, () -> LogBuckets.indexOf(Double.NEGATIVE_INFINITY));
  }
}
