package io.bellwether.loadtest.people;

import java.util.Locale;

/** What a simulated person reports about one decision. */
public enum Signal {
  /** Seconds watched, at least 0; ten times the main reward of the specification. */
  WATCH_SECONDS(0),
  CLICK(1),
  LIKE(2),
  FOLLOW(3),
  COMMENT(4),
  FORWARD(5),
  HATE(6),
  /** The session ended here because the person left. */
  LEAVE(7);

  static final int COUNT = 8;

  private final int index;

  Signal(int index) {
    this.index = index;
  }

  /** The k of the simulator's specification, 0 to 6; {@link #LEAVE}, which has none there, is 7. */
  public int index() {
    return index;
  }

  /** The name under which the surface declares the signal. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the signal either happens (1) or does not (0). */
  public boolean isFlag() {
    return this != WATCH_SECONDS;
  }
}
