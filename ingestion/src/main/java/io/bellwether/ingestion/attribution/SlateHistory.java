package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.history.HistoryUpdate;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a decision and its outcomes add to the history of their subject. Immutable. */
public final class SlateHistory {

  private static final int WHOLE_SLATE = -1;
  private static final long[] NO_REFERENCES = {};
  private static final float[] NOT_TOLD = {};

  private final FeatureLayout layout;
  private final List<String> signals;
  private final Set<String> silences;

  public SlateHistory(Surface surface) {
    this.layout = FeatureLayout.of(surface);
    this.signals = surface.history().signals();
    this.silences =
        surface.signals().stream()
            .filter(Signal::isSilence)
            .map(Signal::name)
            .collect(Collectors.toSet());
  }

  /** Whether there is a history to be told. */
  boolean isKept() {
    return layout.historyLength() > 0;
  }

  /** Whether a history tells this signal. */
  boolean tells(String signal) {
    return isKept() && signals.contains(signal);
  }

  /**
   * A slate that nobody has reacted to; empty for one of inline items that was encoded by another
   * layout.
   */
  public Optional<HistoryUpdate> shown(Decision decision) {
    if (!isKept()) {
      return Optional.empty();
    }
    List<Placement> slate = decision.getSlate();
    float[] nothing = new float[slate.size() * signals.size()];
    if (decision.getRawItems() == null) {
      long[] references =
          slate.stream().mapToLong(placement -> ItemReference.of(placement.getItemId())).toArray();
      return Optional.of(update(Shown.by(decision), references, NOT_TOLD, nothing));
    }
    int width = layout.itemWidth();
    FloatBuffer encoded =
        decision.getItems().duplicate().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    boolean readable =
        layout.digest().equals(decision.getFeatureDigest())
            && encoded.remaining() == decision.getCandidateIds().size() * width;
    if (!readable) {
      return Optional.empty();
    }
    float[] items = new float[slate.size() * width];
    for (int position = 0; position < slate.size(); position++) {
      encoded.position(slate.get(position).getCandidate() * width);
      encoded.get(items, position * width, width);
    }
    return Optional.of(update(Shown.by(decision), NO_REFERENCES, items, nothing));
  }

  /**
   * A slate with what was observed so far.
   *
   * @param observed an item's value is its own or, where there is none, that of the slate as a
   *     whole
   */
  public HistoryUpdate happened(Shown shown, List<SignalValue> observed) {
    int positions = shown.itemIds().size();
    float[] values = new float[positions * signals.size()];
    // Sorted by position, so that an item's own value overwrites the slate's.
    for (SignalValue value : observed) {
      // That somebody kept silent is known when the windows close, and to no history.
      int signal = silences.contains(value.getSignal()) ? -1 : signals.indexOf(value.getSignal());
      if (signal < 0) {
        continue;
      }
      boolean whole = value.getPosition() == WHOLE_SLATE;
      int from = whole ? 0 : value.getPosition();
      int until = whole ? positions : from + 1;
      for (int position = from; position < until; position++) {
        values[position * signals.size() + signal] = (float) value.getValue();
      }
    }
    return update(shown, NO_REFERENCES, NOT_TOLD, values);
  }

  private static HistoryUpdate update(
      Shown shown, long[] references, float[] items, float[] values) {
    return new HistoryUpdate(
        shown.surface(),
        shown.subjectId(),
        shown.decisionId(),
        shown.decidedAtMicros(),
        shown.itemIds().size(),
        references,
        items,
        values);
  }
}
