package io.bellwether.loadtest.evaluation.coverage;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts intervals that held the truth. Confined to one thread; parts are joined. */
public final class IntervalTally {
  private static final double LEVEL = 0.95;

  private record Kind(String estimated, String interval, Expectation expectation) {}

  private static final class Count {
    long covered;
    long missed;
    long absent;
  }

  private final Map<Kind, Count> counts = new LinkedHashMap<>();

  /** Counts one interval, or that there was none. */
  public void add(
      String estimated,
      String method,
      Expectation expectation,
      Optional<Interval> interval,
      double truth) {
    Count count = of(new Kind(estimated, method, expectation));
    if (interval.isEmpty()) {
      count.absent++;
    } else if (interval.get().contains(truth)) {
      count.covered++;
    } else {
      count.missed++;
    }
  }

  /** Counts a one-sided statement: whether it was true. */
  public void add(String estimated, String method, Expectation expectation, boolean held) {
    Count count = of(new Kind(estimated, method, expectation));
    count.covered += held ? 1 : 0;
    count.missed += held ? 0 : 1;
  }

  /** Counts Student's interval of an estimate. */
  public void add(String estimated, Expectation expectation, Estimate estimate, double truth) {
    add(estimated, "student", expectation, student(estimate), truth);
  }

  static Optional<Interval> student(Estimate estimate) {
    return estimate instanceof Estimate.Estimated known && known.units() > 1
        ? Optional.of(
            Interval.student(known.value(), known.standardError(), known.units() - 1.0, LEVEL))
        : Optional.empty();
  }

  static Optional<Interval> normal(Estimate estimate) {
    return estimate instanceof Estimate.Estimated known
        ? Optional.of(Interval.normal(known.value(), known.standardError(), LEVEL))
        : Optional.empty();
  }

  IntervalTally join(IntervalTally other) {
    other.counts.forEach(
        (kind, theirs) -> {
          Count ours = of(kind);
          ours.covered += theirs.covered;
          ours.missed += theirs.missed;
          ours.absent += theirs.absent;
        });
    return this;
  }

  /** Of one study, in the order in which the kinds were first seen. */
  public List<CoverageCell> cells(String study, int decisions) {
    List<CoverageCell> cells = new ArrayList<>();
    counts.forEach(
        (kind, count) ->
            cells.add(
                new CoverageCell(
                    study,
                    decisions,
                    kind.estimated,
                    kind.interval,
                    kind.expectation,
                    count.covered + count.missed,
                    count.covered,
                    count.absent)));
    return cells;
  }

  private Count of(Kind kind) {
    return counts.computeIfAbsent(kind, each -> new Count());
  }
}
