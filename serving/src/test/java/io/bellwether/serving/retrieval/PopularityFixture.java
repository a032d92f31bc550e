package io.bellwether.serving.retrieval;

import io.bellwether.serving.surface.Surfaces;
import java.time.Clock;
import java.util.Map;

/** Popularity for tests of other packages. */
public final class PopularityFixture {

  private PopularityFixture() {}

  /** Popularity in which these items have just had outcomes of a signal. */
  public static Popularity of(
      Surfaces surfaces, String signal, Map<String, Double> sums, Clock clock) {
    Popularity popularity = new Popularity(surfaces, clock);
    sums.forEach((item, sum) -> popularity.observe(signal, item, sum, clock.millis()));
    return popularity;
  }
}
