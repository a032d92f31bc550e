package io.bellwether.serving.subject;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Erasure;

/** That a subject was erased: told to whatever in this process may still hold something of it. */
public record Forgotten(Erasure erasure) {

  /** Whether a decision is to be forgotten. */
  public boolean covers(Decision decision) {
    return covers(decision.getSubjectId(), decision.getDecidedAtMicros());
  }

  boolean covers(String subjectId, long decidedAtMicros) {
    return decidedAtMicros <= erasure.untilMicros()
        && Erasure.hash(subjectId).equals(erasure.subject());
  }
}
