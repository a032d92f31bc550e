package io.bellwether.trainer.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class HalvingTest {
  private static final List<String> ALGORITHMS = List.of("constrained-actor-critic");

  @Property(tries = 200)
  void theBestThirdOfEachNineGoesOn(
      @ForAll @IntRange(min = 1, max = 30) int draws, @ForAll long seed) {
    Map<Step, Trial> finished = new HashMap<>();
    List<Step> order = search(draws, seed, finished);
    assertEquals(Halving.steps(draws), order.size());
    for (int rung = 1; rung < Step.RUNGS; rung++) {
      for (Step step : order) {
        if (step.rung() == rung - 1) {
          long better = better(step, finished, order);
          int third = (atRung(step, order).size() + 2) / 3;
          assertEquals(
              better < third, finished.containsKey(new Step(step.draw(), rung)), step::toString);
        }
      }
    }
  }

  private static List<Step> search(int draws, long seed, Map<Step, Trial> finished) {
    List<Step> order = new ArrayList<>();
    for (Optional<Step> next = Halving.next(draws, finished);
        next.isPresent();
        next = Halving.next(draws, finished)) {
      Step step = next.get();
      order.add(step);
      finished.put(step, Judged.trial(seed, step, Draw.of(ALGORITHMS, seed, step.draw())));
    }
    return order;
  }

  private static List<Step> atRung(Step step, List<Step> order) {
    return order.stream()
        .filter(each -> each.rung() == step.rung() && each.draw() / 9 == step.draw() / 9)
        .toList();
  }

  private static long better(Step step, Map<Step, Trial> finished, List<Step> order) {
    Trial trial = finished.get(step);
    return atRung(step, order).stream()
        .map(finished::get)
        .filter(each -> trial != null && each != null && each.compareTo(trial) < 0)
        .count();
  }

  @Test
  void nineDrawsAreTrainedToTheEndBeforeTheNextNineBegin() {
    List<Step> order = search(18, 4, new HashMap<>());
    assertEquals(26, order.size());
    assertEquals(new Step(9, 0), order.get(13));
    assertEquals(2, order.get(12).rung());
  }

  @Property(tries = 100)
  void whoBreaksAPromiseRanksBehindAllThatKeepThem(@ForAll long seed) {
    Map<Step, Trial> finished = new HashMap<>();
    search(18, seed, finished);
    List<Trial> ranking = finished.values().stream().sorted().toList();
    for (int i = 1; i < ranking.size(); i++) {
      Trial before = ranking.get(i - 1);
      Trial after = ranking.get(i);
      assertTrue(before.standing().compareTo(after.standing()) <= 0);
      if (before.standing() == after.standing()
          && before.lower() != null
          && after.lower() != null) {
        assertTrue(before.lower() >= after.lower());
      }
    }
  }
}
