package io.bellwether.trainer.report;

import java.util.List;

/** What was predicted against what happened: on the diagonal both agree. */
final class ReliabilityPlot {

  private static final double SIDE = 230;
  private static final double LEFT = 60;
  private static final double TOP = 8;

  private ReliabilityPlot() {}

  /**
   * @param error of the observed mean; 0 where it is not known
   */
  record Point(double predicted, double observed, double error) {}

  /**
   * @param xName what is predicted
   */
  static String svg(String words, List<Point> points, String xName) {
    if (points.isEmpty()) {
      return "";
    }
    double least = 0;
    double most = 0;
    for (Point point : points) {
      least = Math.min(least, Math.min(point.predicted, point.observed));
      most = Math.max(most, Math.max(point.predicted, point.observed));
    }
    double span = most > least ? most - least : 1;
    Axis right = new Axis(least, least + 1.05 * span, LEFT, LEFT + SIDE);
    Axis up = new Axis(right.least(), right.most(), TOP + SIDE, TOP);
    Svg svg = new Svg(TOP + SIDE + 36, words);
    for (double tick : right.ticks()) {
      svg.line(LEFT, up.at(tick), LEFT + SIDE, up.at(tick), "grid");
      svg.text(LEFT - 4, up.at(tick) + 4, "end", "tick", Figures.number(tick));
      svg.text(right.at(tick), TOP + SIDE + 15, "middle", "tick", Figures.number(tick));
    }
    svg.text(LEFT + SIDE / 2, TOP + SIDE + 31, "middle", "tick", xName);
    svg.line(LEFT, TOP + SIDE, LEFT + SIDE, TOP, "mark");
    for (Point point : points) {
      double x = right.at(point.predicted);
      double reach = 1.96 * point.error;
      svg.line(x, up.at(point.observed - reach), x, up.at(point.observed + reach), "stroke main");
      svg.circle(x, up.at(point.observed), 4, "fill main");
    }
    return svg.end();
  }
}
