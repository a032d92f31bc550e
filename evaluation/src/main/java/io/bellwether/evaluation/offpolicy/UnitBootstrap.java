package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.interval.BootstrapDistribution;
import io.bellwether.evaluation.interval.JackknifeAcceleration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The bootstrap over independent units: each replicate draws units of the log with replacement, and
 * each estimator computes its value anew from what was drawn, normalisers and number of decisions
 * included. All statistics of one call see the same resamples. From a thousand units on each is
 * drawn a Poisson number of times, independently of the others.
 *
 * <p>Two passes on all cores, the second leaving out one unit at a time for the acceleration.
 * Results are a pure function of (seed, unit number) and the log, the same to the last bit for any
 * number of threads. Memory is constant where the decisions of a unit stand together: replicates ·
 * terms · 16 bytes for each part that is worked on. Immutable.
 *
 * <p>Sources: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993; Poisson counts in
 * place of multinomial ones by Chamandy et al., "Estimating Uncertainty for Massive Data Streams",
 * 2012.
 *
 * @param seed what makes the result repeatable
 * @param replicates at least 2, in a report at least 2,000
 */
public record UnitBootstrap(long seed, int replicates) {
  /** Bounds the memory of the parts that are kept before they are joined. */
  private static final long BYTES = 128L << 20;

  private static final int FEWEST_PARTS = 8;
  private static final int MOST_PARTS = 64;

  public UnitBootstrap {
    if (replicates < 2) {
      throw new IllegalArgumentException("a spread needs two replicates, found " + replicates);
    }
  }

  /**
   * The distribution of each estimator's value on the columns; empty where there is none (fewer
   * than two units, no overlap).
   */
  public List<Optional<BootstrapDistribution>> of(
      List<? extends Estimator> estimators, DecisionColumns columns, UnitIndex units) {
    return of(estimators.stream().map(each -> new Statistic.Value(each, columns)).toList(), units);
  }

  /** The distribution of the paired difference of two policies under one estimator. */
  public Optional<BootstrapDistribution> ofDifference(
      Estimator estimator, DecisionColumns target, DecisionColumns baseline, UnitIndex units) {
    Statistic difference =
        new Statistic.Difference(
            new Statistic.Value(estimator, target), new Statistic.Value(estimator, baseline));
    return of(List.of(difference), units).get(0);
  }

  /**
   * The distributions of statistics of one log, in their order; empty where a statistic has no
   * value, looks at fewer than two units, or has a value in fewer than two replicates.
   *
   * @param units of the whole log, whatever part of it a statistic looks at
   */
  public List<Optional<BootstrapDistribution>> of(
      List<? extends Statistic> statistics, UnitIndex units) {
    if (statistics.isEmpty()) {
      return List.of();
    }
    StatisticTerms terms = new StatisticTerms(statistics);
    UnitPass pass = terms.pass(units, chunks(units.decisions(), terms.rows()));
    ReplicateSums sums = sums(pass, terms);
    double[] whole = sums.whole();
    double[] theta = new double[statistics.size()];
    terms.newEvaluator().evaluate(whole, theta);
    double[][] values = values(sums, terms, theta.length);
    Jackknife jackknife = jackknife(pass, terms, whole, theta);
    List<Optional<BootstrapDistribution>> distributions = new ArrayList<>();
    for (int at = 0; at < theta.length; at++) {
      distributions.add(distribution(theta[at], values[at], jackknife.accelerations[at]));
    }
    return distributions;
  }

  /** Depends on nothing but the sizes, so that the result does neither. */
  private Chunks chunks(int decisions, int rows) {
    long bytesOfPart = 16L * rows * replicates;
    int parts = (int) Math.max(FEWEST_PARTS, Math.min(MOST_PARTS, BYTES / bytesOfPart));
    return new Chunks(Math.max(Chunks.STANDARD.size(), decisions / parts + 1));
  }

  private ReplicateSums sums(UnitPass pass, StatisticTerms terms) {
    Multiplicities multiplicities = Multiplicities.of(seed, pass.units().count(), replicates);
    ReplicateSums sums =
        pass.reduce(
            () -> new ReplicateSums(multiplicities, terms, replicates),
            (part, unit, ofPass) -> part.add(unit, ofPass),
            ReplicateSums::join);
    sums.flush();
    return sums;
  }

  /** {@code [statistic][replicate]}, NaN where a replicate has no value. */
  private double[][] values(ReplicateSums sums, StatisticTerms terms, int statistics) {
    StatisticTerms.Evaluator evaluator = terms.newEvaluator();
    double[] ofReplicate = new double[terms.rows()];
    double[] numbers = new double[statistics];
    double[][] values = new double[statistics][replicates];
    for (int replicate = 0; replicate < replicates; replicate++) {
      sums.copyReplicate(replicate, ofReplicate);
      evaluator.evaluate(ofReplicate, numbers);
      for (int at = 0; at < statistics; at++) {
        values[at][replicate] = numbers[at];
      }
    }
    return values;
  }

  private static Jackknife jackknife(
      UnitPass pass, StatisticTerms terms, double[] whole, double[] theta) {
    return pass.reduce(
        () -> new Jackknife(terms, whole, theta, pass.units().count()),
        (part, unit, ofPass) -> part.leaveOut(ofPass),
        Jackknife::join);
  }

  private Optional<BootstrapDistribution> distribution(
      double theta, double[] values, JackknifeAcceleration acceleration) {
    double[] defined = Arrays.stream(values).filter(value -> !Double.isNaN(value)).toArray();
    return Double.isNaN(theta) || acceleration.units() < 2 || defined.length < 2
        ? Optional.empty()
        : Optional.of(
            new BootstrapDistribution(
                theta, defined, replicates - defined.length, acceleration.value()));
  }

  /** The statistics without one unit at a time. Confined to one thread. */
  private static final class Jackknife {
    private final StatisticTerms terms;
    private final StatisticTerms.Evaluator evaluator;
    private final double[] whole;
    private final double[] ofUnit;
    private final double[] rest;
    private final double[] numbers;
    private final JackknifeAcceleration[] accelerations;

    Jackknife(StatisticTerms terms, double[] whole, double[] theta, int units) {
      this.terms = terms;
      this.whole = whole;
      evaluator = terms.newEvaluator();
      ofUnit = new double[whole.length];
      rest = new double[whole.length];
      numbers = new double[theta.length];
      accelerations =
          Arrays.stream(theta)
              .mapToObj(value -> new JackknifeAcceleration(value, units))
              .toArray(JackknifeAcceleration[]::new);
    }

    void leaveOut(double[] ofPass) {
      if (!terms.select(ofPass, ofUnit)) {
        return;
      }
      for (int row = 0; row < rest.length; row++) {
        rest[row] = whole[row] - ofUnit[row];
      }
      evaluator.evaluate(rest, numbers);
      for (int at = 0; at < numbers.length; at++) {
        if (evaluator.looksAt(at, ofUnit)) {
          accelerations[at].add(numbers[at]);
        }
      }
    }

    Jackknife join(Jackknife other) {
      for (int at = 0; at < accelerations.length; at++) {
        accelerations[at].merge(other.accelerations[at]);
      }
      return this;
    }
  }
}
