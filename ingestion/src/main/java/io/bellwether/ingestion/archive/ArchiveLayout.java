package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.apache.avro.specific.SpecificData;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;

/** Which folder and which kind of file a transition goes to. */
final class ArchiveLayout {

  static final String PREFIX = "part";
  static final String SUFFIX = ".parquet";

  /** Of files that compaction writes; their names go on with the first digits of their SHA-256. */
  static final String COMPACTED = "base-";

  /** Where a compacted file is written. */
  static final String COMPACTING = ".base.inprogress";

  /** A row group is held in memory while it is written. */
  private static final long ROW_GROUP_BYTES = 8 << 20;

  private static final int PAGE_BYTES = 256 << 10;

  private ArchiveLayout() {}

  /** {@code surface=NAME/day=YYYY-MM-DD}, by the day, UTC, on which the decision was made. */
  static String folder(Transition transition) {
    long micros = transition.getDecision().getDecidedAtMicros();
    LocalDate day =
        Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L))
            .atZone(ZoneOffset.UTC)
            .toLocalDate();
    return surfaceFolder(transition.getDecision().getSurface()) + "/day=" + day;
  }

  static String surfaceFolder(String surface) {
    return "surface=" + surface;
  }

  /** A finished file, as opposed to one that is being written. */
  static boolean isFinished(String fileName) {
    return (fileName.startsWith(PREFIX) || isCompacted(fileName)) && fileName.endsWith(SUFFIX);
  }

  /** A file that compaction wrote: sorted, and of each decision one transition. */
  static boolean isCompacted(String fileName) {
    return fileName.startsWith(COMPACTED);
  }

  /** A file that somebody is writing who adds to the archive. */
  static boolean isInProgress(String fileName) {
    return fileName.startsWith("." + PREFIX) && fileName.contains(".inprogress");
  }

  static ParquetWriter<Transition> open(OutputFile file) throws IOException {
    return AvroParquetWriter.<Transition>builder(file)
        .withSchema(Transition.getClassSchema())
        .withDataModel(SpecificData.getForClass(Transition.class))
        .withCompressionCodec(CompressionCodecName.ZSTD)
        .withRowGroupSize(ROW_GROUP_BYTES)
        .withPageSize(PAGE_BYTES)
        .withWriteMode(ParquetFileWriter.Mode.CREATE)
        .build();
  }
}
