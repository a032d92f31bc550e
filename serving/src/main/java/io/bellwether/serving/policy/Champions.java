package io.bellwether.serving.policy;

import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.LivePolicy;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The version that answers now on each surface. Swapped by reference: a request that holds a
 * version keeps it to its end, and the next one gets the new version. Owns the open scorers.
 * Thread-safe.
 */
@Singleton
public final class Champions {

  private final Map<String, LivePolicy> live = new HashMap<>();

  /**
   * What each loaded version explores with; a few numbers per version, kept for requests in flight.
   */
  private final Map<String, Exploration> explorations = new ConcurrentHashMap<>();

  private final Map<String, String> versions = new ConcurrentHashMap<>();

  Champions(Surfaces surfaces) {
    surfaces.all().forEach(surface -> live.put(surface.name(), new LivePolicy()));
  }

  /** Last of all: requests in flight still hold versions. */
  void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) {
    live.values().forEach(LivePolicy::close);
  }

  /** The version that answers on a surface, to be closed after use; empty while there is none. */
  public Optional<LivePolicy.Use> acquire(DeclaredSurface surface) {
    return policy(surface).acquire();
  }

  /** How a version explores: as its manifest says, otherwise as the surface declares. */
  public Exploration exploration(DeclaredSurface surface, String version) {
    return explorations.getOrDefault(version, declared(surface));
  }

  /** How a surface explores by its declaration. */
  public static Exploration declared(DeclaredSurface surface) {
    var declared = surface.surface().exploration();
    return new Exploration(declared.temperature(), declared.uniform(), declared.minPropensity());
  }

  /** The id of the version that answers on a surface; empty while there is none. */
  public Optional<String> version(DeclaredSurface surface) {
    return Optional.ofNullable(versions.get(surface.name()));
  }

  /** Warms a version up and puts it in place; where the warm-up fails, the old one stays. */
  void replace(
      DeclaredSurface surface, String version, Scorer scorer, @Nullable Exploration exploration) {
    if (exploration != null) {
      explorations.put(version, exploration);
    }
    policy(surface).replace(version, scorer);
    versions.put(surface.name(), version);
  }

  /** Takes the version away: the surface explores uniformly. */
  void clear(DeclaredSurface surface) {
    policy(surface).clear();
    versions.remove(surface.name());
  }

  private LivePolicy policy(DeclaredSurface surface) {
    LivePolicy policy = live.get(surface.name());
    if (policy == null) {
      throw new IllegalArgumentException("not a declared surface: " + surface.name());
    }
    return policy;
  }
}
