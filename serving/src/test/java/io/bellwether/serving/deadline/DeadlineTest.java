package io.bellwether.serving.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DeadlineTest {

  private static final long ARRIVED = Long.MAX_VALUE - 5;

  private final Deadline deadline = Deadline.of(ARRIVED, Duration.ofMillis(50));

  @Test
  void aStandInHasThirtyPercentOfTheBudget() {
    assertEquals(35_000_000, deadline.standInNanos() - ARRIVED);
    assertEquals(35_000_000, deadline.policyLeftNanos(ARRIVED));
    assertEquals(50_000_000, deadline.leftNanos(ARRIVED));
    assertEquals(-1, deadline.leftNanos(deadline.endNanos() + 1));
  }

  @Test
  void historyIsWaitedForHalfAsLongAsThePolicy() {
    assertEquals(17_500_000, deadline.recallNanos() - ARRIVED);
  }

  @Test
  void theSmallestBudgetWins() {
    assertEquals(
        Duration.ofMillis(20).toNanos(), deadline.within(OptionalLong.of(20)).budgetNanos());
    assertSame(deadline, deadline.within(OptionalLong.of(Long.MAX_VALUE)));
    assertSame(deadline, deadline.within(OptionalLong.of(60)));
    assertSame(deadline, deadline.within(OptionalLong.empty()));
    assertSame(deadline, deadline.within(Duration.ofSeconds(1)));
  }

  @Test
  void thereIsNoDeadlineInThePast() {
    assertThrows(IllegalArgumentException.class, () -> new Deadline(0, 0));
  }
}
