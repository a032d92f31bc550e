package io.bellwether.evaluation.offpolicy;

import java.nio.IntBuffer;
import java.util.List;

/**
 * One dimension along which decisions are told apart, such as the country.
 *
 * @param labels what a decision can be
 * @param ofDecision index of each decision's label; −1 where it is not known. Shared: read by index
 */
public record Labels(List<String> labels, IntBuffer ofDecision) {

  /** The index of {@link #ofDecision} that says nothing. */
  public static final int UNKNOWN = -1;

  public Labels {
    labels = List.copyOf(labels);
    ofDecision = ofDecision.slice();
  }

  /** Whether a decision has the label with this index. */
  public boolean holds(int decision, int label) {
    return ofDecision.get(decision) == label;
  }

  /** The index of a label, which there must be. */
  public int indexOf(String label) {
    int index = labels.indexOf(label);
    if (index < 0) {
      throw new IllegalArgumentException("no label '%s'; there are %s".formatted(label, labels));
    }
    return index;
  }
}
