package io.bellwether.loadtest.evaluation.speed;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The same log evaluated by NumPy and by us, in turn, several times. Immutable.
 *
 * @param replicates of the bootstrap of each of five estimators
 * @param reference NumPy's runs; empty where it is not there
 * @param referenceVersion of NumPy, or empty
 * @param referenceMissing why there are no runs of it, or empty
 * @param cold ours, the first log of a process
 * @param warm ours, after other logs
 * @param large ours with many more rounds and a bounded heap; absent in a quick run
 */
public record SpeedComparison(
    int rounds,
    int actions,
    int replicates,
    List<ToolRun> reference,
    String referenceVersion,
    String referenceMissing,
    List<ToolRun> cold,
    List<ToolRun> warm,
    @Nullable Large large) {

  /** A log that is larger than the heap. */
  public record Large(int rounds, String heap, ToolRun run) {}

  public SpeedComparison {
    reference = List.copyOf(reference);
    cold = List.copyOf(cold);
    warm = List.copyOf(warm);
  }

  /** How many times as long NumPy takes, medians of the runs; empty without NumPy. */
  public OptionalDouble speed() {
    return ratio(warm);
  }

  /** The same for the first log of a process. */
  public OptionalDouble coldSpeed() {
    return ratio(cold);
  }

  private OptionalDouble ratio(List<ToolRun> ours) {
    return reference.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(seconds(reference) / seconds(ours));
  }

  public double warmSeconds() {
    return seconds(warm);
  }

  public double coldSeconds() {
    return seconds(cold);
  }

  /** Empty without NumPy. */
  public OptionalDouble referenceSeconds() {
    return reference.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(seconds(reference));
  }

  private static double seconds(List<ToolRun> runs) {
    double[] ascending = runs.stream().mapToDouble(ToolRun::seconds).sorted().toArray();
    return ascending[ascending.length / 2];
  }

  /** The largest resident memory of any of our processes on this log. */
  public double peakMemoryGib() {
    ToDoubleFunction<List<ToolRun>> peak =
        runs -> runs.stream().mapToDouble(ToolRun::peakMemoryGib).max().orElse(0);
    return Math.max(peak.applyAsDouble(cold), peak.applyAsDouble(warm));
  }

  /** The largest relative difference of a value between the tools; empty without NumPy. */
  public OptionalDouble largestDifference() {
    return reference.stream()
        .flatMapToDouble(
            theirs -> warm.stream().mapToDouble(ours -> ours.largestDifference(theirs)))
        .max();
  }
}
