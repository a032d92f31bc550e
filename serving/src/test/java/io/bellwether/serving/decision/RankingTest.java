package io.bellwether.serving.decision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RankingTest {

  @Property(tries = 300)
  void theBestComeFirstAndAmongEqualsTheEarlier(
      @ForAll @Size(min = 1, max = 30) List<@IntRange(min = -3, max = 3) Integer> scores,
      @ForAll @IntRange(max = 30) int size) {
    float[] logits = new float[scores.size()];
    for (int i = 0; i < logits.length; i++) {
      logits[i] = scores.get(i);
    }
    int[] sorted =
        IntStream.range(0, logits.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -logits[i]))
            .limit(size)
            .mapToInt(Integer::intValue)
            .toArray();
    assertArrayEquals(sorted, Ranking.best(logits, Math.min(size, logits.length)));
  }
}
