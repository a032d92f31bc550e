package io.bellwether.loadtest.result;

import java.util.Locale;
import java.util.Map;

/**
 * A page of tables about a measurement, in Markdown, written from top to bottom. It begins with how
 * it was made, on what, and what had to be shown. Formats are those of {@link String#format}, with
 * decimal points whatever the machine's language. Not thread-safe.
 */
public final class Page {
  private final StringBuilder text = new StringBuilder();

  /**
   * A page with its head; the machine's lines may be followed by more.
   *
   * @param command that makes such a page
   * @param machine what it ran on, a line each
   */
  public Page(String title, Measurement result, String command, Map<String, String> machine) {
    line("# %s", title);
    line("");
    line("Made by `%s` in %.0f s, seed %d.", command, result.seconds(), result.seed());
    line("");
    machine.forEach((name, value) -> line("- %s: %s", name, value));
  }

  /** The table of what had to be shown. */
  public void requirements(Measurement result) {
    heading("What it has to show");
    columns("", "found", "required", "");
    for (Requirement each : result.requirements()) {
      row(each.name(), each.observed(), each.required(), each.status().words());
    }
  }

  public void heading(String words) {
    line("");
    line("## %s", words);
    line("");
  }

  /** Begins a table. */
  public void columns(String... names) {
    row(names);
    text.append("|").append(" --- |".repeat(names.length)).append('\n');
  }

  public void row(String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  public void line(String format, Object... numbers) {
    text.append(words(format, numbers)).append('\n');
  }

  /** All that was written. */
  public String text() {
    return text.toString();
  }

  /** Part of a line, or a cell. */
  public static String words(String format, Object... numbers) {
    return String.format(Locale.ROOT, format, numbers);
  }

  /** A share as a cell. */
  public static String percent(double share) {
    return words("%.1f %%", 100 * share);
  }
}
