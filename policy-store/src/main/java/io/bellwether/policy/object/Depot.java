package io.bellwether.policy.object;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Where a policy store has its bytes: values under names such as {@code objects/ab/abcd…}, whole or
 * not there at all. A folder is one, a bucket of an S3-compatible store another.
 *
 * <p>Whatever {@link #create} and {@link #put} wrote is durable when they return, and is seen at
 * once by every reader in every process. Names are relative, their parts are letters, digits, dots,
 * hyphens and underscores, and begin with no dot. Thread-safe. Every call throws {@link
 * java.io.UncheckedIOException} where the depot cannot be reached; a write that throws may have
 * been done all the same.
 */
public interface Depot {

  /** The bytes under a name; empty where there are none. */
  Optional<byte[]> read(String name);

  /** What is known of the value under a name without reading it; empty where there is none. */
  Optional<Stored> find(String name);

  /**
   * Writes the value unless there is one of that name: of any number of callers in any number of
   * processes one wins, and is told so.
   */
  boolean create(String name, byte[] bytes);

  /** Writes the value, in place of one that may be there. */
  void put(String name, byte[] bytes);

  /** Removes the value; does nothing where there is none. */
  void delete(String name);

  /**
   * All values whose names begin with {@code folder + "/"}, at any depth, in the order of their
   * names. What is written or removed meanwhile may or may not be among them.
   */
  List<Stored> list(String folder);

  /** The names of the folders in a folder, without what is in front of them, in order. */
  List<String> folders(String folder);

  /** The names of the outermost folders, in order. */
  List<String> folders();

  /**
   * A value's name, size and age. Immutable.
   *
   * @param name whole
   * @param size bytes
   * @param writtenAt when the value was last written, by the depot's own clock
   */
  record Stored(String name, long size, Instant writtenAt) {}
}
