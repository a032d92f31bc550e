package io.bellwether.evaluation.offpolicy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.slate.PlackettLuce;
import io.bellwether.evaluation.slate.PseudoInverseWeight;
import io.bellwether.evaluation.slate.SlateMoments;
import io.bellwether.evaluation.slate.SlotMarginals;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Simulated logs of policies whose value is known: within four standard errors, and where not. */
class KnownTruthTest {
  private static final String REWARD = "reward";
  private static final int[] CLUSTER = {0, 0, 0, 1, 1, 1};
  private static final double[] LOGGING = {0.3, 0.25, 0.2, 0.12, 0.08, 0.05};
  private static final double[] TARGET = {0.05, 0.1, 0.1, 0.1, 0.25, 0.4};

  @Test
  void clusterWeightsAreRightWhereItemsOfAClusterAreAlike() {
    double[] chances = {0.2, 0.2, 0.2, 0.6, 0.6, 0.6};
    LoggedDecisions log = log(20_000, 1, chances, new double[6]).build();
    assertHits(value(TARGET, chances), estimate(new Mips(), log));
    assertHits(value(TARGET, chances), estimate(new SelfNormalizedMips(), log));
    assertTrue(error(new Mips(), log) < error(new Ips(), log));
  }

  @Test
  void clusterWeightsMissWhatItemsOfAClusterDiffer() {
    double[] chances = {0.1, 0.2, 0.3, 0.2, 0.5, 0.9};
    LoggedDecisions log = log(20_000, 2, chances, new double[6]).build();
    Estimate found = estimate(new Mips(), log);
    double miss = Math.abs(found.point().orElseThrow() - value(TARGET, chances));
    assertTrue(miss > 4 * found.error().orElseThrow());
  }

  /** The model is off by 0.3 in one cluster and right about what differs within both. */
  @Test
  void aModelOfDifferencesWithinClustersMakesUpForIt() {
    double[] chances = {0.1, 0.2, 0.3, 0.2, 0.5, 0.9};
    double[] model = {0.4, 0.5, 0.6, 0.2, 0.5, 0.9};
    LoggedDecisions log = log(20_000, 3, chances, model).build();
    assertHits(value(TARGET, chances), estimate(new OffCem(), log));
    assertTrue(error(new OffCem(), log) < error(new Ips(), log));
  }

  @Test
  void precisionOfEachLoggerBeatsTheirMixtureByDecision() {
    double[] chances = {0.1, 0.2, 0.3, 0.2, 0.5, 0.9};
    double[] other = {0.05, 0.1, 0.15, 0.2, 0.25, 0.25};
    int n = 20_000;
    int[] logger = IntStream.range(0, n).map(row -> row % 2).toArray();
    Draw draw = new Draw(n, 4, chances, List.of(LOGGING, other));
    LoggedDecisions log =
        draw.columns(new double[6]).loggers(List.of("wild", "near"), logger).build();
    WeightedLoggers weighted = WeightedLoggers.of(new Ips(), columns(log), log.units());
    assertHits(value(TARGET, chances), weighted.estimate());
    assertTrue(weighted.shares().get(1) > 0.7);
    assertTrue(weighted.estimate().error().orElseThrow() < error(new Ips(), log));
  }

  /** The reward of a slate is what its items bring at their places, seen as a sum only. */
  @Test
  void sumsOverPlacesNeedTheWholeSlatesRewardOnly() {
    double[][] brings = {{1, 0.2, 0.4, 0.1}, {0.3, 0.9, 0.2, 0.5}};
    Slates slates = new Slates(20_000, 5);
    LoggedDecisions log = slates.log((slate, k) -> k == 0 ? sum(brings, slate) : 0);
    double truth = slates.value((slate, k) -> k == 0 ? sum(brings, slate) : 0);
    assertHits(truth, estimate(new PseudoInverse(), log));
    assertHits(truth, estimate(new StandardSlateIps(), log));
  }

  @Test
  void placesThatStandForThemselvesNeedTheirOwnWeightOnly() {
    double[][] brings = {{1, 0.2, 0.4, 0.1}, {0.3, 0.9, 0.2, 0.5}};
    Slates slates = new Slates(20_000, 6);
    LoggedDecisions log = slates.log((slate, k) -> brings[k][slate[k]]);
    double truth = slates.value((slate, k) -> brings[k][slate[k]]);
    assertHits(truth, estimate(new IndependentIps(), log));
    assertHits(truth, estimate(new SelfNormalizedIndependentIps(), log));
    assertHits(truth, estimate(new Ips(), log));
    assertTrue(error(new IndependentIps(), log) < error(new Ips(), log));
  }

  /** The second place earns only below item 0: its own weight alone is not enough. */
  @Test
  void placesThatDependOnEarlierOnesNeedThePrefixWeight() {
    Slates slates = new Slates(20_000, 7);
    LoggedDecisions log = slates.log((slate, k) -> k == 1 && slate[0] == 0 ? 1 : 0);
    double truth = slates.value((slate, k) -> k == 1 && slate[0] == 0 ? 1 : 0);
    assertHits(truth, estimate(new Ips(), log));
    assertHits(truth, estimate(new SelfNormalizedSlateIps(), log));
    Estimate independent = estimate(new IndependentIps(), log);
    double miss = Math.abs(independent.point().orElseThrow() - truth);
    assertTrue(miss > 4 * independent.error().orElseThrow());
  }

  private interface Reward {
    double of(int[] slate, int position);
  }

  /** Slates of two of four items by Plackett and Luce's law. */
  private record Slates(int count, long seed) {
    private static final double[] LOGGING_SCORES = {0.5, 0, 0, -0.5};
    private static final double[] TARGET_SCORES = {-0.5, 0.2, 0.4, 0.8};

