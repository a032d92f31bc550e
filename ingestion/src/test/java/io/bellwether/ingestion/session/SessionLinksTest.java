package io.bellwether.ingestion.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.session.SessionLinks.Link;
import io.bellwether.ingestion.session.SessionLinks.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SessionLinksTest {

  private static final SessionLinks RULE = new SessionLinks(Duration.ofSeconds(3));

  @Test
  void aGapEndsASessionByTruncationAndNothingSpansIt() {
    // Four decisions, two days of nothing, four decisions, and nobody said that anything ended.
    long days = Duration.ofDays(2).toSeconds();
    List<Link> links =
        RULE.link(IntStream.range(0, 8).mapToObj(i -> at("d" + i, i < 4 ? i : days + i)).toList());

    assertEquals(List.of(0, 1, 2, 3, 0, 1, 2, 3), links.stream().map(Link::step).toList());
    assertEquals("d0", links.get(3).sessionId());
    assertEquals("d4", links.get(4).sessionId());
    assertEquals(null, links.get(3).nextDecisionId());
    assertTrue(links.get(3).truncated());
    assertFalse(links.get(3).terminated());
  }

  @Test
  void anEndThatWasSeenTerminates() {
    List<Link> links = RULE.link(List.of(at("a", 0), new Moment("b", 1_000_000, true), at("c", 2)));

    assertTrue(links.get(1).terminated());
    assertFalse(links.get(1).truncated());
    assertEquals("c", links.get(2).sessionId());
  }

  @Test
  void decisionsOfOneInstantFollowEachOtherById() {
    List<Link> links = RULE.link(List.of(at("b", 1), at("a", 1)));

    assertEquals("b", links.get(0).nextDecisionId());
    assertEquals("a", links.get(1).sessionId());
  }

  @Test
  void aGapOfExactlyTheDeclaredLengthDoesNotSeparate() {
    assertEquals("b", RULE.link(List.of(at("a", 0), at("b", 3))).get(0).nextDecisionId());
  }

  @Test
  void aSessionThatNeverPausesIsCut() {
    SessionLinks short3 = new SessionLinks(Duration.ofSeconds(3), 3);
    List<Link> links = short3.link(IntStream.range(0, 4).mapToObj(i -> at("d" + i, i)).toList());

    assertTrue(links.get(2).truncated());
    assertEquals("d3", links.get(3).sessionId());
  }

  @Property
  void theOrderOfArrivalDoesNotMatter(
      @ForAll @Size(max = 20) List<@IntRange(max = 60) Integer> seconds, @ForAll long seed) {
    List<Moment> moments = moments(seconds);
    List<Moment> shuffled = new ArrayList<>(moments);
    Collections.shuffle(shuffled, new Random(seed));

    assertEquals(RULE.link(moments), RULE.link(shuffled));
  }

  @Property
  void aLinkDependsOnItsNeighboursAlone(
      @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 60) Integer> seconds,
      @ForAll @IntRange(max = 20) int any) {
    List<Link> links = RULE.link(moments(seconds));
    int at = any % links.size();
    Link link = links.get(at);

    assertEquals(
        link,
        RULE.link(
            at == 0 ? null : links.get(at - 1),
            link.moment(),
            at + 1 == links.size() ? null : links.get(at + 1).moment()));
  }

  @Property
  void everyDecisionButASessionsFirstIsTheNextOfExactlyOne(
      @ForAll @Size(max = 20) List<@IntRange(max = 60) Integer> seconds) {
    List<Link> links = RULE.link(moments(seconds));

    List<String> followers =
        links.stream().filter(l -> l.step() > 0).map(l -> l.moment().decisionId()).toList();
    List<String> nexts = links.stream().map(Link::nextDecisionId).filter(n -> n != null).toList();
    assertEquals(followers, nexts);
  }

  private static List<Moment> moments(List<Integer> seconds) {
    return IntStream.range(0, seconds.size())
        .mapToObj(i -> new Moment("d" + i, seconds.get(i) * 1_000_000L, seconds.get(i) % 7 == 0))
        .toList();
  }

  private static Moment at(String id, long second) {
    return new Moment(id, second * 1_000_000, false);
  }
}
