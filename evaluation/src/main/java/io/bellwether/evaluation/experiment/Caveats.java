package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.Caveat.Code;
import io.bellwether.evaluation.interval.MultipleComparisons;
import io.bellwether.evaluation.interval.Normal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** What has to be known before anybody acts on a reading. */
final class Caveats {
  private static final double WEEK_HOURS = 168;
  private static final double DAY_HOURS = 24;
  private static final double NOVELTY_ALPHA = 0.05;

  /** Looked at again and again without correction, so it takes a lot. */
  private static final double ALARM = 0.001;

  /** Fewer units of a cohort say nothing about a trend. */
  private static final long COHORT = 100;

  private static final int FEW_BLOCKS = 20;

  private Caveats() {}

  static List<Caveat> of(AnalysisPlan plan, List<PhaseSample> phases, ExperimentReading reading) {
    List<Caveat> caveats = new ArrayList<>();
    addQuality(caveats, reading);
    if (phases.isEmpty()) {
      return caveats;
    }
    addTime(caveats, plan, phases, reading);
    addPhases(caveats, plan, phases);
    addDesign(caveats, plan, reading);
    addStopped(caveats, reading);
    return caveats;
  }

  private static void addQuality(List<Caveat> caveats, ExperimentReading reading) {
    if (reading.numbersAgeMillis() > RolloutRule.OLDEST_NUMBERS.toMillis()) {
      add(
          caveats,
          Code.STALE_NUMBERS,
          "The numbers are %.0f s old; nothing is decided on numbers older than %d s.",
          reading.numbersAgeMillis() / 1000.0,
          RolloutRule.OLDEST_NUMBERS.toSeconds());
    }
    if (reading.sampleRatio().alarm()) {
      add(
          caveats,
          Code.SAMPLE_RATIO_MISMATCH,
          "Chance does not explain the traffic split (sequential p %s): look for lost exposures,"
              + " redirects and bots.",
          Phrases.chance(reading.sampleRatio().smallestP()));
    }
    if (reading.crossoverShare() > RolloutRule.CROSSOVERS) {
      add(
          caveats,
          Code.CROSSOVERS,
          "%s of the units met two variants and are left out.",
          Phrases.percent(reading.crossoverShare()));
    }
  }

  /** The split of those who came on one day, all days taken into account. */
  private static void addDays(List<Caveat> caveats, PhaseSample phase) {
    List<String> sides = phase.withTraffic();
    if (sides.size() < 2) {
      return;
    }
    TreeSet<String> days = new TreeSet<>();
    sides.forEach(side -> days.addAll(phase.sample(side).slices().keySet()));
    SampleRatio ratio = SampleRatio.of(sides.stream().mapToDouble(phase::share).toArray());
    double[] p =
        days.stream()
            .mapToDouble(
                day ->
                    ratio.sequentialP(
                        sides.stream()
                            .mapToLong(side -> unitsOf(phase.sample(side), day))
                            .toArray()))
            .toArray();
    double[] adjusted = MultipleComparisons.HOLM.adjust(p);
    int index = 0;
    for (String day : days) {
      if (adjusted[index++] < Analysis.MISMATCH_ALARM) {
        add(
            caveats,
            Code.MISMATCH_ON_A_DAY,
            "Those who came on %s are not split as asked for (p %s after Holm).",
            day,
            Phrases.chance(adjusted[index - 1]));
      }
    }
  }

  private static long unitsOf(VariantSample sample, String day) {
    Moments moments = sample.slices().get(day);
    return moments == null ? 0 : moments.units();
  }

  private static void addCapping(List<Caveat> caveats, AnalysisPlan plan, PhaseSample phase) {
    VariantSample control = phase.sample(plan.control());
    for (VariantSample treatment : phase.variants()) {
      if (treatment.variant().equals(plan.control())) {
        continue;
      }
      for (Metric metric : plan.metrics()) {
        if (metric.measure() instanceof Measure.Winsorised capped) {
          capped
              .capping(control, treatment)
              .filter(found -> isUnequal(found, control.units(), treatment.units()))
              .ifPresent(
                  found ->
                      add(
                          caveats,
                          Code.UNEQUAL_CAPPING,
                          "%s is capped for %s of the units under %s and %s under %s: look at the"
                              + " large ones.",
                          metric.name(),
                          Phrases.percent(found.treatmentShare()),
                          treatment.variant(),
                          Phrases.percent(found.controlShare()),
                          plan.control()));
        }
      }
    }
  }

