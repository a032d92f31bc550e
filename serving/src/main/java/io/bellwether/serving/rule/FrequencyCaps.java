package io.bellwether.serving.rule;

import io.bellwether.ingestion.surface.Rules.FrequencyCap;
import io.bellwether.serving.surface.DeclaredSurface;

/**
 * Which candidates a subject has been shown often enough, by the encoded history from which the
 * policy decides as well: what is logged with a decision is all that its caps have seen. Two items
 * are the same where the features that the cap names are: there are no ids in a history. Immutable.
 *
 * <p>A history row is {@code valid, ln(1 + seconds before the decision), item, signals}.
 */
final class FrequencyCaps {

  private static final int GAP = 1;
  private static final int ITEM = 2;

  private final DeclaredSurface surface;
  private final float[] history;

  /**
   * @param history {@code [historyLength * historyWidth]}
   */
  FrequencyCaps(DeclaredSurface surface, float[] history) {
    this.surface = surface;
    this.history = history;
  }

  /** Whether a cap keeps out the candidate whose features stand at {@code at} in {@code items}. */
  boolean isReached(FrequencyCap cap, float[] items, int at) {
    int width = surface.layout().historyWidth();
    int itemWidth = surface.layout().itemWidth();
    int from = 0;
    int to = itemWidth;
    if (cap.feature().isPresent()) {
      from = FeatureGroups.column(surface, cap.feature().get());
      to = from + 1;
      if (items[at + from] == 0) {
        return false;
      }
    }
    int signal = signalColumn(cap);
    double longest = cap.window().toMillis() / 1000.0;
    int count = 0;
    for (int row = 0; row < history.length; row += width) {
      if (history[row] != 0
          && Math.expm1(history[row + GAP]) <= longest
          && (signal < 0 || history[row + signal] > 0)
          && isSame(items, at, row + ITEM, from, to)
          && ++count >= cap.number()) {
        return true;
      }
    }
    return false;
  }

  private int signalColumn(FrequencyCap cap) {
    return cap.signal()
        .map(
            name ->
                ITEM
                    + surface.layout().itemWidth()
                    + surface.surface().history().signals().indexOf(name))
        .orElse(-1);
  }

  private boolean isSame(float[] items, int at, int row, int from, int to) {
    for (int column = from; column < to; column++) {
      if (items[at + column] != history[row + column]) {
        return false;
      }
    }
    return true;
  }
}
