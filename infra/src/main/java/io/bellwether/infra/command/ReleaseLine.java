package io.bellwether.infra.command;

import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.Release;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An entry of the release log in a few words. */
final class ReleaseLine {
  private ReleaseLine() {}

  static String of(Release release) {
    return "%d  %s  %s  %s%s  by %s: %s"
        .formatted(
            release.sequence(),
            release.at(),
            release.name() == null ? "all" : release.name(),
            release.kind().word(),
            what(release),
            release.who(),
            release.why());
  }

  private static String what(Release release) {
    AliasMove move = release.move();
    List<Alias> approvals = release.approvals();
    List<AliasMove> moves = release.moves();
    StringBuilder what = new StringBuilder();
    if (release.proposal() != null) {
      what.append(" ").append(release.proposal()).append(",");
    }
    if (move != null) {
      what.append(" ").append(MoveLine.of(move)).append(move.rollback() ? ", taken back" : "");
    }
    if (release.version() != null) {
      what.append(" ").append(release.version());
    }
    if (approvals != null) {
      what.append(" approval for ").append(words(approvals));
    }
    if (moves != null) {
      what.append(" with ").append(moves.size()).append(" earlier moves");
    }
    return what.toString();
  }

  /** Aliases in words. */
  static String words(@Nullable List<Alias> aliases) {
    return aliases == null || aliases.isEmpty()
        ? "nothing"
        : aliases.stream().map(Alias::word).collect(Collectors.joining(", "));
  }
}
