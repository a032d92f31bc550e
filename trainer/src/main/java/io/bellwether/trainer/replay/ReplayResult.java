package io.bellwether.trainer.replay;

import java.util.List;
import java.util.Map;

/**
 * What a replay found. Immutable.
 *
 * @param checked decisions whose slate and propensities were recomputed from logged scores
 * @param equal of these, decisions that came out exactly as logged
 * @param rescored decisions whose scores were recomputed from logged features too
 * @param scoresWithin of these, decisions with every score within 1e-5 of the logged one
 * @param scoresBitEqual of these, decisions with every score equal to the bit
 * @param skipped decisions that were not checked, by reason
 * @param differences the first decisions that came out differently, and how
 */
public record ReplayResult(
    long checked,
    long equal,
    long rescored,
    long scoresWithin,
    long scoresBitEqual,
    Map<String, Long> skipped,
    List<String> differences) {

  public ReplayResult {
    skipped = Map.copyOf(skipped);
    differences = List.copyOf(differences);
  }

  /** Whether every decision that could be checked came out as logged. */
  public boolean agrees() {
    return equal == checked && scoresWithin == rescored;
  }
}
