package io.bellwether.evaluation.report;

import io.bellwether.evaluation.distribution.Subgroup;
import io.bellwether.evaluation.distribution.Subgroups;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Labels;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggingMean;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A signal's values in the segments of a plan, under the estimator that decides. */
final class SegmentValues {

  /** In a report, over all dimensions; more would be found different by chance. */
  private static final int MOST_LABELS = 20;

  private static final String EMPTY = "NO_DECISIONS";
  private static final String SUPPRESSED = "ESS_BELOW_100";

  private final Estimation estimation;
  private final LoggedDecisions log;

  SegmentValues(Estimation estimation) {
    this.estimation = estimation;
    log = estimation.log();
  }

  /** One table per dimension of the plan, in its order. */
  List<SegmentTable> of(String signal) {
    List<SegmentTable> tables = new ArrayList<>();
    for (String dimension : estimation.plan().segments()) {
      tables.add(table(dimension, signal));
    }
    return tables;
  }

  /** A label and what its decisions show; influences are empty where there is no value. */
  private record Segment(
      String label,
      long decisions,
      double effectiveSampleSize,
      double meanWeight,
      Optional<Influence> target,
      Optional<Influence> logging,
      String whyNoTarget) {}

  private SegmentTable table(String dimension, String signal) {
    Shown deciding = estimation.deciding(signal);
    List<String> labels = largestLabels(log.segment(dimension));
    List<Segment> segments =
        labels.stream().map(label -> segment(dimension, label, signal, deciding)).toList();
    List<Influence> asked =
        segments.stream()
            .flatMap(each -> Stream.of(each.target, each.logging))
            .flatMap(Optional::stream)
            .toList();
    List<Estimate> estimates = Influence.estimates(asked, estimation.units());
    List<SegmentTable.Row> rows = new ArrayList<>();
    for (Segment each : segments) {
      Estimate target = answer(each.target, asked, estimates, each.whyNoTarget);
      rows.add(
          new SegmentTable.Row(
              each.label,
              each.decisions,
              each.effectiveSampleSize,
              each.meanWeight,
              target,
              Estimation.plainInterval(target),
              answer(each.logging, asked, estimates, EMPTY)));
    }
    return new SegmentTable(
        dimension,
        signal,
        deciding.name(),
        rows,
        heterogeneity(dimension, rows),
        log.segment(dimension).labels().size() - labels.size());
  }

  private static Estimate answer(
      Optional<Influence> influence,
      List<Influence> asked,
      List<Estimate> estimates,
      String reason) {
    return influence
        .map(each -> estimates.get(asked.indexOf(each)))
        .orElseGet(() -> new Estimate.Refused(reason));
  }

  private Segment segment(String dimension, String label, String signal, Shown deciding) {
    DecisionColumns columns =
        estimation.target(signal, deciding.weighting()).ofSegment(dimension, label);
    if (columns.decisions() == 0) {
      return new Segment(label, 0, 0, 0, Optional.empty(), Optional.empty(), EMPTY);
    }
    List<WeightDiagnostics> weights =
        IntStream.range(0, columns.positions())
            .mapToObj(position -> WeightDiagnostics.of(columns, position))
            .toList();
    double effective =
        weights.stream().mapToDouble(WeightDiagnostics::effectiveSampleSize).min().orElse(0);
    Optional<String> refusal = refusal(deciding, signal, weights, effective);
    return new Segment(
        label,
        columns.decisions(),
        effective,
        weights.get(weights.size() - 1).meanWeight(),
        refusal.isPresent() ? Optional.empty() : Influence.of(deciding.estimator(), columns),
        Influence.of(new LoggingMean(), columns),
        refusal.orElse("NO_OVERLAP"));
  }

  /** What holds for the log holds for its segments, and few decisions are not spoken of. */
  private Optional<String> refusal(
      Shown deciding, String signal, List<WeightDiagnostics> weights, double effective) {
    Optional<String> ofLog = estimation.refusal(deciding, signal);
    if (ofLog.isPresent()) {
      return ofLog;
    }
    if (effective < estimation.plan().limits().minEffectiveSampleSize()) {
      return Optional.of(SUPPRESSED);
    }
    return weights.stream().anyMatch(at -> at.meanWeight() < Validation.MIN_MEAN_WEIGHT)
        ? Optional.of(Finding.Code.SELF_NORM_TINY.name())
        : Optional.empty();
  }

  private static SegmentTable.Heterogeneity heterogeneity(
      String dimension, List<SegmentTable.Row> rows) {
    List<Subgroup> groups =
        rows.stream()
            .map(
                row ->
                    new Subgroup(
                        row.label(), row.decisions(), row.effectiveSampleSize(), row.estimate()))
            .toList();
    return new Subgroups(dimension, groups, 0)
        .heterogeneity()
        .filter(test -> Double.isFinite(test.q()))
        .map(test -> new SegmentTable.Heterogeneity(test.q(), test.groups(), test.pValue()))
        .orElseGet(() -> new SegmentTable.Heterogeneity(0, 0, 1));
  }

  /** Each dimension's share of {@link #MOST_LABELS}. */
  private List<String> largestLabels(Labels labels) {
    int most = Math.max(2, MOST_LABELS / estimation.plan().segments().size());
    long[] counts = new long[labels.labels().size()];
    for (int decision = 0; decision < log.decisions(); decision++) {
      int label = labels.ofDecision().get(decision);
      if (label >= 0) {
        counts[label]++;
      }
    }
    return IntStream.range(0, counts.length)
        .boxed()
        .sorted(Comparator.comparingLong((Integer label) -> -counts[label]))
        .limit(most)
        .map(label -> labels.labels().get(label))
        .toList();
  }
}
