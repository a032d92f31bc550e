package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Exposure;
import java.util.List;

/**
 * What is logged of one answer, all of it or none. The array is not copied.
 *
 * @param bytes the decision's
 * @param exposures to the variants that it shows; none outside of experiments
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Logged(Decision decision, byte[] bytes, List<Exposure> exposures) {

  Logged {
    exposures = List.copyOf(exposures);
  }

  /** Whether nobody is exposed before the decision is activated. */
  boolean deferred() {
    return decision.getActivation().equals(DecisionRecord.DEFERRED);
  }
}
