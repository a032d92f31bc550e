package io.bellwether.ingestion.session;

import io.bellwether.ingestion.surface.Surface;
import java.io.Serializable;
import java.time.Duration;

/**
 * How long a decision is kept after its transition was emitted, in event time, so that a late
 * outcome can restate it: twice the surface's longest window, and at least {@code least}.
 */
public record Retention(Duration least) implements Serializable {

  /** The retention of a surface's decisions. */
  public Duration of(Surface surface) {
    Duration twice = surface.longestWindow().multipliedBy(2);
    return twice.compareTo(least) > 0 ? twice : least;
  }
}
