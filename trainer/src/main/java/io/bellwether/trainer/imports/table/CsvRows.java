package io.bellwether.trainer.imports.table;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.CsvRecords;
import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.Lines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a file of separated values with a header. Values are texts, and an empty one is none.
 * Confined to one thread.
 */
public final class CsvRows implements Rows {

  private final CsvRecords records;
  private final List<String> columns;

  private CsvRows(CsvRecords records, List<String> columns) {
    this.records = records;
    this.columns = columns;
  }

  /**
   * The rows of a file, plain or gzipped; whoever calls closes them.
   *
   * @throws ImportRefused where it has no header that can be read
   */
  public static CsvRows open(Path file, char separator) throws IOException {
    CsvRecords records = new CsvRecords(Lines.open(file), separator);
    try {
      CsvRecords.Row header = records.next();
      if (header == null) {
        throw new ImportRefused(file + " is empty, must begin with a header");
      }
      if (header.problem() != null) {
        throw new ImportRefused(file + " line " + header.line() + ": " + header.problem());
      }
      Set<String> seen = new HashSet<>();
      for (String column : header.fields()) {
        if (!seen.add(column)) {
          throw new ImportRefused(
              file + " line " + header.line() + ": has column '" + column + "' twice");
        }
      }
      return new CsvRows(records, header.fields());
    } catch (IOException | RuntimeException e) {
      records.close();
      throw e;
    }
  }

  @Override
  public String file() {
    return records.file();
  }

  @Override
  public Optional<List<String>> columns() {
    return Optional.of(columns);
  }

  @Override
  public @Nullable Row next() throws IOException {
    CsvRecords.Row record = records.next();
    if (record == null) {
      return null;
    }
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    String problem = record.problem();
    List<String> fields = record.fields();
    if (problem == null && fields.size() != columns.size()) {
      problem =
          "has " + fields.size() + " fields, must have " + columns.size() + " like the header";
    }
    if (problem == null) {
      for (int i = 0; i < fields.size(); i++) {
        if (!fields.get(i).isEmpty()) {
          values.put(columns.get(i), fields.get(i));
        }
      }
    }
    return new Row(record.line(), values, record.text(), problem);
  }

  @Override
  public double progress() {
    return records.progress();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
