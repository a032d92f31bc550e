package io.bellwether.policy.version;

import org.jspecify.annotations.Nullable;

/**
 * A wish to move an alias. Immutable.
 *
 * @param name of the policy
 * @param alias to be moved
 * @param expected the version to which the alias must point now, absent for none
 * @param version to which it shall point, absent to take the alias away
 * @param who asks, not blank
 * @param why in words, not blank
 * @param override the reason to move without the verdict {@code pass}; kept as evidence, absent
 *     where the verdict is to decide
 */
public record MoveRequest(
    String name,
    Alias alias,
    @Nullable VersionId expected,
    @Nullable VersionId version,
    String who,
    String why,
    @Nullable String override) {

  public MoveRequest {
    PolicyManifest.checkName(name);
    if (override != null && override.isBlank()) {
      throw new IllegalArgumentException("an override needs a reason, found a blank one");
    }
  }
}
