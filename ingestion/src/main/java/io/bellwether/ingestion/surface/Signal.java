package io.bellwether.ingestion.surface;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * A kind of reaction, or the lack of any. Immutable.
 *
 * @param name as outcomes name it
 * @param type {@code FLAG} (0 or 1) or {@code NUMBER}
 * @param min smallest accepted value
 * @param max largest accepted value
 * @param window how long after its decision an outcome may happen and still count, in event time
 * @param aggregate how several outcomes of one decision and item become one value
 * @param silenceOf the signals that it says did not happen: such a flag is 1 for each shown item
 *     without any of them when all windows are over, and nobody sends it; empty for what people do
 */
public record Signal(
    String name,
    Type type,
    double min,
    double max,
    Duration window,
    Aggregate aggregate,
    List<String> silenceOf)
    implements Serializable {

  public Signal {
    silenceOf = List.copyOf(silenceOf);
  }

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

  /** Whether it follows from what did not happen, instead of being sent. */
  public boolean isSilence() {
    return !silenceOf.isEmpty();
  }

  /** Whether an outcome may have this value. */
  public boolean accepts(double value) {
    boolean inRange = Double.isFinite(value) && min <= value && value <= max;
    return !isSilence() && inRange && (type != Type.FLAG || value == 0 || value == 1);
  }
}
