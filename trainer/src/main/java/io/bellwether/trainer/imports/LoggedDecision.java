package io.bellwether.trainer.imports;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A decision of somebody else's log with all that is known to have come of it, whatever the log's
 * format. Immutable by convention: nobody changes JSON or arrays.
 *
 * @param decisionId unique in its log; the same whenever the same file is read
 * @param subjectId whom it was for; null where the log does not tell, which makes each decision its
 *     own subject
 * @param decidedAtMicros microseconds since the epoch, UTC
 * @param context features of the person and the moment, as the log has them
 * @param candidates what could have been shown, at least one
 * @param slots what was shown, in the order of positions, at least one
 * @param sampleWeight above 0; 1 over the share of such decisions that the log kept
 * @param learnable false where it counts for statistics only
 * @param propensities what the slots' propensities are
 * @param baseline index of the candidate that would have been shown without a policy
 * @param policyVersion the log's name for what decided
 * @param reactions what people did, in any order
 * @param origin where it stands
 */
public record LoggedDecision(
    String decisionId,
    @Nullable String subjectId,
    long decidedAtMicros,
    ObjectNode context,
    List<Candidate> candidates,
    List<Slot> slots,
    double sampleWeight,
    boolean learnable,
    Propensities propensities,
    OptionalInt baseline,
    String policyVersion,
    List<Reaction> reactions,
    Origin origin) {

  public LoggedDecision {
    candidates = List.copyOf(candidates);
    slots = List.copyOf(slots);
    reactions = List.copyOf(reactions);
    if (candidates.isEmpty() || slots.isEmpty()) {
      throw new IllegalArgumentException(
          "%d candidates and %d slots, must be at least one each"
              .formatted(candidates.size(), slots.size()));
    }
  }

  /**
   * What could have been shown.
   *
   * @param features as the log has them
   */
  public record Candidate(String itemId, ObjectNode features) {}

  /**
   * One position of the slate.
   *
   * @param chosen index into the candidates
   * @param propensity the chance of {@code chosen} given the earlier slots, in (0, 1]; NaN where
   *     the log has none
   * @param distribution the chance of every candidate at this position; null where the log does not
   *     have it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Slot(int chosen, double propensity, double @Nullable [] distribution) {}

  /**
   * A value of a signal.
   *
   * @param position 0-based; -1 for the slate as a whole
   * @param occurredAtMicros microseconds since the epoch, UTC
   */
  public record Reaction(String signal, int position, double value, long occurredAtMicros) {}

  /** What the propensities of a log are; the word goes into the record and stays with it. */
  public enum Propensities {
    /** Logged by what sampled. */
    EXACT,
    /** Computed by repeated sampling. */
    MONTE_CARLO,
    /** Fitted afterwards, on request. */
    ESTIMATED,
    /** There is none: good for simulation and statistics, not for evaluation. */
    NONE
  }

  /**
   * Where a decision stands in its log.
   *
   * @param line 1-based number of the line or row
   */
  public record Origin(String file, long line) {}
}
