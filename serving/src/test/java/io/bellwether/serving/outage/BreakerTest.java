package io.bellwether.serving.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BreakerTest {

  private static final Patience PATIENCE =
      new Patience(3, Duration.ofMillis(100), Duration.ofMillis(300));

  private long now = Long.MAX_VALUE - 50; // a nanoTime overflows one day
  private final Breaker breaker = new Breaker(PATIENCE, () -> now);

  @Test
  void severalFailuresInARowOpenIt() {
    fail(2);
    breaker.succeeded();
    fail(2);
    assertTrue(breaker.allows());
    breaker.failed();
    assertFalse(breaker.allows());
    assertEquals(Breaker.State.OPEN, breaker.state());
  }

  @Test
  void afterThePauseOneCallTries() {
    fail(3);
    pass(99);
    assertFalse(breaker.allows());
    pass(1);
    assertTrue(breaker.allows());
    assertFalse(breaker.allows());
    assertEquals(Breaker.State.HALF_OPEN, breaker.state());
    breaker.succeeded();
    assertEquals(Breaker.State.CLOSED, breaker.state());
    assertTrue(breaker.allows());
    assertTrue(breaker.allows());
  }

  @Test
  void eachTrialThatFailsDoublesThePauseUpToItsBound() {
    fail(3);
    for (int pause : new int[] {100, 200, 300, 300}) {
      pass(pause - 1);
      assertFalse(breaker.allows());
      pass(1);
      assertTrue(breaker.allows());
      breaker.failed();
    }
    pass(300);
    assertTrue(breaker.allows());
    breaker.succeeded();
    fail(3);
    pass(100);
    assertTrue(breaker.allows(), "a success has brought the first pause back");
  }

  @Test
  void aTrialOfWhichNothingIsHeardIsFollowedByAnother() {
    fail(3);
    pass(100);
    assertTrue(breaker.allows());
    pass(99);
    assertFalse(breaker.allows());
    pass(1);
    assertTrue(breaker.allows());
  }

  @Test
  void whatComesLateAfterTheOpeningChangesNothing() {
    fail(3);
    breaker.succeeded();
    assertFalse(breaker.allows());
    fail(100);
    pass(100);
    assertTrue(breaker.allows());
  }

  @Property
  void itIsClosedAsLongAsNoThreeFailuresStandTogether(@ForAll @Size(max = 30) List<Boolean> calls) {
    Breaker fresh = new Breaker(PATIENCE, () -> 0);
    int inRow = 0;
    for (boolean good : calls) {
      if (good) {
        fresh.succeeded();
      } else {
        fresh.failed();
      }
      inRow = good ? 0 : inRow + 1;
      if (inRow == PATIENCE.failures()) {
        assertFalse(fresh.allows());
        return;
      }
      assertTrue(fresh.allows());
    }
  }

  @Test
  void patienceThatMakesNoSenseIsRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThrows(IllegalArgumentException.class, () -> new Patience(0, second, second));
    assertThrows(IllegalArgumentException.class, () -> new Patience(1, Duration.ZERO, second));
    assertThrows(
        IllegalArgumentException.class, () -> new Patience(1, second, Duration.ofMillis(1)));
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      breaker.failed();
    }
  }

  private void pass(long millis) {
    now += Duration.ofMillis(millis).toNanos();
  }
}
