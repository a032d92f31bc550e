package io.bellwether.serving.policy;

import io.bellwether.policy.scoring.Scorer;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.util.Set;

/** Versions of tests. */
public final class VersionsFixture {

  private VersionsFixture() {}

  /** No surface has a champion. */
  public static Versions none(Surfaces surfaces) {
    return new Versions(surfaces);
  }

  /** Loads a version that explores as the surface declares. */
  public static void add(
      Versions versions, DeclaredSurface surface, String version, Scorer scorer) {
    versions.add(surface, version, scorer, null);
  }

  /** Makes a loaded version the champion. */
  public static void crown(Versions versions, DeclaredSurface surface, String version) {
    versions.crown(surface, version);
  }

  /** Notes that a version cannot be loaded. */
  public static void refuse(Versions versions, DeclaredSurface surface, String version) {
    versions.refuse(surface, version);
  }

  /** Lets go of all versions but the champion. */
  public static void clear(Versions versions, DeclaredSurface surface) {
    versions.retain(surface, Set.of());
  }
}
