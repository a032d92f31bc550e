package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.DecimalText;
import io.bellwether.trainer.imports.Lines;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import io.bellwether.trainer.imports.UnreadableLine;
import io.bellwether.trainer.imports.vw.Example.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** One example of VW's text on its way to an {@link Example}. Confined to one thread. */
final class TextExample {

  private static final int MAX_ACTIONS_OF_SLOT = 4_096;

  private @Nullable Kind kind;
  private @Nullable ObjectNode shared;
  private @Nullable Double cost;
  private final List<Example.Action> actions = new ArrayList<>();
  private final List<Example.Slot> slots = new ArrayList<>();
  private @Nullable SlotLabel label;

  private TextExample() {}

  /** Reads the lines of an example; reasons name the line. */
  static Example parse(List<Lines.Line> lines) throws UnreadableLine {
    TextExample example = new TextExample();
    for (Lines.Line line : lines) {
      try {
        example.add(line.text());
      } catch (UnreadableLine e) {
        throw new UnreadableLine("line " + line.number() + ": " + e.reason());
      }
    }
    return example.finished();
  }

  private void add(String line) throws UnreadableLine {
    int bar = line.indexOf('|');
    if (bar < 0) {
      throw new UnreadableLine("has no '|', which begins the features");
    }
    String header = line.substring(0, bar);
    List<String> words = words(header);
    // A name that touches the bar needs no quote.
    boolean touching = !header.isEmpty() && !isBlank(header.charAt(header.length() - 1));
    String tag = tag(words, touching);
    Kind here = kind(words);
    if (kind != null && kind != here) {
      throw new UnreadableLine("is of " + here + " inside an example of " + kind);
    }
    kind = here;
    ObjectNode features = features(line, bar);
    String role =
        !words.isEmpty() && (here != Kind.CB || words.get(0).equals("shared"))
            ? words.remove(0)
            : "action";
    switch (role) {
      case "shared" -> addShared(words, features);
      case "action" -> addAction(words, tag, features);
      case "slot" -> addSlot(words, features);
      default ->
          throw new UnreadableLine(
              "begins with " + Found.in(role) + ", must be shared, action or slot");
    }
  }

  private static Kind kind(List<String> words) throws UnreadableLine {
    String first = words.isEmpty() ? "" : words.get(0);
    if (!first.equals("ccb") && !first.equals("slates")) {
      return Kind.CB;
    }
    words.remove(0);
    if (words.isEmpty()) {
      throw new UnreadableLine(
          "has " + first + " alone, must be followed by shared, action or slot");
    }
    return first.equals("ccb") ? Kind.CCB : Kind.SLATES;
  }

  /** Takes the name off the words, where there is one. */
  private static @Nullable String tag(List<String> words, boolean touching) {
    if (words.isEmpty()) {
      return null;
    }
    String last = words.get(words.size() - 1);
    boolean quoted = last.startsWith("'");
    if (!quoted && (!touching || isKeyword(last) || last.indexOf(':') >= 0)) {
      return null;
    }
    words.remove(words.size() - 1);
    String tag = quoted ? last.substring(1) : last;
    return tag.isEmpty() ? null : tag;
  }

  private static boolean isKeyword(String word) {
    return switch (word) {
      case "shared", "action", "slot", "ccb", "slates" -> true;
      default -> false;
    };
  }

  private void addShared(List<String> words, ObjectNode features) throws UnreadableLine {
    if (shared != null || !actions.isEmpty()) {
      throw new UnreadableLine(
          "is a shared line that is not the example's first; a blank line"
              + " must end the example before it");
    }
    shared = features;
    if (kind == Kind.SLATES && !words.isEmpty()) {
      cost = number(words.remove(0), "the cost");
    }
    refuse(words);
  }

