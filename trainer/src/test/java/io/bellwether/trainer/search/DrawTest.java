package io.bellwether.trainer.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.algorithm.Algorithms;
import io.bellwether.trainer.job.TrainingMethod;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DrawTest {
  private static final List<String> ALL =
      Algorithms.all().stream().map(Algorithms.Entry::word).toList();

  @Property(tries = 300)
  void aDrawIsAFunctionOfSeedAndNumber(
      @ForAll long seed, @ForAll @IntRange(max = 1000) int number) {
    Draw draw = Draw.of(ALL, seed, number);
    assertEquals(draw, Draw.of(ALL, seed, number));
    // and it can be asked for on a command line
    assertEquals(draw.method(), TrainingMethod.of(draw.method().text()));
    assertTrue(draw.epochs() >= 3 && draw.epochs() <= 30, draw::toString);
    assertTrue(Set.of(128, 256, 512, 1024).contains(draw.batchSize()), draw::toString);
  }

  @Property(tries = 100)
  void eachRungHasThreeTimesTheEpochsOfTheOneBelow(@ForAll long seed) {
    Draw draw = Draw.of(ALL, seed, 0);
    assertEquals(draw.epochs(), draw.epochs(Step.RUNGS - 1));
    for (int rung = 1; rung < Step.RUNGS; rung++) {
      assertEquals(3, draw.epochs(rung) / draw.epochs(rung - 1), 0.05);
    }
  }

  @Test
  void manyDrawsReachEveryAlgorithmAndDiffer() {
    Set<String> words = new HashSet<>();
    Set<Draw> different = new HashSet<>();
    for (int number = 0; number < 500; number++) {
      Draw draw = Draw.of(ALL, 1, number);
      words.add(draw.method().word());
      different.add(draw);
    }
    assertEquals(Set.copyOf(ALL), words);
    assertTrue(different.size() > 450, () -> different.size() + " differ");
  }
}
