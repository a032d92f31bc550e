package io.bellwether.ingestion.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.io.LocalInputFile;

/**
 * What a manifest says of a file.
 *
 * @param name inside its day's folder
 * @param bytes its length
 * @param rows transitions in it
 * @param schema the first 16 hex digits of the SHA-256 of its Parquet schema: equal for files that
 *     were written with the same version of the record
 * @param sha256 of its bytes, hex
 * @param fromMicros time of the first decision, microseconds since the epoch; 0 where it has none
 * @param toMicros time of the last decision
 */
record ArchiveFile(
    String name,
    long bytes,
    long rows,
    String schema,
    String sha256,
    long fromMicros,
    long toMicros) {

  private static final ColumnPath DECIDED = ColumnPath.get("decision", "decidedAtMicros");
  private static final int FINGERPRINT = 16;
  private static final int BUFFER = 1 << 16;

  /** Looks at all bytes of a file. */
  static ArchiveFile of(Path file) throws IOException {
    String sha256 = sha256(file);
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      long from = Long.MAX_VALUE;
      long to = Long.MIN_VALUE;
      for (BlockMetaData block : reader.getFooter().getBlocks()) {
        for (ColumnChunkMetaData column : block.getColumns()) {
          if (column.getPath().equals(DECIDED)
              && column.getStatistics() instanceof LongStatistics times
              && times.hasNonNullValue()) {
            from = Math.min(from, times.getMin());
            to = Math.max(to, times.getMax());
          }
        }
      }
      String schema = reader.getFooter().getFileMetaData().getSchema().toString();
      return new ArchiveFile(
          file.getFileName().toString(),
          Files.size(file),
          reader.getRecordCount(),
          sha256(schema).substring(0, FINGERPRINT),
          sha256,
          from > to ? 0 : from,
          from > to ? 0 : to);
    } catch (RuntimeException e) {
      throw new IOException(file + " is no Parquet file", e);
    }
  }

  /** SHA-256 of a file's bytes, hex. */
  static String sha256(Path file) throws IOException {
    MessageDigest digest = digest();
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** SHA-256 of a text in UTF-8, hex. */
  static String sha256(String text) {
    return HexFormat.of().formatHex(digest().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
