package io.bellwether.evaluation.experiment;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One metric under one treatment against the control, before anything is concluded.
 *
 * @param events units of both variants that had the signal, or that had it not where those are
 *     fewer and a rate is measured; empty where they are not counted
 * @param table the same as a table, where it is one phase's
 */
record Comparison(
    Metric metric,
    Role role,
    String variant,
    EffectOutcome effect,
    OptionalLong events,
    Optional<TwoByTwo> table) {
  private static final String VALUE = "value";

  static Comparison of(Metric metric, Role role, VariantSample control, VariantSample treatment) {
    return new Comparison(
        metric,
        role,
        treatment.variant(),
        metric.effect(control, treatment),
        rarer(metric, control, treatment),
        metric.measure() instanceof Measure.Conversion conversion
            ? conversion.table(control, treatment)
            : Optional.empty());
  }

  /** A switchback's: a block of time is one observation, the metric's value in it. */
  static Comparison ofBlocks(
      Metric metric, Role role, VariantSample control, VariantSample treatment) {
    Metric mean = new Metric(VALUE, new Measure.Mean(VALUE, false), metric.direction());
    EffectOutcome effect =
        mean.effect(blocks(metric, control, treatment), blocks(metric, treatment, control));
    return new Comparison(
        metric, role, treatment.variant(), effect, OptionalLong.empty(), Optional.empty());
  }

  /** The phases' comparisons of one metric and treatment as one, never their pooled values. */
  static Comparison ofPhases(List<Comparison> phases) {
    if (phases.size() == 1) {
      return phases.get(0);
    }
    Comparison last = phases.get(phases.size() - 1);
    return new Comparison(
        last.metric,
        last.role,
        last.variant,
        PooledPhases.MANTEL_HAENSZEL.of(phases.stream().map(Comparison::effect).toList()),
        phases.stream().map(Comparison::events).reduce(OptionalLong.empty(), Comparison::merged),
        Optional.empty());
  }

  /** Names the row among those of one phase. */
  String key() {
    return variant + "/" + metric.name();
  }

  /**
   * The metric's value in each block that has one, in the order of time. A block in which the other
   * variant was seen as well is nobody's.
   */
  static SortedMap<String, Double> blockValues(
      Metric metric, VariantSample sample, VariantSample other) {
    SortedMap<String, Double> values = new TreeMap<>();
    sample
        .slices()
        .forEach(
            (block, moments) -> {
              if (!other.slices().containsKey(block)) {
                VariantSample alone = VariantSample.of(sample.variant(), moments);
                metric
                    .effect(alone, alone)
                    .treatmentValue()
                    .ifPresent(value -> values.put(block, value));
              }
            });
    return values;
  }

  private static VariantSample blocks(Metric metric, VariantSample sample, VariantSample other) {
    UnitSums sums = new UnitSums(List.of(VALUE));
    blockValues(metric, sample, other).values().forEach(sums::add);
    return VariantSample.of(sample.variant(), sums.moments());
  }

  /** A rate near 1 is as far from normal as one near 0. */
  private static OptionalLong rarer(Metric metric, VariantSample control, VariantSample treatment) {
    OptionalLong events = sum(metric.measure().events(control), metric.measure().events(treatment));
    return events.isPresent() && metric.measure() instanceof Measure.Conversion
        ? OptionalLong.of(
            Math.min(events.getAsLong(), control.units() + treatment.units() - events.getAsLong()))
        : events;
  }

  private static OptionalLong sum(OptionalLong first, OptionalLong second) {
    return first.isPresent() && second.isPresent()
        ? OptionalLong.of(first.getAsLong() + second.getAsLong())
        : OptionalLong.empty();
  }

  /** An empty phase counts no events and takes none away. */
  private static OptionalLong merged(OptionalLong first, OptionalLong second) {
    if (first.isEmpty()) {
      return second;
    }
    return second.isEmpty() ? first : sum(first, second);
  }
}
