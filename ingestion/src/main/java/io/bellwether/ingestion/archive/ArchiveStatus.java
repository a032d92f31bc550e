package io.bellwether.ingestion.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;

/**
 * What an archive holds of a surface's day.
 *
 * @param files that are read
 * @param rows transitions in them, all revisions
 * @param bytes of them
 * @param unlisted files whose hash no manifest has yet
 * @param inProgress files that are being written
 * @param replaced files that are read no more and still on disk
 * @param compacted whether one sorted file holds all
 * @param schemas fingerprints of the record versions in it, as far as manifests know them
 */
public record ArchiveStatus(
    String surface,
    LocalDate day,
    int files,
    long rows,
    long bytes,
    int unlisted,
    int inProgress,
    int replaced,
    boolean compacted,
    List<String> schemas) {

  public ArchiveStatus {
    schemas = List.copyOf(schemas);
  }

  /**
   * All days of an archive, in order. Reads manifests, and of unlisted files the last bytes.
   *
   * @param surfaces which; empty for all
   */
  public static List<ArchiveStatus> of(Path root, List<String> surfaces) throws IOException {
    List<ArchiveStatus> all = new ArrayList<>();
    for (DayFolder day : DayFolder.ofAll(root)) {
      if (surfaces.isEmpty() || surfaces.contains(day.surface())) {
        all.add(of(day));
      }
    }
    return all;
  }

  private static ArchiveStatus of(DayFolder day) throws IOException {
    DayFolder.Contents contents = day.contents();
    long rows = 0;
    long bytes = 0;
    TreeSet<String> schemas = new TreeSet<>();
    for (Path file : contents.visible()) {
      Optional<ArchiveFile> listed = contents.listed(file);
      rows += listed.isPresent() ? listed.get().rows() : rows(file);
      bytes += Files.size(file);
      listed.ifPresent(each -> schemas.add(each.schema()));
    }
    int files = contents.visible().size();
    return new ArchiveStatus(
        day.surface(),
        day.day(),
        files,
        rows,
        bytes,
        contents.unlisted().size(),
        contents.inProgress().size(),
        contents.hidden().size(),
        files == 1 && ArchiveLayout.isCompacted(contents.visible().get(0).getFileName().toString()),
        List.copyOf(schemas));
  }

  private static long rows(Path file) throws IOException {
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      return reader.getRecordCount();
    }
  }
}
