package io.bellwether.loadtest.learning;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.loadtest.learning.bsim.Ratios;
import io.bellwether.loadtest.learning.statistics.Runs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Scores as SVG files, which look the same wherever they are shown. Confined to one thread. */
final class ScorePlots {
  private static final int WIDTH = 720;
  private static final int LEFT = 170;
  private static final int RIGHT = 30;
  private static final int TOP = 30;
  private static final int BOTTOM = 40;
  private static final int BAR = 22;
  private static final int PROFILE_HEIGHT = 360;
  private static final int PROFILE_LEFT = 60;
  private static final int LEGEND = 190;
  private static final int POINTS = 120;

  /** Scores below it are drawn at the edge: a policy that breaks everything may be at -20. */
  private static final double LOWEST = -1;

  private static final String[] COLOURS = {
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f",
    "#bcbd22", "#17becf"
  };

  /** One algorithm's line or bar. */
  private record Scores(String algorithm, Runs runs) {}

  private final StringBuilder text = new StringBuilder();
  private final LearningResult result;
  private final List<Scores> best;
  private final double highest;

  private ScorePlots(LearningResult result) {
    this.result = result;
    this.best = new ArrayList<>();
    ChosenRuns runs = result.runs();
    for (String algorithm : runs.algorithms()) {
      runs.scores(algorithm).ifPresent(scores -> best.add(new Scores(algorithm, scores)));
    }
    best.sort(Comparator.comparingDouble((Scores each) -> -each.runs.interquartileMean()));
    this.highest =
        best.stream()
                .flatMapToDouble(each -> Arrays.stream(each.runs.ascending()))
                .reduce(Ratios.REFERENCE_SCORE, Math::max)
            + 0.1;
  }

  /** Interquartile mean scores with their intervals, the best first. */
  static String bars(LearningResult result) {
    return new ScorePlots(result).drawBars();
  }

  /** Which share of an algorithm's runs scores above a threshold, for every threshold. */
  static String profile(LearningResult result) {
    return new ScorePlots(result).drawProfile();
  }

  private String drawBars() {
    int height = TOP + BAR * best.size() + BOTTOM;
    open(height, "Interquartile mean score, with 95 % intervals");
    double zero = x(0);
    for (double mark : new double[] {LOWEST, 0, 1, Ratios.REFERENCE_SCORE}) {
      add(
          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ccc\"/>\n"
              + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
          x(mark), TOP, x(mark), height - BOTTOM, x(mark), height - BOTTOM + 16, label(mark));
    }
    add(
        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#777\">logging policy</text>\n"
            + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#777\">reference</text>\n",
        x(1), height - BOTTOM + 30, x(Ratios.REFERENCE_SCORE), height - BOTTOM + 30);
    for (int i = 0; i < best.size(); i++) {
      Scores each = best.get(i);
      double y = TOP + BAR * i + 4;
      double mean = each.runs.interquartileMean();
      Interval interval = result.bootstrap().interval(each.runs, Runs::interquartileMean);
      add(
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n"
              + "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n"
              + "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"black\"/>\n",
          LEFT - 8,
          y + 12,
          each.algorithm,
          Math.min(zero, x(mean)),
          y,
          Math.abs(x(mean) - zero),
          BAR - 8,
          mean >= 1 ? COLOURS[0] : COLOURS[7],
          x(interval.lower()),
          y + (BAR - 8) / 2.0,
          x(interval.upper()),
          y + (BAR - 8) / 2.0);
    }
    return close();
  }

  private static String label(double mark) {
    return mark == LOWEST
        ? "≤ -1"
        : mark == Math.rint(mark) ? String.format(Locale.ROOT, "%.0f", mark) : "C*";
  }

  private double x(double score) {
    double share = (Math.max(LOWEST, score) - LOWEST) / (highest - LOWEST);
    return LEFT + (WIDTH - LEFT - RIGHT) * share;
  }

  private String drawProfile() {
    open(PROFILE_HEIGHT, "Share of runs with a score above a threshold");
    for (double share : new double[] {0, 0.25, 0.5, 0.75, 1}) {
      add(
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n"
              + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f %%</text>\n",
          PROFILE_LEFT,
          y(share),
          WIDTH - LEGEND,
          y(share),
          PROFILE_LEFT - 6,
          y(share) + 4,
          100 * share);
    }
    for (double score = LOWEST; score <= highest; score += 0.5) {
      add(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.1f</text>\n",
          threshold(score), PROFILE_HEIGHT - BOTTOM + 18, score);
    }
    for (int i = 0; i < best.size(); i++) {
      curve(best.get(i), i);
    }
    return close();
  }

  private void curve(Scores scores, int place) {
    String colour = COLOURS[place % COLOURS.length];
    String dashes = place < COLOURS.length ? "" : " stroke-dasharray=\"5 3\"";
    add("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\"%s points=\"", colour, dashes);
    for (int i = 0; i <= POINTS; i++) {
      double at = LOWEST + (highest - LOWEST) * i / POINTS;
      add("%.1f,%.1f ", threshold(at), y(scores.runs.shareAbove(at)));
    }
    add("\"/>\n");
    double y = TOP + 14.0 * (place + 1);
    add(
        "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke-width=\"2\" stroke=\"%s\"%s/>\n"
            + "<text x=\"%d\" y=\"%.1f\">%s</text>\n",
        WIDTH - LEGEND + 10,
        y - 4,
        WIDTH - LEGEND + 30,
        y - 4,
        colour,
        dashes,
        WIDTH - LEGEND + 36,
        y,
        scores.algorithm);
  }

  private double threshold(double score) {
    double share = (score - LOWEST) / (highest - LOWEST);
    return PROFILE_LEFT + (WIDTH - PROFILE_LEFT - LEGEND) * share;
  }

  private static double y(double share) {
    return PROFILE_HEIGHT - BOTTOM - (PROFILE_HEIGHT - BOTTOM - TOP) * share;
  }

  private void open(int height, String title) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n"
            + "<text x=\"10\" y=\"18\">%s</text>\n",
        WIDTH, height, WIDTH, height, title);
  }

  private String close() {
    return text.append("</svg>\n").toString();
  }

  private void add(String format, Object... numbers) {
    text.append(String.format(Locale.ROOT, format, numbers));
  }
}
