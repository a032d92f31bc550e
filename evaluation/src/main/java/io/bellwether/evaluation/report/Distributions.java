package io.bellwether.evaluation.report;

import io.bellwether.evaluation.distribution.CdfPoint;
import io.bellwether.evaluation.distribution.TailMean;
import io.bellwether.evaluation.distribution.WeightedCdf;
import io.bellwether.evaluation.distribution.WeightedQuantile;
import io.bellwether.evaluation.distribution.WeightedValues;
import io.bellwether.evaluation.offpolicy.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How signals would be distributed under the target: quantiles, tails and a drawable curve. */
final class Distributions {
  private static final double[] PROBABILITIES = {0.05, 0.25, 0.5, 0.75, 0.95};
  private static final double[] TAILS = {0.05, 0.25};
  private static final int POINTS = 101;

  private final Estimation estimation;

  Distributions(Estimation estimation) {
    this.estimation = estimation;
  }

  Distribution of(String signal) {
    Shown weighted = Roster.withoutParameter("snips").orElseThrow();
    Optional<String> refusal = estimation.refusal(weighted, signal);
    if (refusal.isPresent()) {
      return none(signal, refusal.get());
    }
    return WeightedCdf.of(
            WeightedValues.of(
                estimation.log(),
                estimation.target(signal, estimation.weights().deciding()),
                estimation.units()))
        .map(cdf -> of(signal, cdf))
        .orElseGet(() -> none(signal, "N_LT_2"));
  }

  private static Distribution none(String signal, String reason) {
    return new Distribution(signal, List.of(), List.of(), List.of(), reason);
  }

  private Distribution of(String signal, WeightedCdf cdf) {
    List<Distribution.Quantile> quantiles = new ArrayList<>();
    for (double probability : PROBABILITIES) {
      WeightedQuantile found = cdf.quantile(probability, Estimation.READING_LEVEL);
      quantiles.add(
          new Distribution.Quantile(
              probability, found.value(), new Bounds.Within(found.interval())));
    }
    List<Distribution.Tail> tails =
        cdf.tails(TAILS).stream().map(tail -> tail(signal, tail)).toList();
    List<Distribution.Point> points =
        cdf.points(POINTS).stream().map(Distributions::point).toList();
    return new Distribution(signal, quantiles, tails, points, "");
  }

  private Distribution.Tail tail(String signal, TailMean tail) {
    long units = estimation.units().count();
    Estimate mean =
        new Estimate.Estimated(
            tail.value(),
            tail.standardError(),
            estimation.units().repeats() ? Estimate.ErrorKind.CLUSTER : Estimate.ErrorKind.ROW,
            estimation.log().decisions(),
            units);
    return new Distribution.Tail(
        tail.end().name().toLowerCase(Locale.ROOT),
        tail.share(),
        mean,
        Estimation.plainInterval(mean, estimation.rewards(signal)));
  }

  private static Distribution.Point point(CdfPoint point) {
    return new Distribution.Point(point.value(), point.probability(), point.standardError());
  }
}
