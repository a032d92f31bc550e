package io.bellwether.policy.object;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Records that are appended and never change: one file per record, {@code {sequence}.json},
 * numbered from 1 without gaps. A record's number decides its order; no clock does.
 *
 * <p>Creating record {@code n + 1} is a compare-and-set on "the latest record is {@code n}": of any
 * number of writers, in any number of processes that share the folder, exactly one succeeds.
 * Readers see whole records only. Thread-safe. The file system must have hard links.
 */
public final class Journal {

  private static final Pattern RECORD = Pattern.compile("(\\d{8,})\\.json");

  private final Path folder;
  private final DurableFile files;

  /**
   * The journal in a folder, which the first append makes.
   *
   * @param temporaryFolder for half-written files, on the same file system
   */
  public Journal(Path folder, Path temporaryFolder) {
    this.folder = folder;
    files = new DurableFile(temporaryFolder);
  }

  /** The number of the latest record, 0 while there is none. */
  public long last() {
    try (Stream<Path> found = Files.list(folder)) {
      long last = found.mapToLong(Journal::sequenceOf).max().orElse(0);
      // A listing may or may not hold what was created while it ran.
      while (Files.exists(fileOf(last + 1))) {
        last++;
      }
      return last;
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder, e);
    }
  }

  /** The record of this number. */
  public byte[] read(long sequence) {
    try {
      return Files.readAllBytes(fileOf(sequence));
    } catch (NoSuchFileException e) {
      throw new CorruptObjectException("record " + fileOf(sequence) + " is missing");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + fileOf(sequence), e);
    }
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
    if (sequence < 1 || (sequence > 1 && !Files.exists(fileOf(sequence - 1)))) {
      throw new IllegalArgumentException(
          "record %d of %s would leave a gap, the latest is %d"
              .formatted(sequence, folder, last()));
    }
    try {
      return files.create(fileOf(sequence), record);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + fileOf(sequence), e);
    }
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

  private Path fileOf(long sequence) {
    return folder.resolve("%08d.json".formatted(sequence));
  }

  private static long sequenceOf(Path file) {
    Matcher name = RECORD.matcher(file.getFileName().toString());
    return name.matches() ? Long.parseLong(name.group(1)) : 0;
  }
}
