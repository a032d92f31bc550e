package io.bellwether.serving.fallback;

import io.bellwether.serving.retrieval.RetrievalFixture;
import io.bellwether.serving.surface.Surfaces;

/** Fallback chains for tests of other packages. */
public final class FallbackFixture {

  private FallbackFixture() {}

  /** The chain of services where nothing is popular yet. */
  public static FallbackChain chain(Surfaces surfaces) {
    return new FallbackChain(RetrievalFixture.popularity(surfaces));
  }
}
