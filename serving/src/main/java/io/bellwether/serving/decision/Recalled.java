package io.bellwether.serving.decision;

import java.util.Map;
import java.util.Optional;

/**
 * What Redis gave for a request. The arrays are not copied.
 *
 * @param available whether Redis answered in time
 * @param values by key
 */
record Recalled(boolean available, Map<String, byte[]> values) {

  /** Nothing was asked for, so nothing is missing. */
  static final Recalled NOTHING = new Recalled(true, Map.of());

  /** Redis is away. */
  static final Recalled UNAVAILABLE = new Recalled(false, Map.of());

  Optional<byte[]> get(String key) {
    return Optional.ofNullable(values.get(key));
  }
}
