package io.bellwether.trainer.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.evaluation.offpolicy.Labels;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Surface;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a report is split by features of the context. Labels are fixed before decisions are scored: a
 * category's most frequent values, a number's quarters, in a sample of the log. Immutable.
 */
final class Segmentation implements Serializable {

  private static final long serialVersionUID = 1;

  /** What reports can show, and what a reader can take in. */
  private static final int MOST_LABELS = 20;

  private static final String OTHER = "other";
  private static final int QUARTERS = 4;
  private static final int LEAST_DIGITS = 4;

  /** Two floats that differ do so in nine digits. */
  private static final int MOST_DIGITS = 9;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ArrayList<Dimension> dimensions;

  private Segmentation(List<Dimension> dimensions) {
    this.dimensions = new ArrayList<>(dimensions);
  }

  /**
   * A feature.
   *
   * @param kind {@code FLAG}, {@code CATEGORY} or {@code NUMBER}
   * @param column where the encoded context has it
   * @param values that a category lists; empty where it takes any text
   * @param cuts of a number, ascending: the last values of all quarters but the last
   * @param labels by index
   */
  private record Dimension(
      String name,
      String kind,
      int column,
      ArrayList<String> values,
      ArrayList<Float> cuts,
      ArrayList<String> labels)
      implements Serializable {

    private static final long serialVersionUID = 1;

    /** What a decision is; empty where that is not known. */
    String text(EvaluatedDecision decision) {
      float value = decision.context()[column];
      return switch (kind) {
        case "FLAG" -> value == 0 ? "false" : "true";
        case "NUMBER" -> decision.context()[column + 1] == 0 ? "" : quarter(value);
        default -> category((int) value, decision);
      };
    }

    private String category(int id, EvaluatedDecision decision) {
      if (id == 0) {
        return "";
      }
      return values.isEmpty() ? asSent(decision) : values.get(id - 1);
    }

    private String asSent(EvaluatedDecision decision) {
      try {
        JsonNode value = JSON.readTree(decision.rawContext()).path(name);
        return value.asText();
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException("the context of " + decision.id() + " is not JSON", e);
      }
    }

    private String quarter(float value) {
      int quarter = 0;
      while (quarter < cuts.size() && value > cuts.get(quarter)) {
        quarter++;
      }
      return labels.get(quarter);
    }

    int label(EvaluatedDecision decision) {
      String text = text(decision);
      if (text.isEmpty()) {
        return Labels.UNKNOWN;
      }
      int label = labels.indexOf(text);
      return label < 0 ? labels.indexOf(OTHER) : label;
    }
  }

  /**
   * Splits by these features.
   *
   * @param sample of the log
   * @throws IllegalArgumentException where the context does not declare one, or it is of a kind by
   *     which nothing is split
   */
  static Segmentation of(Surface surface, List<String> features, List<EvaluatedDecision> sample) {
    ArrayList<Dimension> dimensions = new ArrayList<>();
    for (String feature : features) {
      dimensions.add(dimension(surface, feature, sample));
    }
    return new Segmentation(dimensions);
  }

  /**
   * @throws IllegalArgumentException as {@link #of} does
   */
  static void requireDeclared(Surface surface, List<String> features) {
    of(surface, features, List.of());
  }

