package io.bellwether.infra.command;

import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.VersionId;
import org.jspecify.annotations.Nullable;

/** A move of an alias in a few words. */
final class MoveLine {
  private MoveLine() {}

  static String of(AliasMove move) {
    return "%s %d: %s -> %s"
        .formatted(move.alias().word(), move.sequence(), word(move.from()), word(move.to()));
  }

  private static String word(@Nullable VersionId version) {
    return version == null ? "none" : version.value();
  }
}
