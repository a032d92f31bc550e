package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.Normal;

/**
 * What one believes about a difference after having seen it: a reading for people, not a licence to
 * look again and again. Larger is better. Immutable.
 *
 * @param standardDeviation above 0, in the unit of the difference
 */
public record NormalPosterior(double mean, double standardDeviation) {

  public NormalPosterior {
    if (!Double.isFinite(mean)
        || !(standardDeviation > 0 && standardDeviation < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "mean %s, standard deviation %s".formatted(mean, standardDeviation));
    }
  }

  /** What one believes beforehand about a difference. */
  public record Prior(double mean, double standardDeviation) {
    /** Of a lift: nearly all lie within ±20 %. */
    public static final Prior DEFAULT = new Prior(0, 0.1);

    public Prior {
      if (!Double.isFinite(mean)
          || !(standardDeviation > 0 && standardDeviation < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "prior mean %s, standard deviation %s".formatted(mean, standardDeviation));
      }
    }
  }

  /** Without an opinion beforehand. */
  public static NormalPosterior flat(double effect, double standardError) {
    return new NormalPosterior(effect, standardError);
  }

  /** Prior and data, each weighted by its precision. */
  public static NormalPosterior of(Prior prior, double effect, double standardError) {
    double data = 1 / (standardError * standardError);
    double before = 1 / (prior.standardDeviation() * prior.standardDeviation());
    double total = data + before;
    return new NormalPosterior(
        (data * effect + before * prior.mean()) / total, 1 / Math.sqrt(total));
  }

  /** That the treatment is better. */
  public double chanceToWin() {
    return Normal.cumulative(mean / standardDeviation);
  }

  /** What shipping the treatment costs on average: its shortfall where it is worse. */
  public double lossOfTreatment() {
    return loss(mean);
  }

  /** What keeping the control costs on average: the gain forgone where treatment is better. */
  public double lossOfControl() {
    return loss(-mean);
  }

  /** Holds the difference with that probability; it is as likely above as below. */
  public Interval interval(double level) {
    double half = -Normal.quantile((1 - level) / 2) * standardDeviation;
    return new Interval(Interval.Method.POSTERIOR, level, mean - half, mean + half);
  }

  private double loss(double advantage) {
    double z = advantage / standardDeviation;
    double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    return Math.max(0, standardDeviation * density - advantage * Normal.cumulative(-z));
  }
}
