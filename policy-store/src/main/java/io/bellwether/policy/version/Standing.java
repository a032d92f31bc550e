package io.bellwether.policy.version;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a policy stands at one moment. Immutable.
 *
 * @param name of the policy
 * @param aliases the version by alias; only those that point somewhere
 * @param pinned the version that answers by default whatever the champion is; absent where the
 *     champion does
 * @param frozen whether nothing may be moved or pinned
 * @param approvals the aliases that move only with a second person's approval
 */
public record Standing(
    String name,
    Map<Alias, VersionId> aliases,
    @Nullable VersionId pinned,
    boolean frozen,
    Set<Alias> approvals) {

  public Standing {
    aliases = Map.copyOf(aliases);
    approvals = Set.copyOf(approvals);
  }

  /** The version that answers by default: the pinned one, or the champion. */
  public Optional<VersionId> serving() {
    return pinned == null ? Optional.ofNullable(aliases.get(Alias.CHAMPION)) : Optional.of(pinned);
  }

  /** The version to which an alias points. */
  public Optional<VersionId> alias(Alias alias) {
    return Optional.ofNullable(aliases.get(alias));
  }
}
