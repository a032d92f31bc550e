package io.bellwether.trainer.report;

import java.util.Locale;

/**
 * A drawing as inline SVG. Its unit is about a pixel of a phone: a drawing is {@link #WIDTH} wide
 * and scales with the page. Colours are classes of the page's style sheet, so that they follow
 * light and dark. Confined to one thread.
 */
final class Svg {

  static final int WIDTH = 360;

  private final StringBuilder text = new StringBuilder();

  /**
   * @param words what it shows, for people who cannot see it
   */
  Svg(double height, String words) {
    text.append(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"%s\">\n",
            WIDTH,
            height,
            Html.escaped(words)));
  }

  Svg line(double x1, double y1, double x2, double y2, String style) {
    return add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n",
        x1, y1, x2, y2, style);
  }

  Svg circle(double x, double y, double radius, String style) {
    return add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"%s\"/>\n", x, y, radius, style);
  }

  Svg rectangle(double x, double y, double width, double height, String style) {
    return add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n",
        x, y, Math.max(0, width), Math.max(0, height), style);
  }

  /**
   * @param anchor {@code start}, {@code middle} or {@code end}
   */
  Svg text(double x, double y, String anchor, String style, String words) {
    return add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n",
        x, y, anchor, style, Html.escaped(words));
  }

  /** A line through points {@code x[i], y[i]}. */
  Svg path(double[] x, double[] y, String style) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < x.length; i++) {
      path.append(String.format(Locale.ROOT, "%s%.1f %.1f", i == 0 ? "M" : "L", x[i], y[i]));
    }
    return add("<path d=\"%s\" class=\"%s\"/>\n", path, style);
  }

  /** The area between two lines over the same {@code x}. */
  Svg band(double[] x, double[] low, double[] high, String style) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < x.length; i++) {
      path.append(String.format(Locale.ROOT, "%s%.1f %.1f", i == 0 ? "M" : "L", x[i], low[i]));
    }
    for (int i = x.length - 1; i >= 0; i--) {
      path.append(String.format(Locale.ROOT, "L%.1f %.1f", x[i], high[i]));
    }
    return add("<path d=\"%sZ\" class=\"%s\"/>\n", path, style);
  }

  private Svg add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values));
    return this;
  }

  String end() {
    return text + "</svg>\n";
  }
}