    double value(Reward reward) {
      double[] value = {0};
      new PlackettLuce(TARGET_SCORES, 2)
          .forEach(
              (slate, probability) ->
                  value[0] += probability * (reward.of(slate, 0) + reward.of(slate, 1)));
      return value[0];
    }

    LoggedDecisions log(Reward reward) {
      PlackettLuce logging = new PlackettLuce(LOGGING_SCORES, 2);
      PlackettLuce target = new PlackettLuce(TARGET_SCORES, 2);
      PseudoInverseWeight inverse =
          PseudoInverseWeight.of(SlateMoments.of(logging), SlateMoments.of(target)).orElseThrow();
      Random random = new Random(seed);
      double[] propensity = new double[2 * count];
      double[] probability = new double[2 * count];
      double[] slot = new double[2 * count];
      double[] whole = new double[count];
      double[] amount = new double[2 * count];
      double[] prefix = new double[2];
      for (int at = 0; at < count; at++) {
        int[] slate = draw(random);
        logging.logPrefixes(slate, prefix);
        propensity[2 * at] = Math.exp(prefix[0]);
        propensity[2 * at + 1] = Math.exp(prefix[1] - prefix[0]);
        target.logPrefixes(slate, prefix);
        probability[2 * at] = Math.exp(prefix[0]);
        probability[2 * at + 1] = Math.exp(prefix[1] - prefix[0]);
        double[] shown = SlotMarginals.ofSlate(target, slate);
        double[] logged = SlotMarginals.ofSlate(logging, slate);
        whole[at] = inverse.of(slate);
        for (int k = 0; k < 2; k++) {
          slot[2 * at + k] = shown[k] / logged[k];
          amount[2 * at + k] = reward.of(slate, k) + random.nextGaussian() / 5;
        }
      }
      return LoggedDecisions.builder()
          .decisions(
              IntStream.range(0, 2 * count).map(row -> row / 2).toArray(),
              IntStream.range(0, 2 * count).map(row -> row % 2).toArray(),
              IntStream.range(0, 2 * count).mapToLong(row -> row / 2).toArray())
          .logging(propensity)
          .target(probability)
          .slotWeight(slot)
          .slateWeight(whole)
          .signal(REWARD, LoggedDecisions.Signal.withoutModel(amount))
          .build();
    }

    private static int[] draw(Random random) {
      double[] arrival =
          Arrays.stream(LOGGING_SCORES)
              .map(score -> -Math.log(1 - random.nextDouble()) / Math.exp(score))
              .toArray();
      int first = least(arrival);
      arrival[first] = Double.POSITIVE_INFINITY;
      return new int[] {first, least(arrival)};
    }

    private static int least(double[] values) {
      int least = 0;
      for (int at = 1; at < values.length; at++) {
        least = values[at] < values[least] ? at : least;
      }
      return least;
    }
  }

  /** Single choices; decision i is of policy i modulo their number. */
  private static final class Draw {
    private final int[] item;
    private final double[] propensity;
    private final double[] reward;

    Draw(int count, long seed, double[] chances, List<double[]> policies) {
      Random random = new Random(seed);
      item = new int[count];
      propensity = new double[count];
      reward = new double[count];
      for (int at = 0; at < count; at++) {
        double[] policy = policies.get(at % policies.size());
        double left = random.nextDouble();
        int drawn = 0;
        while (drawn < policy.length - 1 && left >= policy[drawn]) {
          left -= policy[drawn++];
        }
        item[at] = drawn;
        propensity[at] = policy[drawn];
        reward[at] = random.nextDouble() < chances[drawn] ? 1 : 0;
      }
    }

    LoggedDecisions.Builder columns(double[] model) {
      EmbeddingRatio clusters = EmbeddingRatio.ofClusters(CLUSTER);
      double direct = value(TARGET, model);
      int n = item.length;
      return LoggedDecisions.builder()
          .decisions(
              IntStream.range(0, n).toArray(),
              new int[n],
              IntStream.range(0, n).mapToLong(row -> row).toArray())
          .logging(propensity)
          .target(Arrays.stream(item).mapToDouble(each -> TARGET[each]).toArray())
          .clusterWeight(
              Arrays.stream(item)
                  .mapToDouble(each -> clusters.of(TARGET, LOGGING, CLUSTER[each]).orElseThrow())
                  .toArray())
          .signal(
              REWARD,
              LoggedDecisions.Signal.modelled(
                  reward,
                  Arrays.stream(item).mapToDouble(each -> model[each]).toArray(),
                  IntStream.range(0, n).mapToDouble(row -> direct).toArray()));
    }
  }

  private static LoggedDecisions.Builder log(
      int count, long seed, double[] chances, double[] model) {
    return new Draw(count, seed, chances, List.of(LOGGING)).columns(model);
  }

  private static double value(double[] policy, double[] chances) {
    return IntStream.range(0, policy.length).mapToDouble(at -> policy[at] * chances[at]).sum();
  }

  private static double sum(double[][] brings, int[] slate) {
    return brings[0][slate[0]] + brings[1][slate[1]];
  }

  private static DecisionColumns columns(LoggedDecisions log) {
    return log.underTarget(REWARD, log.targetWeights());
  }

  private static Estimate estimate(Estimator estimator, LoggedDecisions log) {
    return Influence.of(estimator, columns(log)).orElseThrow().estimate(log.units());
  }

  private static double error(Estimator estimator, LoggedDecisions log) {
    return estimate(estimator, log).error().orElseThrow();
  }

  private static void assertHits(double truth, Estimate found) {
    assertEquals(truth, found.point().orElseThrow(), 4 * found.error().orElseThrow());
  }
}
