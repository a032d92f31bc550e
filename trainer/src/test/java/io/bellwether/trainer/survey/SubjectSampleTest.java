package io.bellwether.trainer.survey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.survey.SubjectSample.Sampled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SubjectSampleTest {

  private static Sampled transition(long unit, long decision, int revision, long bytes) {
    return new Sampled(unit, decision, revision, bytes, new byte[] {(byte) revision});
  }

  private static List<Long> decisions(SubjectSample sample) {
    return sample.inOrder().stream().map(Sampled::decision).toList();
  }

  @Property(tries = 300)
  void partsGiveTheSampleOfTheWhole(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 60) int mostTransitions,
      @ForAll @IntRange(min = 1, max = 400) int mostBytes,
      @ForAll @IntRange(min = 1, max = 5) int parts) {
    Random random = new Random(seed);
    List<Sampled> transitions = new ArrayList<>();
    for (int number = 0; number < 100; number++) {
      transitions.add(
          transition(random.nextInt(20) - 10, random.nextLong(), 0, 1 + random.nextInt(20)));
    }
    SubjectSample whole = new SubjectSample(mostTransitions, mostBytes);
    transitions.forEach(whole::offer);

    Collections.shuffle(transitions, random);
    SubjectSample joined = new SubjectSample(mostTransitions, mostBytes);
    for (int part = 0; part < parts; part++) {
      SubjectSample one = new SubjectSample(mostTransitions, mostBytes);
      for (int number = part; number < transitions.size(); number += parts) {
        one.offer(transitions.get(number));
      }
      one.toJoin().forEach(joined::offer);
    }
    assertEquals(decisions(whole), decisions(joined));
    assertTrue(joined.inOrder().size() <= mostTransitions);
  }

  @Test
  void subjectsWithTheSmallestHashesAreTakenAsUnsignedNumbers() {
    SubjectSample sample = new SubjectSample(2, Long.MAX_VALUE);
    for (long unit : new long[] {-1, 5, 3, Long.MIN_VALUE}) {
      sample.offer(transition(unit, unit, 0, 1));
    }
    assertEquals(List.of(3L, 5L), decisions(sample));
  }

  @Test
  void theHighestRevisionOfADecisionComesFirst() {
    SubjectSample sample = new SubjectSample(3, Long.MAX_VALUE);
    for (int revision : new int[] {0, 2, 1}) {
      sample.offer(transition(7, 7, revision, 1));
    }
    assertEquals(List.of(2, 1, 0), sample.inOrder().stream().map(Sampled::revision).toList());
  }

  @Test
  void oneTransitionIsTakenHoweverLargeItIs() {
    SubjectSample sample = new SubjectSample(10, 100);
    sample.offer(transition(1, 1, 0, 1000));
    sample.offer(transition(2, 2, 0, 10));
    assertEquals(List.of(1L), decisions(sample));
  }
}
