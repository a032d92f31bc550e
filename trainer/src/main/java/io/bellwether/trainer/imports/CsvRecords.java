package io.bellwether.trainer.imports;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of a file of separated values: a field may be quoted as a whole, and then holds
 * separators, line endings and doubled quotes. A record that breaks these rules costs its first
 * line and no more. Confined to one thread.
 *
 * <p>Source: RFC 4180; in addition the separator may be another, lines may end with LF alone, and
 * empty lines are no records.
 */
public final class CsvRecords implements AutoCloseable {

  /** Longer records have an open quote that nobody meant. */
  private static final int MAX_LINES = 100;

  private static final int MAX_CONTINUED_CHARS = 1 << 18;

  private final Lines lines;
  private final char separator;
  private final Deque<Lines.Line> again = new ArrayDeque<>();
  private final StringBuilder field = new StringBuilder();

  /**
   * One record.
   *
   * @param line 1-based number of its first line
   * @param fields unquoted; empty where there is a problem
   * @param text its first line, or the beginning of it
   * @param problem why it cannot be read; null where it can
   */
  public record Row(long line, List<String> fields, String text, @Nullable String problem) {}

  /**
   * @param lines closed with this
   */
  public CsvRecords(Lines lines, char separator) {
    this.lines = lines;
    this.separator = separator;
  }

  /** The next record, null after the last. */
  public @Nullable Row next() throws IOException {
    Lines.Line first = line();
    while (first != null && first.problem() == null && first.text().isEmpty()) {
      first = line();
    }
    if (first == null) {
      return null;
    }
    if (first.problem() != null) {
      return refused(first, first.problem());
    }
    List<String> fields = new ArrayList<>();
    List<Lines.Line> more = new ArrayList<>();
    field.setLength(0);
    Lines.Line line = first;
    int chars = 0;
    boolean quoted = false;
    while (true) {
      int end = parse(line.text(), quoted, fields);
      if (end == DONE) {
        return new Row(first.number(), List.copyOf(fields), excerpt(first), null);
      }
      if (end == BROKEN) {
        putBack(more);
        return refused(
            first,
            "has a quote in the middle of field "
                + (fields.size() + 1)
                + "; a field must be quoted as a whole, with quotes in it doubled");
      }
      quoted = true;
      field.append('\n');
      chars += line.text().length();
      Lines.Line next = more.size() < MAX_LINES && chars < MAX_CONTINUED_CHARS ? line() : null;
      if (next == null || next.problem() != null) {
        if (next != null) {
          more.add(next);
        }
        putBack(more);
        return refused(
            first, "opens a quote in field " + (fields.size() + 1) + " that is not closed");
      }
      more.add(next);
      line = next;
    }
  }

  private static final int DONE = 0;
  private static final int OPEN = 1;
  private static final int BROKEN = 2;

  /** Reads one line of a record; whole fields are added, an open one stays in {@link #field}. */
  private int parse(String text, boolean open, List<String> fields) {
    boolean quoted = open;
    boolean closed = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        if (c != '"') {
          field.append(c);
        } else if (i + 1 < text.length() && text.charAt(i + 1) == '"') {
          field.append('"');
          i++;
        } else {
          quoted = false;
          closed = true;
        }
      } else if (c == separator) {
        fields.add(field.toString());
        field.setLength(0);
        closed = false;
      } else if (closed || (c == '"' && field.length() > 0)) {
        return BROKEN;
      } else if (c == '"') {
        quoted = true;
      } else {
        field.append(c);
      }
    }
    if (quoted) {
      return OPEN;
    }
    fields.add(field.toString());
    return DONE;
  }

  private Lines.@Nullable Line line() throws IOException {
    Lines.Line line = again.poll();
    return line != null ? line : lines.next();
  }

  private void putBack(List<Lines.Line> read) {
    for (int i = read.size() - 1; i >= 0; i--) {
      again.addFirst(read.get(i));
    }
  }

  private static Row refused(Lines.Line line, String problem) {
    return new Row(line.number(), List.of(), excerpt(line), problem);
  }

  private static String excerpt(Lines.Line line) {
    String text = line.text();
    return text.length() <= Lines.MAX_EXCERPT ? text : text.substring(0, Lines.MAX_EXCERPT);
  }

  /** The name of the file. */
  public String file() {
    return lines.file();
  }

  /** How much of the file was read, in [0, 1]. */
  public double progress() {
    return lines.progress();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
