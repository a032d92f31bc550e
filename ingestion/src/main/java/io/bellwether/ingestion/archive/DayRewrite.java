package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.io.LocalOutputFile;

/**
 * Puts one compacted file into the place of a day's files. Whoever is killed at any moment leaves
 * the old files in force, or the new one. The archive's lock is held by the caller.
 */
final class DayRewrite {

  /** Digits of the SHA-256 in a compacted file's name: it can be checked without a manifest. */
  static final int NAME_DIGITS = 32;

  private static final String LEFT_BEHIND = ".sorting";

  private final DayFolder day;
  private final Instant now;
  private final long memory;

  /**
   * @param memory bytes of rows that are held at once
   */
  DayRewrite(DayFolder day, Instant now, long memory) {
    this.day = day;
    this.now = now;
    this.memory = memory;
  }

  /**
   * Lists all files that are read now in the manifest, with their hashes.
   *
   * @return the manifest as it then is
   */
  Manifest seal() throws IOException {
    DayFolder.Contents contents = day.contents();
    List<ArchiveFile> files = new ArrayList<>();
    for (Path file : contents.visible()) {
      files.add(
          contents.listed(file).isPresent() ? contents.listed(file).get() : ArchiveFile.of(file));
    }
    Manifest sealed =
        new Manifest(
            day.surface(),
            day.day().toString(),
            files,
            contents.manifest().map(Manifest::replaced).orElse(List.of()));
    if (!contents.manifest().equals(Optional.of(sealed))) {
      sealed.write(day.path());
    }
    return sealed;
  }

  /**
   * Rewrites the files of a day as one in normal form, without the rows that are gone. The files
   * that it takes the place of stay on disk; {@link #sweep} removes them.
   *
   * @param kept rows that stay
   * @return rows of the new file
   * @throws IOException also where a file is not as it was when it was listed: damage is not to be
   *     handed on under a new hash
   */
  long rewrite(Predicate<Transition> kept) throws IOException {
    tidy();
    Manifest before = seal();
    List<Path> inputs = new ArrayList<>();
    for (ArchiveFile file : before.files()) {
      Path input = day.path().resolve(file.name());
      if (!ArchiveFile.sha256(input).equals(file.sha256())) {
        throw new IOException(
            input + " was altered after it was listed: its SHA-256 is no longer " + file.sha256());
      }
      inputs.add(input);
    }
    Path hidden = day.path().resolve(ArchiveLayout.COMPACTING);
    long rows = write(inputs, kept, hidden);
    List<ArchiveFile> files = List.of();
    if (rows > 0) {
      String name =
          ArchiveLayout.COMPACTED
              + ArchiveFile.sha256(hidden).substring(0, NAME_DIGITS)
              + ArchiveLayout.SUFFIX;
      Path finished = day.path().resolve(name);
      Durable.move(hidden, finished);
      files = List.of(ArchiveFile.of(finished));
    } else {
      Files.delete(hidden);
    }
    new Manifest(before.surface(), before.day(), files, replaced(before, files)).write(day.path());
    return rows;
  }

  private List<Manifest.Replaced> replaced(Manifest before, List<ArchiveFile> files) {
    Set<String> current = new HashSet<>();
    files.forEach(file -> current.add(file.name()));
    List<Manifest.Replaced> replaced = new ArrayList<>();
    for (Manifest.Replaced each : before.replaced()) {
      if (current.add(each.name())) {
        replaced.add(each);
      }
    }
    for (ArchiveFile each : before.files()) {
      if (current.add(each.name())) {
        replaced.add(new Manifest.Replaced(each.name(), now.toEpochMilli()));
      }
    }
    return replaced;
  }

  private long write(List<Path> inputs, Predicate<Transition> kept, Path hidden)
      throws IOException {
    Files.deleteIfExists(hidden);
    long[] count = new long[1];
    try (SortedRows sorted = new SortedRows(day.path(), memory)) {
      try (TransitionArchive.Transitions rows = TransitionArchive.readWithTies(inputs)) {
        while (rows.hasNext()) {
          Transition row = rows.next();
          if (kept.test(row)) {
            sorted.add(row);
          }
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      try (ParquetWriter<Transition> writer = ArchiveLayout.open(new LocalOutputFile(hidden))) {
        sorted.drain(
            row -> {
              writer.write(row);
              count[0]++;
            });
      }
    }
    return count[0];
  }

  /** Removes what rewrites that were killed have left: nobody has ever read it. */
  void tidy() throws IOException {
    try (Stream<Path> files = Files.list(day.path())) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith(LEFT_BEHIND)
            || name.equals(ArchiveLayout.COMPACTING)
            || name.startsWith("." + Manifest.FILE)) {
          Files.delete(file);
        }
      }
    }
    DayFolder.Contents contents = day.contents();
    Set<String> replaced = contents.manifest().map(Manifest::replacedNames).orElse(Set.of());
    for (Path file : contents.hidden()) {
      if (!replaced.contains(file.getFileName().toString())) {
        Files.delete(file);
      }
    }
  }

  /**
   * Removes files that were replaced before a time.
   *
   * @return how many
   */
  int sweep(Instant before) throws IOException {
    Optional<Manifest> manifest = Manifest.read(day.path());
    if (manifest.isEmpty()) {
      return 0;
    }
    List<Manifest.Replaced> left = new ArrayList<>();
    int removed = 0;
    for (Manifest.Replaced each : manifest.get().replaced()) {
      if (each.isOlderThan(before)) {
        removed += Files.deleteIfExists(day.path().resolve(each.name())) ? 1 : 0;
      } else {
        left.add(each);
      }
    }
    if (left.size() < manifest.get().replaced().size()) {
      Manifest of = manifest.get();
      new Manifest(of.surface(), of.day(), of.files(), left).write(day.path());
    }
    return removed;
  }
}
