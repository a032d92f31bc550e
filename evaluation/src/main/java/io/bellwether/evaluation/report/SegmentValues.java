package io.bellwether.evaluation.report;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.distribution.Subgroup;
import io.bellwether.evaluation.distribution.Subgroups;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DecisionRow;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Labels;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggingMean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Signals' values in the segments of a plan, under the estimator that decides. What does not depend
 * on the signal is read once. Confined to one thread.
 */
final class SegmentValues {

  /** In a report, over all dimensions; more would be found different by chance. */
  private static final int MOST_LABELS = 20;

  private static final String EMPTY = "NO_DECISIONS";
  private static final String SUPPRESSED = "ESS_BELOW_100";

  private final Estimation estimation;
  private final LoggedDecisions log;
  private final Map<String, SegmentWeights> weights = new HashMap<>();

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

  /** The weights that decide, summed by label of a dimension and by position. */
  private static final class SegmentWeights {
    private final List<String> labels;
    private final int positions;

    /** Σw and Σw², a position after the other, a label after the other. */
    private final CompensatedSums sums;

    SegmentWeights(List<String> labels, Labels all, DecisionColumns columns) {
      this.labels = labels;
      positions = columns.positions();
      int[] place = new int[all.labels().size()];
      Arrays.setAll(place, label -> labels.indexOf(all.labels().get(label)));
      sums =
          columns.reduce(
              () -> new CompensatedSums(2 * positions * labels.size()),
              (part, decision, row) -> {
                int label = all.ofDecision().get(decision);
                if (label >= 0 && place[label] >= 0) {
                  add(part, 2 * positions * place[label], row);
                }
              },
              (left, right) -> {
                left.merge(right);
                return left;
              });
    }

    private static void add(CompensatedSums part, int from, DecisionRow row) {
      for (int position = 0; position < row.positions(); position++) {
        double weight = row.weight(position);
        part.add(from + 2 * position, weight);
        part.add(from + 2 * position + 1, weight * weight);
      }
    }

    private double sum(int label, int position) {
      return sums.get(2 * (positions * label + position));
    }

    private double squares(int label, int position) {
      return sums.get(2 * (positions * label + position) + 1);
    }

    /** At the weakest position. */
    double effectiveSampleSize(int label) {
      return IntStream.range(0, positions)
          .mapToDouble(position -> effectiveSampleSize(label, position))
          .min()
          .orElse(0);
    }

    private double effectiveSampleSize(int label, int position) {
      double squares = squares(label, position);
      return squares > 0 ? square(sum(label, position)) / squares : 0;
    }

    double smallestMean(int label, long decisions) {
      return IntStream.range(0, positions)
          .mapToDouble(position -> sum(label, position) / decisions)
          .min()
          .orElse(0);
    }

    double lastMean(int label, long decisions) {
      return sum(label, positions - 1) / decisions;
    }

    private static double square(double value) {
      return value * value;
    }
  }

  /** A label and what its decisions show; influences are empty where there is no value. */
  private record Segment(
      String label,
      long decisions,
      double effectiveSampleSize,
      double meanWeight,
      RewardSummary rewards,
      Optional<Influence> target,
      Optional<Influence> logging,
      String whyNoTarget) {}

  private SegmentWeights weights(String dimension) {
    SegmentWeights known = weights.get(dimension);
    if (known == null) {
      Labels all = log.segment(dimension);
      DecisionColumns columns =
          estimation.target(log.signals().get(0), estimation.weights().deciding());
      known = new SegmentWeights(largestLabels(all), all, columns);
      weights.put(dimension, known);
    }
    return known;
  }

  private SegmentTable table(String dimension, String signal) {
    Shown deciding = estimation.deciding(signal);
    SegmentWeights ofDimension = weights(dimension);
    List<String> labels = ofDimension.labels;
    List<Segment> segments =
        IntStream.range(0, labels.size())
            .mapToObj(label -> segment(dimension, label, ofDimension, signal, deciding))
            .toList();
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
              Estimation.plainInterval(target, each.rewards),
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

  private Segment segment(
      String dimension, int label, SegmentWeights ofDimension, String signal, Shown deciding) {
    String name = ofDimension.labels.get(label);
    DecisionColumns columns =
        estimation.target(signal, deciding.weighting()).ofSegment(dimension, name);
    RewardSummary rewards = RewardSummary.of(log, signal, columns::holds);
    long decisions = columns.decisions();
    if (decisions == 0) {
      return new Segment(name, 0, 0, 0, rewards, Optional.empty(), Optional.empty(), EMPTY);
    }
    double effective = ofDimension.effectiveSampleSize(label);
    Optional<String> refusal =
        refusal(deciding, signal, effective, ofDimension.smallestMean(label, decisions));
    List<Optional<Influence>> influences =
        Influence.ofAll(List.of(new LoggingMean(), deciding.estimator()), columns);
    return new Segment(
        name,
        decisions,
        effective,
        ofDimension.lastMean(label, decisions),
        rewards,
        refusal.isPresent() ? Optional.empty() : influences.get(1),
        influences.get(0),
        refusal.orElse("NO_OVERLAP"));
  }

  /** What holds for the log holds for its segments, and few decisions are not spoken of. */
  private Optional<String> refusal(
      Shown deciding, String signal, double effective, double smallestMean) {
    Optional<String> ofLog = estimation.refusal(deciding, signal);
    if (ofLog.isPresent()) {
      return ofLog;
    }
    if (effective < estimation.plan().limits().minEffectiveSampleSize()) {
      return Optional.of(SUPPRESSED);
    }
    return smallestMean < Validation.MIN_MEAN_WEIGHT
        ? Optional.of(Finding.Code.SELF_NORM_TINY.name())
        : Optional.empty();
  }

  /** Only segments whose value has a normal limit can be compared by their errors. */
  private static SegmentTable.Heterogeneity heterogeneity(
      String dimension, List<SegmentTable.Row> rows) {
    List<Subgroup> groups =
        rows.stream()
            .filter(row -> row.interval() instanceof Bounds.Within)
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
