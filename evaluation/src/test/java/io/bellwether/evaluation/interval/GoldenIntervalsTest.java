package io.bellwether.evaluation.interval;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.Golden;
import java.util.Arrays;
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
            entry -> {
              double cap = Double.parseDouble(entry.getKey());
              double[] cut =
                  Arrays.stream(weightedRewards()).map(value -> Math.min(value, cap)).toArray();
              EmpiricalBernstein bound =
                  new EmpiricalBernstein(
                      cut.length, CompensatedSums.of(cut) / cut.length, variance(cut), cap);
              double expected = entry.getValue().doubleValue();
              assertEquals(expected, bound.lower(0.05), closed(expected));
            });
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
  void percentileBootstrapFromGivenIndices() {
    double[] y = Golden.doubles(golden.at("/bootstrap/y"));
    double[] w = Golden.doubles(golden.at("/bootstrap/w"));
    double[][] indices = Golden.matrix(golden.at("/bootstrap/indices"));
    double[] means = new double[indices.length];
    double[] ratios = new double[indices.length];
    for (int replicate = 0; replicate < indices.length; replicate++) {
      double sum = 0;
      double weighted = 0;
      double weight = 0;
      for (double index : indices[replicate]) {
        sum += y[(int) index];
        weighted += w[(int) index] * y[(int) index];
        weight += w[(int) index];
      }
      means[replicate] = sum / y.length;
      ratios[replicate] = weighted / weight;
    }
    assertPercentile("/bootstrap/mean/percentile", means);
    assertPercentile("/bootstrap/ratio_sum_wy_over_sum_w/percentile", ratios);
  }

  @Test
  void theCounterGeneratorGivesItsPublishedNumbers() {
    assertEquals(0x71c3c625cbbfdee0L, new CounterRandom(1).bits(2, 3, 4, 5));
    assertEquals(0x78ae5a9a6b5fd45eL, new CounterRandom(0).bits(0, 0, 0, 0));
    assertEquals(0.44439352438689583, new CounterRandom(1).uniform(2, 3, 4, 5));
  }

  @Test
  void aBootstrapIsRepeatableAndCoversTheMean() {
    PercentileBootstrap bootstrap = new PercentileBootstrap(2000, 7);
    Interval interval =
        bootstrap.interval(
            sample.length,
            drawn -> Arrays.stream(drawn).mapToDouble(unit -> sample[unit]).average().orElse(0),
            0.95);
    assertEquals(0.2512, (interval.lower() + interval.upper()) / 2, 0.01);
    assertEquals(0.11, interval.upper() - interval.lower(), 0.02);
  }

  private void assertPercentile(String path, double[] replicates) {
    double[] expected = Golden.doubles(golden.at(path));
    Interval interval = PercentileBootstrap.ofReplicates(replicates, 0.95);
    assertEquals(expected[0], interval.lower(), closed(expected[0]));
    assertEquals(expected[1], interval.upper(), closed(expected[1]));
  }

  private void assertInterval(String name, Interval found) {
    double[] expected = Golden.doubles(golden.at("/intervals/" + name));
    assertEquals(expected[0], found.lower(), closed(expected[0]));
    assertEquals(expected[1], found.upper(), closed(expected[1]));
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
