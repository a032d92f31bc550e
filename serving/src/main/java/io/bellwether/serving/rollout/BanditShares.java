package io.bellwether.serving.rollout;

import io.bellwether.evaluation.experiment.Allocation;
import io.bellwether.evaluation.experiment.Direction;
import io.bellwether.evaluation.experiment.ExperimentReading;
import io.bellwether.evaluation.experiment.MetricReading;
import io.bellwether.evaluation.experiment.NormalPosterior;
import io.bellwether.evaluation.experiment.RolloutRule;
import io.bellwether.serving.experiment.Experiment;
import io.bellwether.serving.experiment.ExperimentState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a bandit experiment's traffic is to be shared next: by each variant's chance to be the best
 * on the first primary metric, down to the floor.
 *
 * <p>What is believed are the differences to the control over all phases, each phase for itself, so
 * that shares which moved together with the base rate mislead nobody. The control's own error is in
 * every difference; beside each other, two treatments are therefore held to be less well known than
 * they are, which only slows the sharing down.
 */
final class BanditShares {

  private static final int BASIS_POINTS = 10_000;

  /** Each is compared by itself and kept in every later move: shares rest after so many. */
  static final int MAX_PHASES = 1000;

  /** A smaller change is not worth a phase of its own. */
  private static final int LEAST_CHANGE = 100;

  /** The control differs from itself by nothing; a posterior needs some width. */
  private static final double POINT = 1e-6;

  /** Fewer units of a variant say nothing about it. */
  private static final long LEAST_UNITS = 100;

  private BanditShares() {}

  /** Whether shares may follow these numbers. */
  static boolean usable(ExperimentReading reading) {
    return reading.numbersAgeMillis() <= RolloutRule.OLDEST_NUMBERS.toMillis()
        && !reading.sampleRatio().alarm();
  }

  /** The next shares; empty where they would hardly change, or a variant is not known yet. */
  static Optional<Map<String, Integer>> of(ExperimentState state, ExperimentReading reading) {
    Experiment experiment = state.declaration();
    List<MetricReading> rows = rows(experiment, reading);
    if (rows.size() < experiment.treatments().size()
        || !rows.stream().allMatch(BanditShares::isKnown)) {
      return Optional.empty();
    }
    List<NormalPosterior> beliefs = new ArrayList<>();
    double narrowest = rows.stream().mapToDouble(row -> error(row)).min().orElse(1);
    beliefs.add(NormalPosterior.flat(0, POINT * narrowest));
    rows.forEach(row -> beliefs.add(NormalPosterior.flat(oriented(row), error(row))));
    int floor = (int) Math.round(experiment.floor() * BASIS_POINTS);
    int[] next = new Allocation(floor).shares(beliefs);
    Map<String, Integer> shares = new LinkedHashMap<>();
    for (int index = 0; index < next.length; index++) {
      shares.put(experiment.variants().get(index).name(), next[index]);
    }
    return changed(state, shares) ? Optional.of(shares) : Optional.empty();
  }

  /** The treatment that is ahead on the first primary metric. */
  static Optional<String> ahead(Experiment experiment, ExperimentReading reading) {
    return rows(experiment, reading).stream()
        .filter(row -> row.difference().number().isPresent())
        .max(Comparator.comparingDouble(BanditShares::oriented))
        .map(MetricReading::variant);
  }

  /** The first primary metric's rows over all phases, in the order of the treatments. */
  private static List<MetricReading> rows(Experiment experiment, ExperimentReading reading) {
    if (experiment.primary().isEmpty()) {
      return List.of();
    }
    String metric = experiment.primary().get(0).name();
    return experiment.treatments().stream()
        .flatMap(
            treatment ->
                reading.allPhases().stream()
                    .filter(
                        row ->
                            row.metric().equals(metric) && row.variant().equals(treatment.name())))
        .toList();
  }

  private static boolean isKnown(MetricReading row) {
    return row.difference().number().isPresent()
        && error(row) > 0
        && row.controlUnits() >= LEAST_UNITS
        && row.treatmentUnits() >= LEAST_UNITS;
  }

  private static double oriented(MetricReading row) {
    double difference = row.difference().number().orElse(0);
    return row.direction() == Direction.UP ? difference : -difference;
  }

  private static double error(MetricReading row) {
    return row.standardError().number().orElse(0);
  }

  private static boolean changed(ExperimentState state, Map<String, Integer> next) {
    Map<String, Integer> now = state.phase().orElseThrow().shares();
    return next.entrySet().stream()
        .anyMatch(
            each -> Math.abs(each.getValue() - now.getOrDefault(each.getKey(), 0)) >= LEAST_CHANGE);
  }
}
