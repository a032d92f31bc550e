package io.bellwether.policy.scoring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SlateSamplerTest {

  private static final Exploration PURE = new Exploration(1, 0, 1e-9);

  private final SlateSampler sampler = new SlateSampler();

  @Test
  void aSlateOfTwoOfThreeHasThePublishedProbability() {
    double[] propensities = new double[2];
    MixedWeights.of(new float[] {1, 0.5f, 0}, PURE).propensities(new int[] {0, 1}, 2, propensities);
    assertEquals(0.315263, propensities[0] * propensities[1], 5e-7);
    MixedWeights.of(new float[] {1, 0, -1}, PURE).propensities(new int[] {0, 2}, 2, propensities);
    assertEquals(0.6652409557748219, propensities[0], 1e-8);
    assertEquals(0.1789108481996147, propensities[0] * propensities[1], 1e-8);
  }

  @Property
  void samplingAgreesWithTheSlowObviousVersion(
      @ForAll("logits") float[] logits,
      @ForAll("explorations") Exploration exploration,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 70) int size) {
    Slate slate = sampler.sample(MixedWeights.of(logits, exploration), seed, size);

    double[] weights = slowWeights(logits, exploration);
    List<Integer> order =
        IntStream.range(0, logits.length)
            .boxed()
            .sorted(
                Comparator.comparingDouble(
                    i -> -Math.log(1 - CounterRandom.uniform(seed, 1, i, 0, 0)) / weights[i]))
            .toList();
    assertEquals(Math.min(size, logits.length), slate.size());
    double left = 1;
    for (int position = 0; position < slate.size(); position++) {
      int candidate = slate.candidates()[position];
      assertEquals(order.get(position), candidate);
      if (left > 1e-3) {
        assertEquals(weights[candidate] / left, slate.propensities()[position], 1e-9);
      }
      left -= weights[candidate];
    }
  }

  @Property
  void oneSeedGivesOneSlateToTheBit(
      @ForAll("logits") float[] logits,
      @ForAll("explorations") Exploration exploration,
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 20) int size) {
    Slate slate = sampler.sample(MixedWeights.of(logits, exploration), seed, size);

    float[] shifted = new float[logits.length + 3];
    System.arraycopy(logits, 0, shifted, 3, logits.length);
    MixedWeights reused = MixedWeights.of(new float[100], exploration);
    reused.set(shifted, 3, shifted.length, exploration);
    Slate again = new SlateSampler().sample(reused, seed, size);
    assertArrayEquals(slate.candidates(), again.candidates());
    assertArrayEquals(slate.propensities(), again.propensities());

    reused.set(
        logits, 0, logits.length, Exploration.asUsed(exploration.temperature(), reused.uniform()));
    double[] replayed = new double[slate.size()];
    reused.propensities(slate.candidates(), slate.size(), replayed);
    assertArrayEquals(slate.propensities(), replayed);
  }

  @Property
  void aShorterSlateIsTheHeadOfALongerOne(
      @ForAll("logits") float[] logits, @ForAll long seed, @ForAll @IntRange(max = 8) int size) {
    MixedWeights weights = MixedWeights.of(logits, new Exploration(1, 0.05, 1e-4));
    int[] all = sampler.sample(weights, seed, logits.length).candidates();
    int[] head = sampler.sample(weights, seed, size).candidates();
    assertArrayEquals(Arrays.copyOf(all, head.length), head);
  }

  @Property
  void weightsSumToOneAndPropensitiesKeepTheFloor(
      @ForAll("logits") float[] logits,
      @ForAll("explorations") Exploration exploration,
      @ForAll long seed) {
    MixedWeights weights = MixedWeights.of(logits, exploration);
    double[] first = new double[weights.count()];
    weights.copyTo(first);
    assertEquals(1, Arrays.stream(first).sum(), 1e-12);
    double floor = Math.min(exploration.minPropensity(), 1.0 / logits.length);
    Slate slate = sampler.sample(weights, seed, 6);
    for (double propensity : slate.propensities()) {
      assertTrue(propensity >= floor * (1 - 1e-12) && propensity <= 1, () -> "" + propensity);
    }
    assertEquals(
        Arrays.stream(slate.candidates()).distinct().count(), slate.size(), "no item twice");
  }

  @Property(tries = 100)
  void allSlatesTogetherHaveProbabilityOne(
      @ForAll @IntRange(min = 1, max = 5) int candidates,
      @ForAll @IntRange(min = 1, max = 4) int size,
      @ForAll long seed,
      @ForAll("explorations") Exploration exploration) {
    float[] logits = PolicyGraphs.random(seed, 20, candidates);
    MixedWeights weights = MixedWeights.of(logits, exploration);
    double sum = 0;
    for (int[] slate : slates(candidates, Math.min(size, candidates))) {
      sum += probability(weights, slate);
    }
    assertEquals(1, sum, 1e-12);
  }

  @Property(tries = 100)
  void renamingCandidatesRenamesTheDistribution(
      @ForAll @IntRange(min = 2, max = 6) int candidates, @ForAll long seed) {
    float[] logits = PolicyGraphs.random(seed, 21, candidates);
    Exploration exploration = new Exploration(0.7, 0.1, 1e-4);
    int[] names =
        sampler.sample(MixedWeights.of(new float[candidates], PURE), seed, candidates).candidates();
    float[] renamed = new float[candidates];
    for (int i = 0; i < candidates; i++) {
      renamed[names[i]] = logits[i];
    }
    MixedWeights before = MixedWeights.of(logits, exploration);
    MixedWeights after = MixedWeights.of(renamed, exploration);
    for (int[] slate : slates(candidates, 2)) {
      int[] other = Arrays.stream(slate).map(i -> names[i]).toArray();
      assertEquals(probability(before, slate), probability(after, other), 1e-14);
    }
  }

  @Test
  void slatesComeAsOftenAsTheirProbabilitySays() {
    float[] logits = {1.5f, 0.3f, -0.4f, -2};
    MixedWeights weights = MixedWeights.of(logits, new Exploration(1, 0.1, 1e-4));
    int draws = 200_000;
    Map<List<Integer>, Integer> seen = new HashMap<>();
    for (int i = 0; i < draws; i++) {
      Slate slate = sampler.sample(weights, DecisionSeed.seedOf("decision-" + i), 2);
      seen.merge(Arrays.stream(slate.candidates()).boxed().toList(), 1, Integer::sum);
    }
    List<int[]> slates = slates(4, 2);
    double chiSquare = 0;
    for (int[] slate : slates) {
      double expected = draws * probability(weights, slate);
      double difference = seen.getOrDefault(Arrays.stream(slate).boxed().toList(), 0) - expected;
      chiSquare += difference * difference / expected;
    }
    // 11 degrees of freedom: 31.26 is exceeded once in a thousand times.
    assertEquals(12, slates.size());
    assertTrue(chiSquare < 31.26, "chi-square " + chiSquare);
  }

  @Test
  void theFloorRaisesTheUniformShare() {
    assertEquals(0.02, new Exploration(1, 0.02, 1e-4).uniformFor(100));
    assertEquals(0.05, new Exploration(1, 0.02, 1e-4).uniformFor(500), 1e-15);
    assertEquals(1, new Exploration(1, 0.02, 1e-4).uniformFor(20_000));
  }

  @Test
  void extremeLogitsStayFinite() {
    float[] logits = {1e4f, -1e4f, 0, Float.MAX_VALUE, -Float.MAX_VALUE};
    MixedWeights weights = MixedWeights.of(logits, new Exploration(0.01, 0, 1e-9));
    Slate slate = sampler.sample(weights, 7, 5);
    assertEquals(3, slate.candidates()[0]);
    for (double propensity : slate.propensities()) {
      assertTrue(propensity > 0 && propensity <= 1, () -> "" + propensity);
    }
    assertEquals(1, slate.propensities()[4]);
  }

  @Test
  void logitsThatAreNotFiniteAreRefused() {
    for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> MixedWeights.of(new float[] {0, bad}, PURE));
      assertTrue(e.toString().contains("logit of candidate 1 is " + bad), e.getMessage());
    }
  }

  @Test
  void aSlateThatCannotBeIsRefusedAndLeavesTheWeights() {
    MixedWeights weights = MixedWeights.of(new float[] {0.5f, 0, -1}, PURE);
    double[] before = new double[3];
    weights.copyTo(before);
    double[] propensities = new double[3];
    for (int[] slate : List.of(new int[] {2, 0, 2}, new int[] {0, 3, 1}, new int[] {1, -1, 0})) {
      assertThrows(
          IllegalArgumentException.class, () -> weights.propensities(slate, 3, propensities));
      double[] after = new double[3];
      weights.copyTo(after);
      assertArrayEquals(before, after);
    }
  }

  @Test
  void noCandidatesGiveAnEmptySlate() {
    assertEquals(0, sampler.sample(MixedWeights.of(new float[0], PURE), 1, 5).size());
  }

  @Provide
  Arbitrary<float[]> logits() {
    return Arbitraries.floats().between(-30, 30).array(float[].class).ofMinSize(1).ofMaxSize(60);
  }

  @Provide
  Arbitrary<Exploration> explorations() {
    return Combinators.combine(
            Arbitraries.doubles().between(0.2, 5),
            Arbitraries.doubles().between(0, 1).ofScale(4),
            Arbitraries.doubles().between(1e-5, 0.01).ofScale(5))
        .as(Exploration::new);
  }

  private static double[] slowWeights(float[] logits, Exploration exploration) {
    double[] powers = new double[logits.length];
    double max = Double.NEGATIVE_INFINITY;
    for (float logit : logits) {
      max = Math.max(max, logit);
    }
    for (int i = 0; i < logits.length; i++) {
      powers[i] = Math.exp((logits[i] - max) / exploration.temperature());
    }
    double sum = Arrays.stream(powers).sum();
    double uniform =
        Math.min(1, Math.max(exploration.uniform(), logits.length * exploration.minPropensity()));
    return Arrays.stream(powers)
        .map(power -> (1 - uniform) * power / sum + uniform / logits.length)
        .toArray();
  }

  private static double probability(MixedWeights weights, int[] slate) {
    double[] propensities = new double[slate.length];
    weights.propensities(slate, slate.length, propensities);
    return Arrays.stream(propensities).reduce(1, (a, b) -> a * b);
  }

  /** All slates of this size, in lexicographic order. */
  private static List<int[]> slates(int candidates, int size) {
    List<int[]> slates = new ArrayList<>(List.of(new int[0]));
    for (int position = 0; position < size; position++) {
      List<int[]> longer = new ArrayList<>();
      for (int[] slate : slates) {
        for (int candidate = 0; candidate < candidates; candidate++) {
          int next = candidate;
          if (Arrays.stream(slate).noneMatch(i -> i == next)) {
            int[] extended = Arrays.copyOf(slate, slate.length + 1);
            extended[slate.length] = candidate;
            longer.add(extended);
          }
        }
      }
      slates = longer;
    }
    return slates;
  }
}
