package io.bellwether.evaluation.interval;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.Golden;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GoldenIntervalsTest {
  private final JsonNode golden = Golden.json("ci_expected.json");
  private final double[] sample = Golden.doubles(golden.get("sample"));
  private final double mean = CompensatedSums.of(sample) / sample.length;

  @Test
  void normalAndStudentIntervalsOfTheSample() {
    double error = Math.sqrt(variance(sample) / sample.length);
    assertInterval("normal", Interval.normal(mean, error, 0.95));
    assertInterval("student_t", Interval.student(mean, error, sample.length - 1.0, 0.95));
  }

  @Test
  void empiricalBernsteinOfTheSample() {
    EmpiricalBernstein bound = new EmpiricalBernstein(sample.length, mean, variance(sample), 1);
    assertInterval("empirical_bernstein_two_sided", bound.interval(0.95));
    double lower = golden.at("/intervals/empirical_bernstein_lower_one_sided").doubleValue();
    assertEquals(lower, bound.lower(0.05), closed(lower));
  }

  @Test
  void empiricalBernsteinOfTruncatedWeightedRewards() {
    JsonNode byCap = golden.at("/ope_lower_bounds/truncated_empirical_bernstein_lower_by_c");
    byCap
        .properties()
        .forEach(
            entry ->
                assertTruncated(weightedRewards(), entry.getKey(), entry.getValue().doubleValue()));
  }

  @Test
  void theSequenceOnWeightedRewards() {
    double[] expected = Golden.doubles(golden.at("/ope_lower_bounds/predmix_lower_at_100_300_600"));
    EmpiricalBernsteinSequence sequence = new EmpiricalBernsteinSequence(0.05);
    double[] rows = weightedRewards();
    double[] found = new double[3];
    for (int row = 0; row < rows.length; row++) {
      sequence.add(rows[row]);
      if (row == 99) {
        found[0] = sequence.lower();
      }
      if (row == 299) {
        found[1] = sequence.lower();
      }
    }
    found[2] = sequence.lower();
    assertArrayEquals(expected, found, 1e-9);
  }

  @Test
  void theSequenceSaysNothingAtFirst() {
    EmpiricalBernsteinSequence sequence = new EmpiricalBernsteinSequence(0.05);
    for (double reward : Golden.doubles(golden.get("weighted_rewards"))) {
      sequence.add(reward);
    }
    assertEquals(0, sequence.best());
  }

  @Test
  void theAsymptoticSequenceOnWeightedRewards() {
    double[] expected =
        Golden.doubles(
            golden.at("/ope_lower_bounds/asymptotic_cs_one_sided_lower_t*1000_at_100_300_600"));
    int[] counts = {100, 300, 600};
    for (int look = 0; look < counts.length; look++) {
      double[] rows = Arrays.copyOf(weightedRewards(), counts[look]);
      double error = Math.sqrt(variance(rows) / rows.length);
      double margin = new AsymptoticSequence(0.05, 1000).oneSidedMargin(rows.length, error);
      assertEquals(expected[look], CompensatedSums.of(rows) / rows.length - margin, 1e-9);
    }
  }

  @Test
  void bonferroniIntervalsOfThreeSignals() {
    double level = Interval.simultaneousLevel(0.95, 3);
    assertEquals(
        golden.at("/simultaneous/z_bonferroni").doubleValue(),
        Normal.quantile(1 - (1 - level) / 2),
        1e-9);
    Golden.Table rows = Golden.csv("signals_rows.csv");
    int signal = 0;
    for (double[] values : rows.columns().values()) {
      double[] expected = Golden.doubles(golden.at("/simultaneous/bonferroni_ci/" + signal++));
      Interval interval =
          Interval.normal(
              CompensatedSums.of(values) / values.length,
              Math.sqrt(variance(values) / values.length),
              level);
      assertEquals(expected[0], interval.lower(), closed(expected[0]));
      assertEquals(expected[1], interval.upper(), closed(expected[1]));
    }
  }

  @Test
  void hoeffdingIntervalsOfTheSample() {
    Hoeffding bound = new Hoeffding(sample.length, mean, 1);
    assertInterval("hoeffding_two_sided", bound.interval(0.95));
    double lower = golden.at("/intervals/hoeffding_lower_one_sided").doubleValue();
    assertEquals(lower, bound.lower(0.05), closed(lower));
  }

  @Test
  void theBettingIntervalOfTheSample() {
    double[] expected = Golden.doubles(golden.at("/intervals/betting_ci_confseq_breaks1000"));
    Interval interval = BettingInterval.of(sample, 0.95);
    assertEquals(expected[0], interval.lower(), 0.002);
    assertEquals(expected[1], interval.upper(), 0.002);
  }

  @Test
  void theTwoSidedSequenceOfTheSample() {
    String path = "/intervals/predmix_empbern_cs_confseq_at_10_20_30/";
    double[] lower = Golden.doubles(golden.at(path + "lower"));
    double[] upper = Golden.doubles(golden.at(path + "upper"));
    TwoSidedEmpiricalBernsteinSequence sequence = new TwoSidedEmpiricalBernsteinSequence(0.95);
    for (int row = 0; row < sample.length; row++) {
      sequence.add(sample[row]);
      if (row % 10 == 9) {
        assertEquals(lower[row / 10], sequence.best().lower(), 1e-9);
        assertEquals(upper[row / 10], sequence.best().upper(), 1e-9);
      }
    }
    assertInterval("predmix_empbern_ci_confseq", sequence.latest());
  }

  @Test
  void bootstrapIntervalsFromGivenIndices() {
    double[] y = Golden.doubles(golden.at("/bootstrap/y"));
    double[] w = Golden.doubles(golden.at("/bootstrap/w"));
    double[] ones = new double[y.length];
    Arrays.fill(ones, 1);
    assertBootstrap("/bootstrap/mean", y, ones);
    assertBootstrap("/bootstrap/ratio_sum_wy_over_sum_w", y, w);
  }

  @Test
  void quantilesOfSimultaneousIntervals() {
    JsonNode simultaneous = golden.get("simultaneous");
    double[][] correlation = Golden.matrix(simultaneous.get("corr"));
    assertEquals(
        simultaneous.get("z_bonferroni").doubleValue(),
        Simultaneous.BONFERRONI.critical(0.95, correlation, 1),
        1e-9);
    assertEquals(
        simultaneous.get("z_sidak").doubleValue(),
        Simultaneous.SIDAK.critical(0.95, correlation, 1),
        1e-9);
    assertEquals(
        simultaneous.get("z_max_t_mc").doubleValue(),
        Simultaneous.MAX_T.critical(0.95, correlation, 1),
        simultaneous.get("mc_tolerance_z").doubleValue());
  }

  @Test
  void empiricalBernsteinOfAFewTruncatedValues() {
    double[] rows = Golden.doubles(golden.get("weighted_rewards"));
    JsonNode byCap = golden.get("truncated_empirical_bernstein_lower");
    byCap
        .properties()
        .forEach(entry -> assertTruncated(rows, entry.getKey(), entry.getValue().doubleValue()));
  }

  @Test
  void theCounterGeneratorGivesItsPublishedNumbers() {
    assertEquals(0x71c3c625cbbfdee0L, new CounterRandom(1).bits(2, 3, 4, 5));
    assertEquals(0x78ae5a9a6b5fd45eL, new CounterRandom(0).bits(0, 0, 0, 0));
    assertEquals(0.44439352438689583, new CounterRandom(1).uniform(2, 3, 4, 5));
  }

  /** The ratio Σwy / Σw with an acceleration from leaving out one row at a time. */
  private void assertBootstrap(String path, double[] y, double[] w) {
    double[][] indices = Golden.matrix(golden.at("/bootstrap/indices"));
    double[] replicates = Arrays.stream(indices).mapToDouble(drawn -> ratio(y, w, drawn)).toArray();
    double[] all = IntStream.range(0, y.length).asDoubleStream().toArray();
    double theta = ratio(y, w, all);
    JackknifeAcceleration jackknife = new JackknifeAcceleration(theta, y.length);
    for (double row : all) {
      jackknife.add(ratio(y, w, Arrays.stream(all).filter(other -> other != row).toArray()));
    }
    BootstrapDistribution distribution =
        new BootstrapDistribution(theta, replicates, jackknife.value());
    assertNumber(path + "/theta", theta);
    assertNumber(path + "/z0", distribution.biasCorrection());
    assertNumber(path + "/acceleration", distribution.acceleration());
    assertNumber(path + "/adjusted_levels/0", distribution.adjusted(0.025));
    assertNumber(path + "/adjusted_levels/1", distribution.adjusted(0.975));
    assertNumber(path + "/boot_se", distribution.standardError());
    assertPair(path + "/percentile", distribution.percentile(0.95));
    assertPair(path + "/bca", distribution.bca(0.95));
    assertEquals(Interval.Method.BCA, distribution.bca(0.95).method());
  }

  private static double ratio(double[] y, double[] w, double[] drawn) {
    double numerator = 0;
    double denominator = 0;
    for (double index : drawn) {
      numerator += w[(int) index] * y[(int) index];
      denominator += w[(int) index];
    }
    return numerator / denominator;
  }

  private void assertNumber(String path, double found) {
    double expected = golden.at(path).doubleValue();
    assertEquals(expected, found, closed(expected), path);
  }

  private void assertPair(String path, Interval found) {
    assertNumber(path + "/0", found.lower());
    assertNumber(path + "/1", found.upper());
  }

  private void assertInterval(String name, Interval found) {
    assertPair("/intervals/" + name, found);
  }

  private static void assertTruncated(double[] rows, String atCap, double expected) {
    double cap = Double.parseDouble(atCap);
    double[] cut = Arrays.stream(rows).map(value -> Math.min(value, cap)).toArray();
    EmpiricalBernstein bound =
        new EmpiricalBernstein(
            cut.length, CompensatedSums.of(cut) / cut.length, variance(cut), cap);
    assertEquals(expected, bound.lower(0.05), closed(expected));
  }

  private static double[] weightedRewards() {
    BanditLog log = BanditLog.synthetic();
    return log.column(row -> log.weight(row) * log.reward()[row]);
  }

  private static double variance(double[] values) {
    double mean = CompensatedSums.of(values) / values.length;
    return CompensatedSums.of(
            Arrays.stream(values).map(value -> (value - mean) * (value - mean)).toArray())
        / (values.length - 1);
  }
}
