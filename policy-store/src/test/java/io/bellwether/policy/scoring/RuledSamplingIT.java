package io.bellwether.policy.scoring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A million slates under rules of every kind. */
class RuledSamplingIT {

  private static final int DRAWS = 1_000_000;

  @Test
  void slatesComeAsOftenAsTheirPropensitiesSay() {
    SlateRules rules =
        new SlateRules(
            List.of(new SlateRules.Pin(2, 4)),
            List.of(
                new SlateRules.Grouping("topic", new int[] {0, 0, 1, 1, 0, 2}, 2, 0, new int[] {}),
                new SlateRules.Grouping(
                    "new",
                    new int[] {0, -1, 0, -1, -1, -1},
                    SlateRules.ANY_NUMBER,
                    0,
                    new int[] {1}),
                new SlateRules.Grouping(
                    "author",
                    new int[] {0, 1, 0, 1, 2, 2},
                    SlateRules.ANY_NUMBER,
                    1,
                    new int[] {})));
    MixedWeights weights =
        MixedWeights.of(
            new float[] {1.2f, 0.3f, -0.4f, -1, 2, 0.1f}, new Exploration(1, 0.1, 1e-4));
    double[] first = new double[6];
    weights.copyTo(first);
    SlateSampler sampler = new SlateSampler();
    int[] slate = new int[4];
    double[] propensities = new double[4];
    Map<Integer, Integer> seen = new HashMap<>();
    for (int i = 0; i < DRAWS; i++) {
      sampler.sample(weights, rules, CounterRandom.hash(i, 99, 0, 0, 0), slate, propensities);
      seen.merge(code(slate), 1, Integer::sum);
    }
    List<int[]> slates = RuledSlates.all(rules, 6, 4);
    double chiSquare = 0;
    for (int[] each : slates) {
      double chance =
          Arrays.stream(RuledSlates.propensities(slates, first, each)).reduce(1, (a, b) -> a * b);
      double difference = seen.getOrDefault(code(each), 0) - DRAWS * chance;
      chiSquare += difference * difference / (DRAWS * chance);
      seen.remove(code(each));
    }
    assertTrue(seen.isEmpty(), "only slates that keep the rules are drawn");
    // Wilson and Hilferty's cube for the quantile that is exceeded once in a thousand times.
    int freedom = slates.size() - 1;
    double cube = 1 - 2.0 / (9 * freedom) + 3.0902 * Math.sqrt(2.0 / (9 * freedom));
    double limit = freedom * cube * cube * cube;
    assertTrue(freedom >= 5, "slates: " + slates.size());
    assertTrue(chiSquare < limit, "chi-square %s of %d slates".formatted(chiSquare, slates.size()));
  }

  private static int code(int[] slate) {
    int code = 0;
    for (int candidate : slate) {
      code = code * 10 + candidate;
    }
    return code;
  }
}
