package io.bellwether.serving.decision;

/** Candidates by their scores. Immutable inputs, new arrays out. */
final class Ranking {

  private Ranking() {}

  /**
   * The best candidates, best first; among equal ones the lower index comes first. One pass over
   * the candidates.
   *
   * @param logits finite
   * @param size how many, at most as many as there are
   */
  static int[] best(float[] logits, int size) {
    int[] best = new int[size];
    int filled = 0;
    for (int candidate = 0; candidate < logits.length; candidate++) {
      if (filled == size && (size == 0 || logits[candidate] <= logits[best[size - 1]])) {
        continue;
      }
      int position = filled == size ? size - 1 : filled++;
      for (; position > 0 && logits[best[position - 1]] < logits[candidate]; position--) {
        best[position] = best[position - 1];
      }
      best[position] = candidate;
    }
    return best;
  }
}
