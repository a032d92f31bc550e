package io.bellwether.evaluation.episode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.offpolicy.DirectMethod;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import io.bellwether.evaluation.offpolicy.SelfNormalizedDoublyRobust;
import io.bellwether.evaluation.offpolicy.Snips;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EpisodeEstimatorTest {

  private static final List<EpisodeEstimator> MODELLED =
      List.of(
          EpisodeEstimator.DIRECT,
          EpisodeEstimator.DOUBLY_ROBUST,
          EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST);

  /** 40 episodes of one to five steps, of which every other one was cut off; two per subject. */
  private record Uneven(
      int[] first, long[] unit, double[] target, double[] logging, StepSignal signal) {

    static Uneven random(long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      int[] first = new int[41];
      for (int episode = 0; episode < 40; episode++) {
        first[episode + 1] = first[episode] + random.nextInt(1, 6);
      }
      int rows = first[40];
      long[] unit = new long[40];
      Arrays.setAll(unit, episode -> episode / 2);
      double[] beyond = new double[40];
      Arrays.setAll(beyond, episode -> episode % 2 == 0 ? random.nextDouble(1, 3) : 0);
      return new Uneven(
          first,
          unit,
          random.doubles(rows, 0.05, 1).toArray(),
          random.doubles(rows, 0.2, 1).toArray(),
          StepSignal.of(
              random.doubles(rows, -2, 4).toArray(),
              StepValues.of(
                  random.doubles(rows, -2, 4).toArray(),
                  random.doubles(rows, -2, 4).toArray(),
                  beyond)));
    }

    EpisodeSteps steps(double discount) {
      return EpisodeSteps.single(first, unit, target, logging, discount);
    }
  }

  /** The formulas with padding written out. */
  private static double slow(EpisodeEstimator estimator, Uneven log, double discount) {
    int episodes = log.first.length - 1;
    int horizon = 6;
    double[][] weight = new double[episodes][horizon + 1];
    double[][] reward = new double[episodes][horizon];
    double[][] prediction = new double[episodes][horizon];
    double[][] direct = new double[episodes][horizon];
    for (int i = 0; i < episodes; i++) {
      weight[i][0] = 1;
      int length = log.first[i + 1] - log.first[i];
      for (int t = 0; t < horizon; t++) {
        int row = log.first[i] + t;
        weight[i][t + 1] = weight[i][t] * (t < length ? log.target[row] / log.logging[row] : 1);
        if (t < length) {
          reward[i][t] = log.signal.reward().get(row);
          prediction[i][t] = log.signal.values().prediction().get(row);
          direct[i][t] = log.signal.values().direct().get(row);
        } else if (t == length) {
          direct[i][t] = log.signal.values().beyond()[i];
        }
      }
    }
    double value = 0;
    boolean weighted = estimator.word().startsWith("w");
    boolean modelled = estimator.usesModel();
    boolean whole = estimator.word().endsWith("tis");
    for (int t = 0; t < horizon; t++) {
      int at = whole ? horizon : t + 1;
      int before = t;
      double norm =
          weighted ? Arrays.stream(weight).mapToDouble(w -> w[at]).average().orElse(0) : 1;
      double normBefore =
          weighted ? Arrays.stream(weight).mapToDouble(w -> w[before]).average().orElse(0) : 1;
      for (int i = 0; i < episodes; i++) {
        double unexplained = reward[i][t] - (modelled ? prediction[i][t] : 0);
        double expected = modelled ? direct[i][t] : 0;
        value +=
            Math.pow(discount, t)
                * (weight[i][at] / norm * unexplained + weight[i][t] / normBefore * expected)
                / episodes;
      }
    }
    return value;
  }

  @ParameterizedTest
  @EnumSource(names = "DIRECT", mode = EnumSource.Mode.EXCLUDE)
  void episodesOfUnequalLengthsAndThoseThatWereCutOffArePadded(EpisodeEstimator estimator) {
    for (int seed = 0; seed < 20; seed++) {
      Uneven log = Uneven.random(seed);
      double expected = slow(estimator, log, 0.8);
      double found = estimator.of(log.steps(0.8), log.signal).value();
      assertEquals(expected, found, 1e-9 * Math.max(1, Math.abs(expected)));
    }
  }

  @Test
  void whatTheModelExpectsBehindTheCutCounts() {
    // both episodes have one step; the second was cut off, and two more are expected
    StepSignal signal =
        StepSignal.of(
            new double[] {1, 1},
            StepValues.of(new double[] {1, 1}, new double[] {1, 1}, new double[] {0, 2}));
    EpisodeSteps steps =
        EpisodeSteps.single(
            new int[] {0, 1, 2}, new long[] {0, 1}, new double[] {1, 1}, new double[] {1, 1}, 0.5);
    assertEquals(1.5, EpisodeEstimator.DOUBLY_ROBUST.of(steps, signal).value(), 1e-12);
    assertEquals(1.5, EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.of(steps, signal).value(), 1e-12);
    assertEquals(1, EpisodeEstimator.WEIGHTED_PER_DECISION.of(steps, signal).value(), 1e-12);
  }

  @Property(tries = 100)
  void oneStepOfOnePositionIsTheBandit(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] target = random.doubles(8, 0.01, 1).toArray();
    double[] reward = random.doubles(8, -5, 5).toArray();
    double[] prediction = random.doubles(8, -5, 5).toArray();
    double[] direct = random.doubles(8, -5, 5).toArray();
    double[] logging = random.doubles(8, 0.1, 1).toArray();
    LoggedDecisions log =
        LoggedDecisions.builder()
            .decisions(IntStream.range(0, 8).toArray(), new int[8], SyntheticEpisodes.units(8))
            .logging(logging)
            .target(target)
            .signal("reward", Signal.modelled(reward, prediction, direct))
            .build();
    EpisodeSteps steps = EpisodeSteps.ofTarget(log, episodes(8, 1), 0.9);
    StepSignal signal = StepSignal.of(reward, StepValues.of(prediction, direct, new double[8]));
    Map<EpisodeEstimator, Estimator> same =
        Map.of(
            EpisodeEstimator.TRAJECTORY, new Ips(),
            EpisodeEstimator.PER_DECISION, new Ips(),
            EpisodeEstimator.WEIGHTED_TRAJECTORY, new Snips(),
            EpisodeEstimator.WEIGHTED_PER_DECISION, new Snips(),
            EpisodeEstimator.DIRECT, new DirectMethod(),
            EpisodeEstimator.DOUBLY_ROBUST, new DoublyRobust(),
            EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST, new SelfNormalizedDoublyRobust());
    same.forEach(
        (estimator, bandit) -> {
          Influence expected =
              Influence.of(bandit, log.underTarget("reward", log.targetWeights())).orElseThrow();
          EpisodeInfluence found = estimator.of(steps, signal);
          assertEquals(expected.value(), found.value(), 1e-11, estimator::word);
          assertEquals(
              expected.estimate(log.units()).error().orElseThrow(),
              found.estimate(steps.units()).error().orElseThrow(),
              1e-11,
              estimator::word);
        });
  }

  @Property(tries = 50)
  void theLoggingPolicyIsWorthTheDiscountedMean(@ForAll long seed) {
    Uneven log = Uneven.random(seed);
    EpisodeSteps steps = EpisodeSteps.single(log.first, log.unit, log.logging, log.logging, 0.9);
    double[] returns = steps.returns(log.signal);
    double mean = Arrays.stream(returns).average().orElseThrow();
    for (EpisodeEstimator estimator : EpisodeEstimator.values()) {
      if (!estimator.usesModel()) {
        assertEquals(mean, estimator.of(steps, log.signal).value(), 1e-10, estimator::word);
      }
    }
    // a model that is constantly wrong changes nothing where every episode ended by itself
    double[] same = new double[log.logging.length];
    Arrays.fill(same, 3);
    StepSignal constant = log.signal.with(StepValues.of(same, same, new double[40]));
    assertEquals(mean, EpisodeEstimator.DOUBLY_ROBUST.of(steps, constant).value(), 1e-10);
    assertEquals(mean, EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.of(steps, constant).value(), 1e-10);
  }

  @ParameterizedTest
  @EnumSource
  void theStandardErrorIsThatOfResampledEpisodes(EpisodeEstimator estimator) {
    double error =
        estimator
            .of(SyntheticEpisodes.steps(), SyntheticEpisodes.reward())
            .estimate(SyntheticEpisodes.steps().units())
            .error()
            .orElseThrow();
    SplittableRandom random = new SplittableRandom(7);
    double[] values = new double[400];
    for (int b = 0; b < values.length; b++) {
      values[b] = resampled(estimator, random);
    }
    double mean = Arrays.stream(values).average().orElseThrow();
    double spread =
        Math.sqrt(
            Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1));
    assertEquals(1, error / spread, 0.15, estimator::word);
  }

  private static double resampled(EpisodeEstimator estimator, SplittableRandom random) {
    int rows = SyntheticEpisodes.COUNT * SyntheticEpisodes.STEPS;
    StepSignal logged = SyntheticEpisodes.reward();
    double[] action = SyntheticEpisodes.ROWS.column("action");
    double[] target = new double[rows];
    double[] logging = new double[rows];
    double[] reward = new double[rows];
    double[] prediction = new double[rows];
    double[] direct = new double[rows];
    for (int episode = 0; episode < SyntheticEpisodes.COUNT; episode++) {
      int copy = random.nextInt(SyntheticEpisodes.COUNT);
      for (int step = 0; step < SyntheticEpisodes.STEPS; step++) {
        int to = episode * SyntheticEpisodes.STEPS + step;
        int from = copy * SyntheticEpisodes.STEPS + step;
        target[to] = SyntheticEpisodes.ROWS.column("pi_e_" + (int) action[from])[from];
        logging[to] = SyntheticEpisodes.ROWS.column("propensity")[from];
        reward[to] = logged.reward().get(from);
        prediction[to] = logged.values().prediction().get(from);
        direct[to] = logged.values().direct().get(from);
      }
    }
    EpisodeSteps steps =
        EpisodeSteps.single(
            SyntheticEpisodes.first(SyntheticEpisodes.COUNT, SyntheticEpisodes.STEPS),
            SyntheticEpisodes.units(SyntheticEpisodes.COUNT),
            target,
            logging,
            SyntheticEpisodes.DISCOUNT);
    return estimator
        .of(
            steps,
            StepSignal.of(
                reward, StepValues.of(prediction, direct, new double[SyntheticEpisodes.COUNT])))
        .value();
  }

  @Test
  void episodesOfOneSubjectAreNotIndependent() {
    Uneven log = Uneven.random(3);
    EpisodeSteps steps = log.steps(0.9);
    EpisodeInfluence influence = EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.of(steps, log.signal);
    Estimate.Estimated estimate = (Estimate.Estimated) influence.estimate(steps.units());
    assertEquals(Estimate.ErrorKind.CLUSTER, estimate.errorKind());
    assertEquals(20, estimate.units());
    double squares = 0;
    for (int unit = 0; unit < 20; unit++) {
      double sum = influence.rows()[2 * unit] + influence.rows()[2 * unit + 1];
      squares += sum * sum;
    }
    assertEquals(Math.sqrt(20.0 / 19 * squares) / 40, estimate.standardError(), 1e-12);
    assertEquals(0, Arrays.stream(influence.rows()).sum(), 1e-9);
  }

  @Test
  void withoutOverlapAtAStepOnlyTheModelSpeaksFromThereOn() {
    double[] ones = {1, 1, 1, 1};
    // nobody took what the target takes at step 1
    EpisodeSteps steps =
        EpisodeSteps.single(
            new int[] {0, 2, 4}, new long[] {1, 2}, new double[] {1, 0, 1, 0}, ones, 0.5);
    assertEquals(1, steps.noOverlapFrom());
    assertArrayEquals(new double[] {2, 0}, steps.effectiveSampleSizes(), 1e-12);
    StepSignal signal =
        StepSignal.of(
            new double[] {3, 9, 3, 9},
            StepValues.of(new double[] {4, 4, 4, 4}, new double[] {4, 6, 4, 6}, new double[2]));
    // 3 + 0.5 · V̂: the log's 9 are of another policy
    assertEquals(
        4 + (3 - 4) + 0.5 * 6, EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.of(steps, signal).value());
    assertEquals(3, EpisodeEstimator.WEIGHTED_PER_DECISION.of(steps, signal).value());
    assertEquals(0, EpisodeEstimator.WEIGHTED_TRAJECTORY.of(steps, signal).value());
    assertEquals(9.0 * 0.5 / (3 + 9.0 * 0.5), steps.thinShare(signal, 1), 1e-12);
    assertEquals(1, steps.thinShare(signal, 100));
  }

  @Test
  void anEpisodeThatEndedKeepsItsWeightAndBringsNothingMore() {
    // one episode of two steps, one of one step: weights 2, 1 at step 0 and 6, 1 at step 1
    EpisodeSteps steps =
        EpisodeSteps.single(
            new int[] {0, 2, 3},
            new long[] {1, 2},
            new double[] {1, 0.6, 0.5},
            new double[] {0.5, 0.2, 0.5},
            0.5);
    StepSignal signal = StepSignal.of(new double[] {3, 4, 9}, StepValues.NONE);
    double expected = (2 * 3 + 1 * 9) / 3.0 + 0.5 * (6 * 4) / 7.0;
    assertEquals(expected, EpisodeEstimator.WEIGHTED_PER_DECISION.of(steps, signal).value(), 1e-12);
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
    EpisodeSteps steps = EpisodeSteps.ofTarget(slates, episodes(2, 2), 0.9);
    StepSignal signal = StepSignal.of(reward, StepValues.NONE);
    assertEquals(expected, EpisodeEstimator.WEIGHTED_PER_DECISION.of(steps, signal).value(), 1e-12);
  }

  @Test
  void longEpisodesNeitherOverflowNorVanishWhereWeightsAreRelative() {
    int length = 900;
    double[] target = new double[2 * length];
    Arrays.fill(target, 0, length, 1);
    Arrays.fill(target, length, 2 * length, 0.999);
    double[] logging = new double[2 * length];
    Arrays.fill(logging, 1e-3);
    double[] reward = new double[2 * length];
    Arrays.fill(reward, 1);
    EpisodeSteps steps =
        EpisodeSteps.single(
            SyntheticEpisodes.first(2, length), new long[] {1, 2}, target, logging, 0.9);
    StepSignal signal = StepSignal.of(reward, StepValues.NONE);
    assertEquals(10, EpisodeEstimator.WEIGHTED_PER_DECISION.of(steps, signal).value(), 1e-4);
    for (double effective : steps.effectiveSampleSizes()) {
      assertTrue(effective >= 1 && effective <= 2, () -> "effective sample size " + effective);
    }
    // a product of 10^399 is no double, and says so
    assertEquals(
        new Estimate.Refused("NOT_FINITE"),
        EpisodeEstimator.TRAJECTORY.of(steps, signal).estimate(steps.units()));
  }

  @Test
  void weightsAndReturnsOfWholeEpisodesAreThere() {
    EpisodeSteps steps = SyntheticEpisodes.steps();
    double[] weights = steps.relativeWeights();
    assertEquals(1, Arrays.stream(weights).average().orElseThrow(), 1e-12);
    double mean =
        SyntheticEpisodes.EXPECTED.at("/synthetic/on_policy_discounted_mean").doubleValue();
    assertEquals(
        mean,
        Arrays.stream(steps.returns(SyntheticEpisodes.reward())).average().orElseThrow(),
        1e-9);
  }

  @Test
  void whatNeedsAModelAsksForOne() {
    StepSignal signal = SyntheticEpisodes.tinyReward().with(StepValues.NONE);
    for (EpisodeEstimator estimator : MODELLED) {
      assertThrows(
          IllegalArgumentException.class,
          () -> estimator.of(SyntheticEpisodes.tinySteps(), signal));
    }
  }

  @Test
  void episodesHaveDecisions() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Episodes(new int[] {0, 1, 1}, new int[] {0}, new boolean[2]));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Episodes(new int[] {0, 2}, new int[] {0}, new boolean[1]));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Episodes(new int[] {0, 1}, new int[] {0}, new boolean[0]));
  }

  private static Episodes episodes(int count, int steps) {
    return new Episodes(
        SyntheticEpisodes.first(count, steps),
        IntStream.range(0, count * steps).toArray(),
        new boolean[count]);
  }
}
