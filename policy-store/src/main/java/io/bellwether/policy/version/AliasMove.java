package io.bellwether.policy.version;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One move of an alias, and so its value until the next one. Immutable.
 *
 * @param sequence of the move among those of its policy and alias, from 1 without gaps; the only
 *     thing that orders moves
 * @param name of the policy
 * @param alias that moved
 * @param from the version before, absent where there was none
 * @param to the version after, absent where the alias was taken away
 * @param rollback whether the move took the latest one back
 * @param who moved it
 * @param why in words
 * @param at for people to read
 */
public record AliasMove(
    long sequence,
    String name,
    Alias alias,
    @Nullable VersionId from,
    @Nullable VersionId to,
    boolean rollback,
    String who,
    String why,
    Instant at) {

  public AliasMove {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(alias, "alias");
    Objects.requireNonNull(at, "at");
    if (sequence < 1) {
      throw new IllegalArgumentException("a move with the number " + sequence);
    }
    if (who.isBlank() || why.isBlank()) {
      throw new IllegalArgumentException(
          "a move needs who and why, found '%s' and '%s'".formatted(who, why));
    }
  }

  /** The version to which the alias points after this move. */
  public Optional<VersionId> version() {
    return Optional.ofNullable(to);
  }

  /** The move as JSON. */
  public byte[] toBytes() {
    return CanonicalJson.write(this);
  }

  /** Reads what {@link #toBytes} gave. */
  public static AliasMove fromBytes(byte[] bytes) {
    return CanonicalJson.read(bytes, AliasMove.class);
  }
}
