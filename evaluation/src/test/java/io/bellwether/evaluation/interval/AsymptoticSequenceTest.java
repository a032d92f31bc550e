package io.bellwether.evaluation.interval;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class AsymptoticSequenceTest {
  private final AsymptoticSequence sequence = new AsymptoticSequence(0.05, 5_000);

  @Test
  void marginsOfUnitSpreadAgree() {
    for (Map.Entry<String, JsonNode> tuned : table().properties()) {
      AsymptoticSequence planned = new AsymptoticSequence(0.05, Double.parseDouble(tuned.getKey()));
      for (Map.Entry<String, JsonNode> row :
          tuned.getValue().get("two_sided_halfwidth_sigma1").properties()) {
        long count = Long.parseLong(row.getKey());
        double expected = row.getValue().doubleValue();
        assertEquals(
            expected, planned.twoSidedMargin(count, 1 / Math.sqrt(count)), closed(expected));
      }
      for (Map.Entry<String, JsonNode> row :
          tuned.getValue().get("one_sided_margin_sigma1").properties()) {
        long count = Long.parseLong(row.getKey());
        double expected = row.getValue().doubleValue();
        assertEquals(
            expected, planned.oneSidedMargin(count, 1 / Math.sqrt(count)), closed(expected));
      }
    }
  }

  @Test
  void theWorkedExampleOfAMeanAgrees() {
    JsonNode effect = Golden.json("ab_expected.json").at("/metrics/mean_post/absolute");
    double difference = effect.get("effect").doubleValue();
    double error = effect.get("se").doubleValue();
    double expected = effect.get("seq_p").doubleValue();
    assertEquals(expected, sequence.pValue(1_200, difference, error), closed(expected));
  }

  @Test
  void sequencesOfEveryMetricAgree() {
    for (JsonNode metric : Golden.json("ab_expected.json").get("metrics")) {
      if (!metric.has("absolute")) {
        continue;
      }
      long units = metric.at("/stat_a/n").longValue() + metric.at("/stat_b/n").longValue();
      assertSequence(metric.get("absolute"), units);
      assertSequence(metric.get("relative"), units);
    }
  }

  @Property
  void aPValueIsAtMostAlphaWhereTheBoundsExcludeZero(
      @ForAll @LongRange(min = 2, max = 10_000_000) long count,
      @ForAll @DoubleRange(min = -6, max = 6) double z,
      @ForAll @DoubleRange(min = 0.01, max = 1_000) double error) {
    boolean excluded = Math.abs(z) * error > sequence.twoSidedMargin(count, error);
    assertEquals(excluded, sequence.pValue(count, z * error, error) < 0.05);
  }

  @Test
  void evidenceThatWasReachedIsNotLost() {
    RunningP running = RunningP.start();
    assertEquals(1, running.value());
    assertEquals(0.03, running.after(0.03).after(0.6).value());
    assertThrows(IllegalArgumentException.class, () -> new RunningP(Double.NaN));
  }

  private void assertSequence(JsonNode effect, long units) {
    double difference = effect.get("effect").doubleValue();
    double error = effect.get("se").doubleValue();
    double[] interval = Golden.doubles(effect.get("seq_ci95"));
    double margin = sequence.twoSidedMargin(units, error);
    assertEquals(interval[0], difference - margin, closed(interval[0]));
    assertEquals(interval[1], difference + margin, closed(interval[1]));
    double p = effect.get("seq_p").doubleValue();
    assertEquals(p, sequence.pValue(units, difference, error), closed(p));
    double upper = effect.get("seq_one_sided_upper").doubleValue();
    assertEquals(upper, difference + sequence.oneSidedMargin(units, error), closed(upper));
  }

  private static JsonNode table() {
    return Golden.json("sequential_expected.json").get("asymptotic_cs");
  }
}
