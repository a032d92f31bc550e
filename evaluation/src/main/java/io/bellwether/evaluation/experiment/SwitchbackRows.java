package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.report.Bounds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Every metric of a switchback over its blocks. Where these were randomised in pairs, only pairs
 * count of which both blocks were seen.
 */
final class SwitchbackRows {
  private static final String TOO_FEW_BLOCKS = "TOO_FEW_BLOCKS";
  private static final double LEVEL = 0.95;

  /** Of the designs that are drawn where there are too many to try all. */
  private static final long SEED = 1;

  private SwitchbackRows() {}

  static List<SwitchbackReading> read(
      AnalysisPlan plan, PhaseSample phase, List<String> treatments) {
    List<SwitchbackReading> rows = new ArrayList<>();
    VariantSample control = phase.sample(plan.control());
    for (String treatment : treatments) {
      VariantSample sample = phase.sample(treatment);
      plan.primaryMetrics()
          .forEach(each -> rows.add(row(plan, each, Role.PRIMARY, control, sample)));
      plan.guardrails()
          .forEach(each -> rows.add(row(plan, each.metric(), Role.GUARDRAIL, control, sample)));
      plan.secondary().forEach(each -> rows.add(row(plan, each, Role.SECONDARY, control, sample)));
    }
    return rows;
  }

  private static SwitchbackReading row(
      AnalysisPlan plan, Metric metric, Role role, VariantSample control, VariantSample treatment) {
    Map<String, Double> without = Comparison.blockValues(metric, control, treatment);
    Map<String, Double> with = Comparison.blockValues(metric, treatment, control);
    boolean paired = !plan.blockLength().isZero();
    if (paired) {
      Set<Long> complete = pairs(without.keySet(), plan);
      complete.retainAll(pairs(with.keySet(), plan));
      without.keySet().removeIf(block -> !complete.contains(pair(block, plan)));
      with.keySet().removeIf(block -> !complete.contains(pair(block, plan)));
    }
    TreeMap<String, Double> inTime = new TreeMap<>(without);
    inTime.putAll(with);
    Figure unknown = new Figure.Unknown(TOO_FEW_BLOCKS);
    if (without.isEmpty() || with.isEmpty()) {
      return new SwitchbackReading(
          metric.name(),
          role,
          treatment.variant(),
          without.size(),
          with.size(),
          unknown,
          new Bounds.Absent(TOO_FEW_BLOCKS),
          unknown,
          unknown,
          new Bounds.Absent(TOO_FEW_BLOCKS),
          0,
          unknown);
    }
    double[] means = inTime.values().stream().mapToDouble(Double::doubleValue).toArray();
    boolean[] treated = new boolean[means.length];
    int index = 0;
    for (String block : inTime.keySet()) {
      treated[index++] = with.containsKey(block);
    }
    Switchback design =
        paired ? Switchback.paired(means, treated) : Switchback.complete(means, treated);
    Optional<Welch> welch = design.welch();
    Randomisation randomisation = design.randomisation(SEED);
    return new SwitchbackReading(
        metric.name(),
        role,
        treatment.variant(),
        without.size(),
        with.size(),
        Figure.of(design.difference()),
        bounds(welch.map(each -> each.interval(LEVEL))),
        welch.<Figure>map(each -> Figure.of(each.p())).orElse(unknown),
        Figure.of(randomisation.p()),
        bounds(randomisation.interval(LEVEL)),
        randomisation.designs(),
        Figure.of(design.autocorrelation(), EffectOutcome.Reason.ZERO_VARIANCE.name()));
  }

  private static Set<Long> pairs(Set<String> blocks, AnalysisPlan plan) {
    return blocks.stream().map(block -> pair(block, plan)).collect(Collectors.toSet());
  }

  /** A block is named after its start. */
  private static long pair(String block, AnalysisPlan plan) {
    return Math.floorDiv(Instant.parse(block).toEpochMilli(), 2 * plan.blockLength().toMillis());
  }

  private static Bounds bounds(Optional<Interval> interval) {
    return interval
        .<Bounds>map(Bounds.Within::new)
        .orElseGet(() -> new Bounds.Absent(TOO_FEW_BLOCKS));
  }
}
