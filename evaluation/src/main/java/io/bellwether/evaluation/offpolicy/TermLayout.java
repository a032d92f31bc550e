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
    SharedRows shared = new SharedRows();
    SharedRows.Cursor[] cursors = new SharedRows.Cursor[columns.length];
    double[][] terms = new double[columns.length][];
    for (int source = 0; source < cursors.length; source++) {
      cursors[source] = shared.of(columns[source]);
      terms[source] = new double[termsOf(source)];
    }
    return (decision, values) -> read(decision, cursors, terms, values);
  }

  private void read(int decision, SharedRows.Cursor[] cursors, double[][] terms, double[] values) {
    Arrays.fill(values, 0);
    for (int source = 0; source < columns.length; source++) {
      if (columns[source].holds(decision)) {
        double[] of = terms[source];
        estimators[source].terms(cursors[source].at(decision), of);
        values[first[source]] = 1;
        System.arraycopy(of, 0, values, first[source] + 1, of.length);
      }
    }
  }
}
