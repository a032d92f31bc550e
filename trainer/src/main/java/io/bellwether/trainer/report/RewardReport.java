package io.bellwether.trainer.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/**
 * What a policy version is for, what it was told to want, what is known about what that does, and
 * what came of it: the headings of Reward Reports (Gilbert, Lambert, Dean, Zick and Snoswell,
 * "Reward Reports for Reinforcement Learning", 2022). Immutable; the same facts give the same
 * bytes.
 *
 * @param open the human fields that nobody has written yet
 */
public record RewardReport(String title, List<Chapter> chapters, List<HumanField> open) {

  /** What stands where a human has to write. */
  static final String TODO = "TODO";

  /** One of the main headings. */
  public record Chapter(String title, List<Part> parts) {
    public Chapter {
      parts = List.copyOf(parts);
    }
  }

  /**
   * A heading below it.
   *
   * @param lines a sentence each
   */
  public record Part(String title, List<String> lines) {
    public Part {
      lines = List.copyOf(lines);
    }
  }

  public RewardReport {
    chapters = List.copyOf(chapters);
    open = List.copyOf(open);
  }

  /** As Markdown, UTF-8: what is kept with the version. */
  public byte[] markdown() {
    StringBuilder text = new StringBuilder("# ").append(escaped(title)).append("\n\n");
    if (!open.isEmpty()) {
      text.append("> **").append(warning()).append("**\n\n");
    }
    for (Chapter chapter : chapters) {
      text.append("## ").append(chapter.title()).append("\n\n");
      for (Part part : chapter.parts()) {
        text.append("### ").append(part.title()).append("\n\n");
        part.lines().forEach(line -> text.append("- ").append(escaped(line)).append('\n'));
        text.append('\n');
      }
    }
    return text.toString().strip().concat("\n").getBytes(UTF_8);
  }

  /** As a page that needs nothing else, UTF-8. */
  public byte[] page() {
    Html html = new Html();
    html.element("h1", title);
    if (!open.isEmpty()) {
      html.element("p", "warning", warning());
    }
    for (Chapter chapter : chapters) {
      html.element("h2", chapter.title());
      for (Part part : chapter.parts()) {
        html.element("h3", part.title());
        html.list(part.lines());
      }
    }
    return PageFrame.around(title, html);
  }

  /** What is still to be written, in a sentence. */
  public String warning() {
    return "%s for people to write and still %s %s: %s"
        .formatted(
            open.size() == 1 ? "1 field is" : open.size() + " fields are",
            open.size() == 1 ? "says" : "say",
            TODO,
            String.join(", ", open.stream().map(HumanField::key).toList()));
  }

  /** Text that Markdown does not take for markup, on one line. */
  private static String escaped(String text) {
    return text.replaceAll("\\s+", " ").replaceAll("([\\\\`*_\\[\\]<>#|])", "\\\\$1");
  }
}
