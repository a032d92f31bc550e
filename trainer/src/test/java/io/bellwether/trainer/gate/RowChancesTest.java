package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.RuleFit;
import io.bellwether.policy.scoring.SlateRules;
import io.bellwether.policy.scoring.SlateSampler;
import java.util.Arrays;
import java.util.List;
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
    double[] found = chances.ofSlate(SlateRules.NONE, first, slate.candidates());
    for (int position = 0; position < slate.size(); position++) {
      assertEquals(slate.propensities()[position], found[position]);
    }
  }

  @Property(tries = 200)
  void underRulesAPolicysWeightsOnItsOwnSlatesAreExactlyOne(
      @ForAll @Size(min = 4, max = 30) float @FloatRange(min = -8, max = 8) [] logits,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 4) int size) {
    int[] groups = new int[logits.length];
    Arrays.setAll(groups, i -> (int) Math.floorMod(seed + i * 31L, 4) - 1);
    SlateRules rules =
        new RuleFit()
            .fit(
                new SlateRules(
                    List.of(new SlateRules.Pin(size - 1, 0)),
                    List.of(new SlateRules.Grouping("topic", groups, 2, 1, new int[] {1}))),
                logits.length,
                size)
            .rules();
    MixedWeights weights = MixedWeights.of(logits, new Exploration(1, 0.1, 1e-4));
    var slate = new SlateSampler().sample(weights, rules, seed, size);
    double[] first = new double[logits.length];
    weights.copyTo(first);
    double[] found = chances.ofSlate(rules, first, slate.candidates());
    double[] values = new double[logits.length];
    Arrays.fill(values, 3.5);
    double[] means = chances.means(rules, first, slate.candidates(), values);
    double[][] distances = chances.distances(rules, first, first, slate.candidates());
    for (int position = 0; position < slate.size(); position++) {
      assertEquals(1.0, found[position] / slate.propensities()[position]);
      assertEquals(3.5, means[position], 1e-12);
      assertArrayEquals(new double[] {0, 0}, Arrays.copyOf(distances[position], 2));
    }
    double[] ofFirst = chances.ofFirst(rules, first, slate.candidates());
    assertEquals(1, Arrays.stream(ofFirst).sum(), 1e-12);
    assertEquals(slate.propensities()[0], ofFirst[slate.candidates()[0]]);
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
    for (double mean : chances.means(SlateRules.NONE, first, slate, values)) {
      assertEquals(3.5, mean, 1e-12);
    }
  }

  @Test
  void distanceIsZeroFromOneselfAndCountsWhatTheLogNeverShows() {
    double[] target = {0.5, 0.25, 0.25};
    assertArrayEquals(
        new double[] {0, 0, 0},
        chances.distances(SlateRules.NONE, target, target, new int[] {0})[0]);
    double[] logging = {0.9995, 0.0005, 0};
    double[] found = chances.distances(SlateRules.NONE, target, logging, new int[] {0})[0];
    double expected = 0.5 * Math.log(0.5 / 0.9995) + 0.25 * Math.log(0.25 / 0.0005);
    assertEquals(expected, found[0], 1e-12);
    assertEquals(0.25, found[1]);
    assertEquals(0.5, found[2]);
  }
}
