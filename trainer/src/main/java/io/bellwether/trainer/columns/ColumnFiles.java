package io.bellwether.trainer.columns;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * A scored log as {@link ColumnWriter} left it, mapped into memory column by column when asked: the
 * operating system reads what is used and drops it again. The files may be deleted while they are
 * mapped. Immutable.
 */
public final class ColumnFiles {

  static final String MANIFEST = "manifest.json";
  static final String IDS = "ids";

  /** What one buffer of the widest column holds: 2 GiB. */
  static final long MOST_ROWS = Integer.MAX_VALUE / Double.BYTES;

  private final Path folder;
  private final int decisions;
  private final int rows;
  private final Map<String, JsonNode> columns = new HashMap<>();

  private ColumnFiles(Path folder, JsonNode manifest) {
    this.folder = folder;
    this.decisions = manifest.get("decisions").asInt();
    this.rows = manifest.get("rows").asInt();
    for (JsonNode column : manifest.get("columns")) {
      columns.put(column.get("name").asText(), column);
    }
  }

  /** The log in a folder. */
  public static ColumnFiles open(Path folder) throws IOException {
    return new ColumnFiles(folder, new ObjectMapper().readTree(folder.resolve(MANIFEST).toFile()));
  }

  /** How many there are. */
  public int decisions() {
    return decisions;
  }

  /** Rows of all decisions. */
  public int rows() {
    return rows;
  }

  /** Whether the log has a column, for every decision. */
  public boolean knows(String column) {
    JsonNode entry = columns.get(column);
    return entry != null && entry.get("known").asBoolean();
  }

  /** Whether a column was wanted, and could not be known for every decision. */
  public boolean lacks(String column) {
    return columns.containsKey(column) && !knows(column);
  }

  /** A column of ints; there must be one. */
  public IntBuffer ints(String column) throws IOException {
    return map(column, Column.Kind.INT).asIntBuffer();
  }

  /** A column of longs; there must be one. */
  public LongBuffer longs(String column) throws IOException {
    return map(column, Column.Kind.LONG).asLongBuffer();
  }

  /** A column of doubles; there must be one. */
  public DoubleBuffer doubles(String column) throws IOException {
    return map(column, Column.Kind.DOUBLE).asDoubleBuffer();
  }

  /** Empty where the column is not known. */
  public DoubleBuffer doublesIfKnown(String column) throws IOException {
    return knows(column) ? doubles(column) : DoubleBuffer.allocate(0);
  }

  /** The ids of some decisions, by their numbers. */
  public Map<Integer, String> ids(Collection<Integer> numbers) throws IOException {
    Map<Integer, String> ids = new HashMap<>();
    LongBuffer ends = longs(LogColumns.ID_END);
    try (FileChannel file = FileChannel.open(folder.resolve(IDS), StandardOpenOption.READ)) {
      for (int number : numbers) {
        long from = number == 0 ? 0 : ends.get(number - 1);
        ByteBuffer id = ByteBuffer.allocate((int) (ends.get(number) - from));
        while (id.hasRemaining()) {
          if (file.read(id, from + id.position()) < 0) {
            throw new EOFException(IDS + " of " + folder + " ends before decision " + number);
          }
        }
        ids.put(number, new String(id.array(), UTF_8));
      }
    }
    return ids;
  }

  private ByteBuffer map(String name, Column.Kind kind) throws IOException {
    JsonNode column = columns.get(name);
    if (column == null || !column.get("kind").asText().equals(kind.name())) {
      throw new IOException(folder + " has no column " + name + " of kind " + kind);
    }
    long numbers = column.get("perRow").asBoolean() ? rows : decisions;
    try (FileChannel file =
        FileChannel.open(folder.resolve(column.get("file").asText()), StandardOpenOption.READ)) {
      if (file.size() != numbers * kind.bytes()) {
        throw new IOException(
            "%s of %s has %d bytes, expected %d numbers"
                .formatted(name, folder, file.size(), numbers));
      }
      return file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()).order(ByteOrder.LITTLE_ENDIAN);
    }
  }
}
