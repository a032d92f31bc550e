package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.SlateSampler;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.FloatRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RowChancesTest {

  private final RowChances chances = new RowChances();

  @Property(tries = 200)
  void theSlatesChancesAreThePropensitiesThatServingLogs(
      @ForAll @Size(min = 2, max = 30) float @FloatRange(min = -8, max = 8) [] logits,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 6) int size) {
    MixedWeights weights = MixedWeights.of(logits, new Exploration(1, 0.1, 1e-4));
    var slate = new SlateSampler().sample(weights, seed, size);
    double[] first = new double[logits.length];
    weights.copyTo(first);
    double[] found = chances.ofSlate(first, slate.candidates());
    for (int position = 0; position < slate.size(); position++) {
      assertEquals(slate.propensities()[position], found[position]);
    }
  }

  @Property(tries = 200)
  void theMeanOfAConstantIsTheConstantAtEveryPosition(
      @ForAll @Size(min = 2, max = 30) float @FloatRange(min = -8, max = 8) [] logits,
      @ForAll long seed) {
    MixedWeights weights = MixedWeights.of(logits, new Exploration(1, 0.1, 1e-4));
    int[] slate = new SlateSampler().sample(weights, seed, 2).candidates();
    double[] first = new double[logits.length];
    weights.copyTo(first);
    double[] values = new double[logits.length];
    Arrays.fill(values, 3.5);
    for (double mean : chances.means(first, slate, values)) {
      assertEquals(3.5, mean, 1e-12);
    }
  }

  @Test
  void distanceIsZeroFromOneselfAndCountsWhatTheLogNeverShows() {
    double[] target = {0.5, 0.25, 0.25};
    assertArrayEquals(new double[] {0, 0, 0}, chances.distances(target, target, new int[] {0})[0]);
    double[] logging = {0.9995, 0.0005, 0};
    double[] found = chances.distances(target, logging, new int[] {0})[0];
    double expected = 0.5 * Math.log(0.5 / 0.9995) + 0.25 * Math.log(0.25 / 0.0005);
    assertEquals(expected, found[0], 1e-12);
    assertEquals(0.25, found[1]);
    assertEquals(0.5, found[2]);
  }
}
