package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An estimator's value with one influence value ψ per decision (mean zero). Differences and ratios
 * of estimates on the same log are differences of ψ: that is what pairing means. Immutable.
 *
 * <p>Computed in two passes over columns, so that no digit is lost to cancellation: one for the
 * means, one for ψ when an error is asked for. Nothing is kept per decision. Passes run on all
 * cores and give the same result on any number of them.
 *
 * <p>Where the parts of a combination look at different decisions of the log (segments), ψ of a
 * part is 0 outside them and grows by the inverse of their share.
 */
public final class Influence {
  private final double value;
  private final List<Part> parts;

  /** Takes a unit's summed influence and how many of its decisions are looked at, at least one. */
  public interface UnitSink {
    void unit(int unit, int decisions, double influence);
  }

  /** {@code factor} times the influence of one estimate. */
  record Part(double factor, Source source) {}

  /** One estimator's influence: its gradient by the terms' means, times the centred terms. */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  record Source(Estimator estimator, DecisionColumns columns, double[] means, double[] gradient) {}

  private Influence(double value, List<Part> parts) {
    this.value = value;
    this.parts = List.copyOf(parts);
  }

  /** The columns' estimate; empty where there are no decisions or a normaliser is 0. */
  public static Optional<Influence> of(Estimator estimator, DecisionColumns columns) {
    return of(estimator, columns, Chunks.STANDARD);
  }

  static Optional<Influence> of(Estimator estimator, DecisionColumns columns, Chunks chunks) {
    return ofAll(List.of(estimator), columns, chunks).get(0);
  }

  /** The columns' estimates under several estimators, in one pass. */
  public static List<Optional<Influence>> ofAll(
      List<? extends Estimator> estimators, DecisionColumns columns) {
    return ofAll(estimators, columns, Chunks.STANDARD);
  }

  private static List<Optional<Influence>> ofAll(
      List<? extends Estimator> estimators, DecisionColumns columns, Chunks chunks) {
    if (columns.decisions() == 0) {
      return estimators.stream().map(each -> Optional.<Influence>empty()).toList();
    }
    TermSums sums =
        columns.reduce(
            chunks,
            () -> new TermSums(estimators, columns.positions()),
            (part, decision, row) -> part.add(row),
            TermSums::join);
    List<Optional<Influence>> influences = new ArrayList<>();
    for (int at = 0; at < estimators.size(); at++) {
      influences.add(of(estimators.get(at), columns, sums.means(at, columns.decisions())));
    }
    return influences;
  }

  private static Optional<Influence> of(
      Estimator estimator, DecisionColumns columns, double[] means) {
    if (!estimator.isDefined(means)) {
      return Optional.empty();
    }
    double[] gradient = new double[means.length];
    estimator.gradient(means, gradient);
    return Optional.of(
        new Influence(
            estimator.value(means),
            List.of(new Part(1, new Source(estimator, columns, means, gradient)))));
  }

  public double value() {
    return value;
  }

  /** {@code factor·this + otherFactor·other + constant}, decision by decision. */
  public Influence combine(double factor, Influence other, double otherFactor, double constant) {
    List<Part> combined = new ArrayList<>();
    parts.forEach(part -> combined.add(new Part(factor * part.factor, part.source)));
    other.parts.forEach(part -> combined.add(new Part(otherFactor * part.factor, part.source)));
    return new Influence(factor * value + otherFactor * other.value + constant, combined);
  }

  /** {@code this / baseline − 1}; the baseline's value must not be 0. */
  public Influence relativeTo(Influence baseline) {
    double scale = 1 / baseline.value;
    Influence ratio = combine(scale, baseline, -value * scale * scale, 0);
    return new Influence(value * scale - 1, ratio.parts);
  }

  /**
   * The value with its standard error, cluster-robust where a unit has several decisions.
   *
   * @param units of the whole log, whatever part of it the estimate looks at
   */
  public Estimate estimate(UnitIndex units) {
    return estimate(units, Chunks.STANDARD);
  }

  Estimate estimate(UnitIndex units, Chunks chunks) {
    return squares(units, chunks).estimate(this, 0);
  }

