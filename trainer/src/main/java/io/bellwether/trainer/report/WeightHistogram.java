package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** How many decisions have which importance weight, one bar per power of ten. */
final class WeightHistogram {

  private static final List<String> LABELS =
      List.of("0", "<.001", ".001", ".01", ".1", "1", "10", "100", "1k", "≥10k");
  private static final List<String> RANGES =
      List.of(
          "exactly 0",
          "below 0.001",
          "0.001 to 0.01",
          "0.01 to 0.1",
          "0.1 to 1",
          "1 to 10",
          "10 to 100",
          "100 to 1,000",
          "1,000 to 10,000",
          "10,000 and more");

  /** From this bin on a single decision outweighs ten others. */
  private static final int HEAVY = 6;

  private static final double HEIGHT = 120;
  private static final double TOP = 18;

  private WeightHistogram() {}

  /**
   * @param weights one position's weights, with {@code zeros} and {@code histogram}
   */
  static List<Long> counts(JsonNode weights) {
    List<Long> counts = new ArrayList<>();
    counts.add(weights.path("zeros").asLong());
    weights.path("histogram").forEach(each -> counts.add(each.asLong()));
    return counts;
  }

  static Table table(JsonNode weights) {
    Table table = Table.of("weight", "decisions #");
    List<Long> counts = counts(weights);
    for (int i = 0; i < counts.size() && i < RANGES.size(); i++) {
      table.row(RANGES.get(i), Figures.count(counts.get(i)));
    }
    return table;
  }

  static String svg(String words, JsonNode weights) {
    List<Long> counts = counts(weights);
    double most = Math.max(1, counts.stream().mapToLong(Long::longValue).max().orElse(1));
    double width = (double) Svg.WIDTH / counts.size();
    Svg svg = new Svg(TOP + HEIGHT + 22, words);
    svg.line(0, TOP + HEIGHT, Svg.WIDTH, TOP + HEIGHT, "grid");
    for (int i = 0; i < counts.size() && i < LABELS.size(); i++) {
      double height = counts.get(i) / most * HEIGHT;
      double middle = (i + 0.5) * width;
      String style = i >= HEAVY ? "fill heavy" : "fill main";
      svg.rectangle(i * width + 2, TOP + HEIGHT - height, width - 4, height, style);
      if (counts.get(i) > 0) {
        svg.text(middle, TOP + HEIGHT - height - 4, "middle", "tick", brief(counts.get(i)));
      }
      svg.text(middle, TOP + HEIGHT + 15, "middle", "tick", LABELS.get(i));
    }
    return svg.end();
  }

  /** Fits into a bar's width: six characters. */
  private static String brief(long count) {
    if (count < 100_000) {
      return Long.toString(count);
    }
    return count < 100_000_000 ? count / 1000 + "k" : count / 1_000_000 + "M";
  }
}
