package io.bellwether.serving.deadletter;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a dead letter stands in its topic, which is its id: {@code partition-offset}. */
record LetterId(int partition, long offset) {

  private static final Pattern TEXT = Pattern.compile("(\\d{1,6})-(\\d{1,18})");

  /** Reads an id; empty for what is none. */
  static Optional<LetterId> read(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches()
        ? Optional.of(
            new LetterId(Integer.parseInt(parts.group(1)), Long.parseLong(parts.group(2))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return partition + "-" + offset;
  }
}
