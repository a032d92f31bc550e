package io.bellwether.serving.retrieval;

/** The rows with the largest scores of those that were offered. Confined to one thread. */
final class Best {

  /** A heap of which every parent scores at most as much as its children. */
  private final int[] rows;

  private final float[] scores;
  private int size;

  /**
   * @param most rows that are kept
   */
  Best(int most) {
    rows = new int[most];
    scores = new float[most];
  }

  void offer(int row, float score) {
    if (size < rows.length) {
      up(size++, row, score);
    } else if (size > 0 && score > scores[0]) {
      down(row, score);
    }
  }

  /** The smallest score that is kept. */
  float least() {
    return scores[0];
  }

  /** The rows, largest score first; empties it. */
  int[] rows() {
    int[] sorted = new int[size];
    while (size > 0) {
      sorted[size - 1] = rows[0];
      size--;
      down(rows[size], scores[size]);
    }
    return sorted;
  }

  private void up(int free, int row, float score) {
    int at = free;
    while (at > 0 && scores[(at - 1) / 2] > score) {
      rows[at] = rows[(at - 1) / 2];
      scores[at] = scores[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    rows[at] = row;
    scores[at] = score;
  }

  /** Puts a row in the place of the first one. */
  private void down(int row, float score) {
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && scores[child + 1] < scores[child]) {
        child++;
      }
      if (scores[child] >= score) {
        break;
      }
      rows[at] = rows[child];
      scores[at] = scores[child];
      at = child;
    }
    rows[at] = row;
    scores[at] = score;
  }
}
