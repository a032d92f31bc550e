package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import io.bellwether.trainer.imports.UnreadableLine;
import io.bellwether.trainer.imports.vw.Example.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One line of dsjson: a decision joined with what came of it. Immutable by convention: nobody
 * changes JSON.
 *
 * <p>What the format leaves open is decided so:
 *
 * <ul>
 *   <li>A key that stands twice in one object makes the line unreadable; so do two spellings or two
 *       labels that contradict each other. Nothing inside {@code c} is ever taken for a label.
 *   <li>The propensity is {@code p[0]}. Where {@code _label_probability} is smaller, decisions were
 *       passed on with a chance of {@code _label_probability / p[0]}, and the weight is its
 *       inverse; {@code pdrop} multiplies the weight by {@code 1 / (1 - pdrop)}.
 *   <li>The cost is {@code _label_cost}, and without it minus the sum of the outcomes' {@code v}.
 *   <li>Propensities are exact unless {@code _propensity_kind}, which our export writes, says else.
 *   <li>Action numbers count from 1 unless a 0 occurs, and inside {@code _outcomes} from 0.
 * </ul>
 *
 * @param context {@code c} as it was
 * @param decidedAtMicros microseconds since the epoch, UTC
 * @param passThrough share of such decisions that the log kept, folded into {@code
 *     _label_probability}; in (0, 1]
 * @param notes what had to be decided or left out
 */
