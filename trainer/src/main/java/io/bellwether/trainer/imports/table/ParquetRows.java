package io.bellwether.trainer.imports.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.ImportRefused;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a Parquet file, with whatever nesting. Times become ISO texts, so that nobody has to
 * tell their unit. Memory is one row group. Confined to one thread.
 */
public final class ParquetRows implements Rows {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int MAX_EXCERPT = 200;

  private final Path file;
  private final ParquetReader<GenericRecord> rows;
  private final List<String> columns;
  private final long count;
  private long number;

  private ParquetRows(
      Path file, ParquetReader<GenericRecord> rows, List<String> columns, long count) {
    this.file = file;
    this.rows = rows;
    this.columns = columns;
    this.count = count;
  }

  /**
   * The rows of a file; whoever calls closes them.
   *
   * @throws ImportRefused where it is no Parquet file
   */
  public static ParquetRows open(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ImportRefused(file + " is no file that can be read");
    }
    ParquetConfiguration configuration = new PlainParquetConfiguration();
    configuration.setBoolean("parquet.avro.add-list-element-records", false);
    configuration.setBoolean("parquet.avro.readInt96AsFixed", true);
    try (ParquetFileReader footer = ParquetFileReader.open(new LocalInputFile(file))) {
      List<String> columns =
          footer.getFileMetaData().getSchema().getFields().stream()
              .map(field -> field.getName())
              .toList();
      return new ParquetRows(
          file,
          AvroParquetReader.<GenericRecord>builder(new LocalInputFile(file), configuration)
              .withDataModel(GenericData.get())
              .build(),
          columns,
          footer.getRecordCount());
    } catch (RuntimeException e) {
      throw new ImportRefused(file + " is no Parquet file that can be read: " + e.getMessage());
    }
  }

  @Override
  public String file() {
    return file.toString();
  }

  @Override
  public Optional<List<String>> columns() {
    return Optional.of(columns);
  }

  @Override
  public @Nullable Row next() throws IOException {
    GenericRecord row;
    try {
      row = rows.read();
    } catch (IOException | RuntimeException e) {
      throw new ImportRefused(
          "%s row %d: cannot be read on, the file is damaged: %s"
              .formatted(file, number + 1, e.getMessage()));
    }
    if (row == null) {
      return null;
    }
    number++;
    ObjectNode values = record(row);
    String text = values.toString();
    return new Row(
        number, values, text.length() <= MAX_EXCERPT ? text : text.substring(0, MAX_EXCERPT), null);
  }

  private static ObjectNode record(GenericRecord row) {
    ObjectNode values = JSON.objectNode();
    for (Schema.Field field : row.getSchema().getFields()) {
      Object value = row.get(field.pos());
      if (value != null) {
        values.set(field.name(), value(value, field.schema()));
      }
    }
    return values;
  }

  private static JsonNode value(@Nullable Object value, Schema schema) {
    if (value == null) {
      return JSON.nullNode();
    }
    if (value instanceof GenericRecord record) {
      return record(record);
    }
    if (value instanceof Collection<?> elements) {
      ArrayNode array = JSON.arrayNode();
      Schema element = present(schema).getElementType();
      elements.forEach(each -> array.add(value(each, element)));
      return array;
    }
    if (value instanceof Map<?, ?> entries) {
      ObjectNode object = JSON.objectNode();
      Schema element = present(schema).getValueType();
      entries.forEach((key, each) -> object.set(key.toString(), value(each, element)));
      return object;
    }
    if (value instanceof Long number) {
      return time(number, present(schema).getLogicalType())
          .orElseGet(() -> JSON.numberNode(number));
    }
    if (value instanceof Integer number) {
      return JSON.numberNode(number);
    }
    if (value instanceof Number number) {
      return value instanceof BigDecimal decimal
          ? JSON.numberNode(decimal)
          : JSON.numberNode(number.doubleValue());
    }
    if (value instanceof Boolean flag) {
      return JSON.booleanNode(flag);
    }
    if (value instanceof ByteBuffer bytes) {
      return JSON.textNode(StandardCharsets.UTF_8.decode(bytes.duplicate()).toString());
    }
    return JSON.textNode(value.toString());
  }

  private static Optional<JsonNode> time(long value, @Nullable LogicalType type) {
    if (type == null || !type.getName().contains("timestamp-")) {
      return Optional.empty();
    }
    ChronoUnit unit =
        type.getName().endsWith("millis")
            ? ChronoUnit.MILLIS
            : type.getName().endsWith("micros") ? ChronoUnit.MICROS : ChronoUnit.NANOS;
    return Optional.of(JSON.textNode(Instant.EPOCH.plus(value, unit).toString()));
  }

  /** The schema of what is there where something may be missing. */
  private static Schema present(Schema schema) {
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    return schema.getTypes().stream()
        .filter(type -> type.getType() != Schema.Type.NULL)
        .findFirst()
        .orElse(schema);
  }

  @Override
  public double progress() {
    return count == 0 ? 1 : (double) number / count;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
