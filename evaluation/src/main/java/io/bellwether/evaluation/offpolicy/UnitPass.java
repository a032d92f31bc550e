package io.bellwether.evaluation.offpolicy;

import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/**
 * A pass over a log that sums {@code width} numbers per decision by unit and hands out the sums
 * unit by unit: in parallel over {@link Chunks}, joined in order, with the same result for any
 * number of threads.
 *
 * <p>Memory is constant where the decisions of each unit stand together; otherwise the sums of all
 * units are kept, and only what is done with them runs in parallel. Immutable.
 *
 * @param readers makes a reader for one thread
 */
record UnitPass(int width, Supplier<Reader> readers, UnitIndex units, Chunks chunks) {

  /** Reads a decision's numbers; confined to one thread. */
  interface Reader {
    /** Sets all of {@code values}, to 0 where the decision is not looked at. */
    void read(int decision, double[] values);
  }

  /** Takes the sums of a unit, which are overwritten afterwards. */
  interface Sink<A> {
    void add(A part, int unit, double[] sums);
  }

  UnitPass(int width, Supplier<Reader> readers, UnitIndex units) {
    this(width, readers, units, Chunks.STANDARD);
  }

  /**
   * A pass over the terms of several estimators, each on its own columns of the same log: after one
   * another 1 (a count of decisions) and the estimator's terms, all 0 where its columns leave a
   * decision out.
   */
  static UnitPass ofTerms(
      List<? extends Estimator> estimators, List<DecisionColumns> columns, UnitIndex units) {
    TermLayout layout = TermLayout.of(estimators, columns);
    return new UnitPass(layout.width(), layout::newReader, units);
  }

  /** Joins what is made of all units. */
  <A> A reduce(Supplier<A> newPart, Sink<A> sink, BinaryOperator<A> join) {
    return units.standTogether()
        ? chunks.reduce(
            units.decisions(),
            units::nextStart,
            (from, to) -> overRuns(from, to, newPart.get(), sink),
            join)
        : overScattered(newPart, sink, join);
  }

  private <A> A overRuns(int from, int to, A part, Sink<A> sink) {
    if (from == to) {
      return part;
    }
    Reader reader = readers.get();
    double[] values = new double[width];
    double[] sums = new double[width];
    int unit = units.unitOf(from);
    boolean repeats = units.repeats();
    for (int decision = from; decision < to; decision++) {
      if (decision > from && (!repeats || units.startsUnit(decision))) {
        sink.add(part, unit++, sums);
        Arrays.fill(sums, 0);
      }
      reader.read(decision, values);
      for (int at = 0; at < width; at++) {
        sums[at] += values[at];
      }
    }
    sink.add(part, unit, sums);
    return part;
  }

  private <A> A overScattered(Supplier<A> newPart, Sink<A> sink, BinaryOperator<A> join) {
    double[][] sums = new double[width][units.count()];
    Reader reader = readers.get();
    double[] values = new double[width];
    for (int decision = 0; decision < units.decisions(); decision++) {
      reader.read(decision, values);
      int unit = units.unitOf(decision);
      for (int at = 0; at < width; at++) {
        sums[at][unit] += values[at];
      }
    }
    return chunks.reduce(
        units.count(),
        (from, to) -> {
          A part = newPart.get();
          double[] ofUnit = new double[width];
          for (int unit = from; unit < to; unit++) {
            for (int at = 0; at < width; at++) {
              ofUnit[at] = sums[at][unit];
            }
            sink.add(part, unit, ofUnit);
          }
          return part;
        },
        join);
  }
}
