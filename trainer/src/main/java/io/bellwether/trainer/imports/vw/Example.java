package io.bellwether.trainer.imports.vw;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One decision as VW knows it, whichever format it stood in. Immutable by convention: nobody
 * changes JSON.
 *
 * @param kind what was decided
 * @param id the log's own; null where it has none
 * @param shared features of the context
 * @param actions what could be chosen, at least one
 * @param slots what was chosen, in the order of slots, at least one
 * @param cost of the slates' example as a whole; null where none is known
 * @param weight above 0
 * @param learnable false where the log says that it must not be learned from
 * @param propensities what the probabilities are; {@code NONE} where nothing was drawn by them
 * @param baseline index of the action that would have been chosen without a policy
 * @param model the log's name for what decided; null where it has none
 */
record Example(
    Kind kind,
    @Nullable String id,
    ObjectNode shared,
    List<Action> actions,
    List<Slot> slots,
    @Nullable Double cost,
    double weight,
    boolean learnable,
    Propensities propensities,
    OptionalInt baseline,
    @Nullable String model) {

  enum Kind {
    /** A contextual bandit: one slot. */
    CB,
    /**
     * Conditional contextual bandits: slots that choose from the same actions, one after another.
     */
    CCB,
    /** Slots that each have their own actions, and one cost for all. */
    SLATES
  }

  /**
   * @param tag its name; null where it has none
   * @param slot the slot that may choose it; -1: all
   */
  record Action(@Nullable String tag, ObjectNode features, int slot) {}

  /** One slot. */
  record Slot(ObjectNode features, SlotLabel label) {}
}
