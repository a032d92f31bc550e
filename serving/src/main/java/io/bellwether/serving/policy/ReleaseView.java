package io.bellwether.serving.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.Release;
import io.bellwether.policy.version.VersionId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the release log. What belongs to other kinds of entries is absent.
 *
 * @param policy absent for what concerns all
 * @param from the version before a move
 * @param to the version after it, or that was pinned
 * @param approvals the aliases that need a second person from then on
 * @param evidence SHA-256 of the verdict or override on which a move rests
 * @param previous SHA-256 of the entry before
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReleaseView(
    long sequence,
    String kind,
    @Nullable String policy,
    @Nullable String alias,
    @Nullable String from,
    @Nullable String to,
    @Nullable Boolean rollback,
    @Nullable List<String> approvals,
    @Nullable Long proposal,
    @Nullable String evidence,
    String who,
    String why,
    Instant at,
    String previous) {

  static ReleaseView of(Release release) {
    AliasMove move = release.move();
    List<Alias> ruled = release.approvals();
    return new ReleaseView(
        release.sequence(),
        release.kind().word(),
        release.name(),
        move == null ? null : move.alias().word(),
        move == null ? null : word(move.from()),
        word(move == null ? release.version() : move.to()),
        move == null ? null : move.rollback(),
        ruled == null ? null : ruled.stream().map(Alias::word).toList(),
        release.proposal(),
        release.evidence(),
        release.who(),
        release.why(),
        release.at(),
        release.previous());
  }

  private static @Nullable String word(@Nullable VersionId version) {
    return version == null ? null : version.value();
  }
}
