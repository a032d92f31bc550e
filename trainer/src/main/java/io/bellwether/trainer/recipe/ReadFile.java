package io.bellwether.trainer.recipe;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;

/**
 * A file of an archive as a training run found it.
 *
 * @param path inside the archive, with slashes
 * @param sha256 of its bytes
 * @param bytes its length
 * @param rows transitions in it, all revisions
 * @param knownAtMicros when the last of them was known, microseconds since the epoch; 0 where the
 *     file does not say
 */
public record ReadFile(String path, String sha256, long bytes, long rows, long knownAtMicros) {

  private static final String KNOWN = "joinedAtMicros";
  private static final int BLOCK = 1 << 16;

  static {
    if (Transition.getClassSchema().getField(KNOWN) == null) {
      throw new IllegalStateException("transitions have no " + KNOWN);
    }
  }

  /** Reads a file's bytes and the statistics at its end. */
  static ReadFile of(Path root, Path file) throws IOException {
    long rows = 0;
    long known = 0;
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      for (BlockMetaData block : reader.getFooter().getBlocks()) {
        rows += block.getRowCount();
        known = Math.max(known, known(block));
      }
    }
    return new ReadFile(
        root.relativize(file).toString().replace('\\', '/'),
        sha256(file),
        Files.size(file),
        rows,
        known);
  }

  private static long known(BlockMetaData block) {
    for (ColumnChunkMetaData column : block.getColumns()) {
      if (column.getPath().toDotString().equals(KNOWN)) {
        Statistics<?> statistics = column.getStatistics();
        return statistics instanceof LongStatistics longs && longs.hasNonNullValue()
            ? longs.getMax()
            : 0;
      }
    }
    return 0;
  }

  /** The SHA-256 of a file's bytes, hex. */
  public static String sha256(Path file) throws IOException {
    MessageDigest digest = digest();
    byte[] block = new byte[BLOCK];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(block); read >= 0; read = in.read(block)) {
        digest.update(block, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