  private void addAction(List<String> words, @Nullable String tag, ObjectNode features)
      throws UnreadableLine {
    if (!slots.isEmpty()) {
      throw new UnreadableLine("is an action after a slot, must come before all slots");
    }
    int slot = -1;
    if (kind == Kind.SLATES) {
      if (words.isEmpty()) {
        throw new UnreadableLine("is an action without the number of its slot");
      }
      slot = integer(words.remove(0), "the slot's number");
    } else if (kind == Kind.CB && !words.isEmpty()) {
      addLabel(words.remove(0));
    }
    refuse(words);
    actions.add(new Example.Action(tag, features, slot));
  }

  /** {@code action:cost:probability}; the position counts, not the number. */
  private void addLabel(String word) throws UnreadableLine {
    String[] parts = word.split(":", -1);
    if (parts.length != 3) {
      throw new UnreadableLine(
          "has the label " + Found.in(word) + ", must be action:cost:probability");
    }
    if (label != null) {
      throw new UnreadableLine("is the second line with a label, must be one of an example");
    }
    integer(parts[0], "the label's action");
    double labelCost = number(parts[1], "the cost");
    double probability = probability(parts[2]);
    label =
        new SlotLabel(
            OptionalDouble.of(labelCost), new int[] {actions.size()}, new double[] {probability});
  }

  /** {@code [chosen:cost:probability[,action:probability...]] [allowed,allowed...]}. */
  private void addSlot(List<String> words, ObjectNode features) throws UnreadableLine {
    if (words.isEmpty() || words.get(0).indexOf(':') < 0) {
      throw new UnreadableLine("is a slot without a label; only logged choices can be imported");
    }
    SlotLabel here = slotLabel(words.remove(0));
    if (kind == Kind.CCB && !words.isEmpty()) {
      checkAllowed(words.remove(0), here.chosen());
    }
    refuse(words);
    slots.add(new Example.Slot(features, here));
  }

  private SlotLabel slotLabel(String word) throws UnreadableLine {
    String[] each = word.split(",", MAX_ACTIONS_OF_SLOT);
    int[] chosen = new int[each.length];
    double[] probabilities = new double[each.length];
    OptionalDouble slotCost = OptionalDouble.empty();
    for (int i = 0; i < each.length; i++) {
      String[] parts = each[i].split(":", -1);
      boolean costly = kind == Kind.CCB && i == 0;
      if (parts.length != (costly ? 3 : 2)) {
        throw new UnreadableLine(
            "has "
                + Found.in(each[i])
                + " in its label, must be "
                + (costly ? "action:cost:probability" : "action:probability"));
      }
      chosen[i] = integer(parts[0], "the label's action");
      if (costly) {
        slotCost = OptionalDouble.of(number(parts[1], "the cost"));
      }
      probabilities[i] = probability(parts[parts.length - 1]);
    }
    if (kind == Kind.SLATES) {
      for (int i = 0; i < chosen.length; i++) {
        chosen[i] = withinSlot(chosen[i], slots.size());
      }
    }
    SlotLabel read = new SlotLabel(slotCost, chosen, probabilities);
    read.check(actions.size(), "");
    for (int i = 0; i < slots.size(); i++) {
      if (slots.get(i).label().chosen() == read.chosen()) {
        throw new UnreadableLine(
            "action %d was chosen for slot %d already".formatted(read.chosen(), i));
      }
    }
    return read;
  }

  private int withinSlot(int within, int slot) throws UnreadableLine {
    int count = 0;
    for (int i = 0; i < actions.size(); i++) {
      if (actions.get(i).slot() == slot && count++ == within) {
        return i;
      }
    }
    throw new UnreadableLine(
        "action %d (counted from 0) does not exist, slot %d has %d".formatted(within, slot, count));
  }

  private static void checkAllowed(String list, int chosen) throws UnreadableLine {
    for (String each : list.split(",", MAX_ACTIONS_OF_SLOT)) {
      if (integer(each, "an allowed action") == chosen) {
        return;
      }
    }
    throw new UnreadableLine(
        "action " + chosen + " is not among the slot's allowed ones, " + Found.in(list));
  }

