package io.bellwether.serving.decision;

import io.bellwether.serving.surface.DeclaredSurface;

/**
 * A question with all that scores and slates depend on. The array is not copied.
 *
 * @param history encoded, {@code [historyLength * historyWidth]}
 * @param historyMissing whether there may be a history that could not be read
 * @param considered who may be shown
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Situation(
    Question question, float[] history, boolean historyMissing, Considered considered) {

  DecisionRequest request() {
    return question.request();
  }

  DeclaredSurface surface() {
    return question.request().surface();
  }

  /** How many candidates there are. */
  int candidates() {
    return considered.ids().size();
  }

  /** Positions to fill: as many as are wanted, at most as many as there are candidates. */
  int slateSize() {
    return Math.min(question.request().slateSize(), candidates());
  }
}
