package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.LimitReading.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** How decisions went, held against operational limits: no statistics. */
final class Operations {
  private static final String NO_EXPOSURES = "NO_EXPOSURES";
  private static final String NOT_TIMED = "NOT_TIMED";
  private static final double MEDIAN = 0.5;
  private static final double SLOW = 0.99;

  /** Times the control's. */
  private static final double FAR_WORSE = 2;

  private Operations() {}

  static VariantReading variant(VariantSample sample, double share) {
    Health health = sample.health();
    return new VariantReading(
        sample.variant(),
        share,
        sample.units(),
        health.exposures(),
        sample.crossovers(),
        sample.forced(),
        degraded(health),
        micros(health, MEDIAN),
        micros(health, SLOW));
  }

  /** Every declared limit of every treatment and shadow in the phase. */
  static List<LimitReading> limits(AnalysisPlan plan, PhaseSample phase, List<String> treatments) {
    List<LimitReading> limits = new ArrayList<>();
    Health control = phase.sample(plan.control()).health();
    HealthLimits health = plan.health();
    if (plan.design() != AnalysisPlan.Design.SHADOW) {
      for (String treatment : treatments) {
        Limits row =
            new Limits(limits, treatment, phase.sample(treatment).health().exposures(), health);
        Health own = phase.sample(treatment).health();
        row.atMost(
            Name.DEGRADED_SHARE, degraded(own), degraded(control), health.degradedShare(), 1);
        row.atMost(
            Name.DECISION_P99_MICROS,
            micros(own, SLOW),
            micros(control, SLOW),
            (double) health.decisionP99Micros(),
            HealthLimits.NO_MICROS);
      }
    }
    for (ShadowSample shadow : phase.shadows()) {
      addShadow(limits, shadow, health);
    }
    return limits;
  }

  private static void addShadow(
      List<LimitReading> limits, ShadowSample shadow, HealthLimits health) {
    Figure none = new Figure.Unknown("NO_CONTROL");
    Limits row = new Limits(limits, shadow.variant(), shadow.health().exposures(), health);
    HealthLimits.Shadow most = health.shadow();
    row.atMost(
        Name.SHADOW_ERROR_SHARE,
        degraded(shadow.health()),
        none,
        most.errorShare(),
        HealthLimits.NO_SHARE);
    row.atMost(
        Name.SHADOW_P99_MICROS,
        micros(shadow.health(), SLOW),
        none,
        (double) most.p99Micros(),
        HealthLimits.NO_MICROS);
    row.atMost(
        Name.SHADOW_DISTANCE,
        mean(shadow, shadow.distance()),
        none,
        most.distance(),
        HealthLimits.NO_SHARE);
    row.atLeast(Name.SHADOW_AGREEMENT, mean(shadow, shadow.agreement()), most.agreement());
  }

  static List<ShadowReading> shadows(AnalysisPlan plan, PhaseSample phase) {
    List<LimitReading> limits = limits(plan, phase, List.of());
    return phase.shadows().stream()
        .map(
            shadow ->
                new ShadowReading(
                    shadow.variant(),
                    shadow.health().exposures(),
                    degraded(shadow.health()),
                    mean(shadow, shadow.agreement()),
                    mean(shadow, shadow.distance()),
                    micros(shadow.health(), MEDIAN),
                    micros(shadow.health(), SLOW),
                    shadow.scored() > 0
                        && limits.stream()
                            .filter(limit -> limit.variant().equals(shadow.variant()))
                            .allMatch(limit -> limit.enough() && !limit.crossed())))
        .toList();
  }

  private static Figure degraded(Health health) {
    return Figure.of(health.degradedShare(), NO_EXPOSURES);
  }

  private static Figure micros(Health health, double share) {
    return Figure.of(health.decisionMicros().quantile(share), NOT_TIMED);
  }

  private static Figure mean(ShadowSample shadow, double sum) {
    long scored = shadow.scored();
    return Figure.of(
        scored == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / scored), NO_EXPOSURES);
  }

  /** Adds the rows of one variant. */
  private record Limits(
      List<LimitReading> rows, String variant, long exposures, HealthLimits health) {

    void atMost(Name name, Figure observed, Figure control, double limit, double none) {
      if (limit < none) {
        double worst = Math.max(limit, everybodysTrouble(control, limit));
        add(name, observed, control, limit, observed.number().orElse(limit) > worst);
      }
    }

    /**
     * Where the control is beyond the limit too, the whole service is in trouble, and taking the
     * treatment back would not mend it; unless the treatment is far worse.
     */
    private static double everybodysTrouble(Figure control, double limit) {
      double found = control.number().orElse(0);
      return found > limit ? FAR_WORSE * found : 0;
    }

    void atLeast(Name name, Figure observed, double limit) {
      if (limit > 0) {
        Figure none = new Figure.Unknown("NO_CONTROL");
        add(name, observed, none, limit, observed.number().orElse(limit) < limit);
      }
    }

    private void add(Name name, Figure observed, Figure control, double limit, boolean beyond) {
      boolean enough = exposures >= health.leastExposures() && observed instanceof Figure.Known;
      rows.add(
          new LimitReading(
              variant, name, observed, control, limit, exposures, enough && beyond, enough));
    }
  }
}
