package io.bellwether.policy.version;

import io.bellwether.policy.signature.KeyId;
import io.bellwether.policy.signature.SigningKey;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What was released, by whom and why, over all policies; and what holds releases up: a second
 * person's approval, a pin, a freeze. Moves themselves are {@link PolicyStore}'s. Thread-safe, and
 * safe among processes.
 */
public final class Releases {

  private final PolicyStore store;
  private final ReleaseLog log;
  private final Clock clock;

  Releases(PolicyStore store, ReleaseLog log, Clock clock) {
    this.store = store;
    this.log = log;
    this.clock = clock;
  }

  /** The entries of the log that can be followed, in their order. */
  public List<Release> all() {
    return log.releases();
  }

  /** By an entry's number, the trusted key that signed it. */
  public Map<Long, KeyId> signers() {
    return log.signers();
  }

  /** Why the log cannot be followed to its end; empty where it can. */
  public Optional<String> defect() {
    return log.defect();
  }

  /** The same after everything was read anew, from the first entry on. */
  public Optional<String> audit() {
    return log.audit();
  }

  /** The version that answered by default when the log could last be followed to its end. */
  public Optional<VersionId> lastGood(String name) {
    return Optional.ofNullable(log.lastGood().get(name));
  }

  /** Where a policy stands now, as far as the log can be followed. */
  public Standing now(String name) {
    PolicyManifest.checkName(name);
    return log.followed(ledger -> ledger.standing(name));
  }

  /**
   * Where a policy stood at a time: after the latest entry of the log that was written by then.
   * Clocks of several writers may differ, and so may what they mean by it.
   */
  public Standing at(String name, Instant time) {
    PolicyManifest.checkName(name);
    return Ledger.asOf(time, log.before(), log.releases()).standing(name);
  }

  /** What waits for a second person, in the order in which it was proposed. */
  public List<Release> proposals() {
    return log.followed(Ledger::proposals);
  }

  /**
   * Does what somebody else has proposed.
   *
   * @param proposal its number in the log
   * @throws AliasConflictException where there is no such open proposal, or the policy is frozen
   * @throws PromotionRefusedException where the same person proposed it, or the version has lost
   *     its verdict meanwhile
   */
  public Release approve(long proposal, String who, String why) {
    Release made =
        log.append(
            (ledger, sequence, previous) -> {
              Release open = open(ledger, proposal);
              if (Ledger.samePerson(open.who(), who)) {
                throw new PromotionRefusedException(
                    "proposal %d is by %s: it takes a second person to approve it"
                        .formatted(proposal, open.who()));
              }
              AliasMove wanted = open.move();
              AliasMove move = wanted == null ? null : now(ledger, open, wanted);
              return release(
                  sequence,
                  previous,
                  ReleaseKind.APPROVED,
                  open.name(),
                  move,
                  null,
                  open.approvals(),
                  proposal,
                  open.evidence(),
                  who,
                  why);
            });
    made.made().ifPresent(store::announce);
    return made;
  }

  private AliasMove now(Ledger ledger, Release open, AliasMove wanted) {
    checkNotFrozen(ledger, wanted.name());
    VersionId version = wanted.to();
    if (version != null && wanted.alias().needsVerdict()) {
      store.requireStillReleasable(version, wanted, open.evidence());
    }
    return new AliasMove(
        ledger.latest(wanted.name(), wanted.alias()).map(AliasMove::sequence).orElse(0L) + 1,
        wanted.name(),
        wanted.alias(),
        wanted.from(),
        version,
        false,
        wanted.who(),
        wanted.why(),
        clock.instant());
  }

  /** Turns a proposal down, or takes one's own back. */
  public Release decline(long proposal, String who, String why) {
    return log.append(
        (ledger, sequence, previous) ->
            release(
                sequence,
                previous,
                ReleaseKind.DECLINED,
                open(ledger, proposal).name(),
                null,
                null,
                null,
                proposal,
                null,
                who,
                why));
  }

  /**
   * Lets a version answer by default wherever the champion points, until it is unpinned.
   *
   * @throws PromotionRefusedException where it never was the champion: a pin goes round the gate
   */
  public Release pin(String name, VersionId version, String who, String why) {
    store.checkName(name, version);
    return log.append(
        (ledger, sequence, previous) -> {
          checkNotFrozen(ledger, name);
          if (!ledger.wasChampion(name, version)) {
            throw new PromotionRefusedException(
                "%s never was the champion of %s, and nothing else can be pinned"
                    .formatted(version, name));
          }
          return simple(sequence, previous, ReleaseKind.PINNED, name, version, who, why);
        });
  }

