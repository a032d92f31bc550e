package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.Normal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * A two-sided test at a few looks that together claim a difference that is not there with
 * probability alpha. Looks may come at other times than planned, as long as their times do not
 * depend on the effect seen. Immutable.
 *
 * @param alpha of both sides together, in (0, 1)
 */
public record GroupSequential(Spending spending, double alpha) {
  /** Largest bound: nothing beyond it has a chance that double precision can tell from 0. */
  private static final double MAX_BOUND = 37;

  /** Smallest distance of two looks, as a share of the planned information. */
  private static final double MIN_STEP = 1e-6;

  public GroupSequential {
    if (!(alpha > 0 && alpha < 1)) {
      throw new IllegalArgumentException("alpha lies in (0, 1), found " + alpha);
    }
  }

  /**
   * What one look asks for.
   *
   * @param information share of the planned units that is there
   * @param spent of alpha, by this look and all before
   * @param bound |effect|/standard error from which on the difference is claimed
   */
  public record Look(double information, double spent, double bound) {

    /** The p-value of the bound itself. */
    public double nominalP() {
      return 2 * Normal.cumulative(-bound);
    }

    public boolean crossedBy(double effect, double standardError) {
      return Math.abs(effect) >= bound * standardError;
    }

    /**
     * The repeated confidence interval of this look: those of all looks together miss the effect
     * with probability at most 1 − level, which is the test's alpha. After a test has stopped, the
     * estimate in its middle is biased away from 0.
     */
    public Interval repeated(double effect, double standardError, double level) {
      double half = bound * standardError;
      return new Interval(Interval.Method.GROUP_SEQUENTIAL, level, effect - half, effect + half);
    }
  }

  /**
   * The looks that there were.
   *
   * @param information units at each look divided by the planned ones, ascending; the first from 1
   *     on spends what is left and must be the last, however far above 1 it lies
   */
  public List<Look> looks(double... information) {
    check(information);
    List<Look> looks = new ArrayList<>();
    double spentBefore = 0;
    StoppedMotion motion = StoppedMotion.until(information[0]);
    for (int index = 0; index < information.length; index++) {
      double spent = spending.spent(alpha, information[index]);
      double bound = bound(motion, spent - spentBefore);
      looks.add(new Look(information[index], spent, bound));
      spentBefore = spent;
      if (index + 1 < information.length) {
        motion = motion.within(bound, information[index + 1]);
      }
    }
    return List.copyOf(looks);
  }

  /** As many looks after equal shares of the information. */
  public List<Look> equalLooks(int count) {
    double[] information = new double[count];
    for (int look = 0; look < count; look++) {
      information[look] = (look + 1.0) / count;
    }
    return looks(information);
  }

  /** Pocock's bounds: the same at each of the equal looks. */
  public static double[] pocock(int looks, double alpha) {
    return classic(looks, alpha, look -> 1);
  }

  /** O'Brien and Fleming's bounds: at the k-th of K equal looks √(K/k) times the last one. */
  public static double[] obrienFleming(int looks, double alpha) {
    return classic(looks, alpha, look -> Math.sqrt(looks / look));
  }

  private static double[] classic(int looks, double alpha, DoubleUnaryOperator shape) {
    double constant =
        Root.of(c -> 2 * Crossing.of(bounds(looks, c, shape)).chance(0) - alpha, 0.1, 10);
    return bounds(looks, constant, shape);
  }

  private static double[] bounds(int looks, double constant, DoubleUnaryOperator shape) {
    double[] bounds = new double[looks];
    for (int look = 0; look < looks; look++) {
      bounds[look] = constant * shape.applyAsDouble(look + 1.0);
    }
    return bounds;
  }

  /** On the logarithm, which is close to a parabola however small the chance. */
  private static double bound(StoppedMotion motion, double chance) {
    if (!(Math.max(Double.MIN_NORMAL, motion.outside(MAX_BOUND)) < chance)) {
      return MAX_BOUND;
    }
    double wanted = Math.log(chance);
    return Root.of(
        bound -> Math.log(Math.max(Double.MIN_NORMAL, motion.outside(bound))) - wanted,
        0,
        MAX_BOUND);
  }

  /** Whether two looks are far enough apart to be two. */
  static boolean apart(double before, double now) {
    return now - before >= MIN_STEP;
  }

  private static void check(double[] information) {
    double before = 0;
    for (double now : information) {
      if (!apart(before, now) || before >= 1 || now == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException(
            "looks ascend by at least %s and end with the first from 1 on, found %s after %s"
                .formatted(MIN_STEP, now, before));
      }
      before = now;
    }
    if (information.length == 0) {
      throw new IllegalArgumentException("no look");
    }
  }
}
