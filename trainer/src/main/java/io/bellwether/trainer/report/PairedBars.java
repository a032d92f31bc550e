package io.bellwether.trainer.report;

import java.util.List;

/** Two lengths per line that are to be compared, such as what two policies do. */
final class PairedBars {

  private static final double LINE = 34;
  private static final double LABEL = 118;
  private static final double VALUE = 50;

  private PairedBars() {}

  /**
   * @param first the upper bar, at least 0
   * @param second the lower bar, at least 0
   */
  record Pair(String label, double first, double second, boolean marked) {}

  static String svg(String words, String firstName, String secondName, List<Pair> pairs) {
    if (pairs.isEmpty()) {
      return "";
    }
    double most = 0;
    for (Pair pair : pairs) {
      most = Math.max(most, Math.max(pair.first, pair.second));
    }
    double scale = (Svg.WIDTH - LABEL - VALUE) / (most > 0 ? most : 1);
    Svg svg = new Svg(pairs.size() * LINE + 26, words);
    svg.rectangle(4, 5, 10, 10, "fill main");
    svg.text(18, 14, "start", "tick", firstName);
    svg.rectangle(LABEL + 4, 5, 10, 10, "fill base");
    svg.text(LABEL + 18, 14, "start", "tick", secondName);
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      double top = 24 + i * LINE;
      svg.text(4, top + 17, "start", pair.marked ? "label doubtful" : "label", brief(pair.label));
      bar(svg, top + 2, pair.first, scale, "fill main");
      bar(svg, top + 14, pair.second, scale, "fill base");
    }
    return svg.end();
  }

  private static void bar(Svg svg, double top, double value, double scale, String style) {
    svg.rectangle(LABEL, top, value * scale, 10, style);
    svg.text(LABEL + value * scale + 4, top + 9, "start", "tick", Figures.percent(value));
  }

  private static String brief(String label) {
    return label.length() <= 17 ? label : label.substring(0, 16) + "…";
  }
}