  private static Dimension dimension(Surface surface, String name, List<EvaluatedDecision> sample) {
    Feature declared =
        surface.context().stream()
            .filter(feature -> feature.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the context of surface %s has no feature '%s'; it has %s"
                            .formatted(
                                surface.name(),
                                name,
                                surface.context().stream().map(Feature::name).toList())));
    List<String> columns =
        FeatureLayout.of(surface).context().stream().map(column -> column.name()).toList();
    int column = columns.indexOf(name);
    if (declared instanceof Feature.Flag) {
      return new Dimension(
          name,
          "FLAG",
          column,
          new ArrayList<>(),
          new ArrayList<>(),
          new ArrayList<>(List.of("false", "true")));
    }
    if (declared instanceof Feature.Number) {
      return quarters(name, column, sample);
    }
    if (declared instanceof Feature.Category category) {
      return mostFrequent(
          new Dimension(
              name,
              "CATEGORY",
              column,
              new ArrayList<>(category.values()),
              new ArrayList<>(),
              new ArrayList<>()),
          sample);
    }
    throw new IllegalArgumentException(
        "a report can be split by a flag, a number or a category, and '" + name + "' is none");
  }

  private static Dimension quarters(String name, int column, List<EvaluatedDecision> sample) {
    float[] given = new float[sample.size()];
    int count = 0;
    for (EvaluatedDecision decision : sample) {
      if (decision.context()[column + 1] != 0) {
        given[count++] = decision.context()[column];
      }
    }
    float[] sorted = Arrays.copyOf(given, count);
    Arrays.sort(sorted);
    ArrayList<Float> cuts = new ArrayList<>();
    for (int quarter = 1; quarter < QUARTERS && count > 0; quarter++) {
      float cut = sorted[(int) Math.min(count - 1, (long) count * quarter / QUARTERS)];
      boolean isNew = cuts.isEmpty() || cut > cuts.get(cuts.size() - 1);
      if (isNew && cut < sorted[count - 1]) {
        cuts.add(cut);
      }
    }
    ArrayList<String> labels = new ArrayList<>();
    List<String> ends = words(cuts);
    for (int quarter = 0; quarter <= ends.size(); quarter++) {
      labels.add(quarterWords(ends, quarter));
    }
    return new Dimension(name, "NUMBER", column, new ArrayList<>(), cuts, labels);
  }

  private static String quarterWords(List<String> ends, int quarter) {
    if (ends.isEmpty()) {
      return "any";
    }
    String above = quarter == 0 ? "" : "above " + ends.get(quarter - 1);
    String to = quarter == ends.size() ? "" : "to " + ends.get(quarter);
    return (above + " " + to).trim();
  }

  /** With as few digits as tell the numbers apart, but at least four. */
  private static List<String> words(List<Float> numbers) {
    int digits = LEAST_DIGITS;
    List<String> words = words(numbers, digits);
    while (words.stream().distinct().count() < numbers.size() && digits < MOST_DIGITS) {
      digits++;
      words = words(numbers, digits);
    }
    return words;
  }

  private static List<String> words(List<Float> numbers, int digits) {
    String format = "%." + digits + "g";
    return numbers.stream().map(number -> String.format(Locale.ROOT, format, number)).toList();
  }

  private static Dimension mostFrequent(Dimension dimension, List<EvaluatedDecision> sample) {
    Map<String, Long> counts = new TreeMap<>();
    for (EvaluatedDecision decision : sample) {
      String text = dimension.text(decision);
      if (!text.isEmpty()) {
        counts.merge(text, 1L, Long::sum);
      }
    }
    dimension.labels.addAll(
        counts.entrySet().stream()
            .sorted(
                Comparator.comparingLong((Map.Entry<String, Long> each) -> -each.getValue())
                    .thenComparing(Map.Entry::getKey))
            .limit(MOST_LABELS)
            .map(Map.Entry::getKey)
            .toList());
    if (!dimension.labels.contains(OTHER)) {
      dimension.labels.add(OTHER);
    }
    return dimension;
  }

  List<String> names() {
    return dimensions.stream().map(Dimension::name).toList();
  }

  List<String> labels(String name) {
    return dimensions.stream()
        .filter(dimension -> dimension.name.equals(name))
        .findFirst()
        .map(dimension -> List.copyOf(dimension.labels))
        .orElseThrow();
  }

  /** Index of a decision's label in a dimension; {@link Labels#UNKNOWN} where it has none. */
  int label(int dimension, EvaluatedDecision decision) {
    return dimensions.get(dimension).label(decision);
  }
}
