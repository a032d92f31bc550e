package io.bellwether.loadtest.people;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Numbers: specification of ShortVideoSim-v1, printed with nine decimals. */
class ShortVideoWorldTest {
  private static final double DIGITS = 1e-9;

  private final ShortVideoWorld world = ShortVideoWorld.of(Profile.KUAIRAND);
  private final Catalogue catalogue = world.catalogue();

  @Test
  void videosAreThoseOfTheSpecification() {
    assertEquals(0, catalogue.mainTopic(0));
    assertEquals(0.898124993, catalogue.topic(0)[0], DIGITS);
    assertEquals(-1.573756555, catalogue.quality(0), DIGITS);
    assertEquals(0.368531012, catalogue.bait(0), DIGITS);
    assertEquals(9.131888649, catalogue.durationSeconds(0), DIGITS);
    assertEquals(-1.841105095, catalogue.visibleQuality(0), DIGITS);
    assertEquals(0.493185903, catalogue.visibleBait(0), DIGITS);
    assertEquals(2, catalogue.mainTopic(1));
    assertEquals(-1.365745593, catalogue.quality(1), DIGITS);
    assertEquals(25.111240687, catalogue.durationSeconds(1), DIGITS);
  }

  @Test
  void topicsHoldAsManyVideosAsInTheSpecification() {
    int[] expected = {118, 129, 118, 136, 124, 136, 128, 111};
    for (int topic = 0; topic < Catalogue.TOPICS; topic++) {
      assertEquals(expected[topic], catalogue.itemsOfTopic(topic));
    }
  }

  @Test
  void theFirstPersonIsThatOfTheSpecification() {
    Person person = world.personOf(0);
    assertEquals(2, person.mainTopic());
    assertEquals(0, person.secondTopic());
    assertEquals(0.776086141, person.taste()[0], DIGITS);
    assertEquals(0.696909039, person.visibleTaste()[0], DIGITS);
    assertEquals(1.301527397, person.baitSusceptibility(), DIGITS);
    assertEquals(-0.283442032, person.sociability(), DIGITS);
  }

  @Test
  void theFirstCandidatesAreThoseOfTheSpecification() {
    int[] expected = {
      381, 596, 911, 159, 676, 32, 854, 451, 22, 137, 783, 191, 503, 698, 63, 431, 870, 970, 26, 166
    };
    assertArrayEquals(expected, world.start(0).candidates());
  }

  @Test
  void raggedListsAreAsLongAsInTheSpecification() {
    Session session = ShortVideoWorld.of(Profile.RAGGED).start(0);
    for (int expected : new int[] {17, 17, 20}) {
      int[] candidates = session.candidates();
      assertEquals(expected, candidates.length);
      session.show(candidates[0]);
    }
  }

  @Test
  void theFirstSessionUnderTheLoggingPolicyIsThatOfTheSpecification() {
    Session session = world.start(0);
    assertStep(session, 8, 22, 0.053153711, 1.007583022, 0.028193013, 0.048262100);
    assertStep(session, 8, 727, 0.474740033, 1.221674151, 0.057880726, 0.044034159);
    assertStep(session, 13, 322, 0.160181870, 0.906457126, 0.047752482, 0.039895029);
    assertStep(session, 7, 733, 0.034779501, 1.103363910, 0.004987143, 0.043163521);
  }

  private void assertStep(
      Session session,
      int position,
      int item,
      double propensity,
      double reward,
      double like,
      double leave) {
    DecisionBatch batch = DecisionBatch.of(List.of(session));
    double[] probabilities = new double[batch.size()];
    LinearPolicy.logging(catalogue).fill(batch, probabilities);
    assertEquals(position, session.sample(probabilities, 0, batch.size()));
    assertEquals(item, batch.item(position));
    assertEquals(propensity, probabilities[position], DIGITS);
    Response response = session.show(item);
    assertEquals(reward, response.value(Signal.WATCH_SECONDS) / 10, DIGITS);
    assertEquals(like, response.expected(Signal.LIKE), DIGITS);
    assertEquals(leave, response.expected(Signal.LEAVE), DIGITS);
  }

  @Test
  void theFirstLikeTakesAsLongAsInTheSpecification() {
    assertEquals(1.529789003, world.start(0).show(22).delaySeconds(Signal.LIKE), DIGITS);
  }

