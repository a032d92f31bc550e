package io.bellwether.infra.command;

import io.bellwether.trainer.report.HumanAnswers;
import java.io.IOException;
import java.nio.file.Path;

/** What people have written for the Reward Reports of a surface, in the data folder. */
final class RewardAnswers {
  private RewardAnswers() {}

  static HumanAnswers read(Path data, String surface) throws IOException {
    Path file = HumanAnswers.file(data, surface);
    try {
      return HumanAnswers.read(file);
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          String.valueOf(e.getMessage()), "Mend the file, or remove it to start over.");
    }
  }
}
