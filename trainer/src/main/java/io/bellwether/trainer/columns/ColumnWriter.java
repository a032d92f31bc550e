package io.bellwether.trainer.columns;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes a scored log as fixed-width columns, one little-endian file each, and the ids of its
 * decisions one behind the other, which {@link ColumnFiles} reads; the manifest is written last, so
 * that half a log is none. Takes decisions in the order in which they shall stand. Memory is a
 * small buffer per column. Owns its files until {@link #close}; confined to one thread.
 */
public final class ColumnWriter implements AutoCloseable {

  private static final int BUFFER = 1 << 15;

  private final Path folder;
  private final List<Output> outputs = new ArrayList<>();
  private final Output unit;
  private final Output time;
  private final Output id;
  private final Output idEnd;
  private final OutputStream ids;
  private final Output decision;
  private final Output position;
  private final Output unitOfRow;
  private final List<Output> ofDecision = new ArrayList<>();
  private final List<Output> ofRow = new ArrayList<>();
  private int decisions;
  private long rows;
  private long idBytes;

  /** Starts over in a folder, which is made if it is not there. */
  public ColumnWriter(Path folder, LogColumns columns) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder);
    empty(folder);
    unit = output(Column.longs(LogColumns.UNIT_OF_DECISION), false);
    time = output(Column.longs(LogColumns.TIME), false);
    id = output(Column.longs(LogColumns.ID), false);
    idEnd = output(Column.longs(LogColumns.ID_END), false);
    decision = output(Column.ints(LogColumns.DECISION), true);
    position = output(Column.ints(LogColumns.POSITION), true);
    unitOfRow = output(Column.longs(LogColumns.UNIT), true);
    for (Column column : columns.ofDecision()) {
      ofDecision.add(output(column, false));
    }
    for (Column column : columns.ofRow()) {
      ofRow.add(output(column, true));
    }
    ids = new BufferedOutputStream(Files.newOutputStream(folder.resolve(ColumnFiles.IDS)), BUFFER);
  }

  /** The manifest first: from then on there is no log. */
  private static void empty(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(ColumnFiles.MANIFEST));
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  private Output output(Column column, boolean perRow) throws IOException {
    Output output = new Output(column, perRow, folder, outputs.size());
    outputs.add(output);
    return output;
  }

  /** A column's file. */
  private static final class Output implements AutoCloseable {

    private final Column column;
    private final boolean perRow;
    private final String file;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
    private boolean unknown;

    Output(Column column, boolean perRow, Path folder, int number) throws IOException {
      this.column = column;
      this.perRow = perRow;
      this.file = "column-" + number;
      this.channel =
          FileChannel.open(
              folder.resolve(file), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    void copy(ByteBuffer message) throws IOException {
      switch (column.kind()) {
        case INT -> put(message.getInt());
        case LONG -> put(message.getLong());
        case DOUBLE -> put(message.getDouble());
      }
    }

    void put(int value) throws IOException {
      room(Integer.BYTES).putInt(value);
    }

    void put(long value) throws IOException {
      room(Long.BYTES).putLong(value);
    }

    void put(double value) throws IOException {
      unknown |= column.mayBeUnknown() && Double.isNaN(value);
      room(Double.BYTES).putDouble(value);
    }

    private ByteBuffer room(int bytes) throws IOException {
      if (buffer.remaining() < bytes) {
        flush();
      }
      return buffer;
    }

    void flush() throws IOException {
      buffer.flip();
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      buffer.clear();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /**
   * Adds a decision.
   *
   * @param message as {@link LogColumns} says
   */
  public void add(ByteBuffer message) throws IOException {
    long unitHash = message.getLong();
    unit.put(unitHash);
    time.put(message.getLong());
    id.put(message.getLong());
    int count = message.getInt();
    for (Output output : ofDecision) {
      output.copy(message);
    }
    for (int row = 0; row < count; row++) {
      decision.put(decisions);
      position.put(row);
      unitOfRow.put(unitHash);
      for (Output output : ofRow) {
        output.copy(message);
      }
    }
    byte[] name = new byte[message.getInt()];
    message.get(name);
    ids.write(name);
    idBytes += name.length;
    idEnd.put(idBytes);
    decisions++;
    rows += count;
    if (rows > ColumnFiles.MOST_ROWS) {
      throw new IllegalStateException(
          "a log of more than %d rows cannot be evaluated in one piece: choose a shorter range"
              .formatted(ColumnFiles.MOST_ROWS));
    }
  }

  /** Ends the log: from now on it can be read. */
  public void finish() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode json = mapper.createObjectNode();
    json.put("decisions", decisions).put("rows", rows);
    ids.flush();
    ArrayNode columns = json.putArray("columns");
    for (Output output : outputs) {
      output.flush();
      output.channel.force(true);
      columns
          .addObject()
          .put("name", output.column.name())
          .put("kind", output.column.kind().name())
          .put("file", output.file)
          .put("perRow", output.perRow)
          .put("known", !output.unknown);
    }
    Path unfinished = folder.resolve(ColumnFiles.MANIFEST + ".part");
    Files.write(unfinished, mapper.writeValueAsBytes(json));
    Files.move(unfinished, folder.resolve(ColumnFiles.MANIFEST), REPLACE_EXISTING, ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    ids.close();
    for (Output output : outputs) {
      output.close();
    }
  }
}
