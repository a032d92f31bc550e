package io.bellwether.trainer.gate;

import io.bellwether.trainer.columns.ColumnWriter;
import io.bellwether.trainer.columns.LogColumns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * The one task that writes a scored log, ordered by unit, time and id. Takes messages of which
 * those of one unit come one after the other and by time, as a keyed input of a batch job does.
 * Emits nothing.
 */
final class WriteColumns extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<byte[], byte[]>, BoundedOneInput {

  private static final long serialVersionUID = 1;
  private static final int TIME = Long.BYTES;
  private static final int ID = 2 * Long.BYTES;

  private final LogColumns columns;
  private final String folder;
  private transient @Nullable ColumnWriter writer;

  /** Decisions of one unit at one time, which come in any order. */
  private transient List<byte[]> alike = new ArrayList<>();

  private transient long unit;
  private transient long time;

  WriteColumns(LogColumns columns, String folder) {
    this.columns = columns;
    this.folder = folder;
  }

  @Override
  public void open() throws Exception {
    super.open();
    writer = new ColumnWriter(new EvaluationFolder(Path.of(folder)).columns(), columns);
    alike = new ArrayList<>();
  }

  private ColumnWriter writer() {
    if (writer == null) {
      throw new IllegalStateException("not open");
    }
    return writer;
  }

  /** The key by which messages are sorted. */
  static long unitOf(byte[] message) {
    return ByteBuffer.wrap(message).getLong();
  }

  @Override
  public void processElement(StreamRecord<byte[]> element) throws IOException {
    ByteBuffer message = ByteBuffer.wrap(element.getValue());
    long nextUnit = message.getLong();
    long nextTime = message.getLong(TIME);
    if (!alike.isEmpty() && (nextUnit != unit || nextTime != time)) {
      if (nextUnit == unit && nextTime < time) {
        throw new IllegalStateException("decisions of a unit do not come by time");
      }
      write();
    }
    unit = nextUnit;
    time = nextTime;
    alike.add(element.getValue());
  }

  private void write() throws IOException {
    alike.sort(
        (a, b) -> {
          int order = Arrays.compareUnsigned(a, ID, ID + Long.BYTES, b, ID, ID + Long.BYTES);
          return order != 0 ? order : Arrays.compareUnsigned(a, b);
        });
    for (byte[] message : alike) {
      writer().add(ByteBuffer.wrap(message));
    }
    alike.clear();
  }

  @Override
  public void endInput() throws IOException {
    write();
    writer().finish();
  }

  @Override
  public void close() throws Exception {
    if (writer != null) {
      writer.close();
    }
    super.close();
  }
}
