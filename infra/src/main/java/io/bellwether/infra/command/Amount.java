package io.bellwether.infra.command;

/** A number that an option gives in place of a default. */
final class Amount {
  private Amount() {}

  /** The number; refuses a smaller one than the least. */
  static int atLeast(int least, int number, String option) {
    if (number < least) {
      throw CommandFailed.wrongInput(
          option + " is at least " + least + ", found " + number + ".",
          "Leave it away for the default.");
    }
    return number;
  }
}
