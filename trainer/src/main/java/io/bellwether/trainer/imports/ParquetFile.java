package io.bellwether.trainer.imports;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;

/**
 * A Parquet file of events that is being written, as archives hold them. Confined to one thread.
 */
final class ParquetFile<T extends SpecificRecordBase> implements AutoCloseable {

  private final ParquetWriter<T> writer;

  private ParquetFile(ParquetWriter<T> writer) {
    this.writer = writer;
  }

  static <T extends SpecificRecordBase> ParquetFile<T> create(Path file, Class<T> type)
      throws IOException {
    return new ParquetFile<>(
        AvroParquetWriter.<T>builder(new LocalOutputFile(file))
            .withSchema(SpecificData.get().getSchema(type))
            .withDataModel(SpecificData.getForClass(type))
            .withConf(new PlainParquetConfiguration())
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .build());
  }

  void write(T event) throws IOException {
    writer.write(event);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
