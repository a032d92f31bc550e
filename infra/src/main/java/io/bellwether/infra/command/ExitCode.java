package io.bellwether.infra.command;

/** What the exit code of every verb means, for scripts. */
final class ExitCode {
  static final int DONE = 0;

  /** The question was answered, and the answer is no: a gate that fails, a replay that differs. */
  static final int NO = 1;

  /** Wrong usage or input: the same call cannot succeed. */
  static final int WRONG_INPUT = 2;

  /** Something outside is down: the same call may succeed later. */
  static final int UNAVAILABLE = 3;

  private ExitCode() {}
}
