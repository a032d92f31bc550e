package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Puts transitions into the order and form of {@link NormalForm}, however many there are: sorted
 * runs of a bounded size on disk, merged. Of copies that are equally new the one with the greatest
 * bytes is kept. Confined to one thread; its temporary files are gone when it is closed.
 */
final class SortedRows implements AutoCloseable {

  private static final int BUFFER = 1 << 15;

  /** What an entry of a list costs beside its bytes. */
  private static final int OVERHEAD = 128;

  private final Path folder;
  private final long memory;
  private final EventCodec<Transition> codec = EventCodec.of(Transition.class);
  private final List<Path> files = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private List<Row> rows = new ArrayList<>();
  private long held;

  /**
   * @param folder for temporary files
   * @param memory bytes of rows that are held at once
   */
  SortedRows(Path folder, long memory) {
    this.folder = folder;
    this.memory = memory;
  }

  @SuppressWarnings("ArrayRecordComponent") // compared by its own order
  private record Row(long decidedAtMicros, String id, byte[] bytes) {

    static final Comparator<Row> ORDER =
        Comparator.comparingLong(Row::decidedAtMicros)
            .thenComparing(Row::id)
            .thenComparing((a, b) -> Arrays.compare(b.bytes, a.bytes));

    boolean isOf(@Nullable Row other) {
      return other != null && decidedAtMicros == other.decidedAtMicros && id.equals(other.id);
    }
  }

  /** Takes a transition; its revision is set to 0. */
  void add(Transition transition) throws IOException {
    transition.setRevision(0);
    Row row =
        new Row(
            transition.getDecision().getDecidedAtMicros(),
            transition.getDecision().getDecisionId(),
            codec.encode(transition));
    rows.add(row);
    held += row.bytes.length + OVERHEAD;
    if (held >= memory) {
      spill();
    }
  }

  private void spill() throws IOException {
    rows.sort(Row.ORDER);
    Path file = Files.createTempFile(folder, ".sorting", ".inprogress");
    files.add(file);
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER))) {
      for (Row row : rows) {
        out.writeLong(row.decidedAtMicros);
        out.writeUTF(row.id);
        out.writeInt(row.bytes.length);
        out.write(row.bytes);
      }
    }
    rows = new ArrayList<>();
    held = 0;
  }

  /** Takes transitions in order. */
  interface Sink {
    void accept(Transition transition) throws IOException;
  }

  /** Gives everything that was added, in order. Called once. */
  void drain(Sink sink) throws IOException {
    rows.sort(Row.ORDER);
    PriorityQueue<Run> heads = new PriorityQueue<>(Comparator.comparing(Run::head, Row.ORDER));
    Run last = new Run(rows);
    if (last.next()) {
      heads.add(last);
    }
    for (Path file : files) {
      Run run = new Run(file);
      runs.add(run);
      if (run.next()) {
        heads.add(run);
      }
    }
    Row previous = null;
    for (Run run = heads.poll(); run != null; run = heads.poll()) {
      Row row = run.head();
      if (!row.isOf(previous)) {
        sink.accept(transition(row));
      }
      previous = row;
      if (run.next()) {
        heads.add(run);
      }
    }
  }

  private Transition transition(Row row) {
    try {
      return codec.decode(row.bytes);
    } catch (UndecodableEventException e) {
      throw new IllegalStateException("what was encoded here does not decode", e);
    }
  }

  /** Rows in order, in memory or in a file. */
  private static final class Run implements AutoCloseable {

    private final List<Row> rows;
    private final @Nullable DataInputStream in;
    private int at;
    private @Nullable Row head;

    Run(List<Row> rows) {
      this.rows = rows;
      this.in = null;
    }

    Run(Path file) throws IOException {
      this.rows = List.of();
      this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
    }

    Row head() {
      if (head == null) {
        throw new IllegalStateException("the run has ended");
      }
      return head;
    }

    boolean next() throws IOException {
      head = in == null ? fromMemory() : fromFile(in);
      return head != null;
    }

    private @Nullable Row fromMemory() {
      return at < rows.size() ? rows.get(at++) : null;
    }

    private static @Nullable Row fromFile(DataInputStream in) throws IOException {
      long decidedAtMicros;
      try {
        decidedAtMicros = in.readLong();
      } catch (EOFException e) {
        return null;
      }
      String id = in.readUTF();
      byte[] bytes = new byte[in.readInt()];
      in.readFully(bytes);
      return new Row(decidedAtMicros, id, bytes);
    }

    @Override
    public void close() throws IOException {
      if (in != null) {
        in.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Run run : runs) {
      run.close();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
