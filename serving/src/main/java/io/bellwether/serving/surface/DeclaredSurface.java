package io.bellwether.serving.surface;

import io.bellwether.ingestion.feature.FeatureEncoder;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;

/**
 * A surface with everything that is derived from its declaration. Immutable and thread-safe.
 *
 * @param surface the declaration
 * @param layout which column of an encoded row holds what
 * @param context encodes a request's context
 * @param item encodes an item
 */
public record DeclaredSurface(
    Surface surface, FeatureLayout layout, FeatureEncoder context, FeatureEncoder item) {

  /** Derives everything from a declaration. */
  public static DeclaredSurface of(Surface surface) {
    return new DeclaredSurface(
        surface,
        FeatureLayout.of(surface),
        new FeatureEncoder(surface.context()),
        new FeatureEncoder(surface.item()));
  }

  public String name() {
    return surface.name();
  }
}
