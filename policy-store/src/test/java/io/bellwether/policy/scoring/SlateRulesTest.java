package io.bellwether.policy.scoring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SlateRulesTest {

  private static final Exploration EXPLORATION = new Exploration(0.8, 0.1, 1e-4);

  private final SlateSampler sampler = new SlateSampler();
  private final RuleFit fit = new RuleFit();

  @Property(tries = 1500)
  void everySlateThatKeepsTheRulesHasTheChanceThatEnumerationGivesItAndNoOtherHasAny(
      @ForAll @IntRange(min = 1, max = 7) int candidates,
      @ForAll @IntRange(min = 1, max = 4) int positions,
      @ForAll long seed) {
    int size = Math.min(candidates, positions);
    SlateRules rules = RuledSlates.random(seed, candidates, size);
    List<int[]> slates = RuledSlates.all(rules, candidates, size);
    MixedWeights weights = weights(seed, candidates);
    if (slates.isEmpty()) {
      assertThrows(
          IllegalArgumentException.class, () -> sampler.sample(weights, rules, seed, size));
      return;
    }
    double[] first = new double[candidates];
    weights.copyTo(first);
    double all = 0;
    double[] found = new double[size];
    double[] ofFirst = sampler.first(weights, rules, size);
    assertEquals(1, Arrays.stream(ofFirst).sum(), 1e-12);
    for (int[] slate : slates) {
      sampler.propensities(weights, rules, slate, size, found);
      assertArrayEquals(RuledSlates.propensities(slates, first, slate), found, 1e-12);
      assertEquals(found[0], ofFirst[slate[0]], 1e-12);
      all += Arrays.stream(found).reduce(1, (a, b) -> a * b);
    }
    assertEquals(1, all, 1e-9);
    assertTrue(
        RuledSlates.keeps(rules, sampler.sample(weights, rules, seed, size).candidates()),
        "a slate that was drawn keeps the rules");
  }

  @Property(tries = 500)
  void whoMayStandAtAPositionIsWhoLeavesASlateThatKeepsTheRules(
      @ForAll @IntRange(min = 1, max = 8) int candidates,
      @ForAll @IntRange(min = 1, max = 4) int positions,
      @ForAll long seed) {
    int size = Math.min(candidates, positions);
    SlateRules rules = RuledSlates.random(seed, candidates, size);
    List<int[]> slates = RuledSlates.all(rules, candidates, size);
    OpenCandidates open = new OpenCandidates();
    assertEquals(!slates.isEmpty(), open.canKeep(rules, candidates, size));
    if (slates.isEmpty()) {
      return;
    }
    open.begin(rules, candidates, size);
    int[] slate = slates.get((int) Math.floorMod(seed, (long) slates.size()));
    for (int position = 0; position < size; position++) {
      for (int i = 0; i < candidates; i++) {
        assertEquals(
            RuledSlates.open(slates, slate, position).contains(i),
            open.isOpen(i),
            "candidate " + i + " at " + position);
      }
      open.place(slate[position]);
    }
  }

  @Property(tries = 300)
  void aSlateIsNeverADeadEndAndItsPropensitiesComeOutAgainToTheBit(
      @ForAll @IntRange(min = 1, max = 120) int candidates,
      @ForAll @IntRange(min = 1, max = 12) int positions,
      @ForAll long seed) {
    int size = Math.min(candidates, positions);
    RuleFit.Fitted fitted = fit.fit(RuledSlates.random(seed, candidates, size), candidates, size);
    MixedWeights weights = weights(seed, candidates);
    Slate slate = sampler.sample(weights, fitted.rules(), seed, size);
    assertTrue(RuledSlates.keeps(fitted.rules(), slate.candidates()));
    double[] again = new double[size];
    new SlateSampler().propensities(weights, fitted.rules(), slate.candidates(), size, again);
    assertArrayEquals(slate.propensities(), again);
    for (int position = 0; position < size; position++) {
      // A policy's importance weights on its own slates are exactly 1.
      assertEquals(1.0, again[position] / slate.propensities()[position]);
      assertTrue(again[position] > 0 && again[position] <= 1);
    }
  }

  @Property(tries = 300)
  void withoutRulesASlateIsWhatItWasToTheBit(
      @ForAll @IntRange(min = 1, max = 60) int candidates,
      @ForAll @IntRange(min = 1, max = 8) int size,
      @ForAll long seed) {
    MixedWeights weights = weights(seed, candidates);
    Slate before = sampler.sample(weights, seed, size);
    Slate ruled = sampler.sample(weights, SlateRules.NONE, seed, size);
    assertArrayEquals(before.candidates(), ruled.candidates());
    assertArrayEquals(before.propensities(), ruled.propensities());
  }

  @Property(tries = 300)
  void whatIsGivenUpIsNoMoreThanTheOrderOfImportanceAsksFor(
      @ForAll @IntRange(min = 1, max = 6) int candidates,
      @ForAll @IntRange(min = 1, max = 4) int positions,
      @ForAll long seed) {
    int size = Math.min(candidates, positions);
    SlateRules wanted = RuledSlates.random(seed, candidates, size);
    RuleFit.Fitted fitted = fit.fit(wanted, candidates, size);
    List<int[]> kept = RuledSlates.all(fitted.rules(), candidates, size);
    assertFalse(kept.isEmpty());
    if (!RuledSlates.all(wanted, candidates, size).isEmpty()) {
      assertEquals(List.of(), fitted.relaxed());
      assertEquals(wanted, fitted.rules());
      return;
    }
    assertFalse(fitted.relaxed().isEmpty());
    RuleFit.Relaxed last = fitted.relaxed().get(fitted.relaxed().size() - 1);
    assertTrue(
        RuledSlates.all(oneStepTighter(fitted.rules(), last), candidates, size).isEmpty()
            || last.bound() != RuleFit.Bound.APART,
        () -> "could have kept more of " + last);
  }

  private static SlateRules oneStepTighter(SlateRules rules, RuleFit.Relaxed relaxed) {
    if (relaxed.bound() != RuleFit.Bound.APART) {
      return rules;
    }
    SlateRules.Grouping[] groupings = rules.groupings().toArray(SlateRules.Grouping[]::new);
    SlateRules.Grouping before = groupings[relaxed.index()];
    groupings[relaxed.index()] = before.with(before.atMost(), before.apart() + 1, before.atLeast());
    return new SlateRules(rules.pins(), List.of(groupings));
  }

  @Test
  void aMostIsRaisedALeastIsLoweredAndADistanceIsShortened() {
    // Two groups of three; four positions.
    int[] groups = {0, 0, 0, 1, 1, 1};
    SlateRules one =
        new SlateRules(
            List.of(), List.of(new SlateRules.Grouping("topic", groups, 1, 0, NO_LEAST)));
    assertEquals(
        List.of(new RuleFit.Relaxed(RuleFit.Bound.AT_MOST, 0, -1, 1, 2)),
        fit.fit(one, 6, 4).relaxed());
    SlateRules five =
        new SlateRules(
            List.of(),
            List.of(
                new SlateRules.Grouping(
                    "topic", groups, SlateRules.ANY_NUMBER, 0, new int[] {0, 5})));
    assertEquals(
        List.of(new RuleFit.Relaxed(RuleFit.Bound.AT_LEAST, 0, 1, 5, 3)),
        fit.fit(five, 6, 4).relaxed());
    SlateRules far =
        new SlateRules(
            List.of(),
            List.of(new SlateRules.Grouping("topic", groups, SlateRules.ANY_NUMBER, 2, NO_LEAST)));
    assertEquals(
        List.of(new RuleFit.Relaxed(RuleFit.Bound.APART, 0, -1, 2, 1)),
        fit.fit(far, 6, 4).relaxed());
    SlateRules beyond = new SlateRules(List.of(new SlateRules.Pin(4, 0)), List.of());
    assertEquals(
        List.of(new RuleFit.Relaxed(RuleFit.Bound.PIN, 0, -1, 4, -1)),
        fit.fit(beyond, 6, 4).relaxed());
  }

  @Test
  void aQuotaShutsTheOthersOutOnlyWhenItsPositionsRunOut() {
    // One of group 0 is asked for, among two positions.
    SlateRules rules =
        new SlateRules(
            List.of(),
            List.of(
                new SlateRules.Grouping(
                    "new", new int[] {0, -1, -1}, SlateRules.ANY_NUMBER, 0, new int[] {1})));
    OpenCandidates open = new OpenCandidates();
    open.begin(rules, 3, 2);
    assertTrue(open.isOpen(0) && open.isOpen(1) && open.isOpen(2));
    open.place(1);
    assertTrue(open.isOpen(0));
    assertFalse(open.isOpen(1) || open.isOpen(2));
  }

  @Test
  void theCallersOrderIsKeptAsFarAsTheRulesAllow() {
    SlateRules rules =
        new SlateRules(
            List.of(new SlateRules.Pin(1, 4)),
            List.of(new SlateRules.Grouping("topic", new int[] {0, 0, 0, 1, 1}, 2, 0, NO_LEAST)));
    Slate slate = sampler.inOrder(rules, 5, 4);
    assertArrayEquals(new int[] {0, 4, 1, 3}, slate.candidates());
    assertArrayEquals(new double[] {1, 1, 1, 1}, slate.propensities());
    assertArrayEquals(new int[] {0, 1, 2}, sampler.inOrder(SlateRules.NONE, 5, 3).candidates());
  }

  @Test
  void aSearchThatGivesUpLeavesNoDeadEnd() {
    // Three groupings that hardly agree: authors, topics and shops, each apart and each scarce.
    int candidates = 400;
    int size = 24;
    int[][] groups = new int[3][candidates];
    for (int i = 0; i < candidates; i++) {
      groups[0][i] = i % 23;
      groups[1][i] = (i * 7) % 19;
      groups[2][i] = (i * i) % 17;
    }
    RuleFit.Fitted fitted =
        fit.fit(
            new SlateRules(
                List.of(new SlateRules.Pin(11, 5)),
                List.of(
                    new SlateRules.Grouping("author", groups[0], 2, 8, new int[] {1, 1, 1, 1}),
                    new SlateRules.Grouping("topic", groups[1], 2, 6, new int[] {2, 2, 2, 2, 2}),
                    new SlateRules.Grouping("shop", groups[2], 3, 5, NO_LEAST))),
            candidates,
            size);
    MixedWeights weights = weights(5, candidates);
    for (int seed = 0; seed < 20; seed++) {
      Slate slate = sampler.sample(weights, fitted.rules(), seed, size);
      assertTrue(RuledSlates.keeps(fitted.rules(), slate.candidates()));
    }
  }

  @Test
  void aSlateThatBreaksARuleIsRefused() {
    SlateRules rules =
        new SlateRules(
            List.of(new SlateRules.Pin(1, 2)),
            List.of(new SlateRules.Grouping("topic", new int[] {0, 0, -1}, 1, 0, NO_LEAST)));
    MixedWeights weights = weights(1, 3);
    assertThrows(
        IllegalArgumentException.class,
        () -> sampler.propensities(weights, rules, new int[] {0, 1}, 2, new double[2]));
    assertThrows(
        IllegalArgumentException.class,
        () -> sampler.propensities(weights, rules, new int[] {2, 0}, 2, new double[2]));
    assertThrows(
        IllegalArgumentException.class,
        () -> sampler.propensities(weights, rules, new int[] {0, 3}, 2, new double[2]));
    assertThrows(
        IllegalArgumentException.class,
        () -> sampler.propensities(weights(1, 4), rules, new int[] {0, 2}, 2, new double[2]));
  }

  private static final int[] NO_LEAST = {};

  private static MixedWeights weights(long seed, int candidates) {
    return MixedWeights.of(PolicyGraphs.random(seed, 30, candidates), EXPLORATION);
  }
}
