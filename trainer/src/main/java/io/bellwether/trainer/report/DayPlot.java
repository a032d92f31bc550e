package io.bellwether.trainer.report;

import java.util.List;

/** One value with its interval per day, against the value that is expected. */
final class DayPlot {

  private static final double LEFT = 46;
  private static final double TOP = 8;
  private static final double HEIGHT = 140;

  /** More labels than this do not fit side by side. */
  private static final int LABELS = 6;

  private DayPlot() {}

  /**
   * @param day ISO date
   */
  record Day(String day, double value, double low, double high) {}

  static String svg(String words, List<Day> days, double expected) {
    if (days.isEmpty()) {
      return "";
    }
    double least = expected;
    double most = expected;
    for (Day day : days) {
      least = Math.min(least, day.low);
      most = Math.max(most, day.high);
    }
    Axis up = Axis.around(least, most, TOP + HEIGHT, TOP);
    Svg svg = new Svg(TOP + HEIGHT + 22, words);
    for (double tick : up.ticks()) {
      svg.line(LEFT, up.at(tick), Svg.WIDTH, up.at(tick), "grid");
      svg.text(LEFT - 4, up.at(tick) + 4, "end", "tick", Figures.number(tick));
    }
    svg.line(LEFT, up.at(expected), Svg.WIDTH, up.at(expected), "mark");
    double width = (Svg.WIDTH - LEFT) / days.size();
    int every = (days.size() + LABELS - 1) / LABELS;
    for (int i = 0; i < days.size(); i++) {
      Day day = days.get(i);
      double x = LEFT + (i + 0.5) * width;
      svg.line(x, up.at(day.low), x, up.at(day.high), "stroke main");
      svg.circle(x, up.at(day.value), 3, "fill main");
      if (i % every == 0) {
        String brief = day.day.length() == 10 ? day.day.substring(5) : day.day;
        svg.text(Math.min(x, Svg.WIDTH - 16), TOP + HEIGHT + 15, "middle", "tick", brief);
      }
    }
    return svg.end();
  }
}
