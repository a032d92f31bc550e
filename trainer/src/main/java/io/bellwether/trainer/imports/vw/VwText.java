package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.trainer.imports.UnreadableLine;
import io.bellwether.trainer.imports.vw.Example.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes dsjson as VW's text, example by example, so that tools which read only text learn the same
 * from it: an object is a namespace named by its key, a text {@code key=value}, {@code true} a
 * feature of value 1, a component of an array its index, which VW hashes to the same place.
 *
 * <p>The probability of a contextual bandit's label is {@code p[0]} times the pass-through chance,
 * so that its inverse carries both weights. Text has no place for {@code pdrop} and {@code
 * _skipLearn}: the first is left out, and a decision that must not be learned from gets no label.
 *
 * <p>Thread-safe.
 */
public final class VwText {

  private VwText() {}

  /**
   * The lines of one example, without the blank line that ends it.
   *
   * @param dsjson one line of a dsjson log
   * @throws UnreadableLine when the line cannot be imported either
   */
  public static List<String> lines(String dsjson) throws UnreadableLine {
    return lines(DsjsonLine.parse(dsjson));
  }

  static List<String> lines(DsjsonLine line) {
    Example example = line.example();
    List<String> lines = new ArrayList<>();
    String kind = example.kind() == Kind.CB ? "" : example.kind() == Kind.CCB ? "ccb " : "slates ";
    lines.add(kind + "shared " + cost(example) + features(line.context()));
    JsonNode actions = line.context().path("_multi");
    for (int i = 0; i < actions.size(); i++) {
      lines.add(action(line, kind, i) + tag(example.actions().get(i)) + features(actions.get(i)));
    }
    JsonNode slots = line.context().path("_slots");
    for (int i = 0; i < slots.size() && example.kind() != Kind.CB; i++) {
      lines.add(kind + "slot " + slot(example, i) + allowed(slots.get(i)) + features(slots.get(i)));
    }
    return lines;
  }

  private static String cost(Example example) {
    Double cost = example.cost();
    boolean labelled = example.kind() == Kind.SLATES && example.learnable();
    return cost == null || !labelled ? "" : number(cost) + " ";
  }

  private static String action(DsjsonLine line, String kind, int action) {
    Example example = line.example();
    if (example.kind() == Kind.CCB) {
      return kind + "action ";
    }
    if (example.kind() == Kind.SLATES) {
      return kind + "action " + example.actions().get(action).slot() + " ";
    }
    SlotLabel label = example.slots().get(0).label();
    if (label.chosen() != action || !example.learnable()) {
      return "";
    }
    return (action + 1)
        + ":"
        + number(label.cost().orElse(0))
        + ":"
        + number(label.propensity() * line.passThrough())
        + " ";
  }

  private static String slot(Example example, int slot) {
    SlotLabel label = example.slots().get(slot).label();
    if (!example.learnable() || (example.kind() == Kind.CCB && label.cost().isEmpty())) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < label.actions().length; i++) {
      text.append(i == 0 ? "" : ",").append(within(example, label.actions()[i], slot));
      if (i == 0 && example.kind() == Kind.CCB) {
        text.append(':').append(number(label.cost().orElse(0)));
      }
      text.append(':').append(number(label.probabilities()[i]));
    }
    return text.append(' ').toString();
  }

  /** An action's number as its slot counts. */
  private static int within(Example example, int action, int slot) {
    if (example.kind() == Kind.CCB) {
      return action;
    }
    int before = 0;
    for (int i = 0; i < action; i++) {
      before += example.actions().get(i).slot() == slot ? 1 : 0;
    }
    return before;
  }

  private static String allowed(JsonNode slot) {
    JsonNode list = slot.path("_inc");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < list.size(); i++) {
      text.append(i == 0 ? "" : ",").append(list.get(i).intValue());
    }
    return text.isEmpty() ? "" : text.append(' ').toString();
  }

  private static String tag(Example.Action action) {
    String tag = action.tag();
    return tag == null ? "" : "'" + word(tag) + " ";
  }

  private static String features(JsonNode object) {
    List<Namespace> namespaces = new ArrayList<>(List.of(new Namespace("", object)));
    List<String> segments = new ArrayList<>();
    // Grows while it is walked: objects inside objects are namespaces too.
    for (int i = 0; i < namespaces.size(); i++) {
      Namespace namespace = namespaces.get(i);
      StringBuilder features = new StringBuilder();
      write(namespace.features(), features, namespaces);
      if (!features.isEmpty()) {
        segments.add("|" + namespace.name() + features);
      }
    }
    return segments.isEmpty() ? "|" : String.join(" ", segments);
  }

  private record Namespace(String name, JsonNode features) {}

  /**
   * Writes the features that stand in an object itself, a blank before each; what is a namespace of
   * its own is added to {@code inner}.
   */
  private static void write(JsonNode object, StringBuilder text, List<Namespace> inner) {
    for (int i = 0; i < object.size() && object.isArray(); i++) {
      if (object.get(i).isNumber()) {
        feature(text, Integer.toString(i), object.get(i));
      } else {
        write(object.get(i), text, inner);
      }
    }
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      if (field.getKey().equals("_text")) {
        words(field.getValue().asText(), text);
      } else if (!field.getKey().startsWith("_")) {
        write(field.getKey(), field.getValue(), text, inner);
      }
    }
  }

  private static void write(String key, JsonNode value, StringBuilder text, List<Namespace> inner) {
    if (value.isArray() && value.path(0).isTextual()) {
      value.forEach(each -> feature(text, key, each));
    } else if (value.isContainerNode()) {
      inner.add(new Namespace(word(key), value));
    } else {
      feature(text, key, value);
    }
  }

  private static void words(String sentence, StringBuilder text) {
    for (String each : sentence.split("[ \t]+", -1)) {
      if (!each.isEmpty()) {
        text.append(' ').append(word(each));
      }
    }
  }

  private static void feature(StringBuilder text, String key, JsonNode value) {
    if (value.isTextual()) {
      text.append(' ').append(word(key)).append('=').append(word(value.textValue()));
    } else if (value.isNumber()) {
      text.append(' ').append(word(key)).append(':').append(number(value.doubleValue()));
    } else if (value.booleanValue()) {
      text.append(' ').append(word(key));
    }
  }

  /** What ends a word in text becomes an underscore, as in VW's own reader of JSON. */
  private static String word(String text) {
    StringBuilder word = new StringBuilder(text);
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c == ' ' || c == '|' || c == ':' || c < ' ') {
        word.setCharAt(i, '_');
      }
    }
    return word.toString();
  }

  /** In the digits of a 32-bit float, which is what VW computes with, and without an exponent. */
  private static String number(double value) {
    float number = (float) value;
    String text = Float.toString(number + 0f);
    return text.indexOf('E') < 0 ? text : new BigDecimal(text).toPlainString();
  }
}
