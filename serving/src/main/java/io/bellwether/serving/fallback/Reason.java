package io.bellwether.serving.fallback;

import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.surface.Surface.Fallback;
import org.jspecify.annotations.Nullable;

/** Why an answer is less than full; the names are those that answers and logs carry. */
public enum Reason {
  /** The policy had no slate by the time that the request's deadline left it. */
  DEADLINE_EXCEEDED,
  /** The policy could not score. */
  MODEL_UNAVAILABLE,
  /** The subject's history could not be read in time. */
  FEATURES_UNAVAILABLE,
  /** Neither Kafka nor the spool took the decision, and the surface answers all the same. */
  LOG_UNAVAILABLE;

  /** The mark of an answer that its own policy gave. */
  public Degraded mark() {
    return new Degraded(name(), null);
  }

  /** The mark of an answer that somebody else gave. */
  public Degraded mark(Fallback fallback) {
    return new Degraded(name(), fallback.name());
  }

  /** Whether an answer is marked with this reason. */
  public boolean marks(@Nullable Degraded degraded) {
    return degraded != null && degraded.getReason().equals(name());
  }
}
