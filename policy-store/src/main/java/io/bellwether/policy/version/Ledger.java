package io.bellwether.policy.version;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the entries of a release log add up to, and which entry may come next. Every reader asks the
 * same questions as the writer did, so that an entry which breaks a rule is followed by nobody. Not
 * thread-safe.
 */
final class Ledger {

  private final Map<Key, List<AliasMove>> moves = new HashMap<>();
  private final Map<String, VersionId> pins = new HashMap<>();
  private final Set<String> frozen = new HashSet<>();
  private final Map<String, Set<Alias>> approvals = new HashMap<>();
  private final SortedMap<Long, Release> proposals = new TreeMap<>();
  private boolean allFrozen;

  private record Key(String name, Alias alias) {}

  /** What the entries say up to the latest one that was written by this time. */
  static Ledger asOf(Instant time, List<AliasMove> before, List<Release> releases) {
    Ledger ledger = new Ledger();
    int upTo = releases.size();
    while (upTo > 0 && releases.get(upTo - 1).at().isAfter(time)) {
      upTo--;
    }
    if (upTo == 0) {
      List<AliasMove> begun = releases.isEmpty() ? null : releases.get(0).moves();
      ledger.takeUntil(time, begun == null ? before : begun);
    }
    releases.subList(0, upTo).forEach(ledger::apply);
    return ledger;
  }

  private void takeUntil(Instant time, List<AliasMove> old) {
    Map<Key, Long> last = new HashMap<>();
    for (AliasMove move : old) {
      if (!move.at().isAfter(time)) {
        last.merge(keyOf(move), move.sequence(), Math::max);
      }
    }
    for (AliasMove move : old) {
      if (move.sequence() <= last.getOrDefault(keyOf(move), 0L)) {
        take(move);
      }
    }
  }

  /** Takes over what was moved before there was a log. */
  void takeAll(List<AliasMove> before) {
    before.forEach(this::take);
  }

  /**
   * Does what an entry says.
   *
   * @throws IllegalArgumentException where it does not follow from those before, with the reason
   */
  void apply(Release release) {
    switch (release.kind()) {
      case BEGUN -> {
        require(release.sequence() == 1 && release.moves() != null, "begins a log twice");
        takeAll(Objects.requireNonNull(release.moves()));
      }
      case MOVED -> {
        AliasMove move = moveOf(release);
        checkNotFrozen(move.name());
        require(!needsApproval(move), "moves without the approval that it needs");
        checkRollback(move);
        take(move);
      }
      case PROPOSED -> {
        require(release.name() != null, "proposes for no policy");
        require(
            (release.move() == null) != (release.approvals() == null), "proposes not one thing");
        proposals.put(release.sequence(), release);
      }
      case APPROVED -> approve(release);
      case DECLINED -> proposals.remove(openProposal(release).sequence());
      case PINNED -> {
        String name = nameOf(release);
        checkNotFrozen(name);
        VersionId version = release.version();
        require(
            version != null && wasChampion(name, version),
            "pins a version that was never the champion");
        pins.put(name, Objects.requireNonNull(version));
      }
      case UNPINNED -> {
        String name = nameOf(release);
        checkNotFrozen(name);
        require(pins.remove(name) != null, "unpins what is not pinned");
      }
      case FROZEN -> freeze(release.name());
      case UNFROZEN -> unfreeze(release.name());
      case RULED -> {
        Set<Alias> ruled = approvalsOf(release);
        require(
            ruled.containsAll(approvals(nameOf(release))),
            "asks for fewer approvals without the approval of a second person");
        approvals.put(nameOf(release), ruled);
      }
      case ADOPTED -> {
        // It says something about the entries before, and does nothing.
      }
    }
  }

  private void approve(Release release) {
    Release proposal = openProposal(release);
    require(
        !samePerson(proposal.who(), release.who()),
        "is approved by " + release.who() + ", who proposed it: that takes a second person");
    if (proposal.move() == null) {
      require(
          approvalsOf(proposal).equals(approvalsOf(release))
              && Objects.equals(proposal.name(), release.name()),
          "approves something else than was proposed");
      approvals.put(nameOf(release), approvalsOf(release));
      proposals.remove(proposal.sequence());
      return;
    }
    AliasMove move = moveOf(release);
    AliasMove wanted = moveOf(proposal);
    require(
        wanted.name().equals(move.name())
            && wanted.alias() == move.alias()
            && Objects.equals(wanted.from(), move.from())
            && Objects.equals(wanted.to(), move.to())
            && !move.rollback(),
        "approves something else than was proposed");
    checkNotFrozen(move.name());
    take(move);
    proposals.remove(proposal.sequence());
  }

  static boolean samePerson(String one, String other) {
    return one.strip().toLowerCase(Locale.ROOT).equals(other.strip().toLowerCase(Locale.ROOT));
  }

  private Release openProposal(Release release) {
    Long number = release.proposal();
    Release proposal = number == null ? null : proposals.get(number);
    if (proposal == null) {
      throw new IllegalArgumentException("there is no open proposal " + number);
    }
    return proposal;
  }