  private Example finished() throws UnreadableLine {
    if (actions.isEmpty()) {
      throw new UnreadableLine("the example has no action");
    }
    if (kind == Kind.CB) {
      if (label == null) {
        throw new UnreadableLine(
            "no line has a label (action:cost:probability): only logged choices can be imported");
      }
      label.check(actions.size(), "");
      slots.add(new Example.Slot(empty(), label));
    }
    if (slots.isEmpty()) {
      throw new UnreadableLine("the example has no slot");
    }
    return new Example(
        kind == null ? Kind.CB : kind,
        null,
        shared == null ? empty() : shared,
        actions,
        slots,
        cost,
        1,
        true,
        Propensities.EXACT,
        OptionalInt.empty(),
        null);
  }

  private static ObjectNode features(String line, int bar) throws UnreadableLine {
    FlatFeatures features = new FlatFeatures(empty());
    for (int start = bar; start >= 0; ) {
      int end = line.indexOf('|', start + 1);
      addNamespace(line.substring(start + 1, end < 0 ? line.length() : end), features);
      start = end;
    }
    return features.all();
  }

  private static void addNamespace(String text, FlatFeatures features) throws UnreadableLine {
    List<String> words = words(text);
    String namespace = "";
    double scale = 1;
    if (!text.isEmpty() && !isBlank(text.charAt(0))) {
      namespace = words.remove(0);
      int colon = namespace.indexOf(':');
      if (colon >= 0) {
        scale = number(namespace.substring(colon + 1), "the weight of a namespace");
        namespace = namespace.substring(0, colon);
      }
    }
    for (String word : words) {
      addFeature(namespace, scale, word, features);
    }
  }

  private static void addFeature(String namespace, double scale, String word, FlatFeatures features)
      throws UnreadableLine {
    int colon = word.lastIndexOf(':');
    if (colon == 0) {
      features.addComponent(
          namespace.isEmpty() ? "numbers" : namespace,
          scale * number(word.substring(1), "a feature"));
      return;
    }
    if (colon > 0) {
      String key = FlatFeatures.join(namespace, word.substring(0, colon));
      features.addNumber(
          key, scale * number(word.substring(colon + 1), "feature " + Found.in(key)));
      return;
    }
    int equals = word.indexOf('=');
    if (scale != 1) {
      features.addNumber(FlatFeatures.join(namespace, word), scale);
    } else if (equals > 0) {
      features.addText(
          FlatFeatures.join(namespace, word.substring(0, equals)), word.substring(equals + 1));
    } else {
      features.addFlag(FlatFeatures.join(namespace, word));
    }
  }

  private static void refuse(List<String> rest) throws UnreadableLine {
    if (!rest.isEmpty()) {
      throw new UnreadableLine("has " + Found.in(rest.get(0)) + " before '|', which nothing reads");
    }
  }

  private static double probability(String text) throws UnreadableLine {
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new UnreadableLine("the probability is " + Found.in(text) + ", must be in (0, 1]");
    }
    return value;
  }

  private static double number(String text, String what) throws UnreadableLine {
    double value = DecimalText.value(text);
    if (!Double.isFinite(value)) {
      throw new UnreadableLine(what + " is " + Found.in(text) + ", must be a finite number");
    }
    return value;
  }

  private static int integer(String text, String what) throws UnreadableLine {
    try {
      int value = Integer.parseInt(text);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The same reason as for a negative one.
    }
    throw new UnreadableLine(
        what + " is " + Found.in(text) + ", must be a whole number, at least 0");
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    int start = -1;
    for (int i = 0; i <= text.length(); i++) {
      boolean blank = i == text.length() || isBlank(text.charAt(i));
      if (blank && start >= 0) {
        words.add(text.substring(start, i));
        start = -1;
      } else if (!blank && start < 0) {
        start = i;
      }
    }
    return words;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static ObjectNode empty() {
    return JsonNodeFactory.instance.objectNode();
  }
}