  /**
   * Lets the champion answer by default again.
   *
   * @throws AliasConflictException where nothing is pinned
   */
  public Release unpin(String name, String who, String why) {
    PolicyManifest.checkName(name);
    return log.append(
        (ledger, sequence, previous) -> {
          checkNotFrozen(ledger, name);
          if (ledger.standing(name).pinned() == null) {
            throw new AliasConflictException("nothing is pinned for " + name);
          }
          return simple(sequence, previous, ReleaseKind.UNPINNED, name, null, who, why);
        });
  }

  /**
   * Forbids all moves and pins, those that take something back too, until it is unfrozen.
   *
   * @param name of the policy; absent for all
   */
  public Release freeze(@Nullable String name, String who, String why) {
    return frost(ReleaseKind.FROZEN, name, who, why);
  }

  /**
   * Allows moves and pins again.
   *
   * @param name of the policy; absent where all were frozen
   */
  public Release unfreeze(@Nullable String name, String who, String why) {
    return frost(ReleaseKind.UNFROZEN, name, who, why);
  }

  private Release frost(ReleaseKind kind, @Nullable String name, String who, String why) {
    if (name != null) {
      PolicyManifest.checkName(name);
    }
    return log.append(
        (ledger, sequence, previous) -> {
          boolean frozen = name == null ? ledger.allFrozen() : ledger.frozenAlone(name);
          if (frozen == (kind == ReleaseKind.FROZEN)) {
            throw new AliasConflictException(
                (name == null ? "the whole store" : name)
                    + (frozen ? " is frozen already" : " was not frozen"));
          }
          return simple(sequence, previous, kind, name, null, who, why);
        });
  }

  /**
   * Says which aliases of a policy move only with a second person's approval from now on. To ask
   * for fewer is itself something that a second person has to approve.
   *
   * @return the entry, of the kind {@code RULED} where it holds, {@code PROPOSED} where it waits
   */
  public Release requireApproval(String name, Set<Alias> aliases, String who, String why) {
    PolicyManifest.checkName(name);
    List<Alias> sorted = aliases.stream().sorted().toList();
    return log.append(
        (ledger, sequence, previous) ->
            release(
                sequence,
                previous,
                aliases.containsAll(ledger.approvals(name))
                    ? ReleaseKind.RULED
                    : ReleaseKind.PROPOSED,
                name,
                null,
                null,
                sorted,
                null,
                null,
                who,
                why));
  }

  /**
   * Vouches with a key for the whole log as it is: for entries that were not signed, or whose key
   * was revoked. Whoever does so has looked at them.
   *
   * @throws BrokenLogException where more is wrong with the log than that nobody vouches for it
   */
  public Release adopt(SigningKey key, String who, String why) {
    return log.adopt(
        key,
        (ledger, sequence, previous) ->
            simple(sequence, previous, ReleaseKind.ADOPTED, null, null, who, why));
  }

  /** The entry that moves an alias, or asks for it. */
  Release moving(
      long sequence, String previous, ReleaseKind kind, AliasMove move, @Nullable String evidence) {
    return release(
        sequence,
        previous,
        kind,
        move.name(),
        move,
        null,
        null,
        null,
        evidence,
        move.who(),
        move.why());
  }

  /** Refuses what a freeze forbids. */
  static void checkNotFrozen(Ledger ledger, String name) {
    if (ledger.isFrozen(name)) {
      throw new FrozenException(
          name + " is frozen; `policies log` says by whom and why, and unfreezing allows moves");
    }
  }

  private static Release open(Ledger ledger, long proposal) {
    return ledger.proposals().stream()
        .filter(each -> each.sequence() == proposal)
        .findFirst()
        .orElseThrow(
            () ->
                new AliasConflictException(
                    "there is no open proposal %d: it was decided, or its alias has moved"
                        .formatted(proposal)));
  }

  private Release simple(
      long sequence,
      String previous,
      ReleaseKind kind,
      @Nullable String name,
      @Nullable VersionId version,
      String who,
      String why) {
    return release(sequence, previous, kind, name, null, version, null, null, null, who, why);
  }

  private Release release(
      long sequence,
      String previous,
      ReleaseKind kind,
      @Nullable String name,
      @Nullable AliasMove move,
      @Nullable VersionId version,
      @Nullable List<Alias> approvals,
      @Nullable Long proposal,
      @Nullable String evidence,
      String who,
      String why) {
    return new Release(
        sequence,
        previous,
        UUID.randomUUID().toString(),
        kind,
        name,
        move,
        version,
        approvals,
        proposal,
        null,
        evidence,
        who,
        why,
        move == null ? clock.instant() : move.at());
  }
}