  private void checkNotFrozen(String name) {
    require(!isFrozen(name), "moves " + name + ", which is frozen");
  }

  /** What takes a move back goes where that came from, and nowhere else: it needs no approval. */
  private void checkRollback(AliasMove move) {
    if (move.rollback()) {
      AliasMove last = lastStanding(move.name(), move.alias()).orElse(null);
      require(
          last != null && Objects.equals(last.from(), move.to()),
          "takes a move back that was not made");
    }
  }

  private void take(AliasMove move) {
    List<AliasMove> before = moves.computeIfAbsent(keyOf(move), key -> new ArrayList<>());
    AliasMove last = before.isEmpty() ? null : before.get(before.size() - 1);
    require(
        move.sequence() == before.size() + 1L,
        "moves an alias for the " + move.sequence() + "th time, after " + before.size());
    require(
        Objects.equals(move.from(), last == null ? null : last.to()),
        "moves an alias from elsewhere than it was");
    before.add(move);
    proposals
        .values()
        .removeIf(open -> open.move() != null && keyOf(open.move()).equals(keyOf(move)));
  }

  private void freeze(@Nullable String name) {
    if (name == null) {
      require(!allFrozen, "freezes what is frozen already");
      allFrozen = true;
    } else {
      require(frozen.add(name), "freezes what is frozen already");
    }
  }

  private void unfreeze(@Nullable String name) {
    if (name == null) {
      require(allFrozen, "unfreezes what is not frozen");
      allFrozen = false;
    } else {
      require(frozen.remove(name), "unfreezes what is not frozen");
    }
  }

  /** All moves of an alias, in their order. */
  List<AliasMove> history(String name, Alias alias) {
    return List.copyOf(moves.getOrDefault(new Key(name, alias), List.of()));
  }

  Optional<AliasMove> latest(String name, Alias alias) {
    List<AliasMove> all = moves.getOrDefault(new Key(name, alias), List.of());
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  /** The latest move of every alias that ever moved. */
  List<AliasMove> latest() {
    return moves.values().stream().map(all -> all.get(all.size() - 1)).toList();
  }

  /** The latest move that was not taken back yet. */
  Optional<AliasMove> lastStanding(String name, Alias alias) {
    Deque<AliasMove> standing = new ArrayDeque<>();
    for (AliasMove move : history(name, alias)) {
      if (!move.rollback()) {
        standing.push(move);
      } else if (!standing.isEmpty()) {
        standing.pop();
      }
    }
    return Optional.ofNullable(standing.peek());
  }

  /** Whether a move must be approved by a second person; what takes one back never does. */
  boolean needsApproval(AliasMove move) {
    return !move.rollback()
        && (move.to() != null || move.alias() == Alias.CHAMPION)
        && approvals(move.name()).contains(move.alias());
  }

  Set<Alias> approvals(String name) {
    return approvals.getOrDefault(name, Set.of());
  }

  /** The proposals that nobody has approved or declined, in their order. */
  List<Release> proposals() {
    return List.copyOf(proposals.values());
  }

  boolean isFrozen(String name) {
    return allFrozen || frozen.contains(name);
  }

  boolean allFrozen() {
    return allFrozen;
  }

  /** Whether this policy was frozen, and not only all of them. */
  boolean frozenAlone(String name) {
    return frozen.contains(name);
  }

  boolean wasChampion(String name, VersionId version) {
    return moves.getOrDefault(new Key(name, Alias.CHAMPION), List.of()).stream()
        .anyMatch(move -> version.equals(move.to()));
  }

  Standing standing(String name) {
    Map<Alias, VersionId> aliases = new EnumMap<>(Alias.class);
    for (Alias alias : Alias.values()) {
      latest(name, alias)
          .flatMap(AliasMove::version)
          .ifPresent(version -> aliases.put(alias, version));
    }
    return new Standing(name, aliases, pins.get(name), isFrozen(name), approvals(name));
  }

  /** The names of all policies that ever had an alias. */
  Set<String> names() {
    Set<String> names = new HashSet<>();
    moves.keySet().forEach(key -> names.add(key.name()));
    return names;
  }

  private static AliasMove moveOf(Release release) {
    AliasMove move = release.move();
    if (move == null || !move.name().equals(release.name())) {
      throw new IllegalArgumentException("moves an alias of another policy than it names");
    }
    return move;
  }

  private static Set<Alias> approvalsOf(Release release) {
    List<Alias> ruled = release.approvals();
    if (ruled == null) {
      throw new IllegalArgumentException("rules nothing");
    }
    return ruled.isEmpty() ? Set.of() : EnumSet.copyOf(ruled);
  }

  private static String nameOf(Release release) {
    String name = release.name();
    if (name == null) {
      throw new IllegalArgumentException("names no policy");
    }
    return name;
  }

  private static Key keyOf(AliasMove move) {
    return new Key(move.name(), move.alias());
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
