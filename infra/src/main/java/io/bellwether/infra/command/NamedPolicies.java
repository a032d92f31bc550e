package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a store as a command line names them: by id, or by an alias and a surface.
 *
 * @param surfaceName what {@code --surface} says, absent where it was not given
 */
record NamedPolicies(PolicyStore store, @Nullable String surfaceName) {

  /** The version that a word stands for. */
  VersionId version(String word, String option) {
    for (Alias alias : Alias.values()) {
      if (alias.word().equals(word)) {
        String name = surfaceNeeded(word);
        return store
            .alias(name, alias)
            .orElseThrow(
                () ->
                    CommandFailed.wrongInput(
                        "There is no " + word + " of " + name + ".",
                        "`./bellwether policies " + name + "` lists its versions."));
      }
    }
    VersionId version = versionId(word, option);
    String name = store.version(version).name();
    if (surfaceName != null && !surfaceName.equals(name)) {
      throw CommandFailed.wrongInput(
          version + " is a version of " + name + ", not of " + surfaceName + ".",
          "Leave --surface out: a version knows its own.");
    }
    return version;
  }

  /** What a policy is compared with; empty for the logging policy. */
  Optional<VersionId> baseline(String against, String surface, Optional<VersionId> target) {
    if (against.equals("logging")) {
      return Optional.empty();
    }
    if (against.equals(Alias.CHAMPION.word())) {
      return store.alias(surface, Alias.CHAMPION).filter(id -> !Optional.of(id).equals(target));
    }
    VersionId baseline = versionId(against, "--against");
    if (!store.version(baseline).name().equals(surface)) {
      throw CommandFailed.wrongInput(
          baseline + " is a version of " + store.version(baseline).name() + ".",
          "Compare with a version of " + surface + ".");
    }
    if (target.filter(baseline::equals).isPresent()) {
      throw CommandFailed.wrongInput(
          "--against names the policy itself.", "Compare it with champion or logging.");
    }
    return Optional.of(baseline);
  }

  /** The surface that {@code --surface} names, where a word does not say it. */
  String surfaceNeeded(String word) {
    if (surfaceName == null) {
      throw CommandFailed.wrongInput(
          "'" + word + "' alone does not say of which surface.", "Name it with --surface.");
    }
    return surfaceName;
  }

  /** The declaration of a version's surface. */
  Surface surface(VersionId version, SurfacesOption surfaces, Path data, Installation installation)
      throws Exception {
    return surfaces.named(store.version(version).name(), data, installation);
  }

  private static VersionId versionId(String text, String option) {
    try {
      return new VersionId(text);
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          option + ": " + e.getMessage() + ".",
          "`./bellwether policies` lists the versions that there are.");
    }
  }
}
