package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.Verdict.Reason;
import io.bellwether.evaluation.experiment.Verdict.Reason.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a rollout does at one tick: a pure function of where it stands, what the numbers say now,
 * and what the last tick left behind. The first line that applies decides:
 *
 * <pre>
 * an operational limit is crossed                             roll back, at once
 * the numbers are older than 10 s, or there are none          hold
 * the traffic is not split as asked for                       hold
 * harm is shown for two ticks in a row                        roll back (or hold, as the step says)
 * harm is shown for the first time                            hold
 * more than 0.1 % of the units met two variants               hold
 * too early, too few units, too few exposures                 hold
 * a limit has no bound yet, or the tolerated one is refuted   hold
 * nothing to compare with from the next step on, and there is
 *   no limit, or one that is not shown to be kept             hold
 * a person has paused it, or takes this step                  hold
 * otherwise                                                   advance, or complete after the last
 * </pre>
 *
 * <p>A pause stops the way forward only: people are still exposed, so harm still takes it back. A
 * crossed limit stays crossed however old the numbers are, so it comes before them. Evidence that a
 * limit is kept may come from an earlier phase with the same versions: the step at which everybody
 * has the treatment has no control.
 */
public final class RolloutRule {
  /** Numbers older than this are nobody's numbers. */
  public static final Duration OLDEST_NUMBERS = Duration.ofSeconds(10);

  /** A larger share of units in two variants raises the alarm. */
  static final double CROSSOVERS = 0.001;

  /** Ticks in a row that must show harm: one outlier among the numbers takes nothing back. */
  static final int TICKS = 2;

  private RolloutRule() {}

  public static Tick decide(Situation situation, ExperimentReading now, TickMemory before) {
    TickMemory memory = before.after(now).withHarm(now.phase(), harmfulTicks(now, before));
    return new Tick(verdict(situation, now, memory), memory);
  }

  private static SortedMap<String, Integer> harmfulTicks(ExperimentReading now, TickMemory before) {
    SortedMap<String, Integer> ticks = new TreeMap<>();
    int more = isStale(now) ? 0 : 1;
    for (GuardrailReading row : now.presentGuardrails()) {
      if (row.harmful()) {
        ticks.put(row.key(), before.harmfulTicks(now.phase(), row.key()) + more);
      }
    }
    return ticks;
  }

  private static Verdict verdict(Situation situation, ExperimentReading now, TickMemory memory) {
    List<Reason> crossed = crossed(now);
    List<Reason> harm = harm(now, memory);
    if (!crossed.isEmpty()) {
      return new Verdict.RollBack(crossed);
    }
    List<Reason> unusable = unusable(now);
    if (!unusable.isEmpty()) {
      return new Verdict.Hold(unusable);
    }
    if (!harm.isEmpty()) {
      return situation.step().onFail() == RolloutStep.OnFail.ROLLBACK
              && harm.stream().anyMatch(reason -> reason.code() == Code.HARM)
          ? new Verdict.RollBack(harm)
          : new Verdict.Hold(harm);
    }
    List<Reason> missing = missing(situation, now);
    return missing.isEmpty() ? onward(situation, now) : new Verdict.Hold(missing);
  }

  private static List<Reason> crossed(ExperimentReading now) {
    return now.limits().stream()
        .filter(LimitReading::crossed)
        .map(
            row ->
                new Reason(
                    Code.LIMIT_CROSSED,
                    row.variant() + "/" + row.name(),
                    row.observed(),
                    Figure.of(row.limit()),
                    "%s: %s is %s, limit %s, over %d decisions%s."
                        .formatted(
                            row.variant(),
                            row.name().words(),
                            Phrases.number(row.observed()),
                            Phrases.declared(row.limit()),
                            row.exposures(),
                            row.control() instanceof Figure.Known control
                                ? "; the control's is " + Phrases.number(control)
                                : "")))
        .toList();
  }

  private static boolean isStale(ExperimentReading now) {
    return now.numbersAgeMillis() > OLDEST_NUMBERS.toMillis();
  }

  private static List<Reason> unusable(ExperimentReading now) {
    if (isStale(now)) {
      return List.of(
          new Reason(
              Code.STALE_NUMBERS,
              "",
              Figure.of(now.numbersAgeMillis() / 1000.0),
              Figure.of(OLDEST_NUMBERS.toMillis() / 1000.0),
              String.format(
                  Locale.ROOT,
                  "The numbers are %.1f s old, older than %d s.",
                  now.numbersAgeMillis() / 1000.0,
                  OLDEST_NUMBERS.toSeconds())));
    }
    if (now.phases().isEmpty()) {
      return List.of(said(Code.NO_NUMBERS, "Nothing was counted yet."));
    }
    if (now.sampleRatio().alarm()) {
      return List.of(
          new Reason(
              Code.SAMPLE_RATIO_MISMATCH,
              "",
              Figure.of(now.sampleRatio().smallestP()),
              Figure.of(Analysis.MISMATCH_ALARM),
              "The traffic is not split as asked for (sequential p %s): no effect counts until that"
                      .formatted(Phrases.chance(now.sampleRatio().smallestP()))
                  + " is explained."));
    }
    return List.of();
  }

