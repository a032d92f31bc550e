package io.bellwether.evaluation.offpolicy;

import io.bellwether.evaluation.CompensatedSums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What an estimator would have said on the log's first decisions: a value that jumps rests on few
 * of them.
 *
 * @param points by growing time; by the order of the log where times are not known
 */
public record CumulativeValue(List<Point> points) {

  /**
   * The value up to a moment.
   *
   * @param decisions how many there are up to it
   * @param timeMicros the end of the stretch of time, since 1970; 0 where times are not known
   * @param value empty while a normaliser is 0
   * @param meanWeight of the slates as a whole
   */
  public record Point(long decisions, long timeMicros, OptionalDouble value, double meanWeight) {}

  public CumulativeValue {
    points = List.copyOf(points);
  }

  /**
   * The values after each of {@code stretches} equally long stretches of time, or of the log; those
   * without a decision are left out.
   */
  public static CumulativeValue of(Estimator estimator, DecisionColumns columns, int stretches) {
    if (columns.decisions() == 0) {
      return new CumulativeValue(List.of());
    }
    Stretches of = Stretches.of(columns, stretches);
    int width = estimator.width(columns.positions());
    Sums sums =
        columns.reduce(
            () -> new Sums(estimator, stretches, width),
            (part, decision, row) -> part.add(of.stretch(decision), row),
            Sums::join);
    return new CumulativeValue(sums.points(of));
  }

  /** Which stretch a decision lies in: of time from {@code first} on, else of the log. */
  private record Stretches(DecisionColumns columns, int count, long first, long last) {

    static Stretches of(DecisionColumns columns, int count) {
      LoggedDecisions log = columns.log();
      if (!log.hasTimes()) {
        return new Stretches(columns, count, 0, columns.end() - 1);
      }
      long[] ends =
          columns.reduce(
              () -> new long[] {Long.MAX_VALUE, Long.MIN_VALUE},
              (part, decision, row) -> {
                part[0] = Math.min(part[0], log.timeMicros(decision));
                part[1] = Math.max(part[1], log.timeMicros(decision));
              },
              (left, right) ->
                  new long[] {Math.min(left[0], right[0]), Math.max(left[1], right[1])});
      return new Stretches(columns, count, ends[0], ends[1]);
    }

    int stretch(int decision) {
      long at = columns.log().hasTimes() ? columns.log().timeMicros(decision) : decision;
      return (int) Math.min(count - 1, (at - first) / (double) (last - first + 1) * count);
    }

    long end(int stretch) {
      return columns.log().hasTimes()
          ? first + (long) ((last - first) * ((stretch + 1) / (double) count))
          : 0;
    }
  }

  /** Sums by stretch of a count, the weight and the terms. */
  private static final class Sums {
    private final Estimator estimator;
    private final int width;
    private final double[] terms;
    private final long[] counts;
    private final CompensatedSums sums;

    Sums(Estimator estimator, int stretches, int width) {
      this.estimator = estimator;
      this.width = width;
      terms = new double[width];
      counts = new long[stretches];
      sums = new CompensatedSums(stretches * (width + 1));
    }

    void add(int stretch, DecisionRow row) {
      estimator.terms(row, terms);
      counts[stretch]++;
      int from = stretch * (width + 1);
      sums.add(from, row.lastWeight());
      for (int term = 0; term < width; term++) {
        sums.add(from + 1 + term, terms[term]);
      }
    }

    Sums join(Sums other) {
      Arrays.setAll(counts, stretch -> counts[stretch] + other.counts[stretch]);
      sums.merge(other.sums);
      return this;
    }

    List<Point> points(Stretches of) {
      List<Point> points = new ArrayList<>();
      CompensatedSums soFar = new CompensatedSums(width + 1);
      long count = 0;
      for (int stretch = 0; stretch < counts.length; stretch++) {
        count += counts[stretch];
        for (int at = 0; at <= width; at++) {
          soFar.add(at, sums.get(stretch * (width + 1) + at));
        }
        if (counts[stretch] > 0) {
          points.add(new Point(count, of.end(stretch), value(soFar, count), soFar.get(0) / count));
        }
      }
      return points;
    }

    private OptionalDouble value(CompensatedSums soFar, long count) {
      double[] means = new double[width];
      Arrays.setAll(means, term -> soFar.get(term + 1) / count);
      return estimator.isDefined(means)
          ? OptionalDouble.of(estimator.value(means))
          : OptionalDouble.empty();
    }
  }
}
