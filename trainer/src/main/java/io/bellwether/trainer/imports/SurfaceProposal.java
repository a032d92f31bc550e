package io.bellwether.trainer.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.LoggedDecision.Candidate;
import io.bellwether.trainer.imports.LoggedDecision.Reaction;
import io.bellwether.trainer.imports.LoggedDecision.Slot;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A surface file proposed from a sample of a log: whoever imports it reads it, corrects it and
 * keeps it. Every feature and signal of the sample is declared by what was seen of it, or stands in
 * a comment with the reason why it is not. What is proposed reads as a surface whatever the sample.
 *
 * <p>Memory is bounded: at most {@value #MAX_FEATURES} features are declared for contexts and for
 * items each, and of each at most {@value #MAX_VALUES} values are remembered. Confined to one
 * thread.
 */
public final class SurfaceProposal {

  /** What a surface may declare of one kind. */
  static final int MAX_FEATURES = 500;

  /** More distinct values of a category are not counted one by one. */
  static final int MAX_VALUES = 4_096;

  private static final int MAX_CANDIDATES = 1_000;
  private static final int MAX_POSITIONS = 50;
  private static final int MAX_SIGNALS = 64;
  private static final int MAX_CATEGORIES = 64;
  private static final int MAX_VECTOR = 4_096;
  private static final int MIN_BUCKETS = 16;
  private static final int MAX_BUCKETS = 1 << 20;

  /** Up to here values are listed, where each was seen this often on average. */
  private static final int LISTED_VALUES = 32;

  private static final int SEEN_OFTEN = 10;
  private static final int MAX_SUBJECTS = 100_000;
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9_-]{0,127}";
  private static final String REWARD = "reward";

  private final String name;
  private final Map<String, FeatureSeen> context = new TreeMap<>();
  private final Map<String, FeatureSeen> item = new TreeMap<>();
  private final Map<String, SignalSeen> signals = new TreeMap<>();
  private final Set<String> leftOut = new TreeSet<>();
  private final ValuesSeen items = new ValuesSeen();
  private final Set<String> subjects = new HashSet<>();
  private long decisions;
  private boolean repeatedSubjects;
  private int positions = 1;
  private int candidates = 1;
  private double minPropensity = 1;

  /**
   * @param name of the surface: letters, digits, {@code _} and {@code -}, at most 128
   */
  public SurfaceProposal(String name) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException(
          "'" + name + "' is no surface's name: letters, digits, _ and -, at most 128");
    }
    this.name = name;
  }

  /** Looks at one decision. */
  public void add(LoggedDecision decision) {
    decisions++;
    String subject = decision.subjectId();
    if (subject != null && !repeatedSubjects) {
      repeatedSubjects = subjects.size() < MAX_SUBJECTS && !subjects.add(subject);
    }
    positions = Math.max(positions, decision.slots().size());
    candidates = Math.max(candidates, decision.candidates().size());
    for (Slot slot : decision.slots()) {
      if (slot.propensity() > 0 && slot.propensity() <= 1) {
        minPropensity = Math.min(minPropensity, slot.propensity());
      }
    }
    see("context", decision.context(), context);
    for (Candidate candidate : decision.candidates()) {
      items.add(candidate.itemId());
      see("item", candidate.features(), item);
    }
    for (Reaction reaction : decision.reactions()) {
      if (!reaction.signal().matches(NAME)) {
        leftOut.add("signal " + oneLine(reaction.signal()) + ": no name of a signal");
      } else if (signals.size() < MAX_SIGNALS || signals.containsKey(reaction.signal())) {
        signals
            .computeIfAbsent(reaction.signal(), s -> new SignalSeen())
            .add(reaction, decision.decidedAtMicros());
      } else {
        leftOut.add("more signals than " + MAX_SIGNALS);
      }
    }
  }

  private void see(String whose, ObjectNode features, Map<String, FeatureSeen> seen) {
    for (Map.Entry<String, JsonNode> field : features.properties()) {
      String feature = field.getKey();
      if (seen.containsKey(feature)) {
        seen.get(feature).add(field.getValue());
      } else if (!feature.matches(NAME)) {
        leftOut.add("%s feature %s: no name of a feature".formatted(whose, oneLine(feature)));
      } else if (seen.size() < MAX_FEATURES - 1) {
        seen.computeIfAbsent(feature, f -> new FeatureSeen()).add(field.getValue());
      } else {
        leftOut.add("more %s features than %d".formatted(whose, MAX_FEATURES - 1));
      }
    }
    if (leftOut.size() > MAX_FEATURES) {
      leftOut.clear();
      leftOut.add("more than " + MAX_FEATURES + " features or signals with unusable names");
    }
  }

  /** Decisions that were looked at. */
  public long decisions() {
    return decisions;
  }

  /** The file's text; SurfaceReader reads it. */
  public String yaml() {
    int shown = Math.min(positions, MAX_POSITIONS);
    int most = Math.min(Math.max(candidates, shown), MAX_CANDIDATES);
    StringBuilder yaml = new StringBuilder();
    yaml.append(
        "# Proposed from %d logged decisions. Read it, correct it, keep it.\n"
            .formatted(decisions));
    if (positions > shown) {
      comment(
          yaml,
          "the log shows up to %d positions, a surface at most %d".formatted(positions, shown));
    }
    if (candidates > most) {
      comment(
          yaml,
          "the log has up to %d candidates, a surface at most %d".formatted(candidates, most));
    }
    leftOut.forEach(line -> comment(yaml, "left out: " + line));
    yaml.append("surface: ").append(quoted(name)).append('\n');
    yaml.append("slate: { size: %d, candidates: { max: %d } }\n".formatted(shown, most));
    writeFeatures(yaml, "context", context, "");
    String own =
        item.containsKey(FeatureFit.ITEM)
            ? ""
            : "  - { name: %s, type: category, buckets: %d } # the item's id\n"
                .formatted(FeatureFit.ITEM, items.buckets());
    writeFeatures(yaml, "item", item, own);
    writeSignals(yaml);
    yaml.append(
        "exploration: { temperature: 1.0, uniform: 0.1, min-propensity: %s }"
            .formatted(plain(Math.max(1e-6, Math.min(1e-4, 0.1 / most)))));
    yaml.append(" # smallest logged propensity: %s\n".formatted(plain(minPropensity)));
    return yaml.toString();
  }

  private static void writeFeatures(
      StringBuilder yaml, String key, Map<String, FeatureSeen> seen, String first) {
    StringBuilder list = new StringBuilder(first);
    seen.forEach(
        (feature, all) -> {
          String declaration = all.declaration();
          if (declaration.isEmpty()) {
            list.append("  # left out: ").append(feature).append(", ").append(all.why());
          } else {
            list.append("  - { name: ").append(quoted(feature)).append(", ").append(declaration);
            list.append(" }").append(all.remark());
          }
          list.append('\n');
        });
    boolean any = list.toString().lines().anyMatch(line -> line.startsWith("  - "));
    yaml.append(key).append(any ? ":\n" : ": []\n").append(list);
  }

  private void writeSignals(StringBuilder yaml) {
    Map<String, SignalSeen> all = new TreeMap<>(signals);
    if (all.isEmpty()) {
      all.put(REWARD, new SignalSeen());
    }
    yaml.append("signals:\n");
    all.forEach(
        (signal, seen) ->
            yaml.append(
                "  - { name: %s, type: %s, window: %s } # seen %d times\n"
                    .formatted(
                        quoted(signal),
                        seen.flag && !signal.equals(REWARD) ? "flag" : "number",
                        seen.window(),
                        seen.count)));
    String objective =
        all.containsKey(REWARD)
            ? REWARD
            : all.entrySet().stream()
                .max(
                    Comparator.comparingLong(
                        (Map.Entry<String, SignalSeen> e) -> e.getValue().count))
                .orElseThrow()
                .getKey();
    yaml.append(
        "objective: { maximize: %s, discount: %s }\n"
            .formatted(quoted(objective), repeatedSubjects ? "0.9" : "0"));
  }

  private static void comment(StringBuilder yaml, String text) {
    yaml.append("# ").append(oneLine(text)).append('\n');
  }

  /** Free of what would end a comment. */
  private static String oneLine(String text) {
    String line = text.replaceAll("[^\\x20-\\x7e\\u00a1-\\ud7ff]", "?");
    return line.length() <= 200 ? line : line.substring(0, 200) + "...";
  }

  /** A name as a YAML text, in quotes where it could mean something else. */
  private static String quoted(String text) {
    boolean word =
        text.matches("[A-Za-z][A-Za-z0-9_-]*")
            && !text.toLowerCase(Locale.ROOT).matches("true|false|null|yes|no|on|off|y|n");
    return word ? text : quotedAlways(text);
  }

  private static String quotedAlways(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private static String plain(double value) {
    return Double.isFinite(value)
        ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }

  /** Distinct texts, up to a bound. */
  private static final class ValuesSeen {
    private final Set<String> values = new TreeSet<>();
    private boolean more;

    void add(String value) {
      if (values.size() < MAX_VALUES) {
        values.add(value);
      } else {
        more |= !values.contains(value);
      }
    }

    /** Four for each value: few share one. */
    int buckets() {
      int wanted = more ? 16 * MAX_VALUES : 4 * values.size();
      int buckets = MIN_BUCKETS;
      while (buckets < wanted && buckets < MAX_BUCKETS) {
        buckets *= 2;
      }
      return buckets;
    }
  }

  /** What was seen of one feature. */
  private static final class FeatureSeen {
    /** On one line, as a surface file lists its values. */
    private static final Pattern LISTED_TEXT = Pattern.compile(".{1,128}");

    private long numbers;
    private long flags;
    private long texts;
    private long lists;
    private long vectors;
    private long others;
    private int size = -1;
    private boolean sizesDiffer;
    private int most = 1;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private final ValuesSeen values = new ValuesSeen();

    void add(JsonNode value) {
      if (value.isNull()) {
        return;
      }
      if (value.isBoolean()) {
        flags++;
      } else if (value.isNumber()) {
        numbers++;
        min = Math.min(min, value.doubleValue());
        max = Math.max(max, value.doubleValue());
        values.add(value.asText());
      } else if (value.isTextual()) {
        texts++;
        values.add(value.textValue());
      } else if (value.isArray() && !value.isEmpty() && value.get(0).isNumber()) {
        vectors++;
        sizesDiffer |= size >= 0 && size != value.size();
        size = value.size();
      } else if (value.isArray()) {
        lists++;
        most = Math.max(most, value.size());
        value.forEach(each -> values.add(each.asText()));
      } else {
        others++;
      }
    }

    private boolean isVector() {
      return vectors > 0 && numbers + flags + texts + lists == 0 && !sizesDiffer;
    }

    /** The declaration after the name; empty where there can be none. */
    String declaration() {
      boolean tooLong = isVector() && size > MAX_VECTOR;
      if (others > 0 || (vectors > 0 && !isVector()) || tooLong) {
        return "";
      }
      if (isVector()) {
        return "type: vector, size: " + size;
      }
      if (lists > 0) {
        return "type: categories, buckets: %d, max: %d"
            .formatted(values.buckets(), Math.min(MAX_CATEGORIES, most));
      }
      if (texts > 0) {
        return listed()
            ? "type: category, values: " + list()
            : "type: category, buckets: " + values.buckets();
      }
      return numbers > 0 ? "type: number" : flags > 0 ? "type: flag" : "";
    }

    private boolean listed() {
      return numbers + flags == 0
          && values.values.size() <= LISTED_VALUES
          && texts >= (long) SEEN_OFTEN * values.values.size()
          && values.values.stream().allMatch(v -> LISTED_TEXT.matcher(v).matches());
    }

    private String list() {
      StringBuilder list = new StringBuilder("[");
      for (String value : values.values) {
        list.append(list.length() > 1 ? ", " : "").append(quotedAlways(value));
      }
      return list.append(']').toString();
    }

    String remark() {
      if (lists > 0 && most > MAX_CATEGORIES) {
        return " # up to " + most + " values at once, of which " + MAX_CATEGORIES + " are kept";
      }
      if (texts > 0 && numbers > 0) {
        return " # numbers and texts: both are read as texts";
      }
      return numbers > 0 ? " # seen from %s to %s".formatted(plain(min), plain(max)) : "";
    }

    /** Why there can be no declaration. */
    String why() {
      if (sizesDiffer) {
        return "arrays of different sizes";
      }
      if (size > MAX_VECTOR) {
        return "an array of " + size + " numbers, at most " + MAX_VECTOR + " are possible";
      }
      return numbers + flags + texts + lists + vectors + others == 0
          ? "never given"
          : "values of kinds that do not go together";
    }
  }

  /** What was seen of one signal. */
  private static final class SignalSeen {
    private static final long MINUTE = 60_000_000L;

    private long count;
    private boolean flag = true;
    private long longestMicros;

    void add(Reaction reaction, long decidedAtMicros) {
      count++;
      flag &= reaction.value() == 0 || reaction.value() == 1;
      longestMicros = Math.max(longestMicros, reaction.occurredAtMicros() - decidedAtMicros);
    }

    /** The shortest usual window that holds all that was seen. */
    String window() {
      if (longestMicros <= 24 * 60 * MINUTE) {
        return "24h";
      }
      return longestMicros <= 7 * 24 * 60 * MINUTE ? "7d" : "30d";
    }
  }
}
