package io.bellwether.policy.object;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Records that are appended and never change: one value per record, {@code {sequence}.json},
 * numbered from 1 without gaps. A record's number decides its order; no clock does.
 *
 * <p>Creating record {@code n + 1} is a compare-and-set on "the latest record is {@code n}": of any
 * number of writers, in any number of processes that share the depot, exactly one succeeds. Readers
 * see whole records only. Thread-safe.
 */
public final class Journal {

  private static final Pattern RECORD = Pattern.compile("(\\d{8,})\\.json");

  private final Depot depot;
  private final String folder;

  /** The journal in a folder of a depot, which the first append makes. */
  public Journal(Depot depot, String folder) {
    this.depot = depot;
    this.folder = folder;
  }

  /** The journal that is a folder on the disk. */
  public Journal(Path folder, Path temporaryFolder) {
    this(new FolderDepot(folderOf(folder), temporaryFolder), folder.getFileName().toString());
  }

  /** The number of the latest record, 0 while there is none. */
  public long last() {
    long last =
        depot.list(folder).stream().mapToLong(stored -> sequenceOf(stored.name())).max().orElse(0);
    // A listing may or may not hold what was created while it ran.
    while (last > 0 && depot.find(nameOf(last + 1)).isPresent()) {
      last++;
    }
    return last;
  }

  /** The record of this number. */
  public byte[] read(long sequence) {
    return depot
        .read(nameOf(sequence))
        .orElseThrow(() -> new CorruptObjectException("record " + where(sequence) + " is missing"));
  }

  /** All records, in their order. */
  public List<byte[]> readAll() {
    List<byte[]> records = new ArrayList<>();
    long last = last();
    for (long sequence = 1; sequence <= last; sequence++) {
      records.add(read(sequence));
    }
    return records;
  }

  /**
   * Appends the record if the latest one is number {@code sequence - 1}; durable on return.
   *
   * @return whether this call wrote it; {@code false} where the number is taken
   */
  public boolean append(long sequence, byte[] record) {
    if (sequence < 1 || (sequence > 1 && depot.find(nameOf(sequence - 1)).isEmpty())) {
      throw new IllegalArgumentException(
          "record %d of %s/%s would leave a gap, the latest is %d"
              .formatted(sequence, depot, folder, last()));
    }
    return depot.create(nameOf(sequence), record);
  }

  /** Appends the record after whatever is there, and returns its number. */
  public long append(LongFunction<byte[]> recordOfSequence) {
    while (true) {
      long sequence = last() + 1;
      if (append(sequence, recordOfSequence.apply(sequence))) {
        return sequence;
      }
    }
  }

  private String nameOf(long sequence) {
    return folder + "/" + String.format(Locale.ROOT, "%08d.json", sequence);
  }

  private String where(long sequence) {
    return depot + "/" + nameOf(sequence);
  }

  private long sequenceOf(String name) {
    Matcher record = RECORD.matcher(name.substring(folder.length() + 1));
    return record.matches() ? Long.parseLong(record.group(1)) : 0;
  }

  private static Path folderOf(Path file) {
    Path folder = file.getParent();
    if (folder == null) {
      throw new IllegalArgumentException("a journal without a folder around it: " + file);
    }
    return folder;
  }
}
