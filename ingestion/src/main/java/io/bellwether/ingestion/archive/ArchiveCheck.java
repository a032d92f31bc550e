package io.bellwether.ingestion.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Whether an archive is what its manifests say, byte by byte. Files that no manifest lists yet are
 * read and can only be said to be readable.
 */
public final class ArchiveCheck {

  private final Path root;

  public ArchiveCheck(Path root) {
    this.root = root;
  }

  /** Something that is not as it should be. */
  public record Problem(Path file, String what) {}

  /**
   * What was found.
   *
   * @param files that are read
   * @param rows transitions in them, all revisions
   * @param listed files whose bytes the manifests know
   * @param problems none where every byte is as it was listed
   */
  public record Result(long days, long files, long rows, long listed, List<Problem> problems) {
    public Result {
      problems = List.copyOf(problems);
    }
  }

  private static final class Counts {
    private long days;
    private long files;
    private long rows;
    private long listed;
    private final List<Problem> problems = new ArrayList<>();
  }

  /**
   * Reads everything.
   *
   * @param surfaces which; empty for all
   */
  public Result check(List<String> surfaces) throws IOException {
    Counts counts = new Counts();
    for (DayFolder day : DayFolder.ofAll(root)) {
      if (surfaces.isEmpty() || surfaces.contains(day.surface())) {
        counts.days++;
        check(day, counts);
      }
    }
    counts.problems.addAll(new Declarations(root).check());
    return new Result(counts.days, counts.files, counts.rows, counts.listed, counts.problems);
  }

  private static void check(DayFolder day, Counts counts) throws IOException {
    Path manifest = day.path().resolve(Manifest.FILE);
    DayFolder.Contents contents;
    try {
      contents = day.contents();
    } catch (IOException e) {
      counts.problems.add(new Problem(manifest, String.valueOf(e.getMessage())));
      return;
    }
    if (contents.manifest().isPresent()) {
      checkManifest(day, contents.manifest().get(), manifest, counts);
    }
    for (Path file : contents.visible()) {
      check(file, contents.listed(file), counts);
    }
  }

  private static void checkManifest(DayFolder day, Manifest manifest, Path file, Counts counts)
      throws IOException {
    if (!manifest.surface().equals(day.surface())
        || !manifest.day().equals(day.day().toString())
        || !Arrays.equals(manifest.bytes(), Files.readAllBytes(file))) {
      counts.problems.add(new Problem(file, "is not as it was written"));
    }
  }

  private static void check(Path file, Optional<ArchiveFile> listed, Counts counts) {
    counts.files++;
    try {
      ArchiveFile found = ArchiveFile.of(file);
      counts.rows += found.rows();
      if (listed.isEmpty()) {
        Parquet.forEachKey(file, (id, copy) -> {});
      } else if (listed.get().equals(found)) {
        counts.listed++;
      } else {
        counts.problems.add(new Problem(file, difference(listed.get(), found)));
      }
      if (ArchiveLayout.isCompacted(found.name()) && !isNamedByContents(found)) {
        counts.problems.add(new Problem(file, "has not the bytes that its name says"));
      }
    } catch (NoSuchFileException e) {
      counts.problems.add(new Problem(file, "is listed and missing"));
    } catch (IOException | RuntimeException e) {
      counts.problems.add(new Problem(file, unreadable(file, listed, e)));
    }
  }

  private static String unreadable(Path file, Optional<ArchiveFile> listed, Exception e) {
    try {
      if (listed.isPresent() && !ArchiveFile.sha256(file).equals(listed.get().sha256())) {
        return "was altered and cannot be read any more: " + e.getMessage();
      }
    } catch (IOException again) {
      e.addSuppressed(again);
    }
    return "cannot be read: " + e.getMessage();
  }

  private static boolean isNamedByContents(ArchiveFile found) {
    return found
        .name()
        .equals(
            ArchiveLayout.COMPACTED
                + found.sha256().substring(0, DayRewrite.NAME_DIGITS)
                + ArchiveLayout.SUFFIX);
  }

  private static String difference(ArchiveFile listed, ArchiveFile found) {
    if (!listed.sha256().equals(found.sha256())) {
      return "was altered: its SHA-256 is "
          + found.sha256()
          + ", listed was "
          + listed.sha256()
          + (listed.bytes() == found.bytes()
              ? ""
              : ", its length " + found.bytes() + " in place of " + listed.bytes());
    }
    return "is listed otherwise than it is: " + listed + " and not " + found;
  }

  /**
   * Lists all files in their manifests that are not listed yet, so that later changes are found.
   * Makes damaged manifests again, and those that are gone: files that were replaced and are still
   * on disk count again then, as copies of what the compacted file holds.
   *
   * @return how many manifests were written
   */
  public int record(List<String> surfaces) throws IOException {
    int written = 0;
    try (ArchiveLock lock = ArchiveLock.take(root, ArchiveLock.PATIENCE)) {
      for (DayFolder day : DayFolder.ofAll(root)) {
        if (!surfaces.isEmpty() && !surfaces.contains(day.surface())) {
          continue;
        }
        if (isDamaged(day)) {
          Files.delete(day.path().resolve(Manifest.FILE));
        }
        Optional<Manifest> before = Manifest.read(day.path());
        Manifest after = new DayRewrite(day, Instant.now(), ArchiveCompaction.MEMORY).seal();
        written += before.equals(Optional.of(after)) ? 0 : 1;
      }
    }
    return written;
  }

  private static boolean isDamaged(DayFolder day) {
    try {
      Optional<Manifest> manifest = Manifest.read(day.path());
      return manifest.isPresent()
          && !Arrays.equals(
              manifest.get().bytes(), Files.readAllBytes(day.path().resolve(Manifest.FILE)));
    } catch (IOException e) {
      return true;
    }
  }
}
