package io.bellwether.trainer.imports.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against files as other programs write them, with types that our own exports do not use. */
class ParquetRowsTest {

  @TempDir private Path folder;

  @Test
  void decimalsAreNumbersHoweverTheyAreStored() throws IOException {
    MessageType type =
        MessageTypeParser.parseMessageType(
            """
            message row {
              required int32 small (DECIMAL(9,2));
              required int64 large (DECIMAL(18,4));
              required binary bytes (DECIMAL(20,2));
              required fixed_len_byte_array(9) fixed (DECIMAL(20,2));
              required int32 plain;
              optional group prices (LIST) {
                repeated group list { optional int32 element (DECIMAL(9,2)); }
              }
              optional group by_size (MAP) {
                repeated group key_value {
                  required binary key (UTF8);
                  optional int32 value (DECIMAL(9,2));
                }
              }
              optional group box { required int32 price (DECIMAL(9,1)); }
            }
            """);
    Group row = new SimpleGroup(type);
    row.add("small", 1299);
    row.add("large", -15L);
    row.add("bytes", Binary.fromConstantByteArray(BigInteger.valueOf(-1299).toByteArray()));
    row.add("fixed", Binary.fromConstantByteArray(new byte[] {0, 0, 0, 0, 0, 0, 0, 5, 19}));
    row.add("plain", 1299);
    Group prices = row.addGroup("prices");
    prices.addGroup("list").add("element", 100);
    prices.addGroup("list");
    Group entry = row.addGroup("by_size").addGroup("key_value");
    entry.add("key", "xl");
    entry.add("value", 250);
    row.addGroup("box").add("price", 5);
    assertEquals(
        "{\"small\":12.99,\"large\":-0.0015,\"bytes\":-12.99,\"fixed\":12.99,\"plain\":1299,"
            + "\"prices\":[1.00,null],\"by_size\":{\"xl\":2.50},\"box\":{\"price\":0.5}}",
        read(type, row));
  }

  @Test
  void timesOfEveryUnitAreTexts() throws IOException {
    MessageType type =
        MessageTypeParser.parseMessageType(
            """
            message row {
              required int64 millis (TIMESTAMP(MILLIS,true));
              required int64 micros (TIMESTAMP(MICROS,false));
              required int64 nanos (TIMESTAMP(NANOS,true));
              required int96 old;
            }
            """);
    ByteBuffer old = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    old.putLong(3_600_000_000_000L).putInt(2_440_588 + 20_000);
    Group row = new SimpleGroup(type);
    row.add("millis", 1_764_500_000_000L);
    row.add("micros", 1_764_500_000_000_000L);
    row.add("nanos", 1_764_500_000_000_000_001L);
    row.add("old", Binary.fromConstantByteArray(old.array()));
    assertEquals(
        "{\"millis\":\"2025-11-30T10:53:20Z\",\"micros\":\"2025-11-30T10:53:20Z\","
            + "\"nanos\":\"2025-11-30T10:53:20.000000001Z\",\"old\":\"2024-10-04T01:00:00Z\"}",
        read(type, row));
  }

  private String read(MessageType type, Group row) throws IOException {
    Path file = folder.resolve("rows.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(type)
            .build()) {
      writer.write(row);
    }
    try (ParquetRows rows = ParquetRows.open(file)) {
      Rows.Row read = rows.next();
      assertNotNull(read);
      assertNull(rows.next());
      return read.values().toString();
    }
  }
}
