package io.bellwether.serving.retrieval;

import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Retrieval for tests of other packages; nothing is popular, and nobody knows neighbours. */
public final class RetrievalFixture {

  private RetrievalFixture() {}

  public static Popularity popularity(Surfaces surfaces) {
    return new Popularity(surfaces, Clock.systemUTC());
  }

  /** Retrieval among the items of a catalogue. */
  public static Retrieval retrieval(Surfaces surfaces, Catalogue catalogue) {
    return new Retrieval(
        surfaces, catalogue, new One(null), popularity(surfaces), Clock.systemUTC());
  }

  /** The same index for everybody, or none. */
  record One(@Nullable NearestItems index) implements Neighbours {

    @Override
    public Optional<NearestItems> hold(DeclaredSurface surface, String version) {
      return Optional.ofNullable(index).filter(NearestItems::hold);
    }

    @Override
    public void asked(DeclaredSurface surface, float[] context, float[] history) {}
  }
}
