package io.bellwether.evaluation.episode;

import static io.bellwether.evaluation.episode.SyntheticEpisodes.EXPECTED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.distribution.WeightedCdf;
import io.bellwether.evaluation.distribution.WeightedValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GoldenEpisodesTest {

  /** The reference adds 1e-10 to the normaliser of weighted estimators. */
  private static final double REFERENCE_NORMALISER = 1e-8;

  private static final Map<EpisodeEstimator, String> NAMES =
      Map.of(
          EpisodeEstimator.DIRECT, "dm",
          EpisodeEstimator.TRAJECTORY, "tis",
          EpisodeEstimator.PER_DECISION, "pdis",
          EpisodeEstimator.DOUBLY_ROBUST, "dr",
          EpisodeEstimator.WEIGHTED_TRAJECTORY, "sntis",
          EpisodeEstimator.WEIGHTED_PER_DECISION, "snpdis",
          EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST, "sndr");

  @ParameterizedTest
  @EnumSource
  void theTinyEpisodesHaveTheValuesOfTheReference(EpisodeEstimator estimator) {
    check(
        estimator,
        EXPECTED.at("/tiny/estimators/" + NAMES.get(estimator)),
        SyntheticEpisodes.tinySteps(),
        SyntheticEpisodes.tinyReward());
  }

  @ParameterizedTest
  @EnumSource
  void theSyntheticEpisodesHaveTheValuesOfTheReference(EpisodeEstimator estimator) {
    check(
        estimator,
        EXPECTED.at("/synthetic/estimators/" + NAMES.get(estimator)),
        SyntheticEpisodes.steps(),
        SyntheticEpisodes.reward());
  }

  private static void check(
      EpisodeEstimator estimator, JsonNode expected, EpisodeSteps steps, StepSignal signal) {
    EpisodeInfluence found = estimator.of(steps, signal);
    double value = expected.get("value").doubleValue();
    boolean weighted = expected.get("se_rowwise").isNull();
    assertEquals(value, found.value(), weighted ? REFERENCE_NORMALISER : Golden.closed(value));
    if (!weighted) {
      double error = expected.get("se_rowwise").doubleValue();
      assertEquals(
          error, found.estimate(steps.units()).error().orElseThrow(), Golden.closed(error));
    }
  }

  @Test
  void effectiveSampleSizesByStepAreThoseOfTheReference() {
    assertArrayEquals(
        Golden.doubles(EXPECTED.at("/synthetic/weights/ess_by_t")),
        SyntheticEpisodes.steps().effectiveSampleSizes(),
        1e-6);
  }

  @Test
  void returnsOfWholeEpisodesHaveTheTailsOfTheReference() {
    EpisodeSteps steps = SyntheticEpisodes.steps(1);
    WeightedCdf returns =
        WeightedCdf.of(
                WeightedValues.of(
                    steps.relativeWeights(), steps.returns(SyntheticEpisodes.reward())))
            .orElseThrow();
    EXPECTED
        .at("/distribution/cvar_lower")
        .properties()
        .forEach(
            tail -> {
              double expected = tail.getValue().doubleValue();
              double found = returns.tails(Double.parseDouble(tail.getKey())).get(0).value();
              assertEquals(expected, found, Golden.closed(expected), tail::getKey);
            });
  }

  @Test
  void magicBlendsTheTinyEpisodesAsTheReference() {
    check(
        Magic.of(SyntheticEpisodes.tinySteps(), SyntheticEpisodes.tinyReward()),
        EXPECTED.at("/tiny/magic"));
  }

  @Test
  void magicBlendsTheSyntheticEpisodesAsTheReference() {
    check(
        Magic.of(SyntheticEpisodes.steps(), SyntheticEpisodes.reward()),
        EXPECTED.at("/synthetic/magic"));
  }

  private static void check(Magic found, JsonNode expected) {
    assertArrayEquals(Golden.doubles(expected.get("g_j")), found.returns(), 1e-9);
    double[][] covariance = Golden.matrix(expected.get("omega"));
    for (int j = 0; j < covariance.length; j++) {
      assertArrayEquals(covariance[j], found.covariance()[j], 1e-9);
    }
    assertArrayEquals(Golden.doubles(expected.get("bias")), found.bias(), 1e-9);
    assertArrayEquals(Golden.doubles(expected.get("weights")), found.weights(), 1e-6);
    assertEquals(expected.get("magic").doubleValue(), found.value(), 1e-6);
    assertEquals(expected.get("mse_objective").doubleValue(), found.meanSquaredError(), 1e-9);
  }

  @Test
  void fittedValuesOfAllEpisodesAreThoseOfTheReference() {
    TabularEpisodes log = SyntheticEpisodes.tabular();
    TabularFittedQ fitted =
        new TabularFittedQ(SyntheticEpisodes.TARGET, SyntheticEpisodes.DISCOUNT);
    FittedValues values = fitted.finite(log, episode -> true);
    double expected = EXPECTED.at("/synthetic/fqe_full_data_value").doubleValue();
    assertEquals(expected, fitted.value(values, log), Golden.closed(expected));
    double[][] first = Golden.matrix(EXPECTED.at("/synthetic/fqe_full_Q_t0"));
    for (int state = 0; state < first.length; state++) {
      assertArrayEquals(first[state], values.actionValues()[0][state], 1e-9);
    }
  }

  @Test
  void crossFittedValuesAreTheRowsOfTheReference() {
    TabularEpisodes log = SyntheticEpisodes.tabular();
    StepValues found =
        new TabularFittedQ(SyntheticEpisodes.TARGET, SyntheticEpisodes.DISCOUNT)
            .crossFitted(log, episode -> episode % 2 == 0)
            .values();
    StepValues expected = SyntheticEpisodes.reward().values();
    for (int row = 0; row < log.rows(); row++) {
      // the file has ten decimals
      assertEquals(expected.prediction().get(row), found.prediction().get(row), 1e-9);
      assertEquals(expected.direct().get(row), found.direct().get(row), 1e-9);
    }
  }

  @Test
  void marginalisedStatesHaveTheValueAndTheDensitiesOfTheReference() {
    MarginalisedStates found =
        MarginalisedStates.of(
            SyntheticEpisodes.tabular(), SyntheticEpisodes.TARGET, SyntheticEpisodes.DISCOUNT);
    double expected = EXPECTED.at("/synthetic/mis_tabular").doubleValue();
    assertEquals(expected, found.value(), Golden.closed(expected));
    double[][] density = Golden.matrix(EXPECTED.at("/synthetic/mis_state_density_target"));
    for (int step = 0; step < density.length; step++) {
      assertArrayEquals(density[step], found.density()[step], 1e-9);
    }
    assertEquals(SyntheticEpisodes.STEPS, found.overlapUntil());
  }

  @Test
  void discountedDensitiesAndTheirRatioAreThoseOfTheReference() {
    JsonNode golden = Golden.json("extra_expected.json").get("dice_tabular");
    double discount = golden.get("gamma").doubleValue();
    double[][][] transition = cube(golden.get("P"));
    double[] start = Golden.doubles(golden.get("d0"));
    double[][] target = Golden.matrix(golden.get("pi_e"));
    double[][] logging = Golden.matrix(golden.get("pi_b"));
    DiscountedDensity ofTarget = DiscountedDensity.of(transition, start, target, discount);
    DiscountedDensity ofLogging = DiscountedDensity.of(transition, start, logging, discount);
    assertArrayEquals(Golden.doubles(golden.get("d_e")), ofTarget.ofState(), 1e-9);
    assertArrayEquals(Golden.doubles(golden.get("d_b")), ofLogging.ofState(), 1e-9);
    double[][] ratio = ofTarget.ratio(target, ofLogging.ofState(), logging);
    double[][] expected = Golden.matrix(golden.get("ratio_sa"));
    for (int state = 0; state < expected.length; state++) {
      assertArrayEquals(expected[state], ratio[state], 1e-9);
    }
    double value = golden.get("value_total").doubleValue();
    assertEquals(
        value,
        ofTarget.value(ratio, ofLogging.ofState(), logging, Golden.matrix(golden.get("R"))),
        Golden.closed(value));
  }

  private static double[][][] cube(JsonNode node) {
    List<double[][]> matrices = new ArrayList<>();
    node.forEach(matrix -> matrices.add(Golden.matrix(matrix)));
    return matrices.toArray(double[][][]::new);
  }
}
