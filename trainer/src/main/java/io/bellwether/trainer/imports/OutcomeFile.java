package io.bellwether.trainer.imports;

import io.bellwether.ingestion.event.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.avro.specific.SpecificData;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;

/** A Parquet file of outcomes that is being written. Confined to one thread. */
final class OutcomeFile implements AutoCloseable {

  private final ParquetWriter<Outcome> writer;

  private OutcomeFile(ParquetWriter<Outcome> writer) {
    this.writer = writer;
  }

  static OutcomeFile create(Path file) throws IOException {
    return new OutcomeFile(
        AvroParquetWriter.<Outcome>builder(new LocalOutputFile(file))
            .withSchema(Outcome.getClassSchema())
            .withDataModel(SpecificData.getForClass(Outcome.class))
            .withConf(new PlainParquetConfiguration())
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .build());
  }

  void write(Outcome outcome) throws IOException {
    writer.write(outcome);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
