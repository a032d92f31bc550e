package io.bellwether.trainer.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The sentences below a heading of a Reward Report as they are gathered. Confined to one thread.
 */
final class RewardLines {

  private final String title;
  private final List<String> lines = new ArrayList<>();

  RewardLines(String title) {
    this.title = title;
  }

  RewardLines add(String sentence) {
    lines.add(sentence);
    return this;
  }

  RewardLines addAll(List<String> sentences) {
    lines.addAll(sentences);
    return this;
  }

  /** What a human wrote, or that one still has to. */
  RewardLines human(HumanAnswers answers, HumanField field) {
    return add(
        answers
            .of(field)
            .orElseGet(() -> RewardReport.TODO + " (" + field.key() + "): " + field.question()));
  }

  RewardReport.Part part() {
    return new RewardReport.Part(title, lines);
  }
}
