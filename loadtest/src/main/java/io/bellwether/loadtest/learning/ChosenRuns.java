package io.bellwether.loadtest.learning;

import io.bellwether.loadtest.learning.bsim.CellResult;
import io.bellwether.loadtest.learning.bsim.CellResult.Measured;
import io.bellwether.loadtest.learning.bsim.SimulatedTask;
import io.bellwether.loadtest.learning.statistics.Runs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Cells by algorithm. Of an algorithm with several settings, one stands for it on each task and
 * seed: the one with the best score on the validation sessions. Immutable.
 */
final class ChosenRuns {
  private final List<SimulatedTask> tasks;
  private final List<Measured> measured;
  private final Set<String> algorithms = new LinkedHashSet<>();

  /** {@code tasks}: those whose scores count. */
  ChosenRuns(List<SimulatedTask> tasks, List<CellResult> results) {
    this.tasks = List.copyOf(tasks);
    List<Measured> counted = new ArrayList<>();
    for (CellResult result : results) {
      algorithms.add(result.cell().method().group());
      if (result instanceof Measured each && tasks.contains(each.cell().task())) {
        counted.add(each);
      }
    }
    this.measured = List.copyOf(counted);
  }

  /** The algorithms that were tried, in the order of the benchmark. */
  List<String> algorithms() {
    return List.copyOf(algorithms);
  }

  /** The cells that stand for an algorithm, by task and seed; empty where none was run. */
  List<Measured> of(String algorithm) {
    return tasks.stream().flatMap(task -> of(algorithm, task).stream()).toList();
  }

  /** The cells that stand for an algorithm on one task, by seed. */
  List<Measured> of(String algorithm, SimulatedTask task) {
    Map<Long, Measured> best = new TreeMap<>();
    for (Measured each : measured) {
      if (each.cell().method().group().equals(algorithm) && each.cell().task().equals(task)) {
        best.merge(each.cell().seed(), each, ChosenRuns::better);
      }
    }
    return List.copyOf(best.values());
  }

  /** The earlier one where both are as good, so that nothing depends on chance. */
  private static Measured better(Measured one, Measured other) {
    double mine = one.outcome().validation().score();
    return mine >= other.outcome().validation().score() ? one : other;
  }

  /** All cells of one setting. */
  List<Measured> ofSetting(String method) {
    return measured.stream().filter(each -> each.cell().method().name().equals(method)).toList();
  }

  /** The settings of an algorithm that were run. */
  List<String> settings(String algorithm) {
    return measured.stream()
        .map(each -> each.cell().method())
        .filter(method -> method.group().equals(algorithm))
        .map(method -> method.name())
        .distinct()
        .toList();
  }

  /** A number of every run of an algorithm, by task; tasks without a run are left out. */
  Optional<Runs> runs(String algorithm, ToDoubleFunction<Measured> number) {
    List<double[]> values = new ArrayList<>();
    for (SimulatedTask task : tasks) {
      List<Measured> cells = of(algorithm, task);
      if (!cells.isEmpty()) {
        values.add(cells.stream().mapToDouble(number).toArray());
      }
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(Runs.of(values));
  }

  /** Scores of an algorithm. */
  Optional<Runs> scores(String algorithm) {
    return runs(algorithm, Measured::score);
  }

  /** Scores of two algorithms where both were run with the same seed. */
  record Pair(Runs one, Runs other) {}

  /** Both on what they have in common; empty where that is nothing. */
  Optional<Pair> pair(String one, String other) {
    List<double[]> ones = new ArrayList<>();
    List<double[]> others = new ArrayList<>();
    for (SimulatedTask task : tasks) {
      Map<Long, Double> ours = bySeed(one, task);
      Map<Long, Double> theirs = bySeed(other, task);
      ours.keySet().retainAll(theirs.keySet());
      theirs.keySet().retainAll(ours.keySet());
      if (!ours.isEmpty()) {
        ones.add(ours.values().stream().mapToDouble(Double::doubleValue).toArray());
        others.add(theirs.values().stream().mapToDouble(Double::doubleValue).toArray());
      }
    }
    return ones.isEmpty()
        ? Optional.empty()
        : Optional.of(new Pair(Runs.of(ones), Runs.of(others)));
  }

  /** Scores on one task, in the order of seeds. */
  private Map<Long, Double> bySeed(String algorithm, SimulatedTask task) {
    Map<Long, Double> scores = new TreeMap<>();
    of(algorithm, task).forEach(each -> scores.put(each.cell().seed(), each.score()));
    return scores;
  }

  /**
   * The algorithm with the best interquartile mean score on the validation sessions; empty where
   * nothing was run.
   */
  Optional<String> best() {
    return algorithms.stream()
        .filter(each -> scores(each).isPresent())
        .max(Comparator.comparingDouble(this::validated));
  }

  private double validated(String algorithm) {
    return runs(algorithm, each -> each.outcome().validation().score())
        .orElseThrow()
        .interquartileMean();
  }

  /** Whether an algorithm was run with enough seeds and whole effort on all tasks. */
  boolean isWhole(String algorithm) {
    return SimulatedTask.ALL.stream()
        .allMatch(
            task ->
                tasks.contains(task)
                    && of(algorithm, task).stream()
                            .filter(each -> each.cell().effort().equals(LearningExtent.WHOLE))
                            .count()
                        >= LearningExtent.SEEDS);
  }
}
