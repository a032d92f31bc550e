package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.Evidence;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What has happened to a version: what was found out about it, who moved which alias to or from it,
 * and who did so against the verdict.
 *
 * @param store that knows
 */
public record VersionHistory(PolicyStore store) {

  /**
   * One thing that happened.
   *
   * @param words a sentence
   */
  public record Entry(Instant at, String words) {

    /** With the second in which it happened. */
    String line() {
      return at.truncatedTo(ChronoUnit.SECONDS) + ": " + words;
    }
  }

  /** A page and a verdict are filed with a report. */
  private static final int FILED_WITH_IT = 2;

  /** Everything, in the order of time. */
  public List<Entry> of(VersionId version) {
    List<Entry> entries = new ArrayList<>();
    entries.add(new Entry(store.version(version).at(), version + " was published, a candidate"));
    for (Evidence evidence : store.evidence(version)) {
      describe(evidence).ifPresent(words -> entries.add(new Entry(evidence.at(), words)));
    }
    entries.addAll(moves(version));
    entries.sort(Comparator.comparing(Entry::at));
    return List.copyOf(entries);
  }

  private List<Entry> moves(VersionId version) {
    List<Entry> entries = new ArrayList<>();
    for (Alias alias : Alias.values()) {
      for (AliasMove move : store.history(store.version(version).name(), alias)) {
        if (version.equals(move.to()) || version.equals(move.from())) {
          entries.add(new Entry(move.at(), words(move, version)));
        }
      }
    }
    return entries;
  }

  /** What happened after a report, a sentence each; its own verdict is no news. */
  public List<String> since(VersionId version, Evidence report) {
    List<Entry> entries = new ArrayList<>(moves(version));
    for (Evidence evidence : store.evidence(version)) {
      if (evidence.sequence() > report.sequence() + FILED_WITH_IT) {
        describe(evidence).ifPresent(words -> entries.add(new Entry(evidence.at(), words)));
      }
    }
    return entries.stream()
        .filter(entry -> entry.at().isAfter(report.at()))
        .sorted(Comparator.comparing(Entry::at))
        .map(Entry::line)
        .toList();
  }

  /** When it first answered people, as champion or challenger; empty where it never did. */
  public Optional<Instant> released(VersionId version) {
    String name = store.version(version).name();
    return List.of(Alias.CHAMPION, Alias.CHALLENGER).stream()
        .flatMap(alias -> store.history(name, alias).stream())
        .filter(move -> version.equals(move.to()))
        .map(AliasMove::at)
        .min(Comparator.naturalOrder());
  }

  /** The overrides by which it got on without the verdict {@code pass}. */
  public List<String> overrides(VersionId version) {
    return store.evidence(version).stream()
        .filter(evidence -> evidence.kind() == EvidenceKind.OVERRIDE)
        .map(evidence -> new Entry(evidence.at(), override(evidence)).line())
        .toList();
  }

  private Optional<String> describe(Evidence evidence) {
    GateVerdict verdict = evidence.verdict();
    return switch (evidence.kind()) {
      case VERDICT ->
          Optional.of("the gate said " + (verdict == null ? "nothing" : verdict.word()));
      case OVERRIDE -> Optional.of(override(evidence));
      case SIGNATURE -> Optional.of(evidence.who() + " signed it");
      case REPORT, REWARD_REPORT, MODEL_CARD -> Optional.empty();
    };
  }

  private String override(Evidence evidence) {
    JsonNode content = read(evidence);
    return "%s made it %s without a verdict of pass, because: %s"
        .formatted(
            evidence.who(), content.path("alias").asText("?"), content.path("reason").asText("?"));
  }

  private JsonNode read(Evidence evidence) {
    try {
      return new ObjectMapper().readTree(store.content(evidence));
    } catch (IOException e) {
      throw new UncheckedIOException("an override that is no JSON", e);
    }
  }

  private static String words(AliasMove move, VersionId version) {
    String alias = move.alias().word();
    String how = move.rollback() ? " by taking the last move back" : "";
    String what =
        version.equals(move.to())
            ? "became the " + alias + how
            : "stopped being the "
                + alias
                + how
                + (move.to() == null ? "" : "; " + move.to() + " is it now");
    return "%s, by %s: %s".formatted(what, move.who(), move.why());
  }
}
