package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Degraded;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.serving.policy.Versions;
import org.jspecify.annotations.Nullable;

/**
 * Who scored a situation's candidates, what came out, and why it is less than full. The array is
 * not copied.
 *
 * @param version the policy version, or a word where no graph scored
 * @param logits {@code [candidates]}, finite
 * @param exploration how a slate is to be drawn from them
 * @param degraded null where the answer is full
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Scores(
    String version, float[] logits, Exploration exploration, @Nullable Degraded degraded) {

  /** Nobody prefers anything. */
  static Scores equal(Situation situation, String version, @Nullable Degraded degraded) {
    return new Scores(
        version,
        new float[situation.candidates()],
        Versions.declared(situation.surface()),
        degraded);
  }

  Scores degraded(Degraded why) {
    return new Scores(version, logits, exploration, why);
  }
}
