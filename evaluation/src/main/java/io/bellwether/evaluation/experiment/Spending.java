package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Normal;

/**
 * How much of its error a group-sequential test has used up when a share of the planned information
 * is there.
 *
 * <p>Sources: Lan and DeMets, "Discrete Sequential Boundaries for Clinical Trials", 1983; Hwang,
 * Shih and De Cani, "Group Sequential Designs Using a Family of Type I Error Probability Spending
 * Functions", 1990.
 */
public sealed interface Spending {

  /** Of alpha, both sides together, at a share of the information in (0, 1). */
  double before(double alpha, double information);

  /** The same at any share above 0: all of it from 1 on. */
  default double spent(double alpha, double information) {
    if (!(information > 0)) {
      throw new IllegalArgumentException("a look needs information, found " + information);
    }
    return information >= 1 ? alpha : before(alpha, information);
  }

  /**
   * Hardly anything at first, as O'Brien and Fleming: each side spends at half of alpha, that is
   * 4(1 − Φ(z_{1−α/4}/√t)).
   */
  record ObrienFleming() implements Spending {
    @Override
    public double before(double alpha, double information) {
      return 4 * Normal.cumulative(Normal.quantile(alpha / 4) / Math.sqrt(information));
    }
  }

  /** About the same bound at every look, as Pocock. */
  record Pocock() implements Spending {
    @Override
    public double before(double alpha, double information) {
      return alpha * Math.log1p(Math.expm1(1) * information);
    }
  }

  /** In proportion to the information. */
  record Linear() implements Spending {
    @Override
    public double before(double alpha, double information) {
      return alpha * information;
    }
  }

  /**
   * Between the others.
   *
   * @param gamma −4 is close to O'Brien and Fleming, 1 to Pocock; not 0, which is {@link Linear}
   */
  record HwangShihDeCani(double gamma) implements Spending {
    public HwangShihDeCani {
      if (!Double.isFinite(gamma) || gamma == 0) {
        throw new IllegalArgumentException("gamma is a number other than 0, found " + gamma);
      }
    }

    @Override
    public double before(double alpha, double information) {
      return alpha * Math.expm1(-gamma * information) / Math.expm1(-gamma);
    }
  }
}
