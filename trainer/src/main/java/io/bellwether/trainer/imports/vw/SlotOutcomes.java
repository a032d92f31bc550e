package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.UnreadableLine;
import io.bellwether.trainer.imports.vw.Example.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The slots of one line of dsjson, {@code c._slots}, with what was chosen for them, {@code
 * _outcomes}.
 *
 * @param root the line
 * @param context its {@code c}
 * @param notes takes what had to be decided or left out
 */
record SlotOutcomes(ObjectNode root, ObjectNode context, Set<String> notes) {

  List<Example.Slot> read(Kind kind, List<Example.Action> actions) throws UnreadableLine {
    JsonNode slots = context.path("_slots");
    JsonNode outcomes = root.path("_outcomes");
    if (!slots.isArray() || slots.isEmpty() || !outcomes.isArray()) {
      throw new UnreadableLine(
          "c._slots is %s and _outcomes %s, must be arrays with an object for each slot"
              .formatted(Found.in(slots), Found.in(outcomes)));
    }
    if (slots.size() != outcomes.size()) {
      throw new UnreadableLine(
          "%d slots and %d _outcomes, must be as many".formatted(slots.size(), outcomes.size()));
    }
    double[] rewards = rewards(kind, slots, outcomes);
    List<Example.Slot> result = new ArrayList<>();
    for (int i = 0; i < slots.size(); i++) {
      String where = "_outcomes[" + i + "]: ";
      SlotLabel raw = slotLabel(outcomes.get(i), where, rewards[i]);
      SlotLabel label = kind == Kind.SLATES ? withinSlot(raw, i, actions, where) : raw;
      label.check(actions.size(), where);
      ObjectNode features = FlatFeatures.of(slots.get(i), "c._slots[" + i + "]");
      checkAllowed(slots.get(i).path("_inc"), label, i);
      checkLeft(label, i, result);
      result.add(new Example.Slot(features, label));
    }
    return result;
  }

  private SlotLabel slotLabel(JsonNode outcome, String where, double reward) throws UnreadableLine {
    int[] actions = Values.integers(outcome.path("_a"), where + "_a");
    double[] p = Values.probabilities(outcome, where);
    if (actions.length == 0 || p.length == 0) {
      throw new UnreadableLine(where + "has no action in _a or no probability in _p");
    }
    OptionalDouble cost = Values.cost(outcome, where, notes);
    if (cost.isEmpty() && !Double.isNaN(reward)) {
      notes.add(DsjsonLine.COST_FROM_OUTCOMES);
      cost = OptionalDouble.of(-reward);
    }
    return new SlotLabel(cost, actions, p);
  }

  /** Indices within a slot's own actions become indices into all actions. */
  private static SlotLabel withinSlot(
      SlotLabel label, int slot, List<Example.Action> actions, String where) throws UnreadableLine {
    int[] own = new int[actions.size()];
    int count = 0;
    for (int i = 0; i < actions.size(); i++) {
      if (actions.get(i).slot() == slot) {
        own[count++] = i;
      }
    }
    int[] mapped = new int[label.actions().length];
    for (int i = 0; i < mapped.length; i++) {
      int within = label.actions()[i];
      if (within < 0 || within >= count) {
        throw new UnreadableLine(
            "%saction %d (counted from 0) does not exist, its slot has %d"
                .formatted(where, within, count));
      }
      mapped[i] = own[within];
    }
    return new SlotLabel(label.cost(), mapped, label.probabilities());
  }

  private static void checkAllowed(JsonNode allowed, SlotLabel label, int slot)
      throws UnreadableLine {
    if (!allowed.isArray() || allowed.isEmpty()) {
      return;
    }
    for (int action : Values.integers(allowed, "c._slots[" + slot + "]._inc")) {
      if (action == label.chosen()) {
        return;
      }
    }
    throw new UnreadableLine(
        "_outcomes[%d]: action %d is not in the slot's _inc".formatted(slot, label.chosen()));
  }

  private static void checkLeft(SlotLabel label, int slot, List<Example.Slot> earlier)
      throws UnreadableLine {
    for (int i = 0; i < earlier.size(); i++) {
      if (earlier.get(i).label().chosen() == label.chosen()) {
        throw new UnreadableLine(
            "_outcomes[%d]: action %d was chosen for slot %d already"
                .formatted(slot, label.chosen(), i));
      }
    }
  }

  /** Sum of the outcomes that name each slot by id or position; NaN where none does. */
  private double[] rewards(Kind kind, JsonNode slots, JsonNode outcomes) throws UnreadableLine {
    double[] rewards = new double[slots.size()];
    Arrays.fill(rewards, Double.NaN);
    if (kind == Kind.SLATES) {
      return rewards;
    }
    for (int i = 0; i < outcomes.size(); i++) {
      addRewards(outcomes.get(i).path("_o"), "_outcomes[" + i + "]._o", i, slots, rewards);
    }
    addRewards(root.path("o"), "o", -1, slots, rewards);
    return rewards;
  }

  private void addRewards(JsonNode list, String where, int here, JsonNode slots, double[] rewards)
      throws UnreadableLine {
    for (int i = 0; i < list.size(); i++) {
      JsonNode outcome = list.get(i);
      if (!outcome.has("v")) {
        continue;
      }
      double value = Values.number(outcome.get("v"), where + "[" + i + "].v");
      int slot = outcome.has("Index") ? slotNamed(outcome.get("Index").asText(), slots) : here;
      if (slot < 0) {
        notes.add(DsjsonLine.DANGLING);
      } else {
        rewards[slot] = (Double.isNaN(rewards[slot]) ? 0 : rewards[slot]) + value;
      }
    }
  }

  private int slotNamed(String name, JsonNode slots) {
    JsonNode outcomes = root.path("_outcomes");
    for (int i = 0; i < slots.size(); i++) {
      if (slots.get(i).path("_id").asText().equals(name)
          || outcomes.get(i).path("_id").asText().equals(name)) {
        return i;
      }
    }
    for (int i = 0; i < slots.size(); i++) {
      if (Integer.toString(i).equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
