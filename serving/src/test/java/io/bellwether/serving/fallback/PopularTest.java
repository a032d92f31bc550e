package io.bellwether.serving.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PopularTest {

  private static final Exploration PLAIN = new Exploration(1, 0, 1e-9);

  @Test
  void chancesAreInProportionToPopularityPlusTheMean() {
    float[] logits =
        Popular.logits(List.of("a", "b", "c"), Map.of("a", 6.0, "b", 3.0, "c", 0.0)::get)
            .orElseThrow();
    MixedWeights weights = MixedWeights.of(logits, PLAIN);
    assertEquals(9.0 / 18, weights.weight(0), 1e-6);
    assertEquals(6.0 / 18, weights.weight(1), 1e-6);
    assertEquals(3.0 / 18, weights.weight(2), 1e-6);
  }

  @Test
  void whereNobodyIsKnownThereIsNoDistribution() {
    assertEquals(Optional.empty(), Popular.logits(List.of("a", "b"), id -> 0));
    assertEquals(Optional.empty(), Popular.logits(List.of("a"), id -> -1));
    assertEquals(Optional.empty(), Popular.logits(List.of("a"), id -> Double.NaN));
  }

  @Property
  void logitsAreFiniteAndTheUnitDoesNotMatter(
      @ForAll @Size(min = 1, max = 40) List<@DoubleRange(max = 1e9) Double> sums,
      @ForAll @DoubleRange(min = 0.01, max = 1000) double unit) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < sums.size(); i++) {
      ids.add(Integer.toString(i));
    }
    Optional<float[]> one = Popular.logits(ids, id -> sums.get(Integer.parseInt(id)));
    Optional<float[]> other = Popular.logits(ids, id -> unit * sums.get(Integer.parseInt(id)));
    assertEquals(one.isPresent(), other.isPresent());
    if (one.isEmpty()) {
      return;
    }
    for (int i = 0; i < ids.size(); i++) {
      assertTrue(Float.isFinite(one.get()[i]));
      assertEquals(one.get()[i], other.get()[i], 1e-5);
    }
  }
}
