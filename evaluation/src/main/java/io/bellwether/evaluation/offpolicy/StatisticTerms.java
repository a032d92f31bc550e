package io.bellwether.evaluation.offpolicy;

import java.util.ArrayList;
import java.util.List;

/**
 * Statistics as functions of sums over decisions: which numbers of a decision are summed, in which
 * row, and each statistic's number from the sums. What several statistics need is there once: a
 * count of decisions per columns, and the terms per value. Immutable.
 */
final class StatisticTerms {
  private final List<Statistic> statistics;
  private final List<Statistic.Value> values;
  private final List<Place> places = new ArrayList<>();

  /** Per row its place in the sums of {@link UnitPass#ofTerms}. */
  private final int[] placeInPass;

  /** A value's rows: of its count of decisions, and of its terms from the first on. */
  private record Place(int count, int first, int terms) {}

  StatisticTerms(List<? extends Statistic> statistics) {
    this.statistics = List.copyOf(statistics);
    values = distinctValues();
    TermLayout layout = TermLayout.of(estimators(), columns());
    List<Integer> rows = new ArrayList<>();
    for (int value = 0; value < values.size(); value++) {
      boolean counted = value > 0 && columns().get(value) == columns().get(value - 1);
      int count = counted ? places.get(value - 1).count : rows.size();
      if (!counted) {
        rows.add(layout.first()[value]);
      }
      places.add(new Place(count, rows.size(), layout.termsOf(value)));
      for (int term = 1; term <= layout.termsOf(value); term++) {
        rows.add(layout.first()[value] + term);
      }
    }
    placeInPass = rows.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Values of the same columns stand together, so that a pass reads these once. */
  private List<Statistic.Value> distinctValues() {
    List<Statistic.Value> all = new ArrayList<>();
    statistics.forEach(statistic -> all.addAll(List.of(statistic.target(), statistic.baseline())));
    List<DecisionColumns> columns = all.stream().map(Statistic.Value::columns).distinct().toList();
    return columns.stream()
        .flatMap(each -> all.stream().filter(value -> value.columns() == each).distinct())
        .toList();
  }

  private List<Estimator> estimators() {
    return values.stream().map(Statistic.Value::estimator).toList();
  }

  private List<DecisionColumns> columns() {
    return values.stream().map(Statistic.Value::columns).toList();
  }

  int rows() {
    return placeInPass.length;
  }

  UnitPass pass(UnitIndex units, Chunks chunks) {
    UnitPass pass = UnitPass.ofTerms(estimators(), columns(), units);
    return new UnitPass(pass.width(), pass.readers(), units, chunks);
  }

  /** Takes the rows out of a unit's sums; says whether any of its decisions is looked at. */
  boolean select(double[] sumsOfPass, double[] rows) {
    boolean counted = false;
    for (int row = 0; row < rows.length; row++) {
      rows[row] = sumsOfPass[placeInPass[row]];
    }
    for (Place place : places) {
      counted |= rows[place.count] > 0;
    }
    return counted;
  }

  Evaluator newEvaluator() {
    return new Evaluator();
  }

  /** Computes the statistics from sums of the rows; confined to one thread. */
  final class Evaluator {
    private final double[][] means = new double[values.size()][];
    private final double[] ofValue = new double[values.size()];
    private final int[] target = new int[statistics.size()];
    private final int[] baseline = new int[statistics.size()];

    private Evaluator() {
      for (int value = 0; value < means.length; value++) {
        means[value] = new double[places.get(value).terms];
      }
      for (int at = 0; at < target.length; at++) {
        target[at] = values.indexOf(statistics.get(at).target());
        baseline[at] = values.indexOf(statistics.get(at).baseline());
      }
    }

    /** Sets each statistic's number, NaN where it has none. */
    void evaluate(double[] sums, double[] numbers) {
      for (int value = 0; value < ofValue.length; value++) {
        ofValue[value] = value(value, sums);
      }
      for (int at = 0; at < numbers.length; at++) {
        double number = statistics.get(at).combine(ofValue[target[at]], ofValue[baseline[at]]);
        numbers[at] = Double.isFinite(number) ? number : Double.NaN;
      }
    }

    /** Whether sums over some decisions have any that a statistic looks at. */
    boolean looksAt(int at, double[] sums) {
      return sums[places.get(target[at]).count] > 0 || sums[places.get(baseline[at]).count] > 0;
    }

    private double value(int value, double[] sums) {
      Place place = places.get(value);
      double count = sums[place.count];
      if (!(count > 0)) {
        return Double.NaN;
      }
      double[] of = means[value];
      for (int term = 0; term < of.length; term++) {
        of[term] = sums[place.first + term] / count;
      }
      Estimator estimator = values.get(value).estimator();
      return estimator.isDefined(of) ? estimator.value(of) : Double.NaN;
    }
  }
}
