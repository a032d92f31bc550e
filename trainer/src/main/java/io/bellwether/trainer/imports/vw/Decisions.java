package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.LoggedDecision;
import io.bellwether.trainer.imports.LoggedDecision.Candidate;
import io.bellwether.trainer.imports.LoggedDecision.Origin;
import io.bellwether.trainer.imports.LoggedDecision.Reaction;
import io.bellwether.trainer.imports.UnreadableLine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Turns VW's examples into decisions. Features of slot {@code i} join the context, named {@code
 * sloti-...}; a cost other than 0 becomes a reaction of minus its value at its slot, or to the
 * whole slate. An action without a name is called {@code action-i} by its place, a decision without
 * one by its file and line. Immutable.
 *
 * @param signal what the reward is called
 */
record Decisions(String signal) {

  private static final String UNKNOWN_MODEL = "vw";

  LoggedDecision of(Example example, long decidedAtMicros, Origin origin) throws UnreadableLine {
    return new LoggedDecision(
        id(example, origin),
        null,
        decidedAtMicros,
        context(example),
        candidates(example),
        slots(example),
        example.weight(),
        example.learnable(),
        example.propensities(),
        example.baseline(),
        example.model() == null ? UNKNOWN_MODEL : example.model(),
        reactions(example, decidedAtMicros),
        origin);
  }

  private static String id(Example example, Origin origin) {
    String file = origin.file().substring(origin.file().lastIndexOf('/') + 1);
    return example.id() == null ? file + "-" + origin.line() : example.id();
  }

  private static ObjectNode context(Example example) throws UnreadableLine {
    ObjectNode context = example.shared().deepCopy();
    FlatFeatures features = new FlatFeatures(context);
    for (int i = 0; i < example.slots().size(); i++) {
      features.addAll("slot" + i, example.slots().get(i).features(), "slot " + i);
    }
    return context;
  }

  private static List<Candidate> candidates(Example example) {
    List<Candidate> candidates = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < example.actions().size(); i++) {
      Example.Action action = example.actions().get(i);
      String id = action.tag() == null ? "action-" + i : action.tag();
      if (action.slot() >= 0 && !ids.add(id)) {
        // The same thing may be offered for several slots, and is then another choice in each.
        id = id + "@slot" + action.slot();
      }
      candidates.add(new Candidate(id, action.features()));
    }
    return candidates;
  }

  private static List<LoggedDecision.Slot> slots(Example example) {
    List<LoggedDecision.Slot> slots = new ArrayList<>();
    for (Example.Slot slot : example.slots()) {
      SlotLabel label = slot.label();
      slots.add(
          new LoggedDecision.Slot(
              label.chosen(), label.propensity(), label.distribution(example.actions().size())));
    }
    return slots;
  }

  private List<Reaction> reactions(Example example, long micros) {
    List<Reaction> reactions = new ArrayList<>();
    Double cost = example.cost();
    if (cost != null && cost != 0) {
      reactions.add(new Reaction(signal, -1, -cost, micros));
    }
    for (int i = 0; i < example.slots().size(); i++) {
      double slotCost = example.slots().get(i).label().cost().orElse(0);
      if (slotCost != 0) {
        reactions.add(new Reaction(signal, i, -slotCost, micros));
      }
    }
    return reactions;
  }
}
