package io.bellwether.loadtest.evaluation;

import io.bellwether.loadtest.evaluation.coverage.CoverageTable;
import io.bellwether.loadtest.evaluation.golden.GoldenComparison;
import io.bellwether.loadtest.evaluation.planted.PlantedTable;
import io.bellwether.loadtest.evaluation.planted.SelfEvaluation;
import io.bellwether.loadtest.evaluation.speed.SpeedComparison;
import io.bellwether.loadtest.result.Measurement;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import java.util.List;
import java.util.Locale;

/** Everything that one run of {@link EvaluationBenchmark} measured. Immutable. */
public record EvaluationResult(
    BenchmarkExtent extent,
    long seed,
    GoldenComparison golden,
    CoverageTable coverage,
    PlantedTable planted,
    SelfEvaluation self,
    SpeedComparison speed,
    double seconds)
    implements Measurement {
  private static final double LOWEST_COVERAGE = 0.93;
  private static final double HIGHEST_COVERAGE = 0.97;
  private static final double SPEED = 20;
  private static final double MEMORY_GIB = 2;
  private static final double SAME_VALUE = 1e-9;
  private static final double ROUNDING = 1e-12;

  /** In standard errors: how far the worst of some eighty shares is off by chance. */
  private static final double CHANCE = 3;

  @Override
  public List<Requirement> requirements() {
    return List.of(
        new Requirement(
            "golden numbers that are equal",
            words(
                "%d of %d", golden.rows().size() - golden.different().size(), golden.rows().size()),
            "all",
            Status.of(golden.different().isEmpty())),
        new Requirement(
            "coverage of 95 % intervals",
            words(
                "%.1f to %.1f %%, %d intervals, %d logs each",
                100 * coverage.least(),
                100 * coverage.most(),
                coverage.exact().size(),
                coverage.logs()),
            "93 to 97 %",
            coverageStatus()),
        new Requirement(
            "planted failures that pass",
            words("%d of %d", planted.passed(), planted.results().size()),
            "none, where the sound log passes",
            Status.of(planted.passed() == 0 && planted.soundPasses())),
        new Requirement(
            "planted failures without their name",
            Long.toString(planted.unnamed()),
            "none",
            Status.of(planted.unnamed() == 0)),
        new Requirement(
            "the logging policy on its own log",
            words(
                "mean off by %.1e, weights by %.1e",
                self.largestDifference(), self.largestWeightError()),
            "the observed mean, weights of 1",
            Status.of(self.largestDifference() <= ROUNDING && self.largestWeightError() == 0)),
        speedOverReference(),
        new Requirement(
            "memory for %,d rounds".formatted(speed.rounds()),
            words("%.2f GiB", speed.peakMemoryGib()),
            "under 2 GiB",
            speed.peakMemoryGib() > 0
                ? Status.of(speed.peakMemoryGib() < MEMORY_GIB)
                : Status.NOT_KNOWN));
  }

  private Requirement speedOverReference() {
    boolean same = speed.largestDifference().orElse(1) <= SAME_VALUE;
    return new Requirement(
        "speed, NumPy = 1",
        speed.speed().isPresent()
            ? words(
                "%.1f, first log of a process %.1f, values %s",
                speed.speed().getAsDouble(), speed.coldSpeed().orElse(0), same ? "equal" : "differ")
            : "not known: " + speed.referenceMissing(),
        "at least 20, values equal",
        speed.speed().isPresent()
            ? Status.of(same && speed.speed().getAsDouble() >= SPEED)
            : Status.NOT_KNOWN);
  }

  /** Where fewer logs were drawn, shares may lie outside by chance. */
  private Status coverageStatus() {
    double outside =
        Math.max(LOWEST_COVERAGE - coverage.least(), coverage.most() - HIGHEST_COVERAGE);
    if (outside <= 0) {
      return Status.SHOWN;
    }
    return outside <= CHANCE * coverage.monteCarloError() ? Status.NOT_KNOWN : Status.NOT_SHOWN;
  }

  private static String words(String format, Object... numbers) {
    return String.format(Locale.ROOT, format, numbers);
  }
}
