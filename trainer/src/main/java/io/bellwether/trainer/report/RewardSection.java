package io.bellwether.trainer.report;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A kept Reward Report below the evaluation, folded up. It reads the Markdown that {@link
 * RewardReport#markdown} writes: headings, bullets and one quoted warning.
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record RewardSection(byte[] markdown) {

  void write(Html html) {
    Section.heading(html, "reward", "Reward Report");
    html.raw("<details><summary>What this policy is for, and what came of it</summary>\n");
    boolean listed = false;
    for (String line : new String(markdown, UTF_8).split("\n", -1)) {
      boolean bullet = line.startsWith("- ");
      if (bullet != listed) {
        html.raw(bullet ? "<ul>\n" : "</ul>\n");
        listed = bullet;
      }
      if (bullet) {
        html.element("li", plain(line.substring(2)));
      } else if (line.startsWith("### ")) {
        html.element("h4", plain(line.substring(4)));
      } else if (line.startsWith("## ")) {
        html.element("h3", plain(line.substring(3)));
      } else if (line.startsWith("> ")) {
        html.element("p", "warning", plain(line.substring(2).replace("**", "")));
      }
    }
    html.raw(listed ? "</ul>\n" : "").raw("</details>\n");
  }

  /** Without the backslashes that keep text from being markup. */
  private static String plain(String text) {
    return text.replaceAll("\\\\(.)", "$1");
  }
}
