package io.bellwether.trainer.imports.vw;

import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.Lines;
import io.bellwether.trainer.imports.LogReader;
import io.bellwether.trainer.imports.LoggedDecision.Origin;
import io.bellwether.trainer.imports.UnreadableLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A dsjson log: contextual bandits, conditional contextual bandits and slates, a JSON object per
 * line, as VW's clients and Azure Personalizer's log mirror write it. Blank lines are skipped. What
 * the format leaves open is decided as {@link DsjsonLine} says. Confined to one thread; memory is
 * bounded by the longest line.
 */
public final class DsjsonReader implements LogReader {

  /** Begins VW's binary file of joined messages. */
  private static final String BINARY = "VWFB";

  private final Lines lines;
  private final Decisions decisions;
  private final Map<String, ReaderNote> notes = new TreeMap<>();

  /**
   * @param lines closed with the reader
   * @param signal what the reward is called
   */
  public DsjsonReader(Lines lines, String signal) {
    this.lines = lines;
    this.decisions = new Decisions(signal);
  }

  /** The log in a file, plain or gzipped. */
  public static DsjsonReader open(Path file, String signal) throws IOException {
    return new DsjsonReader(Lines.open(file), signal);
  }

  @Override
  public @Nullable Entry next() throws IOException {
    for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
      if (line.number() == 1 && line.text().startsWith(BINARY)) {
        throw new ImportRefused(
            lines.file() + " is VW's binary joined log (VWFB); convert it to dsjson first");
      }
      if (line.problem() != null || !line.text().isBlank()) {
        return entry(line);
      }
    }
    return null;
  }

  private Entry entry(Lines.Line line) {
    Origin origin = new Origin(lines.file(), line.number());
    String problem = line.problem();
    if (problem != null) {
      return new Rejected(origin, problem, line.text());
    }
    try {
      DsjsonLine read = DsjsonLine.parse(line.text());
      Read entry = new Read(decisions.of(read.example(), read.decidedAtMicros(), origin));
      for (String note : read.notes()) {
        ReaderNote before = notes.get(note);
        notes.put(note, before == null ? new ReaderNote(note, 1, origin) : before.oneMore());
      }
      return entry;
    } catch (UnreadableLine e) {
      return new Rejected(origin, e.reason(), excerpt(line.text()));
    }
  }

  /** The beginning of a text, as much as a rejects file keeps. */
  static String excerpt(String text) {
    if (text.length() <= Lines.MAX_EXCERPT) {
      return text;
    }
    int end = Lines.MAX_EXCERPT;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }

  /** Which rules were applied to what was read so far, in the order of their words. */
  public List<ReaderNote> notes() {
    return new ArrayList<>(notes.values());
  }

  @Override
  public double progress() {
    return lines.progress();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
