package io.bellwether.evaluation.offpolicy;

import java.util.Arrays;
import java.util.List;

/**
 * Where the terms of several estimators stand in one array: each has a count of decisions at {@code
 * first[i]} and its terms from {@code first[i] + 1} on.
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record TermLayout(Estimator[] estimators, DecisionColumns[] columns, int[] first, int width) {

  static TermLayout of(List<? extends Estimator> estimators, List<DecisionColumns> columns) {
    if (estimators.size() != columns.size()) {
      throw new IllegalArgumentException(
          "%d estimators on %d columns".formatted(estimators.size(), columns.size()));
    }
    int[] first = new int[estimators.size()];
    int width = 0;
    for (int source = 0; source < first.length; source++) {
      first[source] = width;
      width += 1 + estimators.get(source).width(columns.get(source).positions());
    }
    return new TermLayout(
        estimators.toArray(Estimator[]::new),
        columns.toArray(DecisionColumns[]::new),
        first,
        width);
  }

  int termsOf(int source) {
    return (source + 1 < first.length ? first[source + 1] : width) - first[source] - 1;
  }

  UnitPass.Reader newReader() {
    DecisionRow[] rows = new DecisionRow[columns.length];
    double[][] terms = new double[columns.length][];
    for (int source = 0; source < rows.length; source++) {
      rows[source] = columns[source].newRow();
      terms[source] = new double[termsOf(source)];
    }
    return (decision, values) -> read(decision, rows, terms, values);
  }

  private void read(int decision, DecisionRow[] rows, double[][] terms, double[] values) {
    Arrays.fill(values, 0);
    DecisionRow row = rows[0];
    for (int source = 0; source < columns.length; source++) {
      DecisionColumns from = columns[source];
      if (!from.holds(decision)) {
        continue;
      }
      row = rowOf(source, decision, rows, row);
      estimators[source].terms(row, terms[source]);
      values[first[source]] = 1;
      System.arraycopy(terms[source], 0, values, first[source] + 1, terms[source].length);
    }
  }

  /** Neighbours that read the same columns share a row. */
  private DecisionRow rowOf(int source, int decision, DecisionRow[] rows, DecisionRow last) {
    if (source > 0 && columns[source] == columns[source - 1]) {
      return last;
    }
    columns[source].read(decision, rows[source]);
    return rows[source];
  }
}