  /** Whether chance hardly explains two shares of capped units. */
  private static boolean isUnequal(Measure.Capping found, long control, long treatment) {
    double pooled =
        (found.controlShare() * control + found.treatmentShare() * treatment)
            / (control + treatment);
    double error = Math.sqrt(pooled * (1 - pooled) * (1.0 / control + 1.0 / treatment));
    double z = Math.abs(found.treatmentShare() - found.controlShare()) / error;
    return z > Normal.quantile(1 - ALARM / 2);
  }

  private static void addTime(
      List<Caveat> caveats,
      AnalysisPlan plan,
      List<PhaseSample> phases,
      ExperimentReading reading) {
    if (plan.design() == AnalysisPlan.Design.SHADOW) {
      return;
    }
    double hours = reading.hours();
    if (hours < WEEK_HOURS) {
      add(
          caveats,
          Code.LESS_THAN_SEVEN_DAYS,
          "It has run for %s: ship nothing before seven days.",
          Phrases.hours(hours));
    } else if (Math.floor(hours / DAY_HOURS) % 7 != 0) {
      add(
          caveats,
          Code.NOT_WHOLE_WEEKS,
          "It has run for %s, which is not a whole number of weeks: days of the week count"
              + " unequally.",
          Phrases.hours(hours));
    }
    if (plan.design() == AnalysisPlan.Design.PARALLEL && !reading.sampleRatio().alarm()) {
      PhaseSample present = phases.get(phases.size() - 1);
      addDays(caveats, present);
      addCapping(caveats, plan, present);
      addNovelty(caveats, plan, present);
    }
  }

  private static void addNovelty(List<Caveat> caveats, AnalysisPlan plan, PhaseSample phase) {
    VariantSample control = phase.sample(plan.control());
    for (VariantSample treatment : phase.variants()) {
      if (treatment.variant().equals(plan.control())) {
        continue;
      }
      for (Metric metric : plan.primaryMetrics()) {
        novelty(metric, control, treatment)
            .ifPresent(words -> caveats.add(new Caveat(Code.NOVELTY, words)));
      }
    }
  }

  /** Whether subjects that came in the first half of the days react otherwise than later ones. */
  private static Optional<String> novelty(
      Metric metric, VariantSample control, VariantSample treatment) {
    TreeSet<String> days = new TreeSet<>(control.slices().keySet());
    days.retainAll(treatment.slices().keySet());
    if (days.size() < 2) {
      return Optional.empty();
    }
    List<String> inTime = List.copyOf(days);
    List<String> early = inTime.subList(0, (inTime.size() + 1) / 2);
    List<String> late = inTime.subList((inTime.size() + 1) / 2, inTime.size());
    if (cohort(metric, control, treatment, early) instanceof Effect first
        && cohort(metric, control, treatment, late) instanceof Effect second
        && Math.min(smaller(first), smaller(second)) >= COHORT) {
      double change = first.difference() - second.difference();
      double z = change / Math.hypot(first.standardError(), second.standardError());
      if (Math.abs(z) > Normal.quantile(1 - NOVELTY_ALPHA / 2)) {
        return Optional.of(
            "%s under %s: those who came in the first %d days show %s, later ones %s; let it run for 14 to 28 days."
                .formatted(
                    metric.name(),
                    treatment.variant(),
                    early.size(),
                    Phrases.difference(first.difference()),
                    Phrases.difference(second.difference())));
      }
    }
    return Optional.empty();
  }

  private static long smaller(Effect effect) {
    return Math.min(effect.controlUnits(), effect.treatmentUnits());
  }

