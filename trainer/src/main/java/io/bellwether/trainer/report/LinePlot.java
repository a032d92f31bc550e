package io.bellwether.trainer.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values over a common axis as lines, with bands where they are uncertain. */
final class LinePlot {

  private static final double LEFT = 46;
  private static final double RIGHT = 8;
  private static final double TOP = 10;
  private static final double HEIGHT = 140;

  private LinePlot() {}

  /**
   * One line.
   *
   * @param low lower ends of the band, or null for none; as long as the others
   * @param style {@code main}, {@code base}, {@code other}
   */
  @SuppressWarnings("ArrayRecordComponent") // drawn, not compared
  record Line(
      String label,
      double[] x,
      double[] y,
      double @Nullable [] low,
      double @Nullable [] high,
      String style) {

    static Line of(String label, double[] x, double[] y, String style) {
      return new Line(label, x, y, null, null, style);
    }
  }

  /**
   * @param marks heights of dashed lines, such as the value that is expected
   * @param xName what is to the right
   */
  static String svg(String words, List<Line> lines, List<Double> marks, String xName) {
    double[] xs = range(lines, true, List.of());
    double[] ys = range(lines, false, marks);
    if (lines.isEmpty() || lines.stream().allMatch(line -> line.x.length == 0)) {
      return "";
    }
    Axis right = new Axis(xs[0], xs[1] > xs[0] ? xs[1] : xs[0] + 1, LEFT, Svg.WIDTH - RIGHT);
    Axis up = Axis.around(ys[0], ys[1], TOP + HEIGHT, TOP);
    Svg svg = new Svg(TOP + HEIGHT + 34, words);
    for (double tick : up.ticks()) {
      svg.line(LEFT, up.at(tick), Svg.WIDTH - RIGHT, up.at(tick), "grid");
      svg.text(LEFT - 4, up.at(tick) + 4, "end", "tick", Figures.number(tick));
    }
    for (double tick : right.ticks()) {
      svg.text(
          Math.min(right.at(tick), Svg.WIDTH - 18),
          TOP + HEIGHT + 14,
          "middle",
          "tick",
          Figures.number(tick));
    }
    svg.text((LEFT + Svg.WIDTH) / 2, TOP + HEIGHT + 29, "middle", "tick", xName);
    marks.forEach(mark -> svg.line(LEFT, up.at(mark), Svg.WIDTH - RIGHT, up.at(mark), "mark"));
    for (Line line : lines) {
      draw(svg, line, right, up);
    }
    return svg.end();
  }

  private static void draw(Svg svg, Line line, Axis right, Axis up) {
    double[] x = new double[line.x.length];
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = right.at(line.x[i]);
      y[i] = up.at(line.y[i]);
    }
    if (line.low != null && line.high != null) {
      double[] low = new double[x.length];
      double[] high = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        low[i] = up.at(line.low[i]);
        high[i] = up.at(line.high[i]);
      }
      svg.band(x, low, high, "band " + line.style);
    }
    svg.path(x, y, "stroke " + line.style);
    if (x.length <= 30) {
      for (int i = 0; i < x.length; i++) {
        svg.circle(x[i], y[i], 2.5, "fill " + line.style);
      }
    }
  }

  private static double[] range(List<Line> lines, boolean horizontal, List<Double> more) {
    List<double[]> parts = new ArrayList<>();
    for (Line line : lines) {
      parts.add(horizontal ? line.x : line.y);
      if (!horizontal && line.low != null && line.high != null) {
        parts.add(line.low);
        parts.add(line.high);
      }
    }
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (double[] part : parts) {
      for (double value : part) {
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    for (double value : more) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    return new double[] {least, most};
  }
}
