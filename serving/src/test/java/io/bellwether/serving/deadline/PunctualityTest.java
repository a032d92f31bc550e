package io.bellwether.serving.deadline;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PunctualityTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final long IN_TIME = 70_000;
  private static final long LATE = 70_001;

  private long now;
  private final Punctuality punctuality = new Punctuality(() -> now);

  @Test
  void aVersionThatIsLateFiveTimesInARowIsNotAsked() {
    runs(LATE, 4);
    runs(IN_TIME, 1);
    runs(LATE, 4);
    assertTrue(punctuality.allows("v1"));
    runs(LATE, 1);
    assertFalse(punctuality.allows("v1"));
    assertTrue(punctuality.allows("v2"));
  }

  @Test
  void afterAPauseOneRequestFindsOutWhetherItHasBecomeBetter() {
    runs(LATE, 5);
    now += Duration.ofSeconds(1).toNanos();
    assertTrue(punctuality.allows("v1"));
    assertFalse(punctuality.allows("v1"));
    runs(IN_TIME, 1);
    assertTrue(punctuality.allows("v1"));
    assertTrue(punctuality.allows("v1"));
  }

  @Test
  void requestsThatAreScoredTogetherAreLateOnce() {
    for (int i = 0; i < 100; i++) {
      punctuality.ran("v1", LATE, DEADLINE);
    }
    assertTrue(punctuality.allows("v1"));
  }

  @Test
  void whatIsHeldAgainstVersionsIsBounded() {
    runs(LATE, 5);
    for (int i = 0; i < 64; i++) {
      punctuality.ran("other" + i, LATE, DEADLINE);
    }
    assertTrue(punctuality.allows("v1"), "given another chance");
  }

  private void runs(long micros, int times) {
    for (int i = 0; i < times; i++) {
      now += DEADLINE.toNanos();
      punctuality.ran("v1", micros, DEADLINE);
    }
  }
}
