package io.bellwether.trainer.imports;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts more records than fit into memory: sorted runs on disk, each written whole or not at all,
 * and a merge of all of them. Keys are compared as unsigned bytes; whoever wants the order to be
 * the same every time sees to it that no two records have one key.
 *
 * <p>Memory is what was added since the last {@link #flush}, which the caller bounds, and a buffer
 * per run while merging. Runs that were flushed are found again by the next process. Confined to
 * one thread.
 */
final class ExternalSort {

  /** More runs than this are merged in two steps, so that there are not too many open files. */
  private static final int MAX_OPEN = 128;

  private static final int BUFFER = 1 << 15;
  private static final int ENTRY_OVERHEAD = 72;

  private final Path folder;
  private final String name;
  private final List<Entry> pending = new ArrayList<>();
  private long pendingBytes;
  private int runs;

  @SuppressWarnings("ArrayRecordComponent") // never compared as a record
  private record Entry(byte[] key, byte[] value) {}

  /** Records in the order of their keys; whoever asked for them closes them. */
  interface Sorted extends AutoCloseable {
    /** Goes to the next record; false after the last. */
    boolean advance() throws IOException;

    byte[] key();

    byte[] value();

    @Override
    void close() throws IOException;
  }

  /**
   * @param folder holds the runs; exists
   * @param name tells these runs from others in the folder
   * @param runs how many were flushed by an earlier process; 0 for a new sort
   */
  ExternalSort(Path folder, String name, int runs) {
    this.folder = folder;
    this.name = name;
    this.runs = runs;
  }

  /** Adds a record, which is kept in memory until the next {@link #flush}. */
  void add(byte[] key, byte[] value) {
    pending.add(new Entry(key, value));
    pendingBytes += key.length + value.length + ENTRY_OVERHEAD;
  }

  /** About how much memory is taken. */
  long pendingBytes() {
    return pendingBytes;
  }

  /** How many runs there are on disk. */
  int runs() {
    return runs;
  }

  /** Writes what is in memory as a run. */
  void flush() throws IOException {
    if (pending.isEmpty()) {
      return;
    }
    pending.sort(Comparator.comparing(Entry::key, Arrays::compareUnsigned));
    try (RunWriter run = new RunWriter(folder, run(runs))) {
      for (Entry entry : pending) {
        run.write(entry.key(), entry.value());
      }
      run.finish();
    }
    runs++;
    pending.clear();
    pendingBytes = 0;
  }

  /** All records that were ever flushed or added. */
  Sorted sorted() throws IOException {
    flush();
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      files.add(folder.resolve(run(i)));
    }
    for (int step = 0; files.size() > MAX_OPEN; step++) {
      files = mergedGroups(files, step);
    }
    return new Merge(files);
  }

  /** Fewer files with the same records. The runs themselves stay. */
  private List<Path> mergedGroups(List<Path> files, int step) throws IOException {
    List<Path> merged = new ArrayList<>();
    for (int from = 0; from < files.size(); from += MAX_OPEN) {
      List<Path> group = files.subList(from, Math.min(files.size(), from + MAX_OPEN));
      String fileName = name + "-merged-" + step + "-" + merged.size();
      try (Merge merge = new Merge(group);
          RunWriter run = new RunWriter(folder, fileName)) {
        while (merge.advance()) {
          run.write(merge.key(), merge.value());
        }
        run.finish();
      }
      merged.add(folder.resolve(fileName));
    }
    return merged;
  }

  private String run(int number) {
    return name + "-run-" + number;
  }

  /** A run that is being written; it has its name when it is finished. */
  private static final class RunWriter implements AutoCloseable {
    private final Path hidden;
    private final Path finished;
    private final DataOutputStream out;

    RunWriter(Path folder, String fileName) throws IOException {
      hidden = folder.resolve("." + fileName);
      finished = folder.resolve(fileName);
      out =
          new DataOutputStream(
              new BufferedOutputStream(
                  new ZstdOutputStream(Files.newOutputStream(hidden), 1), BUFFER));
    }

    void write(byte[] key, byte[] value) throws IOException {
      out.writeInt(key.length);
      out.writeInt(value.length);
      out.write(key);
      out.write(value);
    }

    void finish() throws IOException {
      out.close();
      Files.move(
          hidden, finished, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  /** A run that is being read, at its current record. */
  private static final class RunReader implements AutoCloseable {
    private final DataInputStream in;
    private byte[] key = {};
    private byte[] value = {};

    RunReader(Path file) throws IOException {
      in =
          new DataInputStream(
              new BufferedInputStream(new ZstdInputStream(Files.newInputStream(file)), BUFFER));
    }

    boolean advance() throws IOException {
      int length;
      try {
        length = in.readInt();
      } catch (EOFException e) {
        return false; // A run is whole, so this is its end.
      }
      key = new byte[length];
      value = new byte[in.readInt()];
      in.readFully(key);
      in.readFully(value);
      return true;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** The merge of some runs. */
  private static final class Merge implements Sorted {
    private final List<RunReader> readers = new ArrayList<>();
    private final PriorityQueue<RunReader> next =
        new PriorityQueue<>((a, b) -> Arrays.compareUnsigned(a.key, b.key));
    private @Nullable RunReader current;

    Merge(List<Path> files) throws IOException {
      try {
        for (Path file : files) {
          RunReader reader = new RunReader(file);
          readers.add(reader);
          if (reader.advance()) {
            next.add(reader);
          }
        }
      } catch (IOException e) {
        close();
        throw e;
      }
    }

    @Override
    public boolean advance() throws IOException {
      if (current != null && current.advance()) {
        next.add(current);
      }
      current = next.poll();
      return current != null;
    }

    @Override
    public byte[] key() {
      return at().key;
    }

    @Override
    public byte[] value() {
      return at().value;
    }

    private RunReader at() {
      if (current == null) {
        throw new IllegalStateException("there is no record here");
      }
      return current;
    }

    @Override
    public void close() throws IOException {
      for (RunReader reader : readers) {
        reader.close();
      }
    }
  }
}
