package io.bellwether.evaluation.offpolicy;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A log of two logging policies: each decision's own propensity, the mixture's, and strata. */
class SeveralLoggersTest {
  private static final String REWARD = "reward";

  private final JsonNode golden = Golden.json("extra_expected.json").get("multiple_loggers");
  private final int[] action = ints("action");
  private final int[] stratum = ints("stratum");
  private final double[] reward = Golden.doubles(golden.get("reward"));
  private final double[] target = Golden.doubles(golden.get("target"));
  private final double[] predictions = Golden.doubles(golden.get("q_hat"));

  @Test
  void eachDecisionsOwnPropensity() {
    LoggedDecisions log = log("pscore", reward).build();
    assertValue("naive_ips", value(new Ips(), log, Weighting.PREFIX));
    assertValue("naive_dr", value(new DoublyRobust(), log, Weighting.PREFIX));
  }

  @Test
  void theMixturesPropensity() {
    double[] mixture = Golden.doubles(golden.get("pscore_mixture"));
    LoggedDecisions log =
        log("pscore", reward)
            .balancedWeight(column(row -> target[action[row]] / mixture[row]))
            .build();
    assertValue("balanced_ips", value(new Ips(), log, Weighting.BALANCED));
    assertValue("balanced_dr", value(new DoublyRobust(), log, Weighting.BALANCED));
  }

  @Test
  void strataByTheirPrecision() {
    LoggedDecisions log = log("pscore", reward).build();
    assertValue("weighted_ips", weighted(new Ips(), log).estimate().point().orElseThrow());
    WeightedLoggers robust = weighted(new DoublyRobust(), log);
    assertValue("weighted_dr", robust.estimate().point().orElseThrow());
    assertEquals(1, robust.shares().stream().mapToDouble(Double::doubleValue).sum(), 1e-12);
    assertEquals("", robust.warning());
  }

  @Test
  void oneLoggerByItsPrecisionIsThePlainEstimate() {
    LoggedDecisions log = log("pscore", reward).loggers(List.of("one"), new int[12]).build();
    Estimate plain =
        Influence.of(new Ips(), log.underTarget(REWARD, log.targetWeights()))
            .orElseThrow()
            .estimate(log.units());
    Estimate found = weighted(new Ips(), log).estimate();
    assertEquals(plain.point().orElseThrow(), found.point().orElseThrow(), 1e-12);
    assertEquals(plain.error().orElseThrow(), found.error().orElseThrow(), 1e-12);
  }

  @Test
  void aLoggerWhoseRowsDoNotVaryLeavesThePlainEstimate() {
    double[] without = reward.clone();
    for (int row = 0; row < without.length; row++) {
      without[row] = stratum[row] == 0 ? without[row] : 0;
    }
    LoggedDecisions log = log("pscore", without).build();
    WeightedLoggers found = weighted(new Ips(), log);
    assertEquals(WeightedLoggers.NO_SPREAD, found.warning());
    assertTrue(found.shares().isEmpty());
    assertEquals(
        value(new Ips(), log, Weighting.PREFIX), found.estimate().point().orElseThrow(), 1e-15);
  }

  @Test
  void aDecisionOfAnUnknownLoggerLeavesThePlainEstimate() {
    int[] unknown = stratum.clone();
    unknown[3] = Labels.UNKNOWN;
    LoggedDecisions log =
        log("pscore", reward).loggers(List.of("first", "second"), unknown).build();
    WeightedLoggers found = weighted(new Ips(), log);
    assertEquals(WeightedLoggers.UNKNOWN, found.warning());
  }

  private LoggedDecisions.Builder log(String propensity, double[] rewards) {
    int n = action.length;
    double direct =
        IntStream.range(0, 3).mapToDouble(item -> target[item] * predictions[item]).sum();
    return LoggedDecisions.builder()
        .decisions(
            IntStream.range(0, n).toArray(),
            new int[n],
            IntStream.range(0, n).mapToLong(row -> row).toArray())
        .logging(Golden.doubles(golden.get(propensity)))
        .target(column(row -> target[action[row]]))
        .loggers(List.of("first", "second"), stratum)
        .signal(
            REWARD,
            LoggedDecisions.Signal.modelled(
                rewards, column(row -> predictions[action[row]]), column(row -> direct)));
  }

  private static WeightedLoggers weighted(Estimator estimator, LoggedDecisions log) {
    return WeightedLoggers.of(estimator, log.underTarget(REWARD, log.targetWeights()), log.units());
  }

  private static double value(Estimator estimator, LoggedDecisions log, Weighting weighting) {
    return Influence.of(estimator, log.underTarget(REWARD, weighting)).orElseThrow().value();
  }

  private double[] column(IntToDoubleFunction value) {
    return IntStream.range(0, action.length).mapToDouble(value).toArray();
  }

  private int[] ints(String name) {
    return Arrays.stream(Golden.doubles(golden.get(name))).mapToInt(value -> (int) value).toArray();
  }

  private void assertValue(String name, double found) {
    double expected = golden.at("/estimators/" + name).doubleValue();
    assertEquals(expected, found, closed(expected), name);
  }
}
