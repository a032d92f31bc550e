package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.Exposure;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one unit did in one phase of an experiment: state of {@link MeasureUnits}, public so that
 * Flink serializes it as a record. Immutable by convention: nobody changes the arrays.
 *
 * @param block the block of time that it is counted in; empty: the day of its first exposure
 * @param ofDecision whether it is one decision, and is let go with it
 * @param interleaved whether totals are credits
 * @param variants those that it met, the first one first; more than one: a crossover
 * @param decisions exposed ones
 * @param totals per signal
 * @param lost what {@code totals} lost to rounding
 * @param seenAtMicros its newest exposure
 */
public record Unit(
    String experiment,
    int phase,
    String block,
    boolean ofDecision,
    boolean interleaved,
    List<Variant> variants,
    long decisions,
    double[] totals,
    double[] lost,
    long seenAtMicros) {

  private static final Comparator<Variant> FIRST_MET =
      Comparator.comparingLong(Variant::metAtMicros).thenComparing(Variant::name);

  /**
   * A variant that a unit met. Also Flink state, hence public.
   *
   * @param metAtMicros for the first time, microseconds since the epoch
   */
  public record Variant(String name, long metAtMicros) {}

  static Unit fresh(Exposure exposure, int signals) {
    boolean block = !exposure.getSlice().isEmpty();
    return new Unit(
        exposure.getExperiment(),
        exposure.getPhase(),
        exposure.getSlice(),
        block || exposure.getUnit().equals(exposure.getDecisionId()),
        !exposure.getTeams().isEmpty(),
        List.of(),
        0,
        new double[signals],
        new double[signals],
        exposure.getExposedAtMicros());
  }

  /** Tells the unit of an exposure from the others of its subject. */
  static String key(Exposure exposure) {
    // In a block of time, each decision counts by itself.
    String unit = exposure.getSlice().isEmpty() ? exposure.getUnit() : exposure.getDecisionId();
    return exposure.getExperiment() + "/" + exposure.getPhase() + "/" + unit;
  }

  static String day(long micros) {
    return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L))
        .atOffset(ZoneOffset.UTC)
        .toLocalDate()
        .toString();
  }

  /** After one more exposed decision. */
  Unit met(String variant, long metAtMicros, double[] values) {
    List<Variant> met = new ArrayList<>(variants);
    met.removeIf(known -> known.name().equals(variant));
    long first =
        variants.stream()
            .filter(known -> known.name().equals(variant))
            .mapToLong(Variant::metAtMicros)
            .reduce(metAtMicros, Math::min);
    met.add(new Variant(variant, first));
    met.sort(FIRST_MET);
    return new Unit(
            experiment,
            phase,
            block,
            ofDecision,
            interleaved,
            met,
            decisions + 1,
            totals,
            lost,
            Math.max(seenAtMicros, metAtMicros))
        .plus(values);
  }

  /** After more became known of its decisions. */
  Unit plus(double[] values) {
    double[] sums = totals.clone();
    double[] rest = lost.clone();
    for (int signal = 0; signal < values.length; signal++) {
      Neumaier.add(sums, rest, signal, values[signal]);
    }
    return new Unit(
        experiment,
        phase,
        block,
        ofDecision,
        interleaved,
        variants,
        decisions,
        sums,
        rest,
        seenAtMicros);
  }

  boolean isCrossover() {
    return variants.size() > 1;
  }

  /** Whether both are numbers of the same variant and slice. */
  boolean isCountedWhere(Unit other) {
    return variants.size() == other.variants.size()
        && variants.get(0).name().equals(other.variants.get(0).name())
        && slice().equals(other.slice());
  }

  String slice() {
    return block.isEmpty() ? day(variants.get(0).metAtMicros()) : block;
  }

  double[] row(UnitColumns columns, Entry entry) {
    return columns.row(decisions, Neumaier.values(totals, lost), entry.covariates());
  }

  /** When the surface has other signals now. */
  Unit relaid(SignalsChange change) {
    return new Unit(
        experiment,
        phase,
        block,
        ofDecision,
        interleaved,
        variants,
        decisions,
        change.apply(totals),
        change.apply(lost),
        seenAtMicros);
  }
}
