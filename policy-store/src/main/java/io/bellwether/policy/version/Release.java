package io.bellwether.policy.version;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the release log: who did what to which policy, when and why. Immutable. What belongs
 * to other kinds of entries is absent.
 *
 * @param sequence among all entries, from 1 without gaps; the only thing that orders them
 * @param previous SHA-256 of the entry before as it is stored, signature and all; empty for the
 *     first. So each entry holds fast to all that is before it
 * @param nonce different in each entry, by which a writer knows its own
 * @param kind what was done
 * @param name of the policy; absent for what concerns all
 * @param move what is or shall be moved: {@code MOVED}, {@code PROPOSED}, {@code APPROVED}
 * @param version that was pinned
 * @param approvals the aliases that need a second person from now on: {@code RULED}, or {@code
 *     PROPOSED} and {@code APPROVED} where it makes them fewer
 * @param proposal the entry that was {@code APPROVED} or {@code DECLINED}
 * @param moves all earlier moves, with which the log has {@code BEGUN}
 * @param evidence SHA-256 of the verdict or override on which a move rests
 * @param who did it
 * @param why in words
 * @param at for people, and for "as of"
 */
public record Release(
    long sequence,
    String previous,
    String nonce,
    ReleaseKind kind,
    @Nullable String name,
    @Nullable AliasMove move,
    @Nullable VersionId version,
    @Nullable List<Alias> approvals,
    @Nullable Long proposal,
    @Nullable List<AliasMove> moves,
    @Nullable String evidence,
    String who,
    String why,
    Instant at) {

  public Release {
    Objects.requireNonNull(previous, "previous");
    Objects.requireNonNull(nonce, "nonce");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(at, "at");
    if (sequence < 1) {
      throw new IllegalArgumentException("a release with the number " + sequence);
    }
    if (who.isBlank() || why.isBlank()) {
      throw new IllegalArgumentException(
          "a release needs who and why, found '%s' and '%s'".formatted(who, why));
    }
    approvals = approvals == null ? null : List.copyOf(approvals);
    moves = moves == null ? null : List.copyOf(moves);
  }

  /** The alias's move that this entry made; empty where it only asked for one, or made none. */
  public Optional<AliasMove> made() {
    return kind == ReleaseKind.MOVED || kind == ReleaseKind.APPROVED
        ? Optional.ofNullable(move)
        : Optional.empty();
  }

  /** Whether it concerns this policy. */
  public boolean concerns(String policy) {
    return name == null || name.equals(policy);
  }

  /** The entry as JSON. */
  public byte[] toBytes() {
    return CanonicalJson.write(this);
  }

  static Release fromBytes(byte[] bytes) {
    return CanonicalJson.read(bytes, Release.class);
  }
}
