package io.bellwether.evaluation.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.episode.Episodes;
import io.bellwether.evaluation.episode.ModelledEpisodes;
import io.bellwether.evaluation.episode.StepValues;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionValuesTest {

  private static final int SESSIONS = 400;
  private static final int STEPS = 10;
  private static final double DISCOUNT = 0.9;

  /**
   * Two actions, each logged with one propensity; the better one brings 1, and the target takes it
   * with a chance of its own.
   */
  private record World(double chance, int sessions, double propensity) {

    int rows() {
      return sessions * STEPS;
    }

    double[] reward() {
      return new SplittableRandom(3).doubles(rows()).map(u -> u < 0.5 ? 1 : 0).toArray();
    }

    double[] target() {
      return Arrays.stream(reward()).map(r -> r == 1 ? chance : 1 - chance).toArray();
    }

    double[] logging() {
      double[] logging = new double[rows()];
      Arrays.fill(logging, propensity);
      return logging;
    }

    int[] first() {
      return IntStream.rangeClosed(0, sessions).map(session -> session * STEPS).toArray();
    }

    long[] unit() {
      return IntStream.range(0, sessions).asLongStream().toArray();
    }

    /** What a policy that takes the better action with this chance brings from a step on. */
    double value(double better, int step) {
      return better * (1 - Math.pow(DISCOUNT, STEPS - step)) / (1 - DISCOUNT);
    }

    /** The truth and an error. */
    StepValues model(double better, double error) {
      double[] reward = reward();
      double[] prediction = new double[rows()];
      double[] direct = new double[rows()];
      for (int row = 0; row < rows(); row++) {
        int step = row % STEPS;
        prediction[row] = error + reward[row] + DISCOUNT * value(better, step + 1);
        direct[row] = error + value(better, step);
      }
      return StepValues.of(prediction, direct, new double[sessions]);
    }

    private ModelledEpisodes.Expected expected(double error) {
      return new ModelledEpisodes.Expected(model(chance, error), model(0.5, error));
    }

    SessionValues.Model fitted(double error) {
      return fitted(error, 0);
    }

    /** {@code luck}: by how much models of two folds differ. */
    SessionValues.Model fitted(double error, double luck) {
      return new SessionValues.Model.Fitted(
          new ModelledEpisodes(
              first(),
              IntStream.rangeClosed(0, rows()).toArray(),
              unit(),
              logging(),
              target(),
              logging(),
              Map.of(
                  "click",
                  new ModelledEpisodes.Signal(
                      reward(),
                      expected(error),
                      IntStream.range(0, 4)
                          .mapToObj(fold -> expected(error + luck * (fold - 1.5)))
                          .toList()))));
    }

    SessionValues values(SessionValues.Model model) {
      long[] unit = new long[rows()];
      Arrays.setAll(unit, row -> row / STEPS);
      LoggedDecisions log =
          LoggedDecisions.builder()
              .decisions(IntStream.range(0, rows()).toArray(), new int[rows()], unit)
              .logging(logging())
              .target(target())
              .signal("click", LoggedDecisions.Signal.withoutModel(reward()))
              .build();
      boolean[] cutOff = new boolean[sessions];
      Arrays.fill(cutOff, 0, sessions / 2, true);
      return SessionValues.of(
          log,
          new Episodes(first(), IntStream.range(0, rows()).toArray(), cutOff),
          DISCOUNT,
          OffPolicyReport.of(log, EvaluationPlan.of(Objective.maximize("click"))),
          model);
    }

    SessionValues values() {
      return values(new SessionValues.Model.Missing("NO_MODEL"));
    }
  }

  private static SessionValue of(String policy, SessionValues values) {
    return of(policy, "wpdis", values);
  }

  private static SessionValue of(String policy, String estimator, SessionValues values) {
    return values.values().stream()
        .filter(each -> each.policy().equals(policy) && each.estimator().equals(estimator))
        .findFirst()
        .orElseThrow();
  }

  private static void assertContains(double truth, SessionValue value) {
    Bounds.Within bounds = (Bounds.Within) value.interval();
    // a model that is right leaves nothing but rounding
    assertTrue(
        bounds.interval().lower() - 1e-9 <= truth && truth <= bounds.interval().upper() + 1e-9,
        () -> value.policy() + " " + value.estimator() + " " + bounds.words() + " of " + truth);
  }

  @Test
  void aPolicyNearTheLogHasAValuePerSessionAndAPairedDifference() {
    World world = new World(0.6, SESSIONS, 0.5);
    SessionValues values = world.values();
    assertContains(world.value(0.6, 0), of("target", values));
    assertContains(world.value(0.5, 0), of("baseline", values));
    assertContains(world.value(0.1, 0), of("difference", values));
    Bounds.Within difference = (Bounds.Within) of("difference", values).interval();
    assertTrue(difference.interval().lower() > 0, difference::words);
    assertEquals(-1, values.wornOutFrom());
    assertEquals(STEPS, values.effectiveSampleSizes().size());
    assertEquals(SESSIONS / 2, values.cutOff());
    assertEquals("wdr", values.deciding());
    assertEquals(List.of("no model of the sessions' values: NO_MODEL"), values.unmet());
  }

  @Test
  void aModelSharpensEveryValue() {
    World world = new World(0.6, SESSIONS, 0.5);
    SessionValues values = world.values(world.fitted(0));
    for (String estimator : List.of("wdr", "magic")) {
      assertContains(world.value(0.6, 0), of("target", estimator, values));
      assertContains(world.value(0.1, 0), of("difference", estimator, values));
    }
    assertTrue(
        of("target", "wdr", values).estimate().error().orElseThrow()
            < 0.5 * of("target", values).estimate().error().orElseThrow());
    assertEquals(
        world.value(0.6, 0), of("target", "fqe", values).estimate().point().orElseThrow(), 1e-9);
    assertEquals(List.of(), values.unmet());
  }

  @Test
  void whatAValueOwesToTheLuckOfItsModelIsPartOfItsError() {
    World world = new World(0.6, SESSIONS, 0.5);
    SessionValues values = world.values(world.fitted(0, 0.1));
    // 0.1 · √(¾ · (1.5² + 0.5² + 0.5² + 1.5²)); constants cancel in all that reads the log
    assertEquals(
        0.1 * Math.sqrt(0.75 * 5),
        of("target", "fqe", values).estimate().error().orElseThrow(),
        1e-3);
    assertEquals(0, of("difference", "fqe", values).estimate().error().orElseThrow(), 1e-3);
    assertEquals(0, of("target", "wdr", values).estimate().error().orElseThrow(), 1e-2);
  }

  @Test
  void whatLeansOnAModelIsNeverStatedAsSurerThanWhatDoesNot() {
    World world = new World(0.6, SESSIONS, 0.5);
    double[] flat = new double[world.rows()];
    Arrays.fill(flat, world.value(0.6, 0));
    // right about every first step, and knows nothing else
    StepValues same = StepValues.of(flat, flat, new double[SESSIONS]);
    ModelledEpisodes.Expected expected = new ModelledEpisodes.Expected(same, same);
    SessionValues values =
        world.values(
            new SessionValues.Model.Fitted(
                new ModelledEpisodes(
                    world.first(),
                    IntStream.rangeClosed(0, world.rows()).toArray(),
                    world.unit(),
                    world.logging(),
                    world.target(),
                    world.logging(),
                    Map.of(
                        "click",
                        new ModelledEpisodes.Signal(world.reward(), expected, List.of())))));
    for (String policy : List.of("target", "baseline", "difference")) {
      double robust = of(policy, "wdr", values).estimate().error().orElseThrow();
      assertTrue(robust > 0);
      for (String estimator : List.of("fqe", "magic")) {
        assertTrue(of(policy, estimator, values).estimate().error().orElseThrow() >= robust);
      }
    }
  }

  @Test
  void aModelThatIsFarFromTheLogIsNamed() {
    World world = new World(0.6, SESSIONS, 0.5);
    SessionValues values = world.values(world.fitted(3));
    assertEquals(1, values.unmet().size());
    assertTrue(values.unmet().get(0).startsWith("the model expects"), values.unmet()::toString);
    assertContains(world.value(0.6, 0), of("target", "wdr", values));
  }

  @Test
  void aModelThatIsNotFiniteSaysNothing() {
    World world = new World(0.6, SESSIONS, 0.5);
    SessionValues values = world.values(world.fitted(Double.NaN));
    assertEquals(List.of("no model of the sessions' values: Q_NOT_FINITE"), values.unmet());
    assertEquals(3, values.values().size());
  }

  @Test
  void aValueWhoseWeightsHaveWornOutIsNotStatedWithoutAModel() {
    World world = new World(0.95, SESSIONS, 0.5);
    SessionValues values = world.values(world.fitted(0));
    Estimate refused = new Estimate.Refused("FEW_EFFECTIVE_SESSIONS");
    assertEquals(refused, of("target", values).estimate());
    assertEquals(refused, of("difference", values).estimate());
    assertEquals(refused, of("target", "wdr", values).estimate());
    assertTrue(of("baseline", values).estimate().point().isPresent());
    assertTrue(values.wornOutFrom() > 0 && values.wornOutFrom() < 4);
    assertEquals(
        world.value(0.95, 0),
        of("target", "magic", values).estimate().point().orElseThrow(),
        0.01 * world.value(0.95, 0));
    assertTrue(values.unmet().get(0).contains("fewer than 100 effective sessions"));
  }

  @Test
  void aLogThatDoesNotSupportTheTargetStatesNothingOfIt() {
    // a log that says it never explored
    World world = new World(0.6, SESSIONS, 1);
    SessionValues values = world.values(world.fitted(0));
    for (String estimator : List.of("wpdis", "wdr", "fqe", "magic")) {
      assertEquals(
          new Estimate.Refused("INSUFFICIENT_SUPPORT"), of("target", estimator, values).estimate());
      assertTrue(of("baseline", estimator, values).estimate().point().isPresent());
    }
    assertEquals("the log does not support the target", values.unmet().get(0));
  }

  @Test
  void tooFewSessionsStateNothingHoweverCloseThePolicies() {
    SessionValues values = new World(0.5, 99, 0.5).values();
    assertEquals(0, values.wornOutFrom());
    assertEquals(1, of("baseline", values).thinShare());
    assertTrue(of("target", values).estimate().point().isEmpty());
  }
}
