package io.bellwether.ingestion.wire;

import java.io.DataInput;
import java.io.IOException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Texts of which there are few, such as names of surfaces and signals: one object for all that are
 * read, so that state does not hold the same name a million times. Forgets what it has no room for.
 * Thread-safe.
 */
public final class Names implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final int ROOM = 256;

  /** Races lose a name, no more: texts are immutable. */
  private final @Nullable String[] known = new String[ROOM];

  /** A text that was written by {@link Wire#writeText}. */
  public String read(DataInput in) throws IOException {
    String text = Wire.readText(in);
    int hash = text.hashCode();
    int slot = (hash ^ hash >>> 16) & ROOM - 1;
    String same = known[slot];
    if (text.equals(same)) {
      return same;
    }
    known[slot] = text;
    return text;
  }
}
