package io.bellwether.serving.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetriesTest {

  private static final RuntimeException WHY = new IllegalStateException("too slow");

  private long now = Long.MAX_VALUE - 5; // it may pass the end of its range
  private final Retries retries =
      new Retries(Duration.ofNanos(10), Duration.ofNanos(35), () -> now);

  @Test
  void aFewTimesAreAtOnceAndThenThePausesGrow() {
    for (int i = 0; i < 2; i++) {
      retries.failed("v", WHY);
      assertEquals(Optional.empty(), retries.tooEarly("v"));
    }
    for (int pause : new int[] {10, 20, 35, 35}) {
      retries.failed("v", WHY);
      now += pause - 1;
      assertEquals(Optional.of(WHY), retries.tooEarly("v"));
      now++;
      assertEquals(Optional.empty(), retries.tooEarly("v"));
    }
  }

  @Test
  void whatSucceedsBeginsAnewAndOthersAreNotHeldUp() {
    for (int i = 0; i < 3; i++) {
      retries.failed("v", WHY);
    }
    assertTrue(retries.tooEarly("v").isPresent());
    assertEquals(Optional.empty(), retries.tooEarly("other"));
    retries.succeeded("v");
    retries.failed("v", WHY);
    assertEquals(Optional.empty(), retries.tooEarly("v"));
  }
}
