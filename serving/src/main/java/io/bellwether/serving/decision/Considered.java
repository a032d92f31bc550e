package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.policy.scoring.SlateRules;
import io.bellwether.serving.scoring.CandidateRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may be shown: the candidates that are scored, and what binds the slate of them.
 *
 * @param ids at least one
 * @param items their features, in the same order
 * @param rawItems features of inline candidates as they were sent, a JSON array in the same order;
 *     null where all are registered items
 * @param rules that every slate keeps
 * @param trace of the rules, as logged; null where there are none
 * @param retrieval who proposed them; null where the request named them
 */
record Considered(
    List<String> ids,
    CandidateRows items,
    @Nullable String rawItems,
    SlateRules rules,
    @Nullable RuleTrace trace,
    @Nullable String retrieval) {

  /** Without rules. */
  static Considered of(
      List<String> ids,
      CandidateRows items,
      @Nullable String rawItems,
      @Nullable String retrieval) {
    return new Considered(ids, items, rawItems, SlateRules.NONE, null, retrieval);
  }
}
