package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import org.apache.parquet.hadoop.ParquetReader;
import org.jspecify.annotations.Nullable;

/**
 * The finished files of an archive. Of each decision only the newest transition is read, and none
 * of what is to be forgotten.
 *
 * <p>Memory is one row group of one file, eight bytes for each transition of a day that was not
 * compacted, and one entry for each decision of that day that has several. Files that are added
 * after {@link #read} was called are not seen by that reading, and those that are compacted
 * meanwhile stay for it. Thread-safe.
 */
public final class TransitionArchive {

  private final Path root;

  /**
   * @param root the folder that holds {@code surface=NAME/day=YYYY-MM-DD/part-*.parquet}
   */
  public TransitionArchive(Path root) {
    this.root = root;
  }

  /** Transitions of one reading; whoever reads closes it. Confined to one thread. */
  public interface Transitions extends Iterator<Transition>, AutoCloseable {
    @Override
    void close();
  }

  /** The surfaces that have a folder, in order. */
  public List<String> surfaces() {
    try {
      return DayFolder.surfaces(root);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the archive in " + root, e);
    }
  }

  /**
   * The files of a surface that are to be read, in the order of days, in a day compacted ones
   * first, then by name.
   */
  public List<Path> files(String surface) {
    List<Path> files = new ArrayList<>();
    try {
      for (DayFolder day : DayFolder.of(root, surface)) {
        files.addAll(day.contents().visible());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list surface " + surface + " in " + root, e);
    }
    return List.copyOf(files);
  }

  /**
   * The transitions of a surface, in the order of files and rows; none where there is no archive.
   */
  public Transitions read(String surface) {
    return read(files(surface));
  }

  /** The transitions of these files, in their order. */
  public Transitions read(List<Path> files) {
    return new Newest(files, ErasedSubjects.in(root), true);
  }

  /**
   * The same, but where it cannot be told from two copies which one is newer, both are read, as
   * long as they are not of two compacted files.
   */
  static Transitions readWithTies(List<Path> files) {
    return new Newest(files, new ErasedSubjects(), false);
  }

  private static final class Newest implements Transitions {

    private final List<Path> files;
    private final ErasedSubjects erased;
    private final boolean once;
    private int at;
    private int endOfDay;
    private NewestCopies newest = NewestCopies.NONE;
    private @Nullable Path file;
    private @Nullable ParquetReader<Transition> rows;
    private @Nullable Transition next;

    Newest(List<Path> files, ErasedSubjects erased, boolean once) {
      this.files = List.copyOf(files);
      this.erased = erased;
      this.once = once;
    }

    @Override
    public boolean hasNext() {
      while (next == null) {
        Transition row = row();
        if (row == null) {
          return false;
        }
        if (newest.counts(row, once) && !isErased(row.getDecision())) {
          next = row;
        }
      }
      return true;
    }

    private boolean isErased(Decision decision) {
      return erased.covers(decision.getSubjectId(), decision.getDecidedAtMicros());
    }

    @Override
    public Transition next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Transition row = next;
      next = null;
      return Objects.requireNonNull(row);
    }

    private @Nullable Transition row() {
      try {
        while (true) {
          if (rows != null) {
            Transition row = rows.read();
            if (row != null) {
              return row;
            }
            rows.close();
            rows = null;
          }
          if (at == files.size()) {
            return null;
          }
          if (at == endOfDay) {
            endOfDay = endOfDay(at);
            newest = NewestCopies.of(files.subList(at, endOfDay));
          }
          file = files.get(at++);
          rows = Parquet.transitions(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read transitions from " + file, e);
      }
    }

    /** All transitions of a decision lie in the folder of its day. */
    private int endOfDay(int from) {
      Optional<Path> folder = Optional.ofNullable(files.get(from).getParent());
      int end = from + 1;
      while (end < files.size() && Optional.ofNullable(files.get(end).getParent()).equals(folder)) {
        end++;
      }
      return end;
    }

    @Override
    public void close() {
      try {
        if (rows != null) {
          rows.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot close " + file, e);
      }
    }
  }
}
