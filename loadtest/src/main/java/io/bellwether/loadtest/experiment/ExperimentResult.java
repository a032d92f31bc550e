package io.bellwether.loadtest.experiment;

import io.bellwether.loadtest.result.Measurement;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * Everything that one run of {@link ExperimentBenchmark} measured. Immutable.
 *
 * @param same simulated experiments without an effect
 * @param different simulated experiments with one
 * @param uneven simulated experiments whose traffic is not split as asked for
 * @param live one result per round
 */
public record ExperimentResult(
    BenchmarkExtent extent,
    long seed,
    SimulatedStudy.Outcome same,
    SimulatedStudy.Outcome different,
    SimulatedStudy.Outcome uneven,
    CovariateStudy.Outcome covariate,
    PreferenceStudy.Outcome preference,
    List<LiveResult> live,
    double seconds)
    implements Measurement {
  private static final double ALPHA = 0.05;
  private static final double MISMATCH_ALPHA = 0.01;
  private static final double COVERAGE = 0.95;
  private static final double OLDEST_SECONDS = 10;

  /** In standard errors: how far a rate is off by chance. */
  private static final double CHANCE = 4;

  private static final double VARIANCE_TOLERANCE = 0.05;

  public ExperimentResult {
    live = List.copyOf(live);
  }

  /** False alarms: an experiment without an effect, of which some look said that it has one. */
  public double falseAlarmRate() {
    return same.alarmRate();
  }

  /** Share of all simulated experiments whose every interval held the truth. */
  public double coverage() {
    return (double) (same.covered() + different.covered())
        / (same.experiments() + different.experiments());
  }

  /** How often a fair split raised the alarm. */
  public double mismatchAlarmRate() {
    return (double) (same.mismatches() + different.mismatches())
        / (same.experiments() + different.experiments());
  }

  /** Share of planted good policies that were shipped; empty without a round. */
  public OptionalDouble goodShipped() {
    return mean(LiveResult::goodShipped);
  }

  /** Share of planted bad policies that were taken back; empty without a round. */
  public OptionalDouble badRolledBack() {
    return mean(LiveResult::badRolledBack);
  }

  /** Exposed decisions over the theoretical minimum, mean over bad policies that were found. */
  public OptionalDouble exposedOverMinimum() {
    return live.stream()
        .map(LiveResult::exposedOverMinimum)
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .average();
  }

  /** Age of the newest event in the numbers, seconds, the worst round's 99th percentile. */
  public OptionalDouble numbersAgeP99() {
    return live.stream().filter(each -> each.ages() > 0).mapToDouble(LiveResult::ageP99).max();
  }

  private OptionalDouble mean(ToDoubleFunction<LiveResult> share) {
    return live.stream().mapToDouble(share).average();
  }

  @Override
  public List<Requirement> requirements() {
    List<Requirement> all = new ArrayList<>();
    all.add(
        new Requirement(
            "false alarms, looking every minute",
            percent(falseAlarmRate()),
            "at most 5 %",
            Status.of(falseAlarmRate() <= ALPHA)));
    all.add(
        new Requirement(
            "sequences that hold the truth at every look",
            percent(coverage()),
            "at least 95 %",
            Status.of(coverage() >= COVERAGE)));
    all.add(
        new Requirement(
            "alarms about a fair split",
            percent(mismatchAlarmRate()),
            "at most 1 %, or by chance",
            Status.of(
                mismatchAlarmRate() <= MISMATCH_ALPHA + CHANCE * same.errorOf(MISMATCH_ALPHA))));
    all.add(
        new Requirement(
            "rollouts taken back although nothing is wrong",
            percent(same.rollBackRate()),
            "at most 5 %",
            Status.of(same.rollBackRate() <= ALPHA)));
    all.add(
        new Requirement(
            "variance that adjustment leaves",
            words("%.3f, bias %.4f", covariate.varianceFactor(), covariate.bias()),
            "0.51, no bias",
            Status.of(
                Math.abs(covariate.varianceFactor() - 0.51) < VARIANCE_TOLERANCE
                    && Math.abs(covariate.bias()) < CHANCE * covariate.biasError())));
    all.add(
        new Requirement(
            "interleaved rankings told apart",
            words(
                "%.1f %% of equal ones, %.1f %% where one is better",
                100 * preference.nullRate(), 100 * preference.foundRate()),
            "at most 5 % or by chance, and most",
            Status.of(
                preference.nullRate() <= ALPHA + CHANCE * same.errorOf(ALPHA)
                    && preference.foundRate() > 0.5)));
    if (!live.isEmpty()) {
      all.addAll(liveRequirements());
    }
    return all;
  }

  private List<Requirement> liveRequirements() {
    long after =
        live.stream()
            .flatMap(each -> each.outcomes().stream())
            .mapToLong(PlantedOutcome::after)
            .sum();
    double age = numbersAgeP99().orElse(Double.POSITIVE_INFINITY);
    return List.of(
        new Requirement(
            "planted better policies shipped without a hand",
            percent(goodShipped().orElse(0)),
            "all",
            Status.of(goodShipped().orElse(0) == 1)),
        new Requirement(
            "planted bad policies taken back without a hand",
            percent(badRolledBack().orElse(0)),
            "all",
            Status.of(badRolledBack().orElse(0) == 1)),
        new Requirement(
            "decisions of what was taken back, after that was acknowledged",
            Long.toString(after),
            "none",
            Status.of(after == 0)),
        new Requirement(
            "age of the numbers, 99 in 100",
            words("%.1f s", age),
            "at most 10 s",
            Status.of(age <= OLDEST_SECONDS)));
  }

  private static String percent(double share) {
    return words("%.1f %%", 100 * share);
  }

  private static String words(String format, Object... numbers) {
    return String.format(Locale.ROOT, format, numbers);
  }
}
