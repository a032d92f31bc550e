package io.bellwether.infra.command;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of decision times as somebody writes it: {@code 2026-11-01..2026-11-30}, either end
 * optional. A day counts as a whole, UTC.
 *
 * @param from the first time that belongs to it; absent for the beginning
 * @param to the first time that does not any more; absent for the end
 */
record LogRange(@Nullable Instant from, @Nullable Instant to) {

  static final LogRange ALL = new LogRange(null, null);

  private static final Pattern RANGE = Pattern.compile("([0-9TZ:.+-]*?)\\.\\.([0-9TZ:.+-]*)");
  private static final String NEXT =
      "Give a day such as 2026-11-30, or a time such as 2026-11-30T08:00:00Z.";

  /** Empty where the text is no range but, say, a folder. */
  static Optional<LogRange> find(String text) {
    Matcher matcher = RANGE.matcher(text);
    if (!matcher.matches() || text.equals("..")) {
      return Optional.empty();
    }
    String from = matcher.group(1);
    String to = matcher.group(2);
    return Optional.of(
        of(from.isEmpty() ? null : start("--log", from), to.isEmpty() ? null : end("--log", to)));
  }

  static LogRange of(@Nullable Instant from, @Nullable Instant to) {
    if (from != null && to != null && !from.isBefore(to)) {
      throw CommandFailed.wrongInput(
          "No decision is from " + from + " and before " + to + ".",
          "Give the earlier time first.");
    }
    return new LogRange(from, to);
  }

  /** The beginning of a day, or a time. */
  static Instant start(String option, String text) {
    return day(text)
        .map(day -> day.atStartOfDay(ZoneOffset.UTC).toInstant())
        .orElseGet(() -> time(option, text));
  }

  /** The end of a day, or a time. */
  static Instant end(String option, String text) {
    return day(text)
        .map(day -> day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant())
        .orElseGet(() -> time(option, text));
  }

  private static Optional<LocalDate> day(String text) {
    try {
      return Optional.of(LocalDate.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Instant time(String option, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw CommandFailed.wrongInput(option + ": '" + text + "' is no time.", NEXT);
    }
  }
}
