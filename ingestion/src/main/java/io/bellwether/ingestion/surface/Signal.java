package io.bellwether.ingestion.surface;

import java.time.Duration;

/**
 * A kind of reaction.
 *
 * @param name as outcomes name it
 * @param type {@code FLAG} (0 or 1) or {@code NUMBER}
 * @param min smallest accepted value
 * @param max largest accepted value
 * @param window how long after its decision an outcome may happen and still count, in event time
 * @param aggregate how several outcomes of one decision and item become one value
 */
public record Signal(
    String name, Type type, double min, double max, Duration window, Aggregate aggregate) {

  /** What values a signal takes. */
  public enum Type {
    FLAG,
    NUMBER
  }

  /** Independent of the order of arrival; first and last go by event time, then outcome id. */
  public enum Aggregate {
    SUM,
    MAX,
    FIRST,
    LAST
  }
}
