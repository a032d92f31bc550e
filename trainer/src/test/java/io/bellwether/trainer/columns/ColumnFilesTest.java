package io.bellwether.trainer.columns;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ColumnFilesTest {

  /** More than a column's buffer holds. */
  private static final int DECISIONS = 10_000;

  @TempDir Path folder;

  private final LogColumns columns =
      LogColumns.of(
          new LogColumns.Known(false, true, true, true, false),
          List.of("watch"),
          List.of("country"));

  /** Decision n has 1 + n % 3 rows; slate weights are known for all but the last decision. */
  private ByteBuffer message(int number) {
    int rows = 1 + number % 3;
    byte[] id = id(number).getBytes(UTF_8);
    ByteBuffer message = ByteBuffer.allocate(columns.bytes(rows, id.length));
    message.putLong(number / 2).putLong(1000L * number).putLong(-number).putInt(rows);
    message.putLong(number + 1).putInt(number % 2).putInt(0).putInt(3);
    message.putDouble(number == DECISIONS - 1 ? Double.NaN : 0.5 * number).putInt(number % 5);
    for (int row = 0; row < rows; row++) {
      for (Column column : columns.ofRow()) {
        message.putDouble(number + row * 0.1 + column.name().length() * 1e6);
      }
    }
    return message.putInt(id.length).put(id).flip();
  }

  /** Of several lengths, also none. */
  private static String id(int number) {
    return number % 7 == 0 ? "" : "ä".repeat(number % 5) + number;
  }

  private void write() throws IOException {
    try (ColumnWriter writer = new ColumnWriter(folder.resolve("log"), columns)) {
      for (int number = 0; number < DECISIONS; number++) {
        writer.add(message(number));
      }
      writer.finish();
    }
  }

  @Test
  void whatWasWrittenIsMapped() throws IOException {
    write();
    ColumnFiles files = ColumnFiles.open(folder.resolve("log"));
    assertEquals(DECISIONS, files.decisions());
    assertEquals(DECISIONS / 3 * 6 + 1, files.rows());
    LongBuffer time = files.longs(LogColumns.TIME);
    LongBuffer unit = files.longs(LogColumns.UNIT);
    IntBuffer decision = files.ints(LogColumns.DECISION);
    IntBuffer position = files.ints(LogColumns.POSITION);
    IntBuffer country = files.ints(LogColumns.SEGMENT + "country");
    DoubleBuffer target = files.doubles(LogColumns.TARGET);
    int row = 0;
    for (int number = 0; number < DECISIONS; number++) {
      assertEquals(1000L * number, time.get(number));
      assertEquals(number % 5, country.get(number));
      for (int at = 0; at < 1 + number % 3; at++) {
        assertEquals(number, decision.get(row));
        assertEquals(at, position.get(row));
        assertEquals(number / 2, unit.get(row));
        assertEquals(number + at * 0.1 + 6e6, target.get(row));
        row++;
      }
    }
    assertEquals(row, target.limit());
  }

  @Test
  void idsAreFoundByTheNumbersOfTheirDecisions() throws IOException {
    write();
    ColumnFiles files = ColumnFiles.open(folder.resolve("log"));
    List<Integer> numbers = List.of(0, 1, 7, 4321, DECISIONS - 1);
    Map<Integer, String> ids = files.ids(numbers);
    assertEquals(numbers.size(), ids.size());
    for (int number : numbers) {
      assertEquals(id(number), ids.get(number));
    }
  }

  @Test
  void aColumnThatIsNotKnownForOneDecisionIsNotKnown() throws IOException {
    write();
    ColumnFiles files = ColumnFiles.open(folder.resolve("log"));
    assertTrue(files.knows(LogColumns.SLOT_WEIGHT));
    assertFalse(files.knows(LogColumns.SLATE_WEIGHT));
    assertTrue(files.lacks(LogColumns.SLATE_WEIGHT));
    assertEquals(0, files.doublesIfKnown(LogColumns.SLATE_WEIGHT).limit());
    assertFalse(files.lacks(LogColumns.BASELINE));
    assertEquals(0, files.doublesIfKnown(LogColumns.BASELINE).limit());
  }

  @Test
  void halfALogIsNone() throws IOException {
    write();
    try (ColumnWriter writer = new ColumnWriter(folder.resolve("log"), columns)) {
      writer.add(message(0));
    }
    assertThrows(IOException.class, () -> ColumnFiles.open(folder.resolve("log")));
  }

  @Test
  void aFileThatWasCutOffIsFoundOut() throws IOException {
    write();
    ColumnFiles files = ColumnFiles.open(folder.resolve("log"));
    Files.write(folder.resolve("log/column-1"), new byte[17]);
    assertThrows(IOException.class, () -> files.longs(LogColumns.TIME));
  }
}
