package io.bellwether.evaluation.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.offpolicy.Episodes;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionValuesTest {

  private static final int SESSIONS = 400;
  private static final int STEPS = 10;

  /** Two actions, each logged with 0.5; the better one brings 1. The target takes it with this. */
  private static SessionValues values(double chance, int sessions) {
    return values(chance, sessions, 0.5);
  }

  private static SessionValues values(double chance, int sessions, double propensity) {
    int rows = sessions * STEPS;
    SplittableRandom random = new SplittableRandom(3);
    double[] reward = random.doubles(rows).map(u -> u < 0.5 ? 1 : 0).toArray();
    double[] target = Arrays.stream(reward).map(r -> r == 1 ? chance : 1 - chance).toArray();
    double[] logging = new double[rows];
    Arrays.fill(logging, propensity);
    long[] unit = new long[rows];
    Arrays.setAll(unit, row -> row / STEPS);
    LoggedDecisions log =
        LoggedDecisions.builder()
            .decisions(IntStream.range(0, rows).toArray(), new int[rows], unit)
            .logging(logging)
            .target(target)
            .signal("click", LoggedDecisions.Signal.withoutModel(reward))
            .build();
    int[] first = IntStream.rangeClosed(0, sessions).map(session -> session * STEPS).toArray();
    return SessionValues.of(
        log,
        new Episodes(first, IntStream.range(0, rows).toArray(), sessions / 2),
        0.9,
        OffPolicyReport.of(log, EvaluationPlan.of(Objective.maximize("click"))));
  }

  private static SessionValue of(String policy, SessionValues values) {
    return values.values().stream()
        .filter(each -> each.policy().equals(policy))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aPolicyNearTheLogHasAValuePerSessionAndAPairedDifference() {
    SessionValues values = values(0.6, SESSIONS);
    double discounted = (1 - Math.pow(0.9, STEPS)) / 0.1;
    Bounds.Within target = (Bounds.Within) of("target", values).interval();
    assertTrue(target.interval().contains(0.6 * discounted), target::words);
    Bounds.Within baseline = (Bounds.Within) of("baseline", values).interval();
    assertTrue(baseline.interval().contains(0.5 * discounted), baseline::words);
    Bounds.Within difference = (Bounds.Within) of("difference", values).interval();
    assertTrue(difference.interval().contains(0.1 * discounted), difference::words);
    assertTrue(difference.interval().lower() > 0, difference::words);
    assertEquals(-1, values.wornOutFrom());
    assertEquals(STEPS, values.effectiveSampleSizes().size());
    assertEquals(SESSIONS / 2, values.cutOff());
  }

  @Test
  void aValueWhoseWeightsHaveWornOutIsNotStated() {
    SessionValues values = values(0.95, SESSIONS);
    assertEquals(new Estimate.Refused("FEW_EFFECTIVE_SESSIONS"), of("target", values).estimate());
    assertEquals(
        new Estimate.Refused("FEW_EFFECTIVE_SESSIONS"), of("difference", values).estimate());
    assertTrue(of("baseline", values).estimate().point().isPresent());
    assertTrue(values.wornOutFrom() > 0 && values.wornOutFrom() < 4);
  }

  @Test
  void aLogThatDoesNotSupportTheTargetStatesNothingOfIt() {
    // a log that says it never explored
    SessionValues values = values(0.6, SESSIONS, 1);
    assertEquals(new Estimate.Refused("INSUFFICIENT_SUPPORT"), of("target", values).estimate());
    assertTrue(of("baseline", values).estimate().point().isPresent());
  }

  @Test
  void tooFewSessionsStateNothingHoweverCloseThePolicies() {
    SessionValues values = values(0.5, 99);
    assertEquals(0, values.wornOutFrom());
    assertEquals(1, of("baseline", values).thinShare());
    assertTrue(of("target", values).estimate().point().isEmpty());
  }
}
