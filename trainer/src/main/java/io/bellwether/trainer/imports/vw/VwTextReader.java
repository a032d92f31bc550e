package io.bellwether.trainer.imports.vw;

import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.Lines;
import io.bellwether.trainer.imports.LogReader;
import io.bellwether.trainer.imports.LoggedDecision.Origin;
import io.bellwether.trainer.imports.UnreadableLine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A log in VW's text: examples of several lines, each ended by a blank one, of contextual bandits
 * ({@code cb_adf}), conditional contextual bandits or slates. What is wrong in one line costs its
 * example, and the reason names the line. Confined to one thread; memory is bounded by the largest
 * example that is allowed.
 *
 * <p>The format has no ids and no times: an id is made of the file's name and the number of the
 * example's first line, and examples are given times at equal distances. {@code key=value} reads as
 * a category, {@code key:value} as a number, {@code key} as a flag.
 */
public final class VwTextReader implements LogReader {

  /** More than a decision may have of candidates and slots. */
  static final int MAX_LINES = 2_000;

  /** Characters of one example. */
  static final int MAX_CHARACTERS = Lines.MAX_LINE_BYTES;

  private final Lines lines;
  private final Decisions decisions;
  private final long firstMicros;
  private final long stepMicros;
  private long examples;

  /**
   * @param lines closed with the reader
   * @param signal what the reward is called
   * @param first when the first example is said to have been decided
   * @param step time between two examples
   */
  public VwTextReader(Lines lines, String signal, Instant first, Duration step) {
    this.lines = lines;
    this.decisions = new Decisions(signal);
    this.firstMicros = ChronoUnit.MICROS.between(Instant.EPOCH, first);
    this.stepMicros = step.toNanos() / 1000;
  }

  /** The log in a file, plain or gzipped. */
  public static VwTextReader open(Path file, String signal, Instant first, Duration step)
      throws IOException {
    return new VwTextReader(Lines.open(file), signal, first, step);
  }

  @Override
  public @Nullable Entry next() throws IOException {
    Lines.Line line = lines.next();
    while (line != null && line.problem() == null && line.text().isBlank()) {
      line = lines.next();
    }
    if (line == null) {
      return null;
    }
    Origin origin = new Origin(lines.file(), line.number());
    String start = line.text();
    if (line.number() == 1 && looksLikeJson(start)) {
      throw new ImportRefused(lines.file() + " is JSON, must be VW's text; import it as dsjson");
    }
    long micros = firstMicros + examples * stepMicros;
    examples++;
    List<Lines.Line> example = new ArrayList<>();
    String reason = collect(line, example);
    if (reason != null) {
      return new Rejected(origin, reason, DsjsonReader.excerpt(start));
    }
    try {
      return new Read(decisions.of(TextExample.parse(example), micros, origin));
    } catch (UnreadableLine e) {
      return new Rejected(origin, e.reason(), DsjsonReader.excerpt(start));
    }
  }

  private static boolean looksLikeJson(String start) {
    return start.stripLeading().startsWith("{");
  }

  /** Reads to the end of an example; what makes it unreadable, or null. */
  private @Nullable String collect(Lines.Line first, List<Lines.Line> example) throws IOException {
    String reason = null;
    long characters = 0;
    for (Lines.Line line = first; line != null; line = lines.next()) {
      if (line.problem() == null && line.text().isBlank()) {
        break;
      }
      characters += line.text().length();
      if (reason == null && line.problem() != null) {
        reason = "line " + line.number() + " " + line.problem();
      }
      if (reason == null && (example.size() == MAX_LINES || characters > MAX_CHARACTERS)) {
        reason =
            "line %d: the example has more than %d lines or %d characters; a blank line must end it"
                .formatted(line.number(), MAX_LINES, MAX_CHARACTERS);
      }
      if (reason == null) {
        example.add(line);
      } else {
        example.clear();
      }
    }
    return reason;
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
