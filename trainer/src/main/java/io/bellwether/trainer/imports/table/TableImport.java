package io.bellwether.trainer.imports.table;

import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Problem;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.imports.ImportSource;
import io.bellwether.trainer.imports.LogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Logs that are tables, one row a decision, of which a mapping file says what its columns mean. */
public final class TableImport {

  private TableImport() {}

  /** What a table is written in. */
  public enum Format {
    CSV,
    JSONL,
    PARQUET
  }

  /**
   * A table as a log.
   *
   * @param name of the import
   * @param separator between fields of CSV
   * @throws io.bellwether.trainer.imports.ImportRefused where the mapping or the file of items
   *     cannot be used
   */
  public static ImportSource source(
      String name, Format format, char separator, Path file, Path mappingFile, Surface surface)
      throws IOException {
    Mapping mapping = MappingReader.read(mappingFile, surface);
    List<Path> files = new ArrayList<>(List.of(file, mappingFile));
    Optional<Path> items =
        mapping
            .items()
            .flatMap(Mapping.Items::file)
            .map(each -> mappingFile.toAbsolutePath().resolveSibling(each));
    items.ifPresent(files::add);
    return new ImportSource(
        name,
        files,
        format + " " + separator,
        items.isPresent(),
        () -> open(format, separator, file, mappingFile, mapping, items.orElse(null), surface));
  }

  private static LogReader open(
      Format format,
      char separator,
      Path file,
      Path mappingFile,
      Mapping mapping,
      @Nullable Path items,
      Surface surface)
      throws IOException {
    Rows rows =
        switch (format) {
          case CSV -> CsvRows.open(file, separator);
          case JSONL -> JsonRows.open(file);
          case PARQUET -> ParquetRows.open(file);
        };
    try {
      requireColumns(rows, mapping, mappingFile);
      return new TableReader(
          rows, mapping, items == null ? null : itemFile(items, mapping, surface), surface);
    } catch (IOException | RuntimeException e) {
      rows.close();
      throw e;
    }
  }

  private static ItemFile itemFile(Path file, Mapping mapping, Surface surface) throws IOException {
    Mapping.Items items = mapping.items().orElseThrow();
    List<ItemFile.Source> sources = new ArrayList<>();
    for (Mapping.Named named : items.features()) {
      for (Feature feature : surface.item()) {
        if (feature.name().equals(named.feature())) {
          sources.add(new ItemFile.Source(feature, named.column().name(), named.separator()));
        }
      }
    }
    return ItemFile.read(file, items.id().name(), sources, id -> true);
  }

  /** Columns are there or not in all rows, where the format has columns at all. */
  private static void requireColumns(Rows rows, Mapping mapping, Path mappingFile) {
    if (rows.columns().isEmpty()) {
      return;
    }
    List<String> there = rows.columns().get();
    List<Problem> problems = new ArrayList<>();
    for (Mapping.Column column : used(mapping)) {
      String first = column.name().split("\\.", 2)[0];
      if (!there.contains(column.name()) && !there.contains(first)) {
        problems.add(
            new Problem(
                column.line(),
                column.field(),
                "'" + column.name() + "'",
                "one of the columns of " + rows.file() + ": " + String.join(", ", there)));
      }
    }
    if (!problems.isEmpty()) {
      throw MappingReader.refused(mappingFile, problems);
    }
  }

  private static List<Mapping.Column> used(Mapping mapping) {
    List<Mapping.Column> columns = new ArrayList<>();
    mapping.decision().ifPresent(columns::add);
    mapping.subject().ifPresent(columns::add);
    columns.add(mapping.time().column());
    mapping.policy().ifPresent(columns::add);
    mapping.weight().ifPresent(columns::add);
    mapping.learnable().ifPresent(columns::add);
    mapping.context().forEach(each -> columns.add(each.column()));
    boolean itemsInRow =
        mapping.candidates().isEmpty()
            && mapping.items().isPresent()
            && mapping.items().get().file().isEmpty();
    if (itemsInRow) {
      mapping.items().orElseThrow().features().forEach(each -> columns.add(each.column()));
    }
    columns.add(mapping.shown().column().column());
    mapping.candidates().ifPresent(each -> columns.add(each.column()));
    mapping.propensity().ifPresent(each -> columns.add(each.column().column()));
    mapping.propensity().flatMap(Mapping.Propensity::kinds).ifPresent(columns::add);
    mapping.chances().ifPresent(each -> columns.add(each.column()));
    mapping.signals().forEach(each -> columns.add(each.column().column()));
    return columns;
  }
}
