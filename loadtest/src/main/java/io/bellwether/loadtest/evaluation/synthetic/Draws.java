package io.bellwether.loadtest.evaluation.synthetic;

import java.util.SplittableRandom;

/** Random draws by seed. Confined to one thread. */
public final class Draws {
  private final SplittableRandom random;

  public Draws(long seed) {
    random = new SplittableRandom(seed);
  }

  /** An index with these chances, which sum to 1. */
  public int index(double[] chances) {
    double left = random.nextDouble();
    int last = chances.length - 1;
    for (int at = 0; at < last; at++) {
      left -= chances[at];
      if (left < 0) {
        return at;
      }
    }
    return last;
  }

  /** 1 with this chance, else 0. */
  public double flag(double chance) {
    return random.nextDouble() < chance ? 1 : 0;
  }

  public boolean isHeads() {
    return random.nextBoolean();
  }

  /** In [0, bound). */
  public long below(long bound) {
    return random.nextLong(bound);
  }

  /** In [0, 1). */
  public double uniform() {
    return random.nextDouble();
  }
}
