package io.bellwether.ingestion.recall;

import io.bellwether.ingestion.attribution.Relabel;
import io.bellwether.ingestion.attribution.Shown;
import io.bellwether.ingestion.attribution.SlateHistory;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.history.HistoryUpdate;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A slate that was shown, with what a history can know of it at any time. Holds of its decision
 * what is needed for that. Immutable by convention: nobody changes the arrays.
 *
 * @param transition without the candidates
 * @param shown as a history is told
 * @param items {@code [positions, itemWidth]}, as they were when they were shown; empty where they
 *     were encoded by another layout
 * @param logged the history that the decision was made with, as it was logged
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PastSlate(Transition transition, HistoryUpdate shown, float[] items, float[] logged) {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** What is remembered of a transition; empty where no history is told of it. */
  static Optional<PastSlate> of(
      Transition transition, SlateHistory rule, float[] items, float[] logged) {
    Decision decision = transition.getDecision();
    return rule.shown(decision)
        .map(
            shown -> {
              decision.setItems(NOTHING);
              decision.setLogits(NOTHING);
              decision.setHistory(NOTHING);
              decision.setContext(NOTHING);
              decision.setRawContext("");
              decision.setCandidateIds(List.of());
              return new PastSlate(transition, shown, items, logged);
            });
  }

  long atMicros() {
    return shown.decidedAtMicros();
  }

  String decisionId() {
    return shown.decisionId();
  }

  boolean isRegistered() {
    return shown.references().length == shown.positions();
  }

  /** {@code [positions, history signals]} as they were known at a time. */
  float[] signals(SlateHistory rule, Relabel relabel, long atMicros) {
    Relabel then = relabel.asOf(Instant.EPOCH.plus(atMicros, ChronoUnit.MICROS));
    return rule.happened(Shown.by(transition.getDecision()), then.relabel(transition).getSignals())
        .signals();
  }

  /** When outcomes came in, microseconds since the epoch, that did so after a time. */
  long[] receivedBetween(long afterMicros, long untilMicros) {
    return transition.getOutcomes().stream()
        .mapToLong(Observation::getReceivedAtMicros)
        .filter(at -> at > afterMicros && at <= untilMicros)
        .toArray();
  }

  /** Whether a row's item is that of a position. */
  boolean hasItem(int position, int width, float[] rows, int from) {
    int at = position * width;
    return items.length >= at + width
        && Arrays.equals(items, at, at + width, rows, from, from + width);
  }
}
