package io.bellwether.trainer.report;

import java.util.List;
import java.util.Locale;

/** Estimates with their intervals, one below the other on one axis, as inline SVG. */
final class ForestPlot {

  private static final int LABEL = 190;
  private static final int WIDTH = 800;
  private static final int LINE = 26;
  private static final int RIGHT = 20;

  private ForestPlot() {}

  /**
   * @param reference whether it is what the others are compared with: drawn as a dashed line
   */
  record Bar(String label, double value, double low, double high, boolean reference) {}

  static String svg(List<Bar> bars) {
    if (bars.isEmpty()) {
      return "";
    }
    double least = bars.stream().mapToDouble(Bar::low).min().orElse(0);
    double most = bars.stream().mapToDouble(Bar::high).max().orElse(1);
    double span = most > least ? most - least : Math.max(Math.abs(most), 1);
    Axis axis = new Axis(least - 0.05 * span, 1.1 * span);
    int height = bars.size() * LINE + 30;
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"values\">".formatted(WIDTH, height));
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      double y = (i + 0.5) * LINE;
      String colour = bar.reference() ? "#5a6570" : "#1f5fa8";
      if (bar.reference()) {
        line(svg, axis.x(bar.value()), 0, axis.x(bar.value()), bars.size() * LINE, colour, "4 4");
      }
      text(svg, 0, y + 5, "start", bar.label());
      line(svg, axis.x(bar.low()), y, axis.x(bar.high()), y, colour, "");
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>",
              axis.x(bar.value()),
              y,
              colour));
    }
    for (double tick : new double[] {least, (least + most) / 2, most}) {
      text(svg, axis.x(tick), height - 8, "middle", ReportPage.number(tick));
    }
    return svg.append("</svg>\n").toString();
  }

  private record Axis(double from, double span) {
    double x(double value) {
      return LABEL + (value - from) / span * (WIDTH - LABEL - RIGHT);
    }
  }

  private static void line(
      StringBuilder svg, double x1, double y1, double x2, double y2, String colour, String dash) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\""
                + " stroke-dasharray=\"%s\"/>",
            x1,
            y1,
            x2,
            y2,
            colour,
            dash));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"14\" text-anchor=\"%s\">%s</text>",
            x,
            y,
            anchor,
            ReportPage.escaped(text)));
  }
}
