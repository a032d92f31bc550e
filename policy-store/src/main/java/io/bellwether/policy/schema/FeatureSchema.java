package io.bellwether.policy.schema;

import java.util.HashSet;
import java.util.List;

/**
 * The shape of a policy's inputs and outputs, for {@code R} requests with {@code N} candidates in
 * all: {@code context [R, contextWidth]}, {@code history [R, historyLength, historyWidth]}, {@code
 * items [N, itemWidth]} and, as an output, {@code values [N, signals]}.
 *
 * <p>Immutable. Two schemas with equal digests lay out the same features in the same columns.
 *
 * @param digest names the layout of the columns; equal to {@code featureDigest} of logged decisions
 * @param contextWidth columns of the context, at least 1
 * @param historyLength rows of the history, oldest first; 0 means that the graph takes none
 * @param historyWidth columns of the history; 0 exactly where there is no history
 * @param itemWidth columns of a candidate, at least 1
 * @param signals names of the signals whose values the graph predicts, in the order of the columns
 *     of {@code values}; empty means that the graph has no such output
 */
public record FeatureSchema(
    String digest,
    int contextWidth,
    int historyLength,
    int historyWidth,
    int itemWidth,
    List<String> signals) {

  public FeatureSchema {
    if (digest.isBlank()) {
      throw new IllegalArgumentException("the digest of a feature schema is blank");
    }
    if (contextWidth < 1 || itemWidth < 1) {
      throw new IllegalArgumentException(
          "context and items need at least one column, found contextWidth %d and itemWidth %d"
              .formatted(contextWidth, itemWidth));
    }
    if (historyLength < 0 || historyWidth < 0 || (historyLength == 0) != (historyWidth == 0)) {
      throw new IllegalArgumentException(
          "history is at least [1, 1] or absent as [0, 0], found [%d, %d]"
              .formatted(historyLength, historyWidth));
    }
    signals = List.copyOf(signals);
    if (new HashSet<>(signals).size() != signals.size()) {
      throw new IllegalArgumentException("a signal is named twice in " + signals);
    }
  }

  /** Numbers in one request's history: rows times columns. */
  public int historySize() {
    return historyLength * historyWidth;
  }

  /** Whether the graph takes a history. */
  public boolean hasHistory() {
    return historyLength > 0;
  }
}
