package io.bellwether.serving.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {

  private static final long TARGET = ConcurrencyLimit.TARGET.toNanos();
  private static final long PERIOD = ConcurrencyLimit.PERIOD.toNanos();

  private final ConcurrencyLimit limit = new ConcurrencyLimit(8, 256, 0);
  private long now;

  @Test
  void aQueueThatStandsShrinksIt() {
    period(2 * TARGET);
    assertEquals(128, limit.current());
    period(100 * TARGET);
    assertEquals(64, limit.current(), "by half at most");
    period(TARGET * 5 / 4);
    assertEquals(51, limit.current());
    assertEquals(TARGET * 5 / 4, limit.standingNanos());
  }

  @Test
  void aBurstThatIsWorkedOffChangesNothing() {
    for (int i = 100; i >= 0; i--) {
      limit.waited(i * TARGET, now++);
    }
    period(100 * TARGET);
    assertEquals(256, limit.current());
  }

  @Test
  void withoutAQueueItGrowsByItsRoot() {
    for (int i = 0; i < 20; i++) {
      period(1000 * TARGET);
    }
    assertEquals(8, limit.current());
    period(0);
    assertEquals(11, limit.current());
    period(TARGET * 3 / 4);
    assertEquals(11, limit.current(), "near the target it stays");
    for (int i = 0; i < 40; i++) {
      period(0);
    }
    assertEquals(256, limit.current());
  }

  @Property
  void itStaysWithinItsBounds(@ForAll @Size(max = 50) List<@IntRange(max = 2000) Integer> waits) {
    ConcurrencyLimit any = new ConcurrencyLimit(3, 17, 0);
    long at = 0;
    for (int wait : waits) {
      at += PERIOD;
      any.waited(wait * (TARGET / 100), at);
      assertTrue(any.current() >= 3 && any.current() <= 17, () -> "limit " + any.current());
    }
  }

  /** A server with two threads is offered twice of what it can do: the queue stays short. */
  @Test
  void overloadIsTurnedAwayAndNotQueued() {
    ConcurrencyLimit measured = new ConcurrencyLimit(8, 256, 0);
    long service = 300_000;
    long[] freeAt = new long[2];
    long[] ends = new long[40_000];
    int from = 0;
    int admitted = 0;
    long worst = 0;
    for (int i = 0; i < 40_000; i++) {
      long arrived = i * service / 4;
      while (from < admitted && ends[from] <= arrived) {
        from++;
      }
      if (admitted - from >= measured.current()) {
        continue;
      }
      int thread = freeAt[0] <= freeAt[1] ? 0 : 1;
      long begins = Math.max(arrived, freeAt[thread]);
      freeAt[thread] = begins + service;
      ends[admitted++] = freeAt[thread];
      measured.waited(begins - arrived, begins);
      if (i > 20_000) {
        worst = Math.max(worst, begins - arrived);
      }
    }
    long busy = 40_000 * service / 4;
    assertTrue(admitted > 0.98 * 2 * busy / service, "threads are never idle: " + admitted);
    assertTrue(worst < 2 * TARGET, "waits stay near the target: " + worst);
  }

  /** One period in which every task waits this long. */
  private void period(long wait) {
    now += PERIOD;
    limit.waited(wait, now);
  }
}
