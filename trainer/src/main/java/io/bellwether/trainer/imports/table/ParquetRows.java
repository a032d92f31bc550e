package io.bellwether.trainer.imports.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.ImportRefused;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a Parquet file, with whatever nesting. Times become ISO texts, so that nobody has to
 * tell their unit; one without a zone is UTC. Decimals become numbers. Memory is one row group.
 * Confined to one thread.
 */
public final class ParquetRows implements Rows {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int MAX_EXCERPT = 200;
  private static final long JULIAN_DAY_OF_EPOCH = 2_440_588;

  private final Path file;
  private final ParquetReader<GenericRecord> rows;
  private final MessageType schema;
  private final long count;
  private long number;

  private ParquetRows(
      Path file, ParquetReader<GenericRecord> rows, MessageType schema, long count) {
    this.file = file;
    this.rows = rows;
    this.schema = schema;
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
      return new ParquetRows(
          file,
          AvroParquetReader.<GenericRecord>builder(new LocalInputFile(file), configuration)
              .withDataModel(GenericData.get())
              .build(),
          footer.getFileMetaData().getSchema(),
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
    return Optional.of(schema.getFields().stream().map(Type::getName).toList());
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
    ObjectNode values;
    try {
      values = record(row, schema);
    } catch (DateTimeException | ArithmeticException e) {
      return new Row(
          number, JSON.objectNode(), "", "has a time that no calendar has: " + e.getMessage());
    }
    String text = values.toString();
    return new Row(
        number, values, text.length() <= MAX_EXCERPT ? text : text.substring(0, MAX_EXCERPT), null);
  }

  private static ObjectNode record(GenericRecord row, GroupType type) {
    ObjectNode values = JSON.objectNode();
    for (Schema.Field field : row.getSchema().getFields()) {
      Object value = row.get(field.pos());
      if (value != null) {
        values.set(field.name(), value(value, type.getType(field.name())));
      }
    }
    return values;
  }

  private static JsonNode value(@Nullable Object value, Type type) {
    if (value == null) {
      return JSON.nullNode();
    }
    if (value instanceof GenericRecord record) {
      return record(record, type.asGroupType());
    }
    if (value instanceof Collection<?> elements) {
      ArrayNode array = JSON.arrayNode();
      elements.forEach(each -> array.add(value(each, element(each, type))));
      return array;
    }
    if (value instanceof Map<?, ?> entries) {
      ObjectNode object = JSON.objectNode();
      Type each = type.asGroupType().getType(0).asGroupType().getType(1);
      entries.forEach((key, one) -> object.set(key.toString(), value(one, each)));
      return object;
    }
    return plain(value, type.asPrimitiveType());
  }

  /** The type of a list's elements: that of the repeated field, or of the one field inside it. */
  private static Type element(@Nullable Object element, Type list) {
    if (list.isPrimitive() || list.getLogicalTypeAnnotation() == null) {
      return list; // Repeated itself, not inside a group that is a list.
    }
    Type repeated = list.asGroupType().getType(0);
    boolean wrapped =
        !repeated.isPrimitive()
            && repeated.asGroupType().getFieldCount() == 1
            && !(element instanceof GenericRecord record
                && record.getSchema().getField(repeated.asGroupType().getFieldName(0)) != null);
    return wrapped ? repeated.asGroupType().getType(0) : repeated;
  }

  /**
   * A value that has no parts. Avro, through which rows come, does not tell the scale of a decimal
   * that is stored as a whole number, nor nanoseconds; the file's own schema does.
   */
  private static JsonNode plain(Object value, PrimitiveType type) {
    LogicalTypeAnnotation means = type.getLogicalTypeAnnotation();
    if (means instanceof DecimalLogicalTypeAnnotation decimal) {
      return JSON.numberNode(new BigDecimal(unscaled(value), decimal.getScale()));
    }
    if (means instanceof TimestampLogicalTypeAnnotation time && value instanceof Long number) {
      return JSON.textNode(Instant.EPOCH.plus(number, unit(time)).toString());
    }
    if (type.getPrimitiveTypeName() == PrimitiveTypeName.INT96 && value instanceof GenericFixed f) {
      return JSON.textNode(julian(ByteBuffer.wrap(f.bytes())).toString());
    }
    if (value instanceof Integer || value instanceof Long) {
      return JSON.numberNode(((Number) value).longValue());
    }
    if (value instanceof Number number) {
      return JSON.numberNode(number.doubleValue());
    }
    if (value instanceof Boolean flag) {
      return JSON.booleanNode(flag);
    }
    if (value instanceof ByteBuffer bytes) {
      return JSON.textNode(StandardCharsets.UTF_8.decode(bytes.duplicate()).toString());
    }
    return JSON.textNode(value.toString());
  }

  private static BigInteger unscaled(Object value) {
    if (value instanceof GenericFixed fixed) {
      return new BigInteger(fixed.bytes());
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes.length == 0 ? BigInteger.ZERO : new BigInteger(bytes);
    }
    return BigInteger.valueOf(((Number) value).longValue());
  }

  private static ChronoUnit unit(TimestampLogicalTypeAnnotation time) {
    return switch (time.getUnit()) {
      case MILLIS -> ChronoUnit.MILLIS;
      case MICROS -> ChronoUnit.MICROS;
      case NANOS -> ChronoUnit.NANOS;
    };
  }

  /** Nanoseconds of the day and the Julian day, as Spark and Impala once wrote times. */
  private static Instant julian(ByteBuffer bytes) {
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    long nanos = bytes.getLong();
    return Instant.EPOCH
        .plus(bytes.getInt() - JULIAN_DAY_OF_EPOCH, ChronoUnit.DAYS)
        .plus(nanos, ChronoUnit.NANOS);
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