  private static List<Reason> harm(ExperimentReading now, TickMemory memory) {
    List<Reason> harm = new ArrayList<>();
    for (GuardrailReading row : now.presentGuardrails()) {
      if (row.harmful()) {
        int ticks = memory.harmfulTicks(now.phase(), row.key());
        harm.add(
            new Reason(
                ticks >= TICKS ? Code.HARM : Code.HARM_SEEN_ONCE,
                row.key(),
                row.harmBound(),
                Figure.of(0),
                "%s breaks its limit \"%s\" under %s: at best %s beyond it, %s."
                    .formatted(
                        row.metric(),
                        row.harmLimit(),
                        row.variant(),
                        Phrases.magnitude(row.harmBound()),
                        ticks >= TICKS
                            ? "for %d ticks in a row".formatted(ticks)
                            : "for the first time")));
      }
    }
    return harm;
  }

  private static List<Reason> missing(Situation situation, ExperimentReading now) {
    List<Reason> missing = new ArrayList<>();
    if (now.crossoverShare() > CROSSOVERS) {
      missing.add(
          new Reason(
              Code.CROSSOVERS,
              "",
              Figure.of(now.crossoverShare()),
              Figure.of(CROSSOVERS),
              "%s of the units met two variants, more than %s."
                  .formatted(Phrases.percent(now.crossoverShare()), Phrases.percent(CROSSOVERS))));
    }
    PhaseReading phase = now.phases().get(now.phases().size() - 1);
    missing.addAll(tooEarly(situation.step(), now, phase));
    if (!missing.isEmpty()) {
      return missing;
    }
    missing.addAll(unbounded(now, phase));
    if (missing.isEmpty() && situation.endsComparison()) {
      missing.addAll(notEstablished(now));
    }
    if (missing.isEmpty() && situation.paused()) {
      missing.add(said(Code.PAUSED, "A person has paused the rollout."));
    }
    if (missing.isEmpty() && situation.step().onPass() == RolloutStep.OnPass.MANUAL) {
      missing.add(
          said(
              Code.WAITS_FOR_A_PERSON,
              "Everything that this step asks for was seen; it waits for a person."));
    }
    return missing;
  }

  private static List<Reason> tooEarly(
      RolloutStep step, ExperimentReading now, PhaseReading phase) {
    List<Reason> early = new ArrayList<>();
    double hours = step.atLeast().toMillis() / Phrases.HOUR_MILLIS;
    if (phase.hours() < hours) {
      early.add(
          new Reason(
              Code.TOO_SHORT,
              "",
              Figure.of(phase.hours()),
              Figure.of(hours),
              "The step has lasted %s of at least %s."
                  .formatted(Phrases.hours(phase.hours()), Phrases.hours(hours))));
    }
    early.addAll(
        step.share() == 0 ? tooFewScored(step, now, phase) : tooFewUnits(step, now, phase));
    for (LimitReading row : now.limits()) {
      if (!row.enough()) {
        early.add(
            new Reason(
                Code.TOO_FEW_EXPOSURES,
                row.variant() + "/" + row.name(),
                Figure.of(row.exposures()),
                Figure.of(row.limit()),
                "%s: %d decisions do not yet tell %s."
                    .formatted(row.variant(), row.exposures(), row.name().words())));
      }
    }
    return early;
  }

  private static List<Reason> tooFewUnits(
      RolloutStep step, ExperimentReading now, PhaseReading phase) {
    String control = now.terms().control();
    if (phase.shares().entrySet().stream()
        .noneMatch(share -> share.getValue() > 0 && !share.getKey().equals(control))) {
      return List.of(said(Code.NO_NUMBERS, "No treatment has traffic in this phase."));
    }
    long least = leastOf(step);
    return phase.variants().stream()
        .filter(variant -> variant.share() > 0 && variant.units() < least)
        .map(variant -> tooFew(variant.variant(), variant.units(), least, "units"))
        .toList();
  }

