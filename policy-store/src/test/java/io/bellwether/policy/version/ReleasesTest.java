package io.bellwether.policy.version;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.object.Journal;
import io.bellwether.policy.object.ObjectId;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReleasesTest {

  private static final String FEED = "home-feed";
  private static final Instant START = Instant.parse("2026-11-30T09:00:00Z");

  private final MemoryDepot depot = new MemoryDepot();
  private final Ticking clock = new Ticking();
  private final List<AliasMove> announced = new ArrayList<>();
  private final PolicyStore store = new PolicyStore(depot, clock, announced::add, null);
  private final Releases releases = store.releases();

  /** A clock that a test sets. */
  private static final class Ticking extends Clock {
    private Instant now = START;

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @Test
  void oneLogHasAllMovesOfAllPoliciesWithWhoWhyAndEvidence() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId push = Drafts.publish(store, "push", 2);
    move(Alias.CHAMPION, null, one);
    store.move(
        new MoveRequest("push", Alias.CHAMPION, null, push, "bob", "first", "nothing to judge by"));
    store.rollback("push", Alias.CHAMPION, "ann", "too early");
    List<Release> all = releases.all();
    assertEquals(List.of(1L, 2L, 3L), all.stream().map(Release::sequence).toList());
    assertEquals(store.evidence(one).get(0).content().sha256(), all.get(0).evidence());
    assertEquals(store.evidence(push).get(0).content().sha256(), all.get(1).evidence());
    assertEquals("bob", all.get(1).who());
    assertTrue(all.get(2).made().orElseThrow().rollback());
    for (int i = 1; i < all.size(); i++) {
      byte[] before = depot.read("log/%08d.json".formatted(i)).orElseThrow();
      assertEquals(ObjectId.of(before).sha256(), all.get(i).previous());
    }
    assertEquals(all, new PolicyStore(depot, clock, move -> {}, null).releases().all());
    assertEquals(2, store.latestMoves().size());
  }

  @Test
  void theLogTellsWhatWasChampionAtAnyTime() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    clock.now = START.plusSeconds(10);
    move(Alias.CHAMPION, null, one);
    clock.now = START.plusSeconds(20);
    move(Alias.CHAMPION, one, two);
    clock.now = START.plusSeconds(30);
    store.rollback(FEED, Alias.CHAMPION, "ann", "worse");
    assertEquals(Optional.empty(), championAt(9));
    assertEquals(Optional.of(one), championAt(10));
    assertEquals(Optional.of(one), championAt(19));
    assertEquals(Optional.of(two), championAt(29));
    assertEquals(Optional.of(one), championAt(1000));
  }

  /** One whose clock is far ahead must not hide what the others do afterwards. */
  @Test
  void aWriterWithAWrongClockHidesNothing() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    clock.now = START.plusSeconds(1_000_000);
    move(Alias.CHAMPION, null, one);
    clock.now = START.plusSeconds(20);
    move(Alias.CHAMPION, one, two);
    assertEquals(Optional.of(two), championAt(20));
    assertEquals(Optional.empty(), championAt(19));
  }

  @Test
  void whatNeedsApprovalWaitsForASecondPerson() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    releases.requireApproval(FEED, EnumSet.of(Alias.CHAMPION), "ann", "a rule of ours");
    ApprovalNeededException waits =
        assertThrows(ApprovalNeededException.class, () -> move(Alias.CHAMPION, null, one));
    assertEquals(
        waits.proposal(),
        assertThrows(ApprovalNeededException.class, () -> move(Alias.CHAMPION, null, one))
            .proposal());
    assertEquals(Optional.empty(), store.alias(FEED, Alias.CHAMPION));
    assertEquals(List.of(), announced);
    for (String same : List.of("operator", " Operator ")) {
      assertThrows(
          PromotionRefusedException.class,
          () -> releases.approve(waits.proposal(), same, "looks good"));
    }
    releases.approve(waits.proposal(), "bob", "looks good");
    assertEquals(Optional.of(one), store.alias(FEED, Alias.CHAMPION));
    assertEquals(1, announced.size());
    assertEquals(List.of(), releases.proposals());
    assertThrows(
        AliasConflictException.class, () -> releases.approve(waits.proposal(), "bob", "again"));
    // Other aliases and the way back are free.
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    move(Alias.CHALLENGER, null, two);
    store.rollback(FEED, Alias.CHAMPION, "operator", "worse");
    assertEquals(Optional.empty(), store.alias(FEED, Alias.CHAMPION));
  }

  @Test
  void aProposalIsDeclinedOrOvertakenAndThenGone() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    releases.requireApproval(FEED, EnumSet.of(Alias.CHAMPION), "ann", "a rule of ours");
    long first = propose(one);
    releases.decline(first, "operator", "changed my mind");
    assertThrows(AliasConflictException.class, () -> releases.approve(first, "bob", "good"));
    long second = propose(one);
    long third = propose(two);
    releases.approve(third, "bob", "good");
    assertThrows(AliasConflictException.class, () -> releases.approve(second, "bob", "good"));
  }

  @Test
  void aProposalWhoseVersionLostItsVerdictIsNotApproved() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    releases.requireApproval(FEED, EnumSet.of(Alias.CHAMPION), "ann", "a rule of ours");
    long proposal = propose(one);
    store.attach(one, EvidenceKind.VERDICT, "{\"verdict\":\"fail\"}".getBytes(UTF_8), "gate");
    assertThrows(
        PromotionRefusedException.class, () -> releases.approve(proposal, "bob", "looks good"));
    VersionId two = Drafts.publish(store, FEED, 2);
    ApprovalNeededException waits =
        assertThrows(
            ApprovalNeededException.class,
            () ->
                store.move(
                    new MoveRequest(
                        FEED, Alias.CHAMPION, null, two, "ann", "first", "nothing to judge by")));
    releases.approve(waits.proposal(), "bob", "agreed");
    assertEquals(Optional.of(two), store.alias(FEED, Alias.CHAMPION));
  }

  @Test
  void fewerApprovalsNeedASecondPersonToo() {
    releases.requireApproval(FEED, EnumSet.allOf(Alias.class), "ann", "a rule of ours");
    Release asked = releases.requireApproval(FEED, Set.of(), "ann", "in my way");
    assertEquals(ReleaseKind.PROPOSED, asked.kind());
    assertEquals(EnumSet.allOf(Alias.class), releases.now(FEED).approvals());
    assertThrows(
        PromotionRefusedException.class, () -> releases.approve(asked.sequence(), "ann", "so"));
    releases.approve(asked.sequence(), "bob", "agreed");
    assertEquals(Set.of(), releases.now(FEED).approvals());
  }

  @Test
  void aPinHoldsAVersionThatWasChampionWhateverAliasesDo() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    move(Alias.CHAMPION, null, one);
    assertThrows(
        PromotionRefusedException.class, () -> releases.pin(FEED, two, "ann", "I like it"));
    releases.pin(FEED, one, "ann", "holidays");
    move(Alias.CHAMPION, one, two);
    assertEquals(Optional.of(one), store.serving(FEED));
    assertEquals(Optional.of(two), store.alias(FEED, Alias.CHAMPION));
    releases.unpin(FEED, "ann", "back");
    assertEquals(Optional.of(two), store.serving(FEED));
    assertThrows(AliasConflictException.class, () -> releases.unpin(FEED, "ann", "again"));
  }

  @Test
  void whatIsFrozenDoesNotMoveUntilItIsUnfrozen() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    move(Alias.CHAMPION, null, one);
    for (String name : new @Nullable String[] {FEED, null}) {
      releases.freeze(name, "ann", "an audit");
      assertTrue(releases.now(FEED).frozen());
      assertThrows(FrozenException.class, () -> move(Alias.CHAMPION, one, two));
      assertThrows(FrozenException.class, () -> move(Alias.SHADOW, null, two));
      assertThrows(
          FrozenException.class, () -> store.rollback(FEED, Alias.CHAMPION, "ann", "worse"));
      assertThrows(FrozenException.class, () -> releases.pin(FEED, one, "ann", "worse"));
      assertThrows(AliasConflictException.class, () -> releases.freeze(name, "ann", "twice"));
      releases.unfreeze(name, "ann", "done");
      assertFalse(releases.now(FEED).frozen());
    }
    move(Alias.CHAMPION, one, two);
  }

  /** As a store was before there was one log. */
  @Test
  void theFirstEntryTakesOverWhatAnOlderReleaseMoved() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    Journal old = new Journal(depot, "moves/" + FEED + "/champion");
    append(old, new AliasMove(1, FEED, Alias.CHAMPION, null, one, false, "ann", "a", START));
    Instant later = START.plusSeconds(60);
    append(old, new AliasMove(2, FEED, Alias.CHAMPION, one, two, false, "ann", "b", later));
    assertEquals(Optional.of(two), store.alias(FEED, Alias.CHAMPION));
    assertEquals(Optional.of(one), championAt(59));
    assertEquals(List.of(), releases.all());

    clock.now = START.plusSeconds(120);
    assertEquals(one, store.rollback(FEED, Alias.CHAMPION, "bob", "worse").to());
    assertEquals(3, store.latestMove(FEED, Alias.CHAMPION).orElseThrow().sequence());
    assertEquals(
        List.of(ReleaseKind.BEGUN, ReleaseKind.MOVED),
        releases.all().stream().map(Release::kind).toList());
    depot.delete("moves/" + FEED + "/champion/00000001.json");
    depot.delete("moves/" + FEED + "/champion/00000002.json");
    PolicyStore other = new PolicyStore(depot, clock, move -> {}, null);
    assertEquals(store.history(FEED, Alias.CHAMPION), other.history(FEED, Alias.CHAMPION));
    assertEquals(Optional.of(one), championAt(59));
    assertEquals(Optional.of(two), championAt(119));
    assertEquals(Optional.of(one), championAt(120));
  }

  private Optional<VersionId> championAt(long seconds) {
    return releases.at(FEED, START.plusSeconds(seconds)).alias(Alias.CHAMPION);
  }

  private long propose(VersionId version) {
    return assertThrows(ApprovalNeededException.class, () -> move(Alias.CHAMPION, null, version))
        .proposal();
  }

  private AliasMove move(Alias alias, @Nullable VersionId from, VersionId to) {
    return store.move(new MoveRequest(FEED, alias, from, to, "operator", "test", null));
  }

  private static void append(Journal journal, AliasMove move) {
    assertTrue(journal.append(move.sequence(), move.toBytes()));
  }
}
