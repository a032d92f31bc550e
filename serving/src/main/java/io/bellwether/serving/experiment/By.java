package io.bellwether.serving.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who moves an experiment, and why. Immutable.
 *
 * @param who a person or {@code controller}; not blank
 * @param why in words; not blank
 * @param expected the number of the latest move that the mover has seen: if there was a later one,
 *     nothing moves; empty: whatever is there
 * @param evidence the numbers that caused it
 */
public record By(String who, String why, OptionalLong expected, Optional<JsonNode> evidence) {

  public By {
    if (who.isBlank() || why.isBlank()) {
      throw new IllegalArgumentException(
          "a move needs who and why, found '%s' and '%s'".formatted(who, why));
    }
  }

  /** Whatever was done before. */
  public static By of(String who, String why) {
    return new By(who, why, OptionalLong.empty(), Optional.empty());
  }

  /** Only if nothing was done since this state, because of these numbers. */
  public static By seeing(ExperimentState state, String who, String why, JsonNode evidence) {
    return new By(who, why, OptionalLong.of(state.sequence()), Optional.of(evidence));
  }
}
