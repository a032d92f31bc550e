package io.bellwether.serving.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringException;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.TestPlatform;
import java.time.Duration;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  private static final Duration LIMIT = Duration.ofMillis(25);

  private final FeatureSchema schema = TestPlatform.schema();

  @Test
  void aVersionThatKeepsTimeIsTimedInOneRound() {
    Clock clock = new Clock(run -> 3);
    WarmUp.Tried tried = run(clock, 1, List.of(request(1), request(2)));
    assertEquals(new WarmUp.Tried(2, Duration.ofMillis(3)), tried);
    assertEquals(WarmUp.RUNS, clock.runs());
  }

  @Test
  void withoutARecentRequestZerosStandIn() {
    assertEquals(0, run(new Clock(run -> 3), 1, List.of()).requests());
  }

  @Test
  void oneSlowRunInAHundredIsNoReasonToRefuse() {
    assertEquals(
        Duration.ofMillis(3),
        run(new Clock(run -> run == 7 ? 900 : 3), 1, List.of(request(1))).p99());
  }

  @Test
  void aRoundOnABusyMachineIsNoReasonToRefuseEither() {
    Clock clock = new Clock(run -> run < 2 ? 900 : 3);
    assertEquals(Duration.ofMillis(3), run(clock, 1, List.of(request(1))).p99());
    assertEquals(2 + WarmUp.RUNS, clock.runs());
  }

  @Test
  void aSlowVersionIsRefusedAfterAFewRuns() {
    Clock clock = new Clock(run -> 26);
    VersionRefusedException refused =
        assertThrows(VersionRefusedException.class, () -> run(clock, 1, List.of(request(1))));
    assertTrue(String.valueOf(refused.getMessage()).contains("26.0 ms"), refused::getMessage);
    assertEquals(2 * WarmUp.ROUNDS, clock.runs());
  }

  @Test
  void aVersionThatIsFiniteOnZerosAndNotOnRealRequestsIsRefused() {
    // 3e38 times 0 is 0, times 2 it is infinite.
    assertThrows(
        VersionRefusedException.class,
        () -> run(new Clock(run -> 3), 3e38f, List.of(request(1), request(2))));
    assertEquals(1, run(new Clock(run -> 3), 3e38f, List.of(request(1))).requests());
  }

  @Test
  void aVersionThatIsNotFiniteOnZerosIsRefusedToo() {
    assertThrows(
        ScoringException.class, () -> run(new Clock(run -> 3), Float.NaN, List.of(request(1))));
  }

  private WarmUp.Tried run(LongSupplier clock, float weight, List<RecentRequests.Encoded> recent) {
    float[] weights = new float[schema.itemWidth()];
    weights[0] = weight;
    try (Scorer scorer = LinearPolicy.open(schema, weights)) {
      return new WarmUp(clock).run(scorer, recent, 20, LIMIT);
    }
  }

  /** Two candidates whose first feature is this. */
  private RecentRequests.Encoded request(float first) {
    float[] items = new float[2 * schema.itemWidth()];
    items[0] = first;
    items[schema.itemWidth()] = first;
    return new RecentRequests.Encoded(
        new float[schema.contextWidth()], new float[schema.historySize()], items);
  }

  /** Read before and after each run; a run takes as many milliseconds as it is told. */
  private static final class Clock implements LongSupplier {
    private final IntUnaryOperator millisOfRun;
    private long now;
    private int reads;

    Clock(IntUnaryOperator millisOfRun) {
      this.millisOfRun = millisOfRun;
    }

    int runs() {
      return reads / 2;
    }

    @Override
    public long getAsLong() {
      if (reads++ % 2 == 1) {
        now += Duration.ofMillis(millisOfRun.applyAsInt(runs() - 1)).toNanos();
      }
      return now;
    }
  }
}
