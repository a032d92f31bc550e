package io.bellwether.trainer.report;

import java.util.List;

/**
 * A page's text as it grows. Whatever is passed as text is escaped; only {@link #raw} is not. What
 * comes out is well-formed XML as well. Confined to one thread.
 */
final class Html {

  private final StringBuilder text = new StringBuilder();

  /** Text that cannot be taken for markup. */
  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(c < ' ' && c != '\n' && c != '\t' ? ' ' : c);
      }
    }
    return escaped.toString();
  }

  /** Markup of our own. */
  Html raw(String markup) {
    text.append(markup);
    return this;
  }

  Html element(String tag, String content) {
    text.append('<').append(tag).append('>').append(escaped(content));
    text.append("</").append(tag).append(">\n");
    return this;
  }

  Html element(String tag, String style, String content) {
    text.append('<').append(tag).append(" class=\"").append(escaped(style)).append("\">");
    text.append(escaped(content)).append("</").append(tag).append(">\n");
    return this;
  }

  Html paragraph(String content) {
    return element("p", content);
  }

  Html list(List<String> items) {
    if (items.isEmpty()) {
      return this;
    }
    text.append("<ul>\n");
    items.forEach(item -> element("li", item));
    text.append("</ul>\n");
    return this;
  }

  /** A table that scrolls by itself where it is wider than the screen. */
  Html table(Table table) {
    boolean facts = table.columns().stream().allMatch(column -> column.title().isEmpty());
    text.append("<div class=\"wide\"><table").append(facts ? " class=\"facts\">" : ">");
    if (!facts) {
      titles(table);
    }
    text.append("\n<tbody>\n");
    for (Table.Row row : table.rows()) {
      text.append("<tr").append(row.style().isEmpty() ? "" : " class=\"" + row.style() + "\"");
      text.append('>');
      for (int i = 0; i < row.cells().size(); i++) {
        text.append("<td").append(table.columns().get(i).number() ? " class=\"n\"" : "");
        text.append('>').append(escaped(row.cells().get(i))).append("</td>");
      }
      text.append("</tr>\n");
    }
    text.append("</tbody></table></div>\n");
    return this;
  }

  private void titles(Table table) {
    text.append("\n<thead><tr>");
    for (Table.Column column : table.columns()) {
      text.append("<th").append(column.number() ? " class=\"n\"" : "").append('>');
      text.append(escaped(column.title())).append("</th>");
    }
    text.append("</tr></thead>");
  }

  /** A table that is folded up until somebody wants to see it. */
  Html folded(String title, Table table) {
    text.append("<details><summary>").append(escaped(title)).append("</summary>\n");
    table(table);
    text.append("</details>\n");
    return this;
  }

  /** A plot with its numbers as a folded table. */
  Html plot(String caption, String svg, Table table) {
    text.append("<figure><figcaption>").append(escaped(caption)).append("</figcaption>\n");
    text.append(svg);
    folded("Numbers", table);
    text.append("</figure>\n");
    return this;
  }

  Html preformatted(String content) {
    text.append("<pre>").append(escaped(content)).append("</pre>\n");
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