  /** Estimates of several values of one log, in one pass. */
  public static List<Estimate> estimates(List<Influence> influences, UnitIndex units) {
    if (influences.isEmpty()) {
      return List.of();
    }
    InfluenceSquares squares =
        new InfluencePass(influences, units, Chunks.STANDARD)
            .reduce(
                () -> new InfluenceSquares(influences.size()),
                (part, unit, sums) -> part.add(sums),
                InfluenceSquares::join);
    List<Estimate> estimates = new ArrayList<>();
    for (int at = 0; at < influences.size(); at++) {
      estimates.add(squares.estimate(influences.get(at), at));
    }
    return estimates;
  }

  /** Estimated covariances of several values of one log, {@code [i][j]}; needs two units. */
  public static double[][] covariances(List<Influence> influences, UnitIndex units) {
    int size = influences.size();
    CompensatedSums products =
        new InfluencePass(influences, units, Chunks.STANDARD)
            .reduce(
                () -> new CompensatedSums(size * size),
                (part, unit, sums) -> {
                  for (int left = 0; left < size; left++) {
                    for (int right = 0; right <= left; right++) {
                      part.add(left * size + right, sums[2 * left + 1] * sums[2 * right + 1]);
                    }
                  }
                },
                (left, right) -> {
                  left.merge(right);
                  return left;
                });
    double bessel = units.count() / (units.count() - 1.0);
    double[][] covariances = new double[size][size];
    for (int left = 0; left < size; left++) {
      for (int right = 0; right <= left; right++) {
        double scale = (double) influences.get(left).scale() * influences.get(right).scale();
        covariances[left][right] = bessel * products.get(left * size + right) / scale;
        covariances[right][left] = covariances[left][right];
      }
    }
    return covariances;
  }

  /** Hands out the units that have a decision that is looked at, in the order of their numbers. */
  public void forEachUnit(UnitIndex units, UnitSink sink) {
    Chunks everything = new Chunks(Integer.MAX_VALUE);
    new InfluencePass(List.of(this), units, everything)
        .reduce(
            () -> sink,
            (part, unit, sums) -> {
              if (sums[0] > 0) {
                part.unit(unit, (int) sums[0], sums[1]);
              }
            },
            (left, right) -> left);
  }

  List<Part> parts() {
    return parts;
  }

  /** Influence values are per this many decisions. */
  int scale() {
    return parts.get(0).source.columns.decisions();
  }

  private InfluenceSquares squares(UnitIndex units, Chunks chunks) {
    return new InfluencePass(List.of(this), units, chunks)
        .reduce(
            () -> new InfluenceSquares(1),
            (part, unit, sums) -> part.add(sums),
            InfluenceSquares::join);
  }

  /** Sums of the terms of several estimators, one estimator's after another's. */
  private static final class TermSums {
    private final Estimator[] estimators;
    private final int[] first;
    private final double[] terms;
    private final CompensatedSums sums;

    TermSums(List<? extends Estimator> estimators, int positions) {
      this.estimators = estimators.toArray(Estimator[]::new);
      first = new int[this.estimators.length + 1];
      int most = 0;
      for (int at = 0; at < this.estimators.length; at++) {
        int width = this.estimators[at].width(positions);
        first[at + 1] = first[at] + width;
        most = Math.max(most, width);
      }
      terms = new double[most];
      sums = new CompensatedSums(first[this.estimators.length]);
    }

    void add(DecisionRow row) {
      for (int at = 0; at < estimators.length; at++) {
        estimators[at].terms(row, terms);
        int from = first[at];
        int width = first[at + 1] - from;
        for (int term = 0; term < width; term++) {
          sums.add(from + term, terms[term]);
        }
      }
    }

    TermSums join(TermSums other) {
      sums.merge(other.sums);
      return this;
    }

    double[] means(int at, int decisions) {
      double[] means = new double[first[at + 1] - first[at]];
      Arrays.setAll(means, term -> sums.get(first[at] + term) / decisions);
      return means;
    }
  }
}
