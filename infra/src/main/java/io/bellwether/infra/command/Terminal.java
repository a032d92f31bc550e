package io.bellwether.infra.command;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Where a verb prints: results to standard output, progress and errors to standard error. Plain
 * lines, each progress line with the seconds since the start. Thread-safe.
 */
final class Terminal {
  private final PrintStream output;
  private final PrintStream errors;
  private final Clock clock;
  private final Instant start;

  Terminal(PrintStream output, PrintStream errors, Clock clock) {
    this.output = output;
    this.errors = errors;
    this.clock = clock;
    this.start = clock.instant();
  }

  /** A line of the verb's result. */
  void print(String line) {
    output.println(line);
  }

  /** What happens now, for somebody who waits. */
  void progress(String line) {
    double seconds = Duration.between(start, clock.instant()).toMillis() / 1000.0;
    errors.println(String.format(Locale.ROOT, "%6.1f s  %s", seconds, line));
  }

  /** What went wrong, and what to do next. */
  void failure(String verb, String message, String next) {
    errors.println(verb + ": " + message);
    errors.println(next);
  }

  PrintStream output() {
    return output;
  }

  PrintStream errors() {
    return errors;
  }
}
