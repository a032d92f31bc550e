package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.report.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Every metric of a switchback over its blocks. */
final class SwitchbackRows {
  private static final String TOO_FEW_BLOCKS = "TOO_FEW_BLOCKS";
  private static final double LEVEL = 0.95;

  private SwitchbackRows() {}

  static List<SwitchbackReading> read(
      AnalysisPlan plan, PhaseSample phase, List<String> treatments) {
    List<SwitchbackReading> rows = new ArrayList<>();
    VariantSample control = phase.sample(plan.control());
    for (String treatment : treatments) {
      VariantSample sample = phase.sample(treatment);
      plan.primary().forEach(each -> rows.add(row(plan, each, Role.PRIMARY, control, sample)));
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
    Switchback design = Switchback.complete(means, treated);
    Optional<Welch> welch = design.welch();
    Randomisation randomisation = design.randomisation(plan.seed());
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

  private static Bounds bounds(Optional<Interval> interval) {
    return interval
        .<Bounds>map(Bounds.Within::new)
        .orElseGet(() -> new Bounds.Absent(TOO_FEW_BLOCKS));
  }
}
