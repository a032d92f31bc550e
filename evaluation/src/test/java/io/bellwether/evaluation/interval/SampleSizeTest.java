package io.bellwether.evaluation.interval;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class SampleSizeTest {
  private final JsonNode golden = Golden.json("misc_expected.json").get("power");
  private final SampleSize experiment = SampleSize.twoSided(0.05, 0.8);

  @Test
  void decisionsOfALog() {
    for (JsonNode row : golden.get("ope_log_size")) {
      SampleSize size = SampleSize.oneSided(number(row, "alpha_one_sided"), number(row, "power"));
      double found = size.decisions(number(row, "sd_rowwise"), number(row, "delta"));
      assertEquals(number(row, "n"), found, closed(found));
    }
  }

  @Test
  void observationsForTwoMeans() {
    for (JsonNode row : golden.get("two_mean_per_arm")) {
      double found = experiment.twoMeans(number(row, "sigma"), number(row, "delta"));
      assertEquals(number(row, "n_per_arm"), found, closed(found));
    }
  }

  @Test
  void observationsForTwoProportions() {
    for (JsonNode row : golden.get("two_proportion_per_arm")) {
      double found = experiment.twoProportions(number(row, "p0"), number(row, "p1"));
      assertEquals(number(row, "n_per_arm"), found, closed(found));
    }
  }

  @Test
  void aCovariateSavesTheShareThatItExplains() {
    assertEquals(number(golden, "cuped_rho_0.7_factor"), SampleSize.covariateFactor(0.7), 1e-12);
  }

  @Property
  void sizeEffectAndPowerAreOneEquation(
      @ForAll @DoubleRange(min = 0.1, max = 10) double spread,
      @ForAll @DoubleRange(min = 0.01, max = 1) double effect) {
    double decisions = experiment.decisions(spread, effect);
    assertEquals(effect, experiment.detectable(spread, decisions), 1e-12);
    assertEquals(0.8, experiment.powerOf(spread, effect, decisions), 1e-12);
  }

  @Test
  void noEffectIsNeverSeen() {
    assertThrows(IllegalArgumentException.class, () -> experiment.decisions(1, 0));
    assertThrows(IllegalArgumentException.class, () -> experiment.twoProportions(0.1, 0.1));
  }

  private static double number(JsonNode row, String name) {
    return row.get(name).doubleValue();
  }
}
