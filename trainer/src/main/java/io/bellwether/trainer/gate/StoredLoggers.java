package io.bellwether.trainer.gate;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.UnknownVersionException;
import io.bellwether.policy.version.VersionId;
import java.util.Optional;

/**
 * Loggers that are versions of a store and take the surface's features.
 *
 * @param store that may have them
 * @param surface whose exploration they are asked with
 */
public record StoredLoggers(PolicyStore store, Surface surface) implements LoggingPolicies {

  @Override
  public Optional<TargetPolicy> open(String version) {
    try {
      return Optional.of(ScoredTarget.open(store, new VersionId(version), surface));
    } catch (UnknownVersionException | IllegalArgumentException e) {
      // no version, not of this store, or of other features: it cannot be asked
      return Optional.empty();
    }
  }
}
