package io.bellwether.trainer.difference;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Splits compared decisions by what was sent with them: texts and flags by value, numbers in
 * quarters of equally many decisions, and always by the number of candidates.
 */
final class Segments {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CANDIDATES = "candidates";
  private static final String OTHER = "other";
  private static final String NONE = "(none)";
  private static final int MOST_LABELS = 12;
  private static final int QUARTERS = 4;

  private final List<Compared> compared = new ArrayList<>();
  private final List<String> wanted;

  /**
   * @param wanted features of the context; empty for all that have few values
   */
  Segments(List<String> wanted) {
    this.wanted = List.copyOf(wanted);
  }

  private record Compared(JsonNode context, int candidates, boolean changed, double moved) {}

  void add(String rawContext, int candidates, boolean changed, double moved) {
    try {
      compared.add(new Compared(JSON.readTree(rawContext), candidates, changed, moved));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a context that is not JSON: " + rawContext, e);
    }
  }

  List<PolicyDifference.Segment> segments() {
    List<PolicyDifference.Segment> segments = new ArrayList<>();
    for (String feature : wanted.isEmpty() ? features() : wanted) {
      segments.addAll(split(feature, labels(feature)));
    }
    segments.addAll(
        split(
            CANDIDATES,
            quarters(compared.stream().map(each -> (double) each.candidates()).toList())));
    return segments;
  }

  /** Those that some decision has as a text or a flag, with few values. */
  private List<String> features() {
    Set<String> names = new LinkedHashSet<>();
    compared.forEach(each -> each.context().fieldNames().forEachRemaining(names::add));
    return names.stream()
        .sorted()
        .filter(name -> compared.stream().allMatch(each -> isLabel(each.context().path(name))))
        .filter(
            name ->
                compared.stream().map(each -> text(each.context().path(name))).distinct().count()
                    <= MOST_LABELS)
        .toList();
  }

  private static boolean isLabel(JsonNode value) {
    return value.isMissingNode() || value.isNull() || value.isTextual() || value.isBoolean();
  }

  private static String text(JsonNode value) {
    return value.isMissingNode() || value.isNull() ? NONE : value.asText();
  }

  private List<String> labels(String feature) {
    List<JsonNode> values = compared.stream().map(each -> each.context().path(feature)).toList();
    boolean numbers = values.stream().anyMatch(JsonNode::isNumber);
    if (numbers && values.stream().allMatch(value -> value.isNumber() || isLabel(value))) {
      return quarters(
          values.stream()
              .map(value -> value.isNumber() ? value.doubleValue() : Double.NaN)
              .toList());
    }
    Map<String, Long> counts = new TreeMap<>();
    values.forEach(value -> counts.merge(text(value), 1L, Long::sum));
    List<String> frequent =
        counts.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
            .limit(MOST_LABELS)
            .map(Map.Entry::getKey)
            .toList();
    return values.stream()
        .map(Segments::text)
        .map(text -> frequent.contains(text) ? text : OTHER)
        .toList();
  }

  /** NaN for what has none. */
  private static List<String> quarters(List<Double> values) {
    double[] sorted =
        values.stream().filter(value -> !value.isNaN()).mapToDouble(x -> x).sorted().toArray();
    if (sorted.length == 0) {
      return values.stream().map(value -> NONE).toList();
    }
    double[] cuts =
        Stream.iterate(1, quarter -> quarter + 1)
            .limit(QUARTERS)
            .mapToDouble(
                quarter -> sorted[(int) ((long) quarter * sorted.length + 3) / QUARTERS - 1])
            .distinct()
            .toArray();
    return values.stream().map(value -> value.isNaN() ? NONE : quarter(cuts, value)).toList();
  }

  private static String quarter(double[] cuts, double value) {
    int at = 0;
    while (at < cuts.length - 1 && value > cuts[at]) {
      at++;
    }
    return cuts.length == 1 ? plain(cuts[0]) : (at + 1) + ": up to " + plain(cuts[at]);
  }

  private static String plain(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString((long) number)
        : Double.toString(number);
  }

  private List<PolicyDifference.Segment> split(String feature, List<String> labels) {
    Map<String, double[]> sums = new TreeMap<>();
    for (int i = 0; i < labels.size(); i++) {
      Compared each = compared.get(i);
      double[] sum = sums.computeIfAbsent(labels.get(i), label -> new double[3]);
      sum[0]++;
      sum[1] += each.changed() ? 1 : 0;
      sum[2] += each.moved();
    }
    return sums.entrySet().stream()
        .map(
            each ->
                new PolicyDifference.Segment(
                    feature,
                    each.getKey(),
                    (long) each.getValue()[0],
                    (long) each.getValue()[1],
                    each.getValue()[2] / each.getValue()[0]))
        .toList();
  }
}
