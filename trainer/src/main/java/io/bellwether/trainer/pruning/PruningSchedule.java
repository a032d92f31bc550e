package io.bellwether.trainer.pruning;

/** How the share of pruned units grows to its final value {@code f} with progress {@code p}. */
public enum PruningSchedule {

  /** {@code f p}. */
  LINEAR {
    @Override
    double grown(double progress) {
      return progress;
    }
  },

  /** {@code f (1 - (1-p)³)}: most goes early, while much is left that can make up for it. */
  CUBIC {
    @Override
    double grown(double progress) {
      return cubic(progress);
    }
  },

  /**
   * {@code f c(p) [1 - A (1-p) sin²(π H p)]} with {@code c} the cubic schedule: the share recedes
   * {@code H} times on its way, so that units that were taken out wrongly can return.
   */
  HARMONIC {
    @Override
    double grown(double progress) {
      double wave = Math.sin(Math.PI * RECESSIONS * progress);
      return cubic(progress) * (1 - DEPTH * (1 - progress) * wave * wave);
    }
  };

  private static final double DEPTH = 0.3;
  private static final int RECESSIONS = 3;

  /**
   * The share that is pruned.
   *
   * @param last the share at the end, in [0, 1)
   * @param progress in [0, 1]; 0 gives 0, 1 gives exactly {@code last}
   */
  public double share(double last, double progress) {
    if (!(last >= 0 && last < 1) || !(progress >= 0 && progress <= 1)) {
      throw new IllegalArgumentException("no share of " + last + " at progress " + progress);
    }
    return progress == 1 ? last : last * grown(progress);
  }

  abstract double grown(double progress);

  private static double cubic(double progress) {
    double left = 1 - progress;
    return 1 - left * left * left;
  }
}
