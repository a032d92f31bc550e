package io.bellwether.trainer.data;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificData;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.formats.parquet.avro.AvroParquetReaders;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;

/**
 * All transitions of an archive: the Parquet files below a folder, but those that are still being
 * written (their names begin with a dot or an underscore).
 *
 * @param folder the archive's folder
 */
public record ArchiveSource(Path folder) implements TransitionSource {

  @Override
  public Source<Transition, ?, ?> forFlink() throws IOException {
    org.apache.flink.core.fs.Path[] files =
        files().stream()
            .map(file -> new org.apache.flink.core.fs.Path(file.toUri()))
            .toArray(org.apache.flink.core.fs.Path[]::new);
    return FileSource.forRecordStreamFormat(
            AvroParquetReaders.forSpecificRecord(Transition.class), files)
        .build();
  }

  @Override
  public void forEach(Consumer<Transition> consumer) throws IOException {
    for (Path file : files()) {
      try (ParquetReader<Transition> reader =
          AvroParquetReader.<Transition>builder(
                  new LocalInputFile(file), new PlainParquetConfiguration())
              .withDataModel(SpecificData.getForClass(Transition.class))
              .build()) {
        for (Transition next = reader.read(); next != null; next = reader.read()) {
          consumer.accept(next);
        }
      }
    }
  }

  @Override
  public String words() {
    return "archive " + folder;
  }

  /** The archive's files in the order of their names; at least one. */
  private List<Path> files() throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString(), null, "there is no archive folder");
    }
    List<Path> files;
    try (Stream<Path> paths = Files.walk(folder)) {
      files = paths.filter(this::isComplete).sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (files.isEmpty()) {
      throw new NoSuchFileException(folder.toString(), null, "the archive holds no Parquet file");
    }
    return files;
  }

  private boolean isComplete(Path file) {
    for (Path part : folder.relativize(file)) {
      if (part.toString().startsWith(".") || part.toString().startsWith("_")) {
        return false;
      }
    }
    return file.toString().endsWith(".parquet") && Files.isRegularFile(file);
  }
}
