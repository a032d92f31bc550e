package io.bellwether.trainer.data;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificData;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;

/**
 * A finished file of an archive.
 *
 * @param file its path
 * @param bytes its length
 */
record ArchivePart(String file, long bytes, long transitions) implements TransitionPart {

  private static final long serialVersionUID = 1;

  /** Looks at a file's length and at its last bytes, which say how many rows it has. */
  static ArchivePart of(Path file) throws IOException {
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      return new ArchivePart(file.toString(), Files.size(file), reader.getRecordCount());
    }
  }

  @Override
  public String words() {
    return file + " of " + bytes + " bytes";
  }

  @Override
  public void forEach(Consumer<Transition> consumer) throws IOException {
    ParquetConfiguration configuration = new PlainParquetConfiguration();
    configuration.set("parquet.avro.read.schema", Transition.getClassSchema().toString());
    try (ParquetReader<Transition> reader =
        AvroParquetReader.<Transition>builder(new LocalInputFile(Path.of(file)), configuration)
            .withDataModel(SpecificData.getForClass(Transition.class))
            .build()) {
      for (Transition next = reader.read(); next != null; next = reader.read()) {
        consumer.accept(next);
      }
    }
  }
}
