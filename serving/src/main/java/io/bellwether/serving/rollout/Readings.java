package io.bellwether.serving.rollout;

import io.bellwether.evaluation.experiment.Analysis;
import io.bellwether.evaluation.experiment.ExperimentReading;
import io.bellwether.evaluation.experiment.Metric;
import io.bellwether.evaluation.experiment.PhaseSample;
import io.bellwether.evaluation.experiment.Prediction;
import io.bellwether.evaluation.experiment.ShadowSample;
import io.bellwether.evaluation.experiment.TickMemory;
import io.bellwether.evaluation.experiment.VariantSample;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.serving.experiment.Experiment;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Kind;
import io.bellwether.serving.experiment.Phase;
import io.bellwether.serving.experiment.Variant;
import io.bellwether.serving.rollout.NumbersTable.ExperimentNumbers;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What the numbers of an experiment say now. The samples are made once per change of the numbers.
 * Takes milliseconds, so not for an event loop. Thread-safe.
 */
@Singleton
final class Readings {

  private final NumbersTable table;
  private final Function<ExperimentState, List<Prediction>> promises;
  private final Clock clock;

  /** By experiment; as many as have numbers. */
  private final Map<String, Sampled> sampled = new ConcurrentHashMap<>();

  @Inject
  Readings(NumbersTable table, OfflinePromises promises, Clock clock) {
    this(table, promises::of, clock);
  }

  /**
   * Reads these numbers.
   *
   * @param promises what offline evaluations promised of an experiment's treatments
   */
  Readings(NumbersTable table, Function<ExperimentState, List<Prediction>> promises, Clock clock) {
    this.table = table;
    this.promises = promises;
    this.clock = clock;
  }

  private record Sampled(long changes, Map<Integer, PhaseSamples> byPhase) {}

  private record PhaseSamples(List<VariantSample> shown, List<ShadowSample> scored) {
    static final PhaseSamples NONE = new PhaseSamples(List.of(), List.of());
  }

  /**
   * A reading, and which numbers it rests on.
   *
   * @param content tells numbers that say something else from those of another reading
   * @param newestAt the newest exposure or outcome that is in
   * @param countedUntil when the present phase was last counted
   */
  record Read(
      ExperimentReading reading,
      Instant at,
      long content,
      Optional<Instant> newestAt,
      Optional<Instant> countedUntil) {

    /** How old the numbers are; empty while there are none of this phase. See {@link #age}. */
    Optional<Duration> age() {
      return countedUntil.map(counted -> Duration.between(counted, at).abs());
    }
  }

  /**
   * Reads the numbers of an experiment that has been started.
   *
   * @param before what earlier looks left behind
   */
  Read read(ExperimentState state, TickMemory before) {
    ExperimentNumbers numbers = table.of(state.name());
    Instant now = clock.instant();
    int phase = state.phase().map(Phase::number).orElse(0);
    Optional<Instant> counted = numbers.countedUntil(phase);
    List<PhaseSample> phases = phases(state, samples(state.name(), numbers), now);
    ExperimentReading reading =
        Analysis.read(
            DeclaredPlan.analysis(state.declaration(), mixtureDeviation(state, phases))
                .withPredictions(promises.apply(state)),
            phases,
            age(state, counted, now),
            before);
    return new Read(reading, now, numbers.content(), numbers.newestAt(), counted);
  }

  /**
   * After the end numbers may rest; they then are as old as they were at the end. Numbers of the
   * future prove as little as old ones: whoever counts has another clock, and could be long gone.
   */
  private static Duration age(ExperimentState state, Optional<Instant> counted, Instant now) {
    Instant until = state.endedAt().orElse(now);
    if (counted.isPresent()) {
      Duration age = Duration.between(counted.get(), until);
      return state.endedAt().isPresent() ? atLeastZero(age) : age.abs();
    }
    return atLeastZero(
        Duration.between(state.phase().map(Phase::startedAt).orElse(Instant.EPOCH), until));
  }

  private Map<Integer, PhaseSamples> samples(String experiment, ExperimentNumbers numbers) {
    return sampled
        .compute(
            experiment,
            (name, known) ->
                known != null && known.changes() == numbers.changes()
                    ? known
                    : new Sampled(numbers.changes(), sampled(numbers)))
        .byPhase();
  }

  private static Map<Integer, PhaseSamples> sampled(ExperimentNumbers numbers) {
    Map<Integer, PhaseSamples> byPhase = new TreeMap<>();
    numbers.records().stream()
        .map(VariantNumbers::getPhase)
        .distinct()
        .forEach(
            phase ->
                byPhase.put(
                    phase,
                    new PhaseSamples(
                        Samples.shown(numbers.of(phase, ExposureKind.SHOWN)),
                        Samples.scored(numbers.of(phase, ExposureKind.SHADOW)))));
    return byPhase;
  }

  private static List<PhaseSample> phases(
      ExperimentState state, Map<Integer, PhaseSamples> samples, Instant now) {
    List<PhaseSample> phases = new ArrayList<>();
    List<Phase> declared = state.phases();
    for (int index = 0; index < declared.size(); index++) {
      Phase phase = declared.get(index);
      Instant end =
          index + 1 < declared.size()
              ? declared.get(index + 1).startedAt()
              : state.endedAt().orElse(now);
      SortedMap<String, Double> shares = new TreeMap<>();
      if (state.declaration().kind() == Kind.INTERLEAVING) {
        shares.put(Variant.INTERLEAVED, 1.0);
      } else {
        phase.shares().keySet().forEach(variant -> shares.put(variant, phase.share(variant)));
      }
      PhaseSamples counted = samples.getOrDefault(phase.number(), PhaseSamples.NONE);
      phases.add(
          new PhaseSample(
              phase.number(),
              shares,
              new TreeMap<>(phase.versions()),
              counted.shown(),
              counted.scored(),
              atLeastZero(Duration.between(phase.startedAt(), end))));
    }
    return phases;
  }

  /**
   * The declared smallest effect in the first primary metric's unit: relative to the control's
   * value in the first phase that has one. Later phases do not move it.
   */
  private static double mixtureDeviation(ExperimentState state, List<PhaseSample> phases) {
    Experiment experiment = state.declaration();
    double relative = experiment.analysis().minimumEffect();
    List<Metric> primary = DeclaredPlan.metrics(experiment.primary());
    if (primary.isEmpty()) {
      return relative;
    }
    String control = DeclaredPlan.control(experiment);
    return phases.stream()
        .flatMap(phase -> phase.variants().stream())
        .filter(sample -> sample.variant().equals(control) && sample.units() > 0)
        .flatMapToDouble(sample -> primary.get(0).effect(sample, sample).controlValue().stream())
        .map(value -> relative * Math.abs(value))
        .filter(deviation -> deviation > 0)
        .findFirst()
        .orElse(relative);
  }

  /** Clocks of two machines differ a little. */
  private static Duration atLeastZero(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }
}
