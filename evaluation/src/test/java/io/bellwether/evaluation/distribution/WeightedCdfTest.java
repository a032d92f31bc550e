package io.bellwether.evaluation.distribution;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.SimulatedLog;
import io.bellwether.evaluation.distribution.TailMean.End;
import io.bellwether.evaluation.interval.Normal;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class WeightedCdfTest {
  private static final double Z = Normal.quantile(0.975);

  @Test
  void quantilesAndErrorsOfTenRows() {
    JsonNode golden = Golden.json("ci_expected.json").get("weighted_quantile");
    WeightedCdf cdf = cdf(sample());
    golden
        .get("q")
        .properties()
        .forEach(
            each ->
                assertEquals(
                    each.getValue().doubleValue(),
                    cdf.quantile(Double.parseDouble(each.getKey()), 0.95).value()));
    golden
        .get("cdf_and_se_at")
        .properties()
        .forEach(
            each -> {
              CdfPoint point = cdf.at(Double.parseDouble(each.getKey()));
              double probability = each.getValue().get(0).doubleValue();
              double error = each.getValue().get(1).doubleValue();
              assertEquals(probability, point.probability(), closed(probability));
              assertEquals(error, point.standardError(), closed(error));
            });
    assertTrue(cdf.isExact());
  }

  @Test
  void lowerTailsOfTenRows() {
    JsonNode golden =
        Golden.json("extra_expected.json").get("cvar_with_se_on_ci_weighted_quantile_sample");
    golden
        .properties()
        .forEach(
            each -> {
              TailMean tail = cdf(sample()).tails(Double.parseDouble(each.getKey())).get(0);
              double value = each.getValue().get("cvar_lower").doubleValue();
              double error = each.getValue().get("se").doubleValue();
              assertEquals(End.LOWER, tail.end());
              assertEquals(each.getValue().get("quantile").doubleValue(), tail.quantile());
              assertEquals(value, tail.value(), closed(value));
              assertEquals(error, tail.standardError(), closed(error));
            });
  }

  private static WeightedValues sample() {
    JsonNode golden = Golden.json("ci_expected.json").get("weighted_quantile");
    return WeightedValues.of(Golden.doubles(golden.get("w")), Golden.doubles(golden.get("y")));
  }

  @Test
  void returnsOfSyntheticEpisodes() {
    JsonNode golden = Golden.json("episode_expected.json").get("distribution");
    WeightedCdf cdf = cdf(EpisodeReturns.read());
    golden
        .get("weighted_quantile")
        .properties()
        .forEach(
            each ->
                assertEquals(
                    each.getValue().doubleValue(),
                    cdf.quantile(Double.parseDouble(each.getKey()), 0.95).value()));
    golden
        .get("cvar_lower")
        .properties()
        .forEach(
            each -> {
              double value = each.getValue().doubleValue();
              TailMean tail = cdf.tails(Double.parseDouble(each.getKey())).get(0);
              assertEquals(value, tail.value(), closed(value), each::getKey);
            });
    double[] edges = Golden.doubles(golden.get("scope_rl_cdf").get("reward_grid_right_edges"));
    double[] expected = Golden.doubles(golden.get("scope_rl_cdf").get("cdf_sntis"));
    for (int edge = 0; edge < edges.length; edge++) {
      // the reference adds 1e-10 to its denominator
      assertEquals(expected[edge], cdf.at(edges[edge]).probability(), 1e-9);
    }
  }

  record Row(long unit, double weight, double value) {}

  @Provide
  Arbitrary<List<Row>> rows() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 8),
            Arbitraries.doubles().between(0.01, 9).ofScale(3),
            Arbitraries.integers().between(-6, 6))
        .as((unit, weight, value) -> new Row(unit, weight, value))
        .list()
        .ofMinSize(2)
        .ofMaxSize(50)
        .filter(rows -> rows.stream().map(Row::unit).distinct().count() > 1);
  }

  @Property(tries = 200)
  void errorsAreThoseOfASlowLoopOverUnits(@ForAll("rows") List<Row> rows) {
    WeightedCdf cdf = cdf(values(rows));
    double total = rows.stream().mapToDouble(Row::weight).sum();
    for (CdfPoint point : cdf.points(100)) {
      double below =
          rows.stream().filter(row -> row.value <= point.value()).mapToDouble(Row::weight).sum();
      assertEquals(below / total, point.probability(), 1e-12);
      double error =
          error(
              rows,
              row -> row.weight / total * ((row.value <= point.value() ? 1 : 0) - below / total));
      assertEquals(error, point.standardError(), 1e-10);
    }
    for (TailMean tail : cdf.tails(0.1, 0.5, 1)) {
      double sign = tail.end() == End.LOWER ? 1 : -1;
      double beyond =
          rows.stream()
              .mapToDouble(row -> row.weight * Math.max(0, sign * (tail.quantile() - row.value)))
              .sum();
      double value = tail.quantile() - sign * beyond / (tail.share() * total);
      assertEquals(value, tail.value(), 1e-10);
      double error =
          error(
              rows,
              row ->
                  row.weight
                      / total
                      * (tail.quantile()
                          - sign * Math.max(0, sign * (tail.quantile() - row.value)) / tail.share()
                          - value));
      assertEquals(error, tail.standardError(), 1e-10);
    }
  }

  private interface RowInfluence {
    double of(Row row);
  }

  private static double error(List<Row> rows, RowInfluence influence) {
    long[] units = rows.stream().mapToLong(Row::unit).distinct().toArray();
    double squares =
        Arrays.stream(units)
            .mapToDouble(
                unit ->
                    rows.stream().filter(row -> row.unit == unit).mapToDouble(influence::of).sum())
            .map(sum -> sum * sum)
            .sum();
    return Math.sqrt(squares * units.length / (units.length - 1.0));
  }

  @Property(tries = 200)
  void orderDoesNotMatter(@ForAll("rows") List<Row> rows, @ForAll Random random) {
    List<Row> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, random);
    WeightedCdf one = cdf(values(rows));
    WeightedCdf other = cdf(values(shuffled));
    assertEquals(one.quantile(0.4, 0.9), other.quantile(0.4, 0.9));
    assertEquals(one.points(100).size(), other.points(100).size());
    assertEquals(one.tails(0.2).get(0).value(), other.tails(0.2).get(0).value(), 1e-12);
    assertEquals(one.effectiveSampleSize(), other.effectiveSampleSize(), 1e-10);
  }

  @Property(tries = 200)
  void theDistributionRisesToOneAndItsQuantilesWithIt(@ForAll("rows") List<Row> rows) {
    WeightedCdf cdf = cdf(values(rows));
    double before = 0;
    for (CdfPoint point : cdf.points(100)) {
      assertTrue(point.probability() >= before && point.probability() <= 1 + 1e-12);
      before = point.probability();
    }
    assertEquals(1, before, 1e-12);
    double quantile = Double.NEGATIVE_INFINITY;
    for (double probability : new double[] {0.01, 0.25, 0.5, 0.75, 0.99}) {
      WeightedQuantile found = cdf.quantile(probability, 0.95);
      assertTrue(found.value() >= quantile);
      assertTrue(found.interval().contains(found.value()));
      assertTrue(cdf.at(found.value()).probability() >= probability - 1e-12);
      quantile = found.value();
    }
  }

  @Property(tries = 200)
  void upperTailsAreLowerTailsWithTheSignChanged(@ForAll("rows") List<Row> rows) {
    List<Row> turned = rows.stream().map(row -> new Row(row.unit, row.weight, -row.value)).toList();
    TailMean lower = cdf(values(turned)).tails(0.3).get(0);
    TailMean upper = cdf(values(rows)).tails(0.3).get(1);
    assertEquals(End.UPPER, upper.end());
    assertEquals(-lower.quantile(), upper.quantile(), 0.0);
    assertEquals(-lower.value(), upper.value(), 1e-12);
    assertEquals(lower.standardError(), upper.standardError(), 1e-12);
    assertEquals(lower.effectiveSampleSize(), upper.effectiveSampleSize(), 1e-9);
  }

  @Property(tries = 100)
  void theWholeDistributionAsATailIsTheWeightedMean(@ForAll("rows") List<Row> rows) {
    double total = rows.stream().mapToDouble(Row::weight).sum();
    double mean = rows.stream().mapToDouble(row -> row.weight * row.value).sum() / total;
    for (TailMean tail : cdf(values(rows)).tails(1)) {
      assertEquals(mean, tail.value(), 1e-12 * (1 + Math.abs(mean)));
    }
  }

  @Test
  void moreAmountsThanPointsAreRoundedUpLessThanOneGap() {
    Random random = new Random(6);
    int n = 60_000;
    double[] weight = random.doubles(n, 0, 2).toArray();
    double[] value = random.doubles(n).map(each -> Math.exp(10 * each)).toArray();
    WeightedCdf cdf = cdf(WeightedValues.of(weight, value));
    assertFalse(cdf.isExact());
    Integer[] order = IntStream.range(0, n).boxed().toArray(Integer[]::new);
    Arrays.sort(order, (left, right) -> Double.compare(value[left], value[right]));
    double total = Arrays.stream(weight).sum();
    for (double share : new double[] {0.05, 0.5, 0.95}) {
      double running = 0;
      int at = -1;
      while (running < share * total) {
        running += weight[order[++at]];
      }
      double exact = value[order[at]];
      double found = cdf.quantile(share, 0.95).value();
      assertTrue(exact <= found && found < exact * 1.02, exact + " rounded to " + found);
      double below = 0;
      for (int row = 0; row < n; row++) {
        below += weight[row] * Math.max(0, exact - value[row]);
      }
      double tail = exact - below / (share * total);
      assertEquals(tail, cdf.tails(share).get(0).value(), 1e-3 * tail);
    }
  }

  @Test
  void intervalsOfTheMedianCoverIt() {
    int covered = 0;
    int logs = 400;
    for (int log = 0; log < logs; log++) {
      Random random = new Random(log);
      double[] weight = new double[400];
      double[] value = new double[400];
      for (int row = 0; row < weight.length; row++) {
        boolean liked = random.nextBoolean();
        weight[row] = liked ? 1.6 : 0.4;
        value[row] = random.nextGaussian() + (liked ? 1 : 0);
      }
      // 0.8·N(1, 1) + 0.2·N(0, 1) has its median here
      covered +=
          cdf(WeightedValues.of(weight, value))
                  .quantile(0.5, 0.95)
                  .interval()
                  .contains(0.815_581_204)
              ? 1
              : 0;
    }
    assertEquals(0.95, (double) covered / logs, 4 * Math.sqrt(0.95 * 0.05 / logs));
  }

  @Test
  void aQuantileWithoutDoubtHasAnIntervalWithoutLength() {
    double[] one = new double[200];
    Arrays.fill(one, 1);
    double[] value = new double[200];
    Arrays.fill(value, 100, 120, 3.0);
    WeightedQuantile found = cdf(WeightedValues.of(one, value)).quantile(0.5, 0.95);
    assertEquals(0, found.interval().lower());
    assertEquals(0, found.interval().upper());
    assertTrue(0.9 - Z * Math.sqrt(0.09 / 199) > 0.5);
  }

  @Test
  void decisionsOfALogAreReadByUnit() {
    SimulatedLog simulated = SimulatedLog.of(400, 2);
    LoggedDecisions together =
        new SimulatedLog(
                400,
                2,
                4,
                simulated.logging(),
                simulated.likes(),
                simulated.hides(),
                simulated.seed())
            .columns(0.1, 0.2, 0.3, 0.4)
            .build();
    WeightedCdf cdf =
        cdf(
            WeightedValues.of(
                together,
                together.underTarget(SimulatedLog.LIKE, together.targetWeights()),
                together.units()));
    List<Row> rows = new ArrayList<>();
    WeightedValues.of(
            together,
            together.underTarget(SimulatedLog.LIKE, together.targetWeights()),
            together.units())
        .forEach((decision, unit, weight, value) -> rows.add(new Row(unit, weight, value)));
    assertEquals(400, rows.size());
    assertEquals(cdf.points(9), cdf(values(rows)).points(9));
    assertEquals(3, cdf.points(9).size());
  }

  @Test
  void scatteredUnitsAreGathered() {
    BanditLog tiny = BanditLog.tiny();
    long[] scattered = {5, 1, 5, 2, 1, 2, 5, 1};
    LoggedDecisions log =
        tiny.columns().decisions(IntStream.range(0, 8).toArray(), new int[8], scattered).build();
    List<Row> rows = new ArrayList<>();
    WeightedValues.of(log, log.underTarget(BanditLog.REWARD, log.targetWeights()), log.units())
        .forEach((decision, unit, weight, value) -> rows.add(new Row(unit, weight, value)));
    assertEquals(List.of(5L, 5L, 5L, 1L, 1L, 1L, 2L, 2L), rows.stream().map(Row::unit).toList());
    assertEquals(tiny.weight(6), rows.get(2).weight, 1e-12);
    assertEquals(tiny.reward()[6], rows.get(2).value);
  }

  @Test
  void withoutOverlapOrASecondUnitThereIsNoDistribution() {
    assertTrue(WeightedCdf.of(WeightedValues.of(new double[0], new double[0])).isEmpty());
    assertTrue(WeightedCdf.of(WeightedValues.of(new double[] {1}, new double[] {1})).isEmpty());
    assertTrue(WeightedCdf.of(WeightedValues.of(new double[3], new double[3])).isEmpty());
  }

  @Test
  void sharesOutsideOfADistributionAreRefused() {
    WeightedCdf cdf = cdf(sample());
    assertThrows(IllegalArgumentException.class, () -> cdf.tails(0));
    assertThrows(IllegalArgumentException.class, () -> cdf.tails(1.5));
    assertThrows(IllegalArgumentException.class, () -> cdf.quantile(1, 0.95));
  }

  private static WeightedValues values(List<Row> rows) {
    List<Row> byUnit =
        rows.stream().sorted((left, right) -> Long.compare(left.unit, right.unit)).toList();
    return visitor -> {
      int decision = 0;
      for (Row row : byUnit) {
        visitor.visit(decision++, row.unit, row.weight, row.value);
      }
    };
  }

  private static WeightedCdf cdf(WeightedValues values) {
    return WeightedCdf.of(values).orElseThrow();
  }
}
