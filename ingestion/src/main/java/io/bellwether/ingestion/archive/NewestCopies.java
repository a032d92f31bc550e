package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which transition counts of those decisions of a day that have several. Most have one: of these
 * nothing is kept. Mutable and confined to one thread.
 */
final class NewestCopies {

  static final NewestCopies NONE = new NewestCopies(Map.of());

  private final Map<String, Copy> copies;
  private final Set<String> given = new HashSet<>();

  private NewestCopies(Map<String, Copy> copies) {
    this.copies = copies;
  }

  /** Looks through the files of a day. */
  static NewestCopies of(List<Path> files) throws IOException {
    if (files.size() == 1 && ArchiveLayout.isCompacted(files.get(0).getFileName().toString())) {
      return NONE;
    }
    Hashes hashes = new Hashes();
    for (Path file : files) {
      Parquet.forEachKey(file, (id, copy) -> hashes.add(hash(id)));
    }
    long[] several = hashes.several();
    if (several.length == 0) {
      return NONE;
    }
    Map<String, Copy> copies = new HashMap<>();
    for (Path file : files) {
      Parquet.forEachKey(
          file,
          (id, copy) -> {
            if (Arrays.binarySearch(several, hash(id)) >= 0) {
              copies.merge(id, copy, (a, b) -> a.compareTo(b) >= 0 ? a : b);
            }
          });
    }
    return new NewestCopies(copies);
  }

  /**
   * Whether a transition is to be read.
   *
   * @param once of copies that are equally new only the first
   */
  boolean counts(Transition row, boolean once) {
    if (copies.isEmpty()) {
      return true;
    }
    String id = row.getDecision().getDecisionId();
    Copy newest = copies.get(id);
    if (newest == null) {
      return true;
    }
    return newest.equals(Copy.of(row)) && (!once || given.add(id));
  }

  private static long hash(String id) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * 0x100000001B3L;
    }
    return hash;
  }

  /** Hashes of ids, eight bytes each. */
  private static final class Hashes {
    private long[] values = new long[1024];
    private int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    /** Those that were added more than once, in order. */
    long[] several() {
      Arrays.sort(values, 0, size);
      int count = 0;
      for (int i = 1; i < size; i++) {
        boolean again = values[i] == values[i - 1];
        if (again && (count == 0 || values[count - 1] != values[i])) {
          values[count++] = values[i];
        }
      }
      return Arrays.copyOf(values, count);
    }
  }
}