record DsjsonLine(
    Example example,
    ObjectNode context,
    long decidedAtMicros,
    double passThrough,
    Set<String> notes) {

  static final String WEIGHT_FROM_LABEL =
      "_label_probability below p[0]: the propensity is p[0], the weight p[0] / _label_probability";
  static final String LABEL_ABOVE =
      "_label_probability above p[0]: the propensity is p[0], _label_probability was left out";
  static final String PROPENSITY_FROM_LABEL =
      "no p: the propensity is _label_probability, of which a pass-through chance may be a part";
  static final String WEIGHT_FROM_DROP = "pdrop: the weight is 1 / (1 - pdrop)";
  static final String COST_FROM_OUTCOMES = "no _label_cost: the reward is the sum of the outcomes";
  static final String COST_CHANGED =
      "_original_label_cost differs from _label_cost, which is the one that was taken";
  static final String DANGLING =
      "an outcome's Index is neither the id nor the position of a slot; the outcome was left out";
  static final String NOT_LEARNABLE = "_skipLearn: kept for statistics, not learned from";

  /** Differences in the last digits of 32-bit floats mean nothing. */
  private static final double ROUNDING = 1e-5;

  /** 285 years; in nanoseconds it still fits a long. */
  private static final long MAX_SECONDS = 9_000_000_000L;

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  // Found, they can be refused by name.
                  .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** Reads a line. */
  static DsjsonLine parse(String text) throws UnreadableLine {
    return new Parse(object(text)).line();
  }

  private static ObjectNode object(String text) throws UnreadableLine {
    JsonNode node;
    try {
      node = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UnreadableLine(reason(e));
    }
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new UnreadableLine("is " + Found.in(node) + ", must be a JSON object");
  }

  private static String reason(JsonProcessingException e) {
    String what = e.getOriginalMessage().lines().findFirst().orElse("").strip();
    JsonLocation where = e.getLocation();
    String column = where == null ? "" : " at column " + where.getColumnNr();
    if (what.startsWith("Duplicate field ")) {
      return "has the key " + what.substring("Duplicate field ".length()) + " twice" + column;
    }
    if (what.startsWith("Unexpected end-of-input")) {
      return "ends in the middle of its JSON" + column;
    }
    return "is no JSON" + column + ": " + what;
  }

  /** One object on its way to a line. */
  private static final class Parse {

    private final ObjectNode root;
    private final Set<String> notes = new TreeSet<>();

    Parse(ObjectNode root) {
      this.root = root;
    }

    DsjsonLine line() throws UnreadableLine {
      refuseOthers();
      JsonNode c = root.path("c");
      if (!(c instanceof ObjectNode context)) {
        throw new UnreadableLine("c is " + Found.in(c) + ", must be an object: the context");
      }
      List<Example.Action> actions = actions(context);
      Kind kind = kind(context, actions);
      double passThrough = 1;
      List<Example.Slot> slots;
      if (kind == Kind.CB) {
        SlotLabel label = label(actions.size());
        passThrough = passThrough(label);
        slots = List.of(new Example.Slot(empty(), label));
      } else {
        slots = new SlotOutcomes(root, context, notes).read(kind, actions);
      }
      boolean skipped = Values.flag(root, "_skipLearn");
      if (skipped) {
        notes.add(NOT_LEARNABLE);
      }
      Example example =
          new Example(
              kind,
              Values.text(root, "EventId"),
              shared(context),
              actions,
              slots,
              kind == Kind.CB ? null : globalCost(),
              weight(passThrough),
              !skipped,
              propensities(),
              baseline(kind, slots, actions.size()),
              model());
      return new DsjsonLine(example, context, micros(), passThrough, notes);
    }

    private void refuseOthers() throws UnreadableLine {
      if (root.has("_label_ca") || root.has("pdf")) {
        throw new UnreadableLine(
            "has "
                + (root.has("pdf") ? "pdf" : "_label_ca")
                + ": a decision about a number (continuous actions); only choices among listed"
                + " actions can be imported");
      }
      if (root.has("RewardValue") && !root.has("c")) {
        throw new UnreadableLine(
            "is a reward whose decision the log does not have (dangling); join the log first");
      }
      for (JsonNode outcome : root.path("o")) {
        if (outcome.path("v").isObject() || outcome.has("_definitely_bad")) {
          throw new UnreadableLine(
              "has feedback instead of a reward in o (interaction-grounded learning); only rewards"
                  + " can be imported");
        }
      }
    }

    private List<Example.Action> actions(ObjectNode context) throws UnreadableLine {
      JsonNode multi = context.path("_multi");
      if (!multi.isArray() || multi.isEmpty()) {
        throw new UnreadableLine(
            "c._multi is " + Found.in(multi) + ", must be an array of at least one action");
      }
      List<Example.Action> actions = new ArrayList<>();
      for (int i = 0; i < multi.size(); i++) {
        JsonNode action = multi.get(i);
        String where = "c._multi[" + i + "]";
        if (!action.isObject()) {
          throw new UnreadableLine(where + " is " + Found.in(action) + ", must be an object");
        }
        if (action.has("_multi")) {
          throw new UnreadableLine(where + " has actions of its own in _multi, must have none");
        }
        actions.add(
            new Example.Action(
                tag(action),
                FlatFeatures.of(action, where),
                action.has("_slot_id")
                    ? Values.integer(action.get("_slot_id"), where + "._slot_id")
                    : -1));
      }
      return actions;
    }

    /** What the action is called; Personalizer writes its id into namespace i as well. */
    private static @Nullable String tag(JsonNode action) {
      JsonNode tag = action.path("_tag");
      JsonNode id = action.path("i").path("id");
      if (tag.isValueNode() && !tag.asText().isBlank()) {
        return tag.asText();
      }
      return id.isTextual() && !id.textValue().isBlank() ? id.textValue() : null;
    }

    private Kind kind(ObjectNode context, List<Example.Action> actions) throws UnreadableLine {
      boolean slots = context.has("_slots") || root.has("_outcomes");
      long own = actions.stream().filter(a -> a.slot() >= 0).count();
      if (own > 0 && (own < actions.size() || !slots)) {
        throw new UnreadableLine(
            own + " of " + actions.size() + " actions have a _slot_id, must be all, and c._slots");
      }
      return own > 0 ? Kind.SLATES : slots ? Kind.CCB : Kind.CB;
    }

    private static ObjectNode shared(ObjectNode context) throws UnreadableLine {
      return FlatFeatures.of(context, "c");
    }

    private SlotLabel label(int count) throws UnreadableLine {
      double[] p = Values.probabilities(root, "");
      int[] listed = root.has("a") ? Values.integers(root.get("a"), "a") : new int[0];
      int chosen = labelled();
      SlotLabel label;
      if (listed.length > 0) {
        int base = base(listed, count, chosen);
        int[] actions = new int[listed.length];
        for (int i = 0; i < actions.length; i++) {
          actions[i] = listed[i] - base;
        }
        if (chosen >= 0 && chosen != actions[0]) {
          throw new UnreadableLine(
              "the label is action %d and a begins with %d (both counted from 0), must be the same"
                  .formatted(chosen, actions[0]));
        }
        label =
            new SlotLabel(cost(), actions, p.length > 0 ? p : new double[] {labelProbability()});
        if (p.length == 0) {
          label = new SlotLabel(label.cost(), new int[] {actions[0]}, label.probabilities());
        }
      } else if (chosen >= 0) {
        if (p.length > 1) {
          throw new UnreadableLine(
              "p has "
                  + p.length
                  + " probabilities and a is missing: nobody can tell whose they"
                  + " are");
        }
        label =
            new SlotLabel(
                cost(), new int[] {chosen}, p.length == 1 ? p : new double[] {labelProbability()});
      } else {
        throw new UnreadableLine("has neither a nor _labelIndex nor _label_Action: no action");
      }
      if (p.length == 0) {
        notes.add(PROPENSITY_FROM_LABEL);
      }
      label.check(count, "");
      return label;
    }

    /** 1 unless an action 0 shows that the numbers begin there. */
    private static int base(int[] listed, int count, int chosen) throws UnreadableLine {
      boolean zero = false;
      boolean last = false;
      for (int action : listed) {
        zero |= action == 0;
        last |= action == count;
      }
      if (zero && last) {
        throw new UnreadableLine(
            "a has action 0 and action %d of %d: it must count from 0 or from 1"
                .formatted(count, count));
      }
      // Without both ends the label decides, where there is one.
      boolean labelled = !last && chosen >= 0 && listed[0] == chosen;
      return zero || labelled ? 0 : 1;
    }

    /** 0-based index that the label names, -1 where it names none. */
    private int labelled() throws UnreadableLine {
      int index =
          root.has("_labelIndex") ? Values.integer(root.get("_labelIndex"), "_labelIndex") : -1;
      if (!root.has("_label_Action") && !root.has("_label_action")) {
        return index;
      }
      String key = root.has("_label_Action") ? "_label_Action" : "_label_action";
      int action = Values.integer(root.get(key), key) - 1;
      if (root.has("_labelIndex") && action != index) {
        throw new UnreadableLine(
            "%s is %d (counted from 1) and _labelIndex %d (counted from 0), must be the same"
                .formatted(key, action + 1, index));
      }
      return action;
    }

    private double labelProbability() throws UnreadableLine {
      if (!root.has("_label_probability")) {
        throw new UnreadableLine("has neither p nor _label_probability: no propensity");
      }
      JsonNode probability = root.get("_label_probability");
      if (!probability.isNumber()) {
        throw new UnreadableLine(
            "_label_probability is " + Found.in(probability) + ", must be a probability");
      }
      return probability.doubleValue();
    }

    private double passThrough(SlotLabel label) throws UnreadableLine {
      if (!root.has("_label_probability") || !label.isPropensity()) {
        return 1;
      }
      double labelled = labelProbability();
      if (!(labelled > 0 && labelled <= 1)) {
        throw new UnreadableLine("_label_probability is " + labelled + ", must be in (0, 1]");
      }
      double difference = labelled / label.propensity() - 1;
      if (difference > ROUNDING) {
        notes.add(LABEL_ABOVE);
        return 1;
      }
      if (difference >= -ROUNDING) {
        return 1;
      }
      notes.add(WEIGHT_FROM_LABEL);
      return labelled / label.propensity();
    }

    private double weight(double passThrough) throws UnreadableLine {
      if (!root.has("pdrop")) {
        return 1 / passThrough;
      }
      double dropped = Values.number(root.get("pdrop"), "pdrop");
      if (!(dropped >= 0 && dropped < 1)) {
        throw new UnreadableLine(
            "pdrop is %s, must be in [0, 1): the weight is 1 / (1 - pdrop)"
                .formatted(Double.toString(dropped)));
      }
      notes.add(WEIGHT_FROM_DROP);
      return 1 / (1 - dropped) / passThrough;
    }

    private OptionalDouble cost() throws UnreadableLine {
      OptionalDouble cost = Values.cost(root, "", notes);
      if (cost.isPresent()) {
        return cost;
      }
      double sum = 0;
      boolean any = false;
      JsonNode outcomes = root.path("o");
      for (int i = 0; i < outcomes.size(); i++) {
        if (outcomes.get(i).has("v")) {
          sum += Values.number(outcomes.get(i).get("v"), "o[" + i + "].v");
          any = true;
        }
      }
      if (!any) {
        throw new UnreadableLine(
            "has no _label_cost and no outcome in o: it was not joined with its reward");
      }
      notes.add(COST_FROM_OUTCOMES);
      return OptionalDouble.of(-sum);
    }

    private @Nullable Double globalCost() throws UnreadableLine {
      OptionalDouble cost = Values.cost(root, "", notes);
      return cost.isPresent() ? cost.getAsDouble() : null;
    }

    /** Exact, unless we wrote the line ourselves and know better. */
    private Propensities propensities() throws UnreadableLine {
      String kind = Values.text(root, DsjsonExport.KIND);
      if (kind == null) {
        return Propensities.EXACT;
      }
      try {
        return Propensities.valueOf(kind);
      } catch (IllegalArgumentException e) {
        throw new UnreadableLine(
            DsjsonExport.KIND
                + " is "
                + Found.in(kind)
                + ", must be EXACT, MONTE_CARLO, ESTIMATED or NONE");
      }
    }

    private OptionalInt baseline(Kind kind, List<Example.Slot> slots, int count)
        throws UnreadableLine {
      if (kind == Kind.SLATES) {
        return OptionalInt.empty();
      }
      if (root.has("_ba")) {
        int[] baselines = Values.integers(root.get("_ba"), "_ba");
        return baselines.length > 0 && baselines[0] >= 0 && baselines[0] < count
            ? OptionalInt.of(baselines[0])
            : OptionalInt.empty();
      }
      if (kind == Kind.CCB) {
        return OptionalInt.empty();
      }
      // The first action, unless it was excluded.
      int[] listed = slots.get(0).label().actions();
      int first = listed[0];
      for (int action : listed) {
        first = Math.min(first, action);
      }
      return OptionalInt.of(listed.length == 1 ? 0 : first);
    }

    private @Nullable String model() {
      JsonNode model = root.path("VWState").path("m");
      return model.isValueNode() && !model.asText().isBlank() ? model.asText() : null;
    }

    private long micros() throws UnreadableLine {
      JsonNode timestamp = root.path("Timestamp");
      String right = "must be a time such as \"2026-11-30T04:00:00.1234567Z\"";
      if (!timestamp.isTextual()) {
        throw new UnreadableLine("Timestamp is " + Found.in(timestamp) + ", " + right);
      }
      try {
        Instant time = instant(timestamp.textValue());
        if (Math.abs(time.getEpochSecond()) < MAX_SECONDS) {
          return ChronoUnit.MICROS.between(Instant.EPOCH, time);
        }
      } catch (DateTimeException e) {
        // The same reason as for a year that nobody means.
      }
      throw new UnreadableLine("Timestamp is " + Found.in(timestamp) + ", " + right);
    }

    /** Without an offset it is UTC. */
    private static Instant instant(String text) {
      char last = text.isEmpty() ? ' ' : text.charAt(text.length() - 1);
      boolean offset =
          last == 'Z'
              || last == 'z'
              || (text.length() > 19 && text.substring(19).matches(".*[+-].*"));
      return offset
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    }

    private static ObjectNode empty() {
      return JsonNodeFactory.instance.objectNode();
    }
  }
}
