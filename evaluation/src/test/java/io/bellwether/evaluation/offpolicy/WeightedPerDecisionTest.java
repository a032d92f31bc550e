package io.bellwether.evaluation.offpolicy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class WeightedPerDecisionTest {

  private static final JsonNode EXPECTED = Golden.json("episode_expected.json");
  private static final Golden.Table ROWS = Golden.csv("episode_synthetic.csv");

  @Test
  void theTinyEpisodesHaveTheValueOfTheReference() {
    JsonNode tiny = EXPECTED.get("tiny");
    double[][] chances = Golden.matrix(tiny.get("pi_e"));
    double[] actions = Golden.doubles(tiny.get("action"));
    double[] target = new double[6];
    Arrays.setAll(target, row -> chances[row][(int) actions[row]]);
    double[] logging = Golden.doubles(tiny.get("propensity"));
    double[] reward = Golden.doubles(tiny.get("reward"));
    WeightedPerDecision weighted =
        WeightedPerDecision.ofTarget(log(2, target, logging, reward), episodes(3, 2), 0.9);
    double expected = tiny.at("/estimators/snpdis/value").doubleValue();
    assertEquals(expected, value(weighted), Golden.closed(expected));
  }

  @Test
  void theSyntheticEpisodesHaveTheValueAndTheSampleSizesOfTheReference() {
    WeightedPerDecision weighted =
        WeightedPerDecision.ofTarget(synthetic(), episodes(300, 6), 0.95);
    double expected = EXPECTED.at("/synthetic/estimators/snpdis/value").doubleValue();
    assertEquals(expected, value(weighted), Golden.closed(expected));
    assertArrayEquals(
        Golden.doubles(EXPECTED.at("/synthetic/weights/ess_by_t")),
        weighted.effectiveSampleSizes(),
        1e-6);
    // the logging policy itself
    assertEquals(
        EXPECTED.at("/synthetic/on_policy_discounted_mean").doubleValue(),
        value(WeightedPerDecision.ofBaseline(synthetic(), episodes(300, 6), 0.95)),
        1e-9);
  }

  @Test
  void theStandardErrorIsThatOfResampledEpisodes() {
    LoggedDecisions log = synthetic();
    WeightedPerDecision weighted = WeightedPerDecision.ofTarget(log, episodes(300, 6), 0.95);
    double error =
        weighted.of("reward", 0).influence().estimate(weighted.units()).error().orElseThrow();
    int replicates = 400;
    double[] values = new double[replicates];
    SplittableRandom random = new SplittableRandom(7);
    for (int b = 0; b < replicates; b++) {
      int[] drawn = new int[300 * 6];
      for (int episode = 0; episode < 300; episode++) {
        int copy = random.nextInt(300);
        for (int step = 0; step < 6; step++) {
          drawn[episode * 6 + step] = copy * 6 + step;
        }
      }
      values[b] =
          value(
              WeightedPerDecision.ofTarget(
                  log, new Episodes(episodes(300, 6).first(), drawn, 0), 0.95));
    }
    double mean = Arrays.stream(values).average().orElseThrow();
    double spread =
        Math.sqrt(Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (replicates - 1));
    assertEquals(1, error / spread, 0.15);
  }

  @Test
  void discountsAreThoseOfTheSteps() {
    double[] ones = {1, 1};
    assertEquals(
        0.5,
        value(WeightedPerDecision.ofTarget(log(2, ones, ones, new double[] {0, 1}), one(), 0.5)));
    assertEquals(
        1,
        value(WeightedPerDecision.ofTarget(log(2, ones, ones, new double[] {1, 0}), one(), 0.5)));
  }

  @Test
  void withoutOverlapThereIsNothingButThinEvidence() {
    double[] ones = {1, 1};
    WeightedPerDecision weighted =
        WeightedPerDecision.ofTarget(log(2, new double[2], ones, ones), one(), 0.5);
    EpisodeValue value = weighted.of("reward", 100);
    assertEquals(0, value.influence().value());
    assertEquals(1, value.thinShare());
    assertArrayEquals(new double[2], weighted.effectiveSampleSizes());
  }

  @Test
  void anEpisodeThatEndedKeepsItsWeightAndBringsNothingMore() {
    // one episode of two steps, one of one step: weights 2, 1 at step 0 and 6, 1 at step 1
    LoggedDecisions log =
        log(1, new double[] {1, 0.6, 0.5}, new double[] {0.5, 0.2, 0.5}, new double[] {3, 4, 9});
    Episodes episodes = new Episodes(new int[] {0, 2, 3}, new int[] {0, 1, 2}, 0);
    double expected = (2 * 3 + 1 * 9) / 3.0 + 0.5 * (6 * 4) / 7.0;
    assertEquals(expected, value(WeightedPerDecision.ofTarget(log, episodes, 0.5)), 1e-12);
  }

  @Test
  void theWeightOfALaterStepHoldsAllPositionsOfTheEarlierSlates() {
    double[] target = {0.4, 0.6, 0.3, 0.5, 0.2, 0.2, 0.9, 0.1};
    double[] logging = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    double[] reward = {1, 2, 3, 4, 5, 6, 7, 8};
    LoggedDecisions slates =
        LoggedDecisions.builder()
            .decisions(
                new int[] {0, 0, 1, 1, 2, 2, 3, 3},
                new int[] {0, 1, 0, 1, 0, 1, 0, 1},
                new long[] {1, 1, 1, 1, 2, 2, 2, 2})
            .logging(logging)
            .target(target)
            .signal("reward", Signal.withoutModel(reward))
            .build();
    double expected = 0;
    for (int place = 0; place < 4; place++) {
      double left = 1;
      double right = 1;
      for (int i = 0; i <= place; i++) {
        left *= target[i] / logging[i];
        right *= target[4 + i] / logging[4 + i];
      }
      double mean = (left * reward[place] + right * reward[4 + place]) / (left + right);
      expected += (place < 2 ? 1 : 0.9) * mean;
    }
    Episodes two = new Episodes(new int[] {0, 2, 4}, new int[] {0, 1, 2, 3}, 0);
    assertEquals(expected, value(WeightedPerDecision.ofTarget(slates, two, 0.9)), 1e-12);
  }

  @Test
  void longEpisodesNeitherOverflowNorVanish() {
    int steps = 900;
    double[] target = new double[2 * steps];
    Arrays.fill(target, 0, steps, 1);
    Arrays.fill(target, steps, 2 * steps, 0.999);
    double[] logging = new double[2 * steps];
    Arrays.fill(logging, 1e-3);
    double[] reward = new double[2 * steps];
    Arrays.fill(reward, 1);
    WeightedPerDecision weighted =
        WeightedPerDecision.ofTarget(log(steps, target, logging, reward), episodes(2, steps), 0.9);
    assertEquals(10, value(weighted), 1e-4);
    for (double effective : weighted.effectiveSampleSizes()) {
      assertTrue(effective >= 1 && effective <= 2, () -> "effective sample size " + effective);
    }
  }

  @Property(tries = 100)
  void oneStepOfOnePositionIsSelfNormalisedImportanceSampling(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] target = random.doubles(8, 0.01, 1).toArray();
    double[] reward = random.doubles(8, -5, 5).toArray();
    double[] logging = new double[8];
    Arrays.fill(logging, 0.25);
    LoggedDecisions log = log(1, target, logging, reward);
    Episodes single = episodes(8, 1);
    Influence expected =
        Influence.of(new Snips(), log.underTarget("reward", log.targetWeights())).orElseThrow();
    Influence found = WeightedPerDecision.ofTarget(log, single, 0.9).of("reward", 0).influence();
    assertEquals(expected.value(), found.value(), 1e-12);
    assertEquals(
        expected.estimate(log.units()).error().orElseThrow(),
        found.estimate(log.units()).error().orElseThrow(),
        1e-12);
  }

  @Test
  void episodesHaveDecisions() {
    assertThrows(
        IllegalArgumentException.class, () -> new Episodes(new int[] {0, 1, 1}, new int[] {0}, 0));
    assertThrows(
        IllegalArgumentException.class, () -> new Episodes(new int[] {0, 2}, new int[] {0}, 0));
  }

  private static double value(WeightedPerDecision weighted) {
    return weighted.of("reward", 0).influence().value();
  }

  private static Episodes one() {
    return episodes(1, 2);
  }

  private static Episodes episodes(int count, int steps) {
    int[] first = IntStream.rangeClosed(0, count).map(episode -> episode * steps).toArray();
    return new Episodes(first, IntStream.range(0, count * steps).toArray(), 0);
  }

  /** Decisions of one position; each episode of {@code steps} is a subject's. */
  private static LoggedDecisions log(
      int steps, double[] target, double[] logging, double[] reward) {
    int[] decision = IntStream.range(0, target.length).toArray();
    long[] unit = new long[target.length];
    Arrays.setAll(unit, row -> row / steps);
    return LoggedDecisions.builder()
        .decisions(decision, new int[target.length], unit)
        .logging(logging)
        .target(target)
        .signal("reward", Signal.withoutModel(reward))
        .build();
  }

  private static LoggedDecisions synthetic() {
    double[] action = ROWS.column("action");
    double[] target = new double[action.length];
    Arrays.setAll(target, row -> ROWS.column(action[row] == 0 ? "pi_e_0" : "pi_e_1")[row]);
    return log(6, target, ROWS.column("propensity"), ROWS.column("reward"));
  }
}