  private static List<Reason> tooFewScored(
      RolloutStep step, ExperimentReading now, PhaseReading phase) {
    if (now.shadows().isEmpty()) {
      return List.of(said(Code.NO_NUMBERS, "Nothing was scored in the shadow yet."));
    }
    SortedMap<String, Long> scored = new TreeMap<>();
    phase.versions().keySet().stream()
        .filter(variant -> phase.shares().getOrDefault(variant, 0.0) == 0)
        .forEach(variant -> scored.put(variant, 0L));
    now.shadows().forEach(shadow -> scored.put(shadow.variant(), shadow.scored()));
    scored.remove(now.terms().control());
    long least = leastOf(step);
    return scored.entrySet().stream()
        .filter(variant -> variant.getValue() < least)
        .map(variant -> tooFew(variant.getKey(), variant.getValue(), least, "decisions"))
        .toList();
  }

  private static long leastOf(RolloutStep step) {
    return Math.max(step.unitsPerVariant(), Analysis.BURN_IN);
  }

  private static Reason tooFew(String variant, long found, long least, String what) {
    return new Reason(
        Code.TOO_FEW_UNITS,
        variant,
        Figure.of(found),
        Figure.of(least),
        "%s has %d of at least %d %s.".formatted(variant, found, least, what));
  }

  private static List<Reason> unbounded(ExperimentReading now, PhaseReading phase) {
    List<Reason> unbounded = new ArrayList<>();
    boolean compares = phase.shares().getOrDefault(now.terms().control(), 0.0) > 0;
    for (GuardrailReading row : now.presentGuardrails()) {
      if (row.refuted()) {
        unbounded.add(
            new Reason(
                Code.REFUTED,
                row.key(),
                row.toleratedDistance(),
                Figure.of(0),
                "%s under %s is shown not to keep \"%s\"."
                    .formatted(row.metric(), row.variant(), row.toleratedLimit())));
      } else if (compares && !row.reason().isEmpty()) {
        unbounded.add(
            new Reason(
                Code.NO_BOUND,
                row.key(),
                new Figure.Unknown(row.reason()),
                Figure.of(0),
                "%s under %s cannot be judged yet (%s)."
                    .formatted(row.metric(), row.variant(), row.reason())));
      }
    }
    return unbounded;
  }

  /** Where nothing is limited nothing can be shown, so only a person can go on. */
  private static List<Reason> notEstablished(ExperimentReading now) {
    if (now.presentGuardrails().isEmpty()) {
      return List.of(
          said(
              Code.NOTHING_LIMITED,
              "No limited metric is compared, so only a person can give the treatment to"
                  + " everybody."));
    }
    return now.presentGuardrails().stream()
        .filter(row -> !now.isEstablished(row))
        .map(
            row ->
                new Reason(
                    Code.NOT_ESTABLISHED,
                    row.key(),
                    row.establishedBound(),
                    Figure.of(0),
                    "%s under %s is not yet shown to keep \"%s\"."
                        .formatted(row.metric(), row.variant(), row.toleratedLimit())))
        .toList();
  }

  private static Verdict onward(Situation situation, ExperimentReading now) {
    List<Reason> reasons = evidence(situation, now);
    return situation.last()
        ? new Verdict.Complete(reasons)
        : new Verdict.Advance(situation.at() + 1, reasons);
  }

  private static List<Reason> evidence(Situation situation, ExperimentReading now) {
    RolloutStep step = situation.step();
    PhaseReading phase = now.phases().get(now.phases().size() - 1);
    List<Reason> reasons = new ArrayList<>();
    reasons.add(
        new Reason(
            Code.ENOUGH_TIME,
            "",
            Figure.of(phase.hours()),
            Figure.of(step.atLeast().toMillis() / Phrases.HOUR_MILLIS),
            "The step has lasted %s.".formatted(Phrases.hours(phase.hours()))));
    if (step.share() == 0) {
      now.shadows()
          .forEach(each -> reasons.add(enough(step, each.variant(), each.scored(), "decisions")));
    } else {
      phase.variants().stream()
          .filter(variant -> variant.share() > 0)
          .forEach(each -> reasons.add(enough(step, each.variant(), each.units(), "units")));
    }
    for (GuardrailReading row : now.presentGuardrails()) {
      boolean established = now.isEstablished(row);
      reasons.add(
          new Reason(
              established ? Code.ESTABLISHED : Code.NOT_REFUTED,
              row.key(),
              row.establishedBound(),
              Figure.of(0),
              "%s under %s is %s \"%s\"."
                  .formatted(
                      row.metric(),
                      row.variant(),
                      established ? "shown to keep" : "not shown to break",
                      row.toleratedLimit())));
    }
    return reasons;
  }

  private static Reason enough(RolloutStep step, String variant, long found, String what) {
    return new Reason(
        Code.ENOUGH_UNITS,
        variant,
        Figure.of(found),
        Figure.of(leastOf(step)),
        "%s has %d %s.".formatted(variant, found, what));
  }

  private static Reason said(Code code, String words) {
    Figure none = new Figure.Unknown("NOT_A_NUMBER");
    return new Reason(code, "", none, none, words);
  }
}
