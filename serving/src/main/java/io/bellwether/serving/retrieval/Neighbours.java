package io.bellwether.serving.retrieval;

import io.bellwether.serving.surface.DeclaredSurface;
import java.util.Optional;

/** Who knows what is nearest to a request. Thread-safe. */
interface Neighbours {

  /**
   * The index to ask for a version, held until it is released: its own, or while it has none the
   * champion's, or that of the champion before; empty where nothing is built.
   */
  Optional<NearestItems> hold(DeclaredSurface surface, String version);

  /** Notes what was asked, to measure by. */
  void asked(DeclaredSurface surface, float[] context, float[] history);
}
