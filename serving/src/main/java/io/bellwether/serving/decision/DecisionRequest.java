package io.bellwether.serving.decision;

import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.serving.retrieval.ItemFilter;
import io.bellwether.serving.rule.AskedRules;
import io.bellwether.serving.scoring.CandidateRows;
import io.bellwether.serving.surface.DeclaredSurface;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A request that was checked and encoded. The arrays are its own and are not copied.
 *
 * @param surface for which to decide
 * @param decisionId the client's or a new one
 * @param repeatable whether the client chose the id, so that the same request may come again
 * @param subjectId whom the decision is for; the decision's id where the request names nobody
 * @param anonymous whether the request names nobody
 * @param context {@code [contextWidth]}
 * @param sent the context as it was sent
 * @param wanted among which registered items retrieval is to look; null where the request names its
 *     candidates
 * @param candidateIds after exclusions, in the order of the request; at least one unless retrieval
 *     is to look
 * @param items the candidates' features
 * @param rawItems features of inline candidates as they were sent, a JSON array; null where all are
 *     registered items
 * @param rules that the request adds to its surface's
 * @param slateSize positions to fill, if there are as many candidates
 * @param budgetMillis time for the answer, where the request says it
 * @param dryRun whether to log nothing
 * @param deferred whether it is not known yet if the slate will be shown
 * @param digest tells the body from others, 64 hex digits
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record DecisionRequest(
    DeclaredSurface surface,
    String decisionId,
    boolean repeatable,
    String subjectId,
    boolean anonymous,
    float[] context,
    SentContext sent,
    @Nullable ItemFilter wanted,
    List<String> candidateIds,
    CandidateRows items,
    @Nullable String rawItems,
    AskedRules rules,
    int slateSize,
    OptionalLong budgetMillis,
    boolean dryRun,
    boolean deferred,
    String digest) {

  DecisionRequest {
    candidateIds = List.copyOf(candidateIds);
  }

  /** Whether a history is to be looked up. */
  boolean wantsHistory() {
    return !anonymous && surface.layout().historyLength() > 0;
  }

  /** Where the subject's history is kept. */
  String historyKey() {
    return SubjectHistory.redisKey(surface.name(), subjectId);
  }

  /** Where the decision of this id is kept for a while. */
  String decisionKey() {
    return decisionKey(decisionId);
  }

  /** Where the decision of an id is kept for a while. */
  static String decisionKey(String decisionId) {
    return "bellwether:decision:" + decisionId;
  }

  /** Whether the decision is to be kept, so that a retry gets the same answer. */
  boolean kept() {
    return repeatable && !dryRun;
  }
}
