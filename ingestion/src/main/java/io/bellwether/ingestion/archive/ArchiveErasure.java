package io.bellwether.ingestion.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.hadoop.ParquetReader;

/**
 * Takes subjects out of an archive: out of the files that are read and out of those that were
 * replaced and are still there. Whoever is killed runs it again; what is gone stays gone.
 */
public final class ArchiveErasure {

  private ArchiveErasure() {}

  /** Says which decisions go. */
  @FunctionalInterface
  public interface Gone {

    /**
     * Whether a decision is to be erased.
     *
     * @param decidedAtMicros microseconds since the epoch, UTC
     */
    boolean test(String subjectId, long decidedAtMicros);
  }

  /**
   * What was done.
   *
   * @param filesRewritten files that were read and held such a decision; all files of such a day
   *     become one
   * @param rowsRemoved transitions of such decisions in them, all revisions
   * @param filesRemoved files that were deleted: those rewritten, those beside them, and replaced
   *     ones
   * @param stillBeingWritten files of the running job that are not finished and were not looked at
   */
  public record Erased(
      int filesRewritten, long rowsRemoved, int filesRemoved, List<Path> stillBeingWritten) {
    public Erased {
      stillBeingWritten = List.copyOf(stillBeingWritten);
    }
  }

  /**
   * Erases decisions with all that is known of them. Nothing of a file that is touched stays on
   * disk: readers that are under way there fail. On return that outlives a loss of power.
   *
   * @param root of the archive
   * @throws IOException also where a day cannot be read; the other days are done then
   */
  public static Erased erase(Path root, Gone gone) throws IOException {
    int filesRewritten = 0;
    long rowsRemoved = 0;
    int filesRemoved = 0;
    List<Path> stillBeingWritten = new ArrayList<>();
    List<Exception> damaged = new ArrayList<>();
    if (!Files.isDirectory(root)) {
      return new Erased(0, 0, 0, List.of());
    }
    try (ArchiveLock lock = ArchiveLock.take(root, ArchiveLock.PATIENCE)) {
      for (DayFolder day : DayFolder.ofAll(root)) {
        try {
          DayFolder.Contents contents = day.contents();
          stillBeingWritten.addAll(contents.inProgress());
          int hit = 0;
          long rowsHit = 0;
          for (Path file : contents.visible()) {
            long rows = rows(file, gone);
            hit += rows > 0 ? 1 : 0;
            rowsHit += rows;
          }
          if (hit > 0 || isIn(contents.hidden(), gone)) {
            filesRemoved += erase(day, hit > 0, gone);
          }
          filesRewritten += hit;
          rowsRemoved += rowsHit;
        } catch (IOException | RuntimeException e) {
          // Parquet says in many ways that a file is damaged; nobody's other days wait for it.
          damaged.add(e);
        }
      }
    }
    if (!damaged.isEmpty()) {
      IOException failed =
          new IOException("not erased from " + damaged.size() + " days: " + damaged.get(0));
      damaged.forEach(failed::addSuppressed);
      throw failed;
    }
    return new Erased(filesRewritten, rowsRemoved, filesRemoved, stillBeingWritten);
  }

  private static int erase(DayFolder day, boolean visible, Gone gone) throws IOException {
    DayRewrite rewrite = new DayRewrite(day, Instant.now(), ArchiveCompaction.MEMORY);
    List<Path> before = day.contents().hidden();
    if (visible) {
      rewrite.rewrite(
          row ->
              !gone.test(row.getDecision().getSubjectId(), row.getDecision().getDecidedAtMicros()));
    }
    int removed = rewrite.sweep(Instant.MAX);
    for (Path file : before) {
      removed += Files.deleteIfExists(file) ? 1 : 0;
    }
    Durable.sync(day.path());
    return removed;
  }

  private static boolean isIn(List<Path> files, Gone gone) throws IOException {
    for (Path file : files) {
      if (rows(file, gone) > 0) {
        return true;
      }
    }
    return false;
  }

  private static long rows(Path file, Gone gone) throws IOException {
    long rows = 0;
    try (ParquetReader<GenericRecord> reader = Parquet.subjects(file)) {
      for (GenericRecord row = reader.read(); row != null; row = reader.read()) {
        rows += gone.test(Parquet.subject(row), Parquet.decidedAtMicros(row)) ? 1 : 0;
      }
    }
    return rows;
  }
}
