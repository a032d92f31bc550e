package io.bellwether.loadtest.experiment;

import io.bellwether.evaluation.experiment.Analysis;
import io.bellwether.evaluation.experiment.AnalysisPlan;
import io.bellwether.evaluation.experiment.Direction;
import io.bellwether.evaluation.experiment.ExperimentReading;
import io.bellwether.evaluation.experiment.Guardrail;
import io.bellwether.evaluation.experiment.Margin;
import io.bellwether.evaluation.experiment.Measure;
import io.bellwether.evaluation.experiment.Metric;
import io.bellwether.evaluation.experiment.MetricReading;
import io.bellwether.evaluation.experiment.MetricReading.Status;
import io.bellwether.evaluation.experiment.PhaseSample;
import io.bellwether.evaluation.experiment.RolloutRule;
import io.bellwether.evaluation.experiment.RolloutStep;
import io.bellwether.evaluation.experiment.Situation;
import io.bellwether.evaluation.experiment.Tick;
import io.bellwether.evaluation.experiment.TickMemory;
import io.bellwether.evaluation.experiment.UnitSums;
import io.bellwether.evaluation.experiment.VariantSample;
import io.bellwether.evaluation.experiment.Verdict;
import io.bellwether.evaluation.report.Bounds;
import io.bellwether.policy.scoring.CounterRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Experiments whose truth is known, drawn by the thousand and looked at every minute by the code
 * that a running service reads its numbers with. Units' values are skewed: one in four has any, and
 * those are exponential. Immutable.
 *
 * @param experiments how many
 * @param minutes looks at each
 * @param unitsPerMinute new units of both variants together
 * @param effect what a unit of the treatment has more, in the metric's unit
 * @param treatmentShare of the units that really get the treatment; a half is what is asked for
 */
record SimulatedStudy(
    int experiments,
    int minutes,
    int unitsPerMinute,
    double effect,
    double treatmentShare,
    long seed) {
  private static final String CONTROL = "control";
  private static final String TREATMENT = "treatment";
  private static final List<String> COLUMNS = List.of("decisions", "value", "value:any");
  private static final Map<String, Double> ASKED_FOR = Map.of(CONTROL, 0.5, TREATMENT, 0.5);
  private static final Map<String, String> VERSIONS = Map.of(CONTROL, "a", TREATMENT, "b");

  /** Tags of {@link CounterRandom}. */
  private static final int SPLIT = 90;

  private static final int HAS_ANY = 91;
  private static final int HOW_MUCH = 92;

  private static final double ANY = 0.25;
  private static final double MEAN_OF_ANY = 4;

  /**
   * What was seen.
   *
   * @param experiments how many there were
   * @param alarms of these, in how many a look said that the variants differ
   * @param covered in how many every look's interval held the truth
   * @param mismatches in how many a look said that the traffic is not split as asked for
   * @param rolledBack in how many the rollout would have been taken back
   */
  record Outcome(int experiments, long alarms, long covered, long mismatches, long rolledBack) {
    double alarmRate() {
      return (double) alarms / experiments;
    }

    double coverage() {
      return (double) covered / experiments;
    }

    double mismatchRate() {
      return (double) mismatches / experiments;
    }

    double rollBackRate() {
      return (double) rolledBack / experiments;
    }

    /** One standard error of a rate, in [0, 1]. */
    double errorOf(double rate) {
      return Math.sqrt(rate * (1 - rate) / experiments);
    }
  }

  /** One experiment's history in four words. */
  private record Seen(boolean alarm, boolean covered, boolean mismatch, boolean rolledBack) {}

  Outcome run() {
    List<Seen> all = IntStream.range(0, experiments).parallel().mapToObj(this::play).toList();
    return new Outcome(
        experiments,
        all.stream().filter(Seen::alarm).count(),
        all.stream().filter(Seen::covered).count(),
        all.stream().filter(Seen::mismatch).count(),
        all.stream().filter(Seen::rolledBack).count());
  }

  private Seen play(int experiment) {
    AnalysisPlan plan = plan();
    Situation situation =
        new Situation(
            List.of(
                RolloutStep.of(5_000, Duration.ofDays(7), 0),
                RolloutStep.of(10_000, Duration.ZERO, 0)),
            0,
            false);
    UnitSums control = new UnitSums(COLUMNS);
    UnitSums treatment = new UnitSums(COLUMNS);
    TickMemory memory = TickMemory.START;
    boolean alarm = false;
    boolean covered = true;
    boolean mismatch = false;
    boolean rolledBack = false;
    for (int minute = 0; minute < minutes; minute++) {
      for (int unit = 0; unit < unitsPerMinute; unit++) {
        long at = (long) minute * unitsPerMinute + unit;
        boolean treated = CounterRandom.uniform(seed, SPLIT, experiment, at, 0) < treatmentShare;
        double value = valueOf(experiment, at) + (treated ? effect : 0);
        (treated ? treatment : control).add(1, value, value > 0 ? 1 : 0);
      }
      PhaseSample phase =
          PhaseSample.of(
              1,
              ASKED_FOR,
              VERSIONS,
              List.of(
                  VariantSample.of(CONTROL, control.moments()),
                  VariantSample.of(TREATMENT, treatment.moments())),
              Duration.ofMinutes(minute + 1L));
      ExperimentReading reading = Analysis.read(plan, List.of(phase), Duration.ZERO, memory);
      Tick tick = RolloutRule.decide(situation, reading, memory);
      memory = tick.memory();
      MetricReading value = reading.phases().get(0).metrics().get(0);
      alarm |= value.status() == Status.BETTER || value.status() == Status.WORSE;
      covered &= holds(value);
      mismatch |= reading.sampleRatio().alarm();
      rolledBack |= tick.verdict() instanceof Verdict.RollBack;
    }
    return new Seen(alarm, covered, mismatch, rolledBack);
  }

  private boolean holds(MetricReading value) {
    return !(value.sequence() instanceof Bounds.Within within)
        || (within.interval().lower() <= effect && within.interval().upper() >= effect);
  }

  private double valueOf(int experiment, long unit) {
    return CounterRandom.uniform(seed, HAS_ANY, experiment, unit, 0) < ANY
        ? -MEAN_OF_ANY * Math.log1p(-CounterRandom.uniform(seed, HOW_MUCH, experiment, unit, 0))
        : 0;
  }

  private AnalysisPlan plan() {
    Metric value = new Metric("value", new Measure.Mean("value", false), Direction.UP);
    Metric any = new Metric("any", new Measure.Conversion("value", false), Direction.UP);
    return AnalysisPlan.of(CONTROL, value)
        .withGuardrails(List.of(Guardrail.within(any, new Margin.Absolute(0))))
        .withPlannedUnits((long) minutes * unitsPerMinute);
  }
}
