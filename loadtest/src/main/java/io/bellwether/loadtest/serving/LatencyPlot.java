package io.bellwether.loadtest.serving;

import java.util.Locale;

/**
 * Latency by percentile as an SVG file: nines to the right, milliseconds upwards on a logarithmic
 * scale, the service beside the sum of its floors. Confined to one thread.
 */
final class LatencyPlot {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 360;
  private static final int LEFT = 60;
  private static final int BOTTOM = 40;
  private static final int TOP = 30;
  private static final int POINTS = 120;

  /** Up to 99.99 %. */
  private static final double NINES = 4;

  private static final String[] NAMES = {"0", "90", "99", "99.9", "99.99"};
  private static final double LOWEST_MILLIS = 0.1;

  private final StringBuilder text = new StringBuilder();
  private final double highestMillis;

  private LatencyPlot(double highestMillis) {
    this.highestMillis = highestMillis;
  }

  static String of(ScenarioResult result) {
    double highest = Math.max(10, 1.2 * result.load().latency().millis(99.99));
    return new LatencyPlot(highest).draw(result);
  }

  private String draw(ScenarioResult result) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    add(
        "<text x=\"%d\" y=\"18\">%s: latency by percentile at %.0f decisions/s</text>\n",
        LEFT, result.scenario().scenario(), result.load().perSecond());
    for (int nines = 0; nines <= NINES; nines++) {
      double x = x(nines);
      add(
          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n"
              + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s %%</text>\n",
          x, TOP, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18, NAMES[nines]);
    }
    for (double millis = LOWEST_MILLIS; millis <= highestMillis; millis *= 10) {
      double y = y(millis);
      add(
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n"
              + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s ms</text>\n",
          LEFT,
          y,
          WIDTH - 10,
          y,
          LEFT - 6,
          y + 4,
          millis < 1 ? "0.1" : Long.toString((long) millis));
    }
    line("#1f77b4", percentile -> result.load().latency().millis(percentile));
    line("#7f7f7f", result::floorMillis);
    add(
        "<text x=\"%d\" y=\"%d\" fill=\"#1f77b4\">service</text>\n"
            + "<text x=\"%d\" y=\"%d\" fill=\"#7f7f7f\">floors: no-op + bare graph</text>\n"
            + "</svg>\n",
        LEFT + 10, TOP + 16, LEFT + 10, TOP + 32);
    return text.toString();
  }

  private interface ByPercentile {
    double millis(double percentile);
  }

  private void line(String colour, ByPercentile latency) {
    text.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"")
        .append(colour)
        .append("\" points=\"");
    for (int i = 0; i <= POINTS; i++) {
      double nines = NINES * i / POINTS;
      double percentile = 100 * (1 - Math.pow(10, -nines));
      add("%.1f,%.1f ", x(nines), y(latency.millis(percentile)));
    }
    text.append("\"/>\n");
  }

  private static double x(double nines) {
    return LEFT + (WIDTH - LEFT - 20) * nines / NINES;
  }

  private double y(double millis) {
    double share =
        Math.log(Math.max(LOWEST_MILLIS, millis) / LOWEST_MILLIS)
            / Math.log(highestMillis / LOWEST_MILLIS);
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share;
  }

  private void add(String format, Object... numbers) {
    text.append(String.format(Locale.ROOT, format, numbers));
  }
}
