package io.bellwether.infra.process;

import java.nio.file.Path;
import java.util.List;

/** A child ended unasked, or was not ready in time. The message ends with its last log lines. */
public final class ChildFailed extends Exception {
  private static final long serialVersionUID = 1L;

  private final String program;
  private final String what;

  ChildFailed(String program, String what, Path log, List<String> lastLines) {
    super(message(program, what, log, lastLines));
    this.program = program;
    this.what = what;
  }

  /** Name of the program. */
  public String program() {
    return program;
  }

  /** What happened, without the log lines. */
  public String what() {
    return what;
  }

  private static String message(String program, String what, Path log, List<String> lastLines) {
    String head = program + " " + what + ". Its log is " + log;
    return lastLines.isEmpty()
        ? head + " (empty)."
        : head + " and ends with:\n  " + String.join("\n  ", lastLines);
  }
}
