package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.event.Transition;
import java.nio.file.Path;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.formats.parquet.ParquetWriterFactory;
import org.apache.flink.streaming.api.functions.sink.filesystem.BucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.OutputFileConfig;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.SimpleVersionedStringSerializer;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/**
 * Writes transitions to the archive, exactly once: a file is finished, and gets its visible name,
 * with the checkpoint that covers it.
 */
public final class ArchiveSink {

  private ArchiveSink() {}

  /** A sink into an archive's root folder. */
  public static FileSink<Transition> into(Path root) {
    return FileSink.forBulkFormat(
            new org.apache.flink.core.fs.Path(root.toUri()),
            new ParquetWriterFactory<Transition>(ArchiveLayout::open))
        .withBucketAssigner(new BySurfaceAndDay())
        .withRollingPolicy(OnCheckpointRollingPolicy.build())
        .withOutputFileConfig(
            OutputFileConfig.builder()
                .withPartPrefix(ArchiveLayout.PREFIX)
                .withPartSuffix(ArchiveLayout.SUFFIX)
                .build())
        .build();
  }

  private static final class BySurfaceAndDay implements BucketAssigner<Transition, String> {

    private static final long serialVersionUID = 1L;

    @Override
    public String getBucketId(Transition transition, Context context) {
      return ArchiveLayout.folder(transition);
    }

    @Override
    public SimpleVersionedSerializer<String> getSerializer() {
      return SimpleVersionedStringSerializer.INSTANCE;
    }
  }
}
