package io.bellwether.infra.command;

import org.jspecify.annotations.Nullable;

/**
 * A verb cannot do what was asked. Printed as one line with the reason and one with what to do
 * next, without a stack trace.
 */
final class CommandFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final String next;

  private CommandFailed(int exitCode, String message, String next, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
    this.next = next;
  }

  /** The answer is no: exit code 1. */
  static CommandFailed refused(String message, String next) {
    return new CommandFailed(ExitCode.NO, message, next, null);
  }

  /** The caller is wrong: exit code 2. */
  static CommandFailed wrongInput(String message, String next) {
    return new CommandFailed(ExitCode.WRONG_INPUT, message, next, null);
  }

  /** Something outside is down: exit code 3. */
  static CommandFailed unavailable(String message, String next, @Nullable Throwable cause) {
    return new CommandFailed(ExitCode.UNAVAILABLE, message, next, cause);
  }

  int exitCode() {
    return exitCode;
  }

  /** What to do next, as one sentence. */
  String next() {
    return next;
  }
}
