package io.bellwether.serving.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * One record of an experiment's append-only log: what was done, by whom, why, on what evidence, and
 * the state after it. Immutable.
 *
 * @param sequence from 1 without gaps; the only thing that orders moves
 * @param when for people to read
 * @param evidence the numbers that caused it, as JSON; empty where a person needed none
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Move(
    long sequence,
    String experiment,
    MoveKind kind,
    String who,
    Instant when,
    String why,
    Optional<JsonNode> evidence,
    ExperimentState after) {

  public Move {
    if (sequence < 1 || sequence != after.sequence()) {
      throw new IllegalArgumentException(
          "move %d with a state after move %d".formatted(sequence, after.sequence()));
    }
    if (who.isBlank() || why.isBlank()) {
      throw new IllegalArgumentException(
          "a move needs who and why, found '%s' and '%s'".formatted(who, why));
    }
  }
}
