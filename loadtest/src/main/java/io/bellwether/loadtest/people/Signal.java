package io.bellwether.loadtest.people;

import java.util.Locale;

/**
 * What a simulated person reports about one decision. The ordinal is the index k of the signal in
 * the simulator's specification; {@link #LEAVE} follows the seven of its table.
 */
public enum Signal {
  /** Seconds watched, at least 0; ten times the main reward of the specification. */
  WATCH_SECONDS,
  CLICK,
  LIKE,
  FOLLOW,
  COMMENT,
  FORWARD,
  HATE,
  /** The session ended here because the person left. */
  LEAVE;

  private static final Signal[] ALL = values();

  static final int COUNT = ALL.length;

  /** The name under which the surface declares the signal. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the signal either happens (1) or does not (0). */
  public boolean isFlag() {
    return this != WATCH_SECONDS;
  }

  static Signal at(int ordinal) {
    return ALL[ordinal];
  }
}
