package io.bellwether.trainer.report;

import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How many decisions have which importance weight, one bar per power of ten, as inline SVG. */
final class WeightHistogram {

  private static final List<String> LABELS =
      List.of("0", "<0.001", "0.001", "0.01", "0.1", "1", "10", "100", "1000", "≥10000");
  private static final int WIDTH = 800;
  private static final int HEIGHT = 160;

  private WeightHistogram() {}

  /** Lower ends of the bins. */
  static List<String> labels() {
    return LABELS;
  }

  /** Decisions per bin, in the order of {@link #labels}. */
  static List<Long> counts(WeightDiagnostics weights) {
    List<Long> counts = new ArrayList<>();
    counts.add(weights.zeros());
    counts.addAll(weights.histogram());
    return counts;
  }

  static String svg(WeightDiagnostics weights) {
    List<Long> counts = counts(weights);
    long most = Math.max(1, counts.stream().mapToLong(Long::longValue).max().orElse(1));
    double width = (double) WIDTH / counts.size();
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"weights\">"
            .formatted(WIDTH, HEIGHT + 45));
    for (int i = 0; i < counts.size(); i++) {
      double height = (double) counts.get(i) / most * HEIGHT;
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#1f5fa8\"/>"
                  + "<text x=\"%.1f\" y=\"%.1f\" font-size=\"13\" text-anchor=\"middle\">%d</text>"
                  + "<text x=\"%.1f\" y=\"%d\" font-size=\"13\" text-anchor=\"middle\">%s</text>",
              i * width + 4,
              20 + HEIGHT - height,
              width - 8,
              height,
              (i + 0.5) * width,
              15 + HEIGHT - height,
              counts.get(i),
              (i + 0.5) * width,
              HEIGHT + 38,
              ReportPage.escaped(LABELS.get(i))));
    }
    return svg.append("</svg>\n").toString();
  }
}
