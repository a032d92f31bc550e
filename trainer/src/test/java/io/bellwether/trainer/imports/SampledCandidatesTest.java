package io.bellwether.trainer.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.bellwether.trainer.imports.LoggedDecision.Candidate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SampledCandidatesTest {

  private final List<Candidate> pool = IntStream.range(0, 20).mapToObj(i -> item("i" + i)).toList();

  @Test
  void aSetHoldsTheShownItemAndOthersOnce() {
    SampledCandidates sampled = new SampledCandidates(pool, 5);
    for (int d = 0; d < 500; d++) {
      Candidate shown = d % 2 == 0 ? pool.get(d % 20) : item("elsewhere");
      SampledCandidates.Sample sample = sampled.around(shown, "d" + d);
      Set<String> ids = new HashSet<>();
      sample.candidates().forEach(each -> ids.add(each.itemId()));
      assertEquals(5, ids.size());
      assertEquals(shown, sample.candidates().get(sample.chosen()));
      assertEquals(sample, sampled.around(shown, "d" + d));
    }
  }

  @Test
  void everyOtherItemAndEveryPlaceIsEquallyLikely() {
    SampledCandidates sampled = new SampledCandidates(pool, 5);
    int[] times = new int[20];
    int[] places = new int[5];
    int draws = 20_000;
    for (int d = 0; d < draws; d++) {
      SampledCandidates.Sample sample = sampled.around(pool.get(7), "d" + d);
      places[sample.chosen()]++;
      for (Candidate each : sample.candidates()) {
        times[Integer.parseInt(each.itemId().substring(1))]++;
      }
    }
    assertEquals(draws, times[7]);
    for (int i = 0; i < 20; i++) {
      // 4 of 19 others; five standard deviations of a binomial
      double expected = draws * 4 / 19.0;
      assertTrue(i == 7 || Math.abs(times[i] - expected) < 5 * Math.sqrt(expected), "item " + i);
    }
    for (int place : places) {
      assertTrue(Math.abs(place - draws / 5.0) < 5 * Math.sqrt(draws / 5.0));
    }
  }

  @Test
  void aSmallPoolIsTakenAsAWhole() {
    SampledCandidates.Sample sample = new SampledCandidates(pool, 50).around(pool.get(3), "d");
    assertEquals(pool, sample.candidates());
    assertEquals(3, sample.chosen());
  }

  private static Candidate item(String id) {
    return new Candidate(id, JsonNodeFactory.instance.objectNode());
  }
}