  @Property(tries = 50)
  void aSessionIsTheSameWheneverItIsPlayed(@ForAll @LongRange(min = 0, max = 200_000) long number) {
    Session first = world.start(number);
    Session again = ShortVideoWorld.of(Profile.KUAIRAND).start(number);
    while (!first.isOver()) {
      int[] candidates = first.candidates();
      assertArrayEquals(candidates, again.candidates());
      Response response = first.show(candidates[3]);
      Response repeated = again.show(candidates[3]);
      for (Signal signal : Signal.values()) {
        assertEquals(response.value(signal), repeated.value(signal));
        assertEquals(response.expected(signal), repeated.expected(signal));
        assertEquals(response.delaySeconds(signal), repeated.delaySeconds(signal));
      }
      assertEquals(first.visible().features(), again.visible().features());
    }
    assertTrue(again.isOver());
    assertEquals(first.hasLeft(), again.hasLeft());
  }

  @Property(tries = 50)
  void candidatesAreSomeAndDifferentInEveryProfile(
      @ForAll Profile profile, @ForAll @IntRange(max = 60_000) int number) {
    ShortVideoWorld any = new ShortVideoWorld(ShortVideoWorld.WORLD_SEED, 1, profile);
    Session session = any.start(number);
    while (!session.isOver()) {
      int[] candidates = session.candidates();
      Set<Integer> distinct = Arrays.stream(candidates).boxed().collect(Collectors.toSet());
      assertEquals(candidates.length, distinct.size());
      assertTrue(candidates.length >= 1 && candidates.length <= 32);
      session.show(candidates[0]);
    }
  }

  @Property(tries = 200)
  void anIdLeadsBackToItsVideo(@ForAll @IntRange(max = Catalogue.ITEMS - 1) int item) {
    assertEquals(item, Catalogue.numberOf(Catalogue.id(item)));
  }

  @Test
  void anIdOfNoVideoIsRefused() {
    for (String id : new String[] {"i1000", "i01", "i-1", "7", "", "i"}) {
      assertThrows(IllegalArgumentException.class, () -> Catalogue.numberOf(id), id);
    }
  }

  @Test
  void aSessionThatIsOverShowsNothingMore() {
    Session session = world.start(1);
    while (!session.isOver()) {
      session.show(session.candidates()[0]);
    }
    assertThrows(IllegalStateException.class, () -> session.show(0));
  }

  @Test
  void aSnapshotDoesNotChangeWithTheSession() {
    Session session = world.start(0);
    VisibleState before = session.visible();
    session.show(22);
    assertEquals(0, before.step());
    assertEquals(0, before.lastWatch());
    assertArrayEquals(new double[Catalogue.TOPICS], before.topicMemory());
    assertEquals(1, session.visible().step());
    assertFalse(Arrays.equals(before.topicMemory(), session.visible().topicMemory()));
  }

  @Test
  void driftMovesThePersonAndNothingElseBeforeTheFirstClick() {
    Session still = world.start(0);
    Session drifting = ShortVideoWorld.of(Profile.DRIFT).start(0);
    boolean clicked = false;
    boolean moved = false;
    while (!still.isOver() && !drifting.isOver()) {
      int item = still.candidates()[0];
      Response expected = still.show(item);
      Response response = drifting.show(item);
      boolean same = expected.expected(Signal.LIKE) == response.expected(Signal.LIKE);
      assertTrue(same || clicked);
      moved |= !same;
      clicked |= response.value(Signal.CLICK) > 0;
    }
    assertTrue(moved);
  }

  @Test
  void whatASessionLeavesBehindIsADecayingMeanOfWhatCouldBeSeen() {
    Session session = world.start(0);
    double[] expected = new double[Trace.values().length];
    for (int step = 0; step < 4; step++) {
      VisibleState before = session.visible();
      int item = session.candidates()[step];
      Response response = session.show(item);
      double sameness = before.sameness(catalogue, item);
      int at = 0;
      expected[at] = 0.8 * expected[at] + 0.2 * session.visible().lastWatch();
      at++;
      for (Signal signal : List.of(Signal.CLICK, Signal.LIKE, Signal.FOLLOW, Signal.COMMENT)) {
        expected[at] = 0.9 * expected[at] + 0.1 * response.value(signal);
        at++;
      }
      for (Signal signal : List.of(Signal.FORWARD, Signal.HATE)) {
        expected[at] = 0.9 * expected[at] + 0.1 * response.value(signal);
        at++;
      }
      expected[at] = 0.9 * expected[at] + 0.1 * before.match(catalogue, item);
      at++;
      expected[at] = 0.9 * expected[at] + 0.1 * catalogue.visibleQuality(item);
      at++;
      expected[at] = 0.8 * expected[at] + 0.2 * catalogue.visibleBait(item);
      at++;
      expected[at] = 0.8 * expected[at] + 0.2 * Math.max(0, sameness - 0.5);
      at = 0;
      for (Trace trace : Trace.values()) {
        assertEquals(expected[at++], session.visible().trace(trace), 1e-12, trace.name());
        assertTrue(step > 0 || before.trace(trace) == 0, trace.name());
      }
    }
  }
}
