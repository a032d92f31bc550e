package io.bellwether.trainer.imports.vw;

import io.bellwether.trainer.imports.UnreadableLine;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What a log says of one slot. Immutable by convention: nobody changes the arrays.
 *
 * @param cost what came of it, lower is better; empty where nothing is known to have
 * @param actions 0-based indices into the example's actions, the chosen one first, at least that
 * @param probabilities of these actions, as many
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SlotLabel(OptionalDouble cost, int[] actions, double[] probabilities) {

  /** Sums of 32-bit floats, written with few digits, differ from 1 by less. */
  private static final double ROUNDING = 1e-3;

  int chosen() {
    return actions[0];
  }

  /** Whatever the log has: whoever imports it judges it. */
  double propensity() {
    return probabilities[0];
  }

  boolean isPropensity() {
    return probabilities[0] > 0 && probabilities[0] <= 1;
  }

  /** The chance of every action of {@code count}; null where some chances are not known. */
  double @Nullable [] distribution(int count) {
    double sum = 0;
    for (double probability : probabilities) {
      sum += probability;
    }
    if (!isPropensity() || sum < 1 - ROUNDING) {
      return null;
    }
    double[] distribution = new double[count];
    for (int i = 0; i < actions.length; i++) {
      distribution[actions[i]] = probabilities[i];
    }
    return distribution;
  }

  /**
   * Checks what must hold for every log, but for the chosen action's own chance.
   *
   * @param count actions of the example
   * @param where the slot's place, for reasons
   */
  void check(int count, String where) throws UnreadableLine {
    if (actions.length != probabilities.length) {
      throw new UnreadableLine(
          "%s%d actions and %d probabilities, must be as many"
              .formatted(where, actions.length, probabilities.length));
    }
    boolean[] seen = new boolean[count];
    for (int action : actions) {
      if (action < 0 || action >= count) {
        throw new UnreadableLine(
            "%saction %d (counted from 0) does not exist, there are %d"
                .formatted(where, action, count));
      }
      if (seen[action]) {
        throw new UnreadableLine(
            "%saction %d (counted from 0) is listed twice".formatted(where, action));
      }
      seen[action] = true;
    }
    if (!isPropensity()) {
      return;
    }
    double sum = propensity();
    for (int i = 1; i < probabilities.length; i++) {
      if (!(probabilities[i] >= 0 && probabilities[i] <= 1)) {
        throw new UnreadableLine(
            "%sthe probability of action %d (counted from 0) is %s, must be in [0, 1]"
                .formatted(where, actions[i], Double.toString(probabilities[i])));
      }
      sum += probabilities[i];
    }
    boolean all = actions.length > 1 && actions.length == count;
    if (sum > 1 + ROUNDING || (all && sum < 1 - ROUNDING)) {
      throw new UnreadableLine(
          "%sthe probabilities of %d actions sum to %.6g, must sum to 1"
              .formatted(where, actions.length, sum));
    }
  }
}
