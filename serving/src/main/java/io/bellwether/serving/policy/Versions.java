package io.bellwether.serving.policy;

import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.LivePolicy;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.serving.experiment.Arm;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The versions that can answer now on each surface, side by side: the champion, and those that
 * experiments pinned. Swapped by reference: a request that holds a version keeps it to its end, and
 * a version that is let go closes after its last use. Owns the open scorers. Thread-safe for any
 * number of requests and one loader.
 */
@Singleton
public final class Versions {

  private final Map<String, Shelf> shelves = new HashMap<>();

  /** One surface's reference, swapped by the loader alone. */
  private static final class Shelf {
    private volatile Open open = Open.NOTHING;
  }

  /**
   * What is open on one surface.
   *
   * @param champion the version that answers by default, one of the loaded; null while there is
   *     none
   * @param loaded by version
   * @param refused wanted and not loaded, since that failed
   */
  private record Open(@Nullable String champion, Map<String, Loaded> loaded, Set<String> refused) {

    static final Open NOTHING = new Open(null, Map.of(), Set.of());

    boolean settled(String version) {
      return loaded.containsKey(version) || refused.contains(version) || needsNoGraph(version);
    }
  }

  /** A version that is warm, and what it explores with. */
  private record Loaded(String version, LivePolicy policy, Exploration exploration) {

    Optional<Held> acquire() {
      return policy.acquire().map(use -> new Held(use, exploration));
    }
  }

  /**
   * A version that one request holds, to be closed after use. Confined to one thread.
   *
   * @param use the version and its scorer
   * @param exploration as its manifest says, otherwise as the surface declares
   */
  public record Held(LivePolicy.Use use, Exploration exploration) implements AutoCloseable {

    /** The id of the version. */
    public String version() {
      return use.version();
    }

    /** The version's scorer, open until this is closed. */
    public Scorer scorer() {
      return use.scorer();
    }

    @Override
    public void close() {
      use.close();
    }
  }

  Versions(Surfaces surfaces) {
    surfaces.all().forEach(surface -> shelves.put(surface.name(), new Shelf()));
  }

  /** Last of all: requests in flight still hold versions. */
  void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) {
    for (Shelf shelf : shelves.values()) {
      Open last = shelf.open;
      shelf.open = Open.NOTHING;
      last.loaded().values().forEach(this::close);
    }
  }

  /** The champion of a surface, to be closed after use; empty while there is none. */
  public Optional<Held> acquire(DeclaredSurface surface) {
    while (true) {
      Open now = of(surface).open;
      Loaded loaded = now.champion() == null ? null : now.loaded().get(now.champion());
      if (loaded == null) {
        return Optional.empty();
      }
      Optional<Held> held = loaded.acquire();
      if (held.isPresent()) {
        return held;
      }
      // It was let go between the two looks, and there is another by now.
    }
  }

  /** A version of a surface, to be closed after use; empty where it is not loaded. */
  public Optional<Held> acquire(DeclaredSurface surface, String version) {
    Loaded loaded = of(surface).open.loaded().get(version);
    return loaded == null ? Optional.empty() : loaded.acquire();
  }

  /**
   * Whether a version was looked for: it is loaded, or could not be. Before that nobody can tell
   * whether it will answer.
   */
  public boolean settled(DeclaredSurface surface, String version) {
    return of(surface).open.settled(version);
  }

  /** Whether a version is loaded, for which it was found fit to serve. */
  public boolean isLoaded(DeclaredSurface surface, String version) {
    return of(surface).open.loaded().containsKey(version);
  }

  /** Whether all of what an experiment pinned was looked for; not everything needs a graph. */
  public boolean settled(DeclaredSurface surface, Collection<String> pinned) {
    Open now = of(surface).open;
    for (String version : pinned) {
      if (!now.settled(version)) {
        return false;
      }
    }
    return true;
  }

  /** How a surface explores by its declaration. */
  public static Exploration declared(DeclaredSurface surface) {
    var declared = surface.surface().exploration();
    return new Exploration(declared.temperature(), declared.uniform(), declared.minPropensity());
  }

  /** The id of the version that answers by default; empty while there is none. */
  public Optional<String> champion(DeclaredSurface surface) {
    return Optional.ofNullable(of(surface).open.champion());
  }

  /** Whether a word of an experiment names no version, but who needs none. */
  static boolean needsNoGraph(String version) {
    return version.equals(Arm.UNIFORM) || version.equals(Arm.AS_GIVEN);
  }

  /** The ids of all versions that are loaded for a surface. */
  Set<String> loaded(DeclaredSurface surface) {
    return of(surface).open.loaded().keySet();
  }

  /** Warms a version up and puts it beside the others; where the warm-up fails, nothing changes. */
  void add(
      DeclaredSurface surface, String version, Scorer scorer, @Nullable Exploration exploration) {
    LivePolicy policy = new LivePolicy();
    policy.replace(version, scorer);
    Open now = of(surface).open;
    Map<String, Loaded> loaded = new HashMap<>(now.loaded());
    loaded.put(
        version,
        new Loaded(version, policy, exploration == null ? declared(surface) : exploration));
    swap(surface, now.champion(), loaded, without(now.refused(), version));
  }

  /** Notes that a version cannot be loaded. */
  void refuse(DeclaredSurface surface, String version) {
    Open now = of(surface).open;
    Set<String> refused = new HashSet<>(now.refused());
    refused.add(version);
    swap(surface, now.champion(), now.loaded(), refused);
  }

  /** Makes a loaded version the one that answers by default, or with null takes it away. */
  void crown(DeclaredSurface surface, @Nullable String version) {
    Open now = of(surface).open;
    if (version != null && !now.loaded().containsKey(version)) {
      throw new IllegalArgumentException(version + " is not loaded for " + surface.name());
    }
    swap(surface, version, now.loaded(), now.refused());
  }

  /** Lets go of all versions but these and the champion. */
  void retain(DeclaredSurface surface, Set<String> wanted) {
    Open now = of(surface).open;
    Map<String, Loaded> kept = new HashMap<>();
    List<Loaded> let = new ArrayList<>();
    now.loaded()
        .forEach(
            (version, loaded) -> {
              if (wanted.contains(version) || version.equals(now.champion())) {
                kept.put(version, loaded);
              } else {
                let.add(loaded);
              }
            });
    Set<String> refused = new HashSet<>(now.refused());
    refused.retainAll(wanted);
    if (let.isEmpty() && refused.size() == now.refused().size()) {
      return;
    }
    swap(surface, now.champion(), kept, refused);
    let.forEach(this::close);
  }

  private void swap(
      DeclaredSurface surface,
      @Nullable String champion,
      Map<String, Loaded> loaded,
      Set<String> refused) {
    of(surface).open = new Open(champion, Map.copyOf(loaded), Set.copyOf(refused));
  }

  private static Set<String> without(Set<String> versions, String version) {
    Set<String> rest = new HashSet<>(versions);
    rest.remove(version);
    return rest;
  }

  private void close(Loaded loaded) {
    loaded.policy().close();
  }

  private Shelf of(DeclaredSurface surface) {
    Shelf found = shelves.get(surface.name());
    if (found == null) {
      throw new IllegalArgumentException("not a declared surface: " + surface.name());
    }
    return found;
  }
}
