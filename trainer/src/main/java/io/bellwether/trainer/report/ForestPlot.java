package io.bellwether.trainer.report;

import java.util.List;
import java.util.stream.DoubleStream;

/** Values with their intervals, one below the other on a common axis. */
final class ForestPlot {

  private static final int LINE = 34;
  private static final int FOOT = 26;

  private ForestPlot() {}

  /**
   * One line.
   *
   * @param stated whether there is a value at all
   * @param why what stands in its place otherwise
   * @param style {@code main}, {@code base} for what the others are compared with, or {@code
   *     refused}
   */
  record Line(
      String label,
      boolean stated,
      double value,
      double low,
      double high,
      String why,
      String style) {

    static Line value(String label, double value, double low, double high, String style) {
      return new Line(label, true, value, low, high, "", style);
    }

    static Line none(String label, String why) {
      return new Line(label, false, 0, 0, 0, why, "refused");
    }
  }

  /**
   * @param marks where dashed lines stand, such as at the baseline's value; may be empty
   */
  static String svg(String words, List<Line> lines, List<Double> marks) {
    DoubleStream values =
        DoubleStream.concat(
            marks.stream().mapToDouble(Double::doubleValue),
            lines.stream()
                .filter(Line::stated)
                .flatMapToDouble(line -> DoubleStream.of(line.low, line.value, line.high)));
    double[] all = values.sorted().toArray();
    if (all.length == 0) {
      return "";
    }
    Axis axis = Axis.around(all[0], all[all.length - 1], 8, Svg.WIDTH - 8);
    double bottom = lines.size() * LINE + 4;
    Svg svg = new Svg(bottom + FOOT, words);
    for (double tick : axis.ticks()) {
      svg.line(axis.at(tick), 0, axis.at(tick), bottom, "grid");
      svg.text(within(axis.at(tick)), bottom + 16, "middle", "tick", Figures.number(tick));
    }
    marks.forEach(mark -> svg.line(axis.at(mark), 0, axis.at(mark), bottom, "mark"));
    for (int i = 0; i < lines.size(); i++) {
      draw(svg, lines.get(i), i * LINE, axis);
    }
    return svg.end();
  }

  private static void draw(Svg svg, Line line, double top, Axis axis) {
    String text = line.style.equals("refused") ? "label refused" : "label";
    svg.text(4, top + 14, "start", text, line.label);
    if (!line.stated) {
      svg.text(Svg.WIDTH - 4, top + 14, "end", "tick", line.why);
      return;
    }
    svg.text(Svg.WIDTH - 4, top + 14, "end", text, Figures.number(line.value));
    double y = top + 24;
    svg.line(axis.at(line.low), y, axis.at(line.high), y, "stroke " + line.style);
    svg.circle(axis.at(line.value), y, 4, "fill " + line.style);
  }

  private static double within(double x) {
    return Math.max(16, Math.min(Svg.WIDTH - 16, x));
  }
}
