package io.bellwether.trainer.survey;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which decisions have more than one transition, in constant memory: all that do, and a few that do
 * not. Confined to one thread while it is filled.
 */
public final class ContestedIds {

  /** 2 MiB: with 100,000 restated decisions fewer than one in a hundred is mistaken for one. */
  private static final int WORDS = 1 << 18;

  private final long[] bits;
  private boolean any;

  ContestedIds() {
    this.bits = new long[WORDS];
  }

  private ContestedIds(long[] bits) {
    this.bits = bits;
    for (long word : bits) {
      any |= word != 0;
    }
  }

  /** Adds the hash of a decision's id. */
  void add(long key) {
    bits[word(key)] |= 1L << key;
    any = true;
  }

  /** Whether a decision may have more than one transition. */
  public boolean mayHold(long key) {
    return any && (bits[word(key)] & 1L << key) != 0;
  }

  boolean isEmpty() {
    return !any;
  }

  private static int word(long key) {
    return (int) (key >>> 6) & WORDS - 1;
  }

  void write(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(WORDS * Long.BYTES);
    bytes.asLongBuffer().put(bits);
    Files.write(file, bytes.array());
  }

  /** As they were written. */
  public static ContestedIds read(Path file) throws IOException {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      long[] bits = new long[WORDS];
      ByteBuffer.wrap(in.readAllBytes()).asLongBuffer().get(bits);
      return new ContestedIds(bits);
    }
  }
}
