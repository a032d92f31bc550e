package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.StudentT;

/**
 * A difference of two variants, treatment minus control, with the fixed-horizon test of unequal
 * variances. For one planned look; looking again needs a sequence.
 *
 * <p>Source: Welch, "The Generalization of 'Student's' Problem when Several Different Population
 * Variances Are Involved", 1947.
 *
 * @param standardError above 0, in the difference's unit
 * @param degreesOfFreedom by Welch and Satterthwaite
 */
public record Welch(double difference, double standardError, double degreesOfFreedom) {

  public Welch {
    if (!Double.isFinite(difference)
        || !(standardError > 0 && standardError < Double.POSITIVE_INFINITY)
        || !(degreesOfFreedom > 0 && degreesOfFreedom < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "difference %s, standard error %s, degrees of freedom %s"
              .formatted(difference, standardError, degreesOfFreedom));
    }
  }

  /** The difference of two independent values, whose errors are not both 0. */
  static Welch of(Part control, Part treatment) {
    double total = control.squaredError() + treatment.squaredError();
    return new Welch(
        treatment.value() - control.value(),
        Math.sqrt(total),
        1 / (control.perFreedom(total) + treatment.perFreedom(total)));
  }

  /**
   * One side of a difference.
   *
   * @param squaredError variance of the value
   * @param units that it rests on, at least 2
   */
  record Part(double value, double squaredError, long units) {

    private double perFreedom(double total) {
      double share = squaredError / total;
      return share * share / (units - 1);
    }
  }

  public double t() {
    return difference / standardError;
  }

  /** Two-sided p-value of "no difference". */
  public double p() {
    return Math.min(1, 2 * StudentT.cumulative(-Math.abs(t()), degreesOfFreedom));
  }

  /** One-sided p-value of "the difference is at least 0": small where treatment is lower. */
  public double pOfNotLower() {
    return StudentT.cumulative(t(), degreesOfFreedom);
  }

  public Interval interval(double level) {
    return Interval.student(difference, standardError, degreesOfFreedom, level);
  }

  /** One-sided: the true difference is below it with probability at most alpha. */
  public double lower(double alpha) {
    return difference - StudentT.quantile(1 - alpha, degreesOfFreedom) * standardError;
  }

  /** One-sided: the true difference is above it with probability at most alpha. */
  public double upper(double alpha) {
    return difference + StudentT.quantile(1 - alpha, degreesOfFreedom) * standardError;
  }
}
