package io.bellwether.policy.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was appended to any journal of a depot since a reader last looked, each record once. Where a
 * reader was is a text that it keeps: the number of the latest record that it had of each journal.
 * Nothing else is remembered, so a reader may go away for any time, and no record is lost to one
 * that was away or to a writer that was cut off.
 *
 * <p>The records of a journal come in their order. A version comes before what was found out about
 * it, and both before the releases that rest on them. Thread-safe.
 */
public final class ChangeFeed {

  /** Where a reader begins that had nothing. */
  public static final String START = "";

  /** What refers to others comes after them, and is listed before them. */
  private static final List<String> ORDER = List.of("versions", "evidence", "moves", "log");

  private static final Pattern RECORD = Pattern.compile("(.+)/(\\d{8,})\\.json");
  private static final Pattern MARK = Pattern.compile("([A-Za-z0-9._/-]+):(\\d{1,18})");

  private final Depot depot;

  /** The feed of a depot. */
  public ChangeFeed(Depot depot) {
    this.depot = depot;
  }

  /**
   * A record.
   *
   * @param journal its folder, such as {@code versions/home-feed}
   * @param sequence its number in there
   * @param record its bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // The bytes as they are stored; compared by nobody.
  public record Change(String journal, long sequence, byte[] record) {}

  /**
   * Some records.
   *
   * @param changes in their order
   * @param next where to go on after them
   * @param more whether there were more than asked for
   */
  public record Page(List<Change> changes, String next, boolean more) {
    public Page {
      changes = List.copyOf(changes);
    }
  }

  /**
   * The records after a place.
   *
   * @param place {@link #START}, or the {@code next} of a page
   * @param limit at most so many; at least 1
   * @throws IllegalArgumentException where the place is none, or ahead of the depot: that was
   *     replaced by an older copy, or is another one
   */
  public Page after(String place, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("a page of " + limit + " changes");
    }
    SortedMap<String, Long> marks = parse(place);
    SortedMap<String, Long> ends = ends();
    marks.forEach(
        (journal, mark) -> {
          if (ends.getOrDefault(journal, 0L) < mark) {
            throw new IllegalArgumentException(
                ("%s has %d records, and the reader had %d of them:"
                        + " the store is another one, or an older copy")
                    .formatted(journal, ends.getOrDefault(journal, 0L), mark));
          }
        });
    List<Change> changes = new ArrayList<>();
    boolean more = false;
    for (String folder : inOrder(ends)) {
      Journal journal = new Journal(depot, folder);
      long end = ends.getOrDefault(folder, 0L);
      long next = marks.getOrDefault(folder, 0L) + 1;
      while (next <= end && changes.size() < limit) {
        changes.add(new Change(folder, next, journal.read(next)));
        marks.put(folder, next);
        next++;
      }
      more |= next <= end;
    }
    return new Page(changes, format(marks), more);
  }

  /** The number of the latest record of each journal, of those that follow one another. */
  private SortedMap<String, Long> ends() {
    SortedMap<String, TreeSet<Long>> found = new TreeMap<>();
    for (int i = ORDER.size() - 1; i >= 0; i--) {
      for (Depot.Stored stored : depot.list(ORDER.get(i))) {
        Matcher record = RECORD.matcher(stored.name());
        if (record.matches()) {
          found
              .computeIfAbsent(record.group(1), folder -> new TreeSet<>())
              .add(Long.parseLong(record.group(2)));
        }
      }
    }
    SortedMap<String, Long> ends = new TreeMap<>();
    found.forEach(
        (folder, numbers) -> {
          // A listing may have a record and not the one before, if both came while it was made.
          long end = 0;
          while (numbers.contains(end + 1)) {
            end++;
          }
          ends.put(folder, end);
        });
    return ends;
  }

  private static List<String> inOrder(SortedMap<String, Long> ends) {
    List<String> folders = new ArrayList<>();
    for (String first : ORDER) {
      for (String folder : ends.keySet()) {
        if (folder.equals(first) || folder.startsWith(first + "/")) {
          folders.add(folder);
        }
      }
    }
    return folders;
  }

  private static SortedMap<String, Long> parse(String place) {
    SortedMap<String, Long> marks = new TreeMap<>();
    for (String part : place.isEmpty() ? new String[0] : place.split(",", -1)) {
      Matcher mark = MARK.matcher(part);
      if (!mark.matches()) {
        throw new IllegalArgumentException("'" + part + "' is no place in the feed of changes");
      }
      marks.put(mark.group(1), Long.parseLong(mark.group(2)));
    }
    return marks;
  }

  private static String format(Map<String, Long> marks) {
    List<String> parts = new ArrayList<>();
    marks.forEach((journal, mark) -> parts.add(journal + ":" + mark));
    return String.join(",", parts);
  }
}
