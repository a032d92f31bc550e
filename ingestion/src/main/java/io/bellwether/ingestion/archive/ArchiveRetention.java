package io.bellwether.ingestion.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes the days of an archive that are older than it is to be. A day goes as a whole. */
public final class ArchiveRetention {

  /** Of a day that is being removed. */
  private static final String EXPIRED = ".expired-";

  /** A file that nobody has written to for so long belongs to a job that is gone. */
  private static final Duration ABANDONED = Duration.ofDays(7);

  private final Path root;
  private final Clock clock;

  public ArchiveRetention(Path root, Clock clock) {
    this.root = root;
    this.clock = clock;
  }

  /**
   * A day that is too old.
   *
   * @param files finished ones
   * @param bytes of all its files
   * @param kept whether it stays for now, since somebody is writing to it
   */
  public record Expired(String surface, LocalDate day, int files, long bytes, boolean kept) {}

  /**
   * Removes the days before a day.
   *
   * @param surfaces which; empty for all
   * @param dryRun to tell only what would go
   */
  public List<Expired> expire(List<String> surfaces, LocalDate before, boolean dryRun)
      throws IOException {
    List<Expired> all = new ArrayList<>();
    try (ArchiveLock lock = ArchiveLock.take(root, ArchiveLock.PATIENCE)) {
      for (String surface : DayFolder.surfaces(root)) {
        if (!surfaces.isEmpty() && !surfaces.contains(surface)) {
          continue;
        }
        if (!dryRun) {
          removeLeftBehind(root.resolve(ArchiveLayout.surfaceFolder(surface)));
        }
        for (DayFolder day : DayFolder.of(root, surface)) {
          if (day.day().isBefore(before)) {
            all.add(expire(day, dryRun));
          }
        }
      }
    }
    return all;
  }

  private Expired expire(DayFolder day, boolean dryRun) throws IOException {
    boolean kept = isWrittenTo(day);
    int files = 0;
    long bytes = 0;
    try (Stream<Path> entries = Files.list(day.path())) {
      for (Path file : entries.toList()) {
        files += ArchiveLayout.isFinished(file.getFileName().toString()) ? 1 : 0;
        bytes += Files.size(file);
      }
    }
    if (!kept && !dryRun) {
      Path hidden = day.path().resolveSibling(EXPIRED + day.day());
      Files.move(day.path(), hidden, StandardCopyOption.ATOMIC_MOVE);
      remove(hidden);
    }
    return new Expired(day.surface(), day.day(), files, bytes, kept);
  }

  private boolean isWrittenTo(DayFolder day) throws IOException {
    Instant abandoned = clock.instant().minus(ABANDONED);
    for (Path file : day.contents().inProgress()) {
      if (Files.getLastModifiedTime(file).toInstant().isAfter(abandoned)) {
        return true;
      }
    }
    return false;
  }

  private static void removeLeftBehind(Path surface) throws IOException {
    List<Path> left;
    try (Stream<Path> entries = Files.list(surface)) {
      left = entries.filter(each -> each.getFileName().toString().startsWith(EXPIRED)).toList();
    }
    for (Path each : left) {
      remove(each);
    }
  }

  private static void remove(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> entries = Files.walk(folder)) {
      all = entries.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }
}
