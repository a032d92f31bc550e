package io.bellwether.trainer.report;

import java.util.List;

/**
 * Promises, one below the other: the interval of the margin by which each is kept, against the line
 * at which it would be broken. Each has a scale of its own, for signals have different units.
 */
final class PromiseBars {

  private static final double LINE = 44;
  private static final double MIDDLE = Svg.WIDTH / 2.0;
  private static final double REACH = MIDDLE - 12;

  private PromiseBars() {}

  /**
   * @param margin below 0 where it is broken
   * @param stated whether there is an interval at all
   */
  record Promise(
      String words, boolean stated, double margin, double low, double high, String status) {}

  static String svg(String words, List<Promise> promises) {
    double bottom = promises.size() * LINE + 4;
    Svg svg = new Svg(bottom + 20, words);
    svg.line(MIDDLE, 0, MIDDLE, bottom, "mark");
    svg.text(MIDDLE - 6, bottom + 14, "end", "tick", "← broken");
    svg.text(MIDDLE + 6, bottom + 14, "start", "tick", "kept →");
    for (int i = 0; i < promises.size(); i++) {
      draw(svg, promises.get(i), i * LINE);
    }
    return svg.end();
  }

  private static void draw(Svg svg, Promise promise, double top) {
    svg.text(4, top + 14, "start", "label", promise.words);
    double y = top + 28;
    if (!promise.stated) {
      svg.text(4, y + 4, "start", "tick", "no interval");
      return;
    }
    double most =
        Math.max(Math.abs(promise.margin), Math.max(Math.abs(promise.low), Math.abs(promise.high)));
    double scale = most > 0 ? REACH / most : 0;
    double low = MIDDLE + promise.low * scale;
    double high = MIDDLE + promise.high * scale;
    String style =
        switch (promise.status) {
          case "SATISFIED" -> "good";
          case "VIOLATED" -> "bad";
          default -> "doubtful";
        };
    svg.rectangle(low, y - 5, high - low, 10, "band " + style);
    svg.line(low, y, high, y, "stroke " + style);
    svg.circle(MIDDLE + promise.margin * scale, y, 4, "fill " + style);
    svg.text(Math.max(2, low - 2), y + 15, "start", "tick", Figures.signed(promise.low));
    svg.text(
        Math.min(Svg.WIDTH - 2, high + 2), y + 15, "end", "tick", Figures.signed(promise.high));
  }
}