  private static EffectOutcome cohort(
      Metric metric, VariantSample control, VariantSample treatment, List<String> days) {
    return metric.effect(ofDays(control, days), ofDays(treatment, days));
  }

  private static VariantSample ofDays(VariantSample sample, List<String> days) {
    Moments sum = Moments.empty(sample.moments().columns());
    for (String day : days) {
      Moments moments = sample.slices().get(day);
      if (moments != null) {
        sum = sum.plus(moments);
      }
    }
    return VariantSample.of(sample.variant(), sum);
  }

  private static void addPhases(List<Caveat> caveats, AnalysisPlan plan, List<PhaseSample> phases) {
    if (phases.stream().map(PhaseSample::shares).distinct().count() > 1) {
      add(
          caveats,
          Code.SHARES_CHANGED,
          "Shares have changed: effects are averaged over %d phases, never their pooled values.",
          phases.size());
    }
    if (phases.stream().map(PhaseSample::versions).distinct().count() > 1) {
      add(
          caveats,
          Code.VERSIONS_CHANGED,
          "Policy versions have changed between phases: the average is over different treatments.");
    }
    int last = phases.get(phases.size() - 1).number();
    if (last > plan.plannedPhases()) {
      double spent = 0;
      for (int phase = 1; phase <= last; phase++) {
        spent += plan.alphaOfPhase(phase);
      }
      add(
          caveats,
          Code.UNPLANNED_PHASES,
          "There are %d phases where %d were planned: the chance of a false conclusion is up to %s"
              + " instead of %s.",
          last,
          plan.plannedPhases(),
          Phrases.percent(spent),
          Phrases.percent(plan.alpha()));
    }
  }

  private static void addDesign(
      List<Caveat> caveats, AnalysisPlan plan, ExperimentReading reading) {
    switch (plan.design()) {
      case PARALLEL -> {}
      case BANDIT ->
          add(
              caveats,
              Code.ADAPTIVE_SHARES,
              "Shares follow the results: read effects over all phases, never over pooled units.");
      case INTERLEAVING ->
          add(
              caveats,
              Code.PREFERENCE_ONLY,
              "Interleaving ranks two policies; size of the effect and guardrails need a parallel"
                  + " experiment.");
      case SHADOW ->
          add(
              caveats,
              Code.SHADOW_SHOWS_NO_REACTION,
              "A shadow shows neither how people react nor what the policy would learn from it.");
      case SWITCHBACK -> addBlocks(caveats, reading);
    }
  }

  private static void addBlocks(List<Caveat> caveats, ExperimentReading reading) {
    for (SwitchbackReading row : reading.blocks()) {
      int blocks = row.controlBlocks() + row.treatmentBlocks();
      if (blocks < FEW_BLOCKS) {
        add(
            caveats,
            Code.FEW_BLOCKS,
            "%s under %s rests on %d blocks: read the randomisation test.",
            row.metric(),
            row.variant(),
            blocks);
      }
      if (row.autocorrelation().number().orElse(0) > Switchback.MAX_AUTOCORRELATION) {
        add(
            caveats,
            Code.AUTOCORRELATED_BLOCKS,
            "%s under %s: neighbouring blocks are alike (%s), so blocks are too short.",
            row.metric(),
            row.variant(),
            Phrases.number(row.autocorrelation()));
      }
    }
  }

  private static void addStopped(List<Caveat> caveats, ExperimentReading reading) {
    boolean concluded =
        reading.allPhases().stream()
            .anyMatch(
                row ->
                    row.role() == Role.PRIMARY
                        && (row.status() == MetricReading.Status.BETTER
                            || row.status() == MetricReading.Status.WORSE));
    if (concluded && reading.terms().method() != AnalysisPlan.Method.FIXED_HORIZON) {
      add(
          caveats,
          Code.STOPPED_ESTIMATE,
          "An effect at the moment at which it is first shown is too large on average; the"
              + " interval holds.");
    }
  }

  private static void add(List<Caveat> caveats, Code code, String words, Object... values) {
    caveats.add(new Caveat(code, String.format(Locale.ROOT, words, values)));
  }
}
