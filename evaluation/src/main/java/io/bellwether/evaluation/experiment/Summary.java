package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.report.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A reading in plain sentences, most important first. */
final class Summary {
  private Summary() {}

  static List<String> of(ExperimentReading reading) {
    if (reading.phases().isEmpty()) {
      return List.of("Nothing was counted yet.");
    }
    List<String> sentences = new ArrayList<>();
    PhaseReading phase = reading.phases().get(reading.phases().size() - 1);
    if (reading.sampleRatio().alarm()) {
      sentences.add(
          "The traffic is not split as asked for (sequential p %s): no effect is shown until that is explained."
              .formatted(Phrases.chance(reading.sampleRatio().smallestP())));
    }
    crossed(sentences, reading);
    boolean harm = limits(sentences, reading);
    reading.allPhases().stream()
        .filter(row -> row.role() == Role.PRIMARY)
        .filter(row -> !row.reason().equals(Analysis.MISMATCH))
        .forEach(row -> sentences.add(effect(row, reading.terms().method())));
    reading.preferences().forEach(row -> sentences.add(preference(row, reading)));
    reading.blocks().stream()
        .filter(row -> row.role() == Role.PRIMARY)
        .forEach(row -> sentences.add(blocks(row)));
    reading.shadows().forEach(row -> sentences.add(shadow(row)));
    if (!harm) {
      kept(sentences, reading);
    }
    sentences.add(counts(phase));
    return sentences;
  }

  private static void crossed(List<String> sentences, ExperimentReading reading) {
    for (LimitReading row : reading.limits()) {
      if (row.crossed()) {
        sentences.add(
            "%s crosses an operational limit: %s is %s, limit %s."
                .formatted(
                    row.variant(),
                    row.name().words(),
                    Phrases.number(row.observed()),
                    Phrases.declared(row.limit())));
      }
    }
  }

  private static boolean limits(List<String> sentences, ExperimentReading reading) {
    boolean harm = false;
    for (GuardrailReading row : reading.presentGuardrails()) {
      if (row.harmful()) {
        harm = true;
        sentences.add(
            "%s breaks its limit \"%s\" under %s."
                .formatted(row.metric(), row.harmLimit(), row.variant()));
      }
    }
    return harm;
  }

  private static void kept(List<String> sentences, ExperimentReading reading) {
    List<GuardrailReading> rows = reading.presentGuardrails();
    long guardrails = rows.stream().filter(row -> row.role() == Role.GUARDRAIL).count();
    long kept =
        rows.stream()
            .filter(row -> row.role() == Role.GUARDRAIL && reading.isEstablished(row))
            .count();
    if (guardrails == 0 || reading.sampleRatio().alarm()) {
      return;
    }
    if (kept < guardrails) {
      sentences.add(
          "No guardrail is shown to be broken so far, and %d of %d to be kept."
              .formatted(kept, guardrails));
      return;
    }
    sentences.add(
        guardrails == 1
            ? "The guardrail is shown to be kept."
            : "All %d guardrails are shown to be kept.".formatted(guardrails));
  }

  private static String effect(MetricReading row, AnalysisPlan.Method method) {
    return switch (row.status()) {
      case BETTER ->
          "%s is better under %s: %s.".formatted(row.metric(), row.variant(), size(row, method));
      case WORSE ->
          "%s is worse under %s: %s.".formatted(row.metric(), row.variant(), size(row, method));
      case UNDECIDED ->
          "No difference in %s is shown under %s yet: %s."
              .formatted(row.metric(), row.variant(), size(row, method));
      case TOO_EARLY ->
          "It is too early to say what %s does to %s: %s."
              .formatted(row.variant(), row.metric(), why(row.reason()));
      case WITHHELD ->
          "What %s does to %s cannot be said: %s."
              .formatted(row.variant(), row.metric(), why(row.reason()));
    };
  }

  /**
   * As a change in percent where that is known, otherwise in the metric's unit: also where the
   * interval of the change, which has an error of its own, seems to say something else about zero
   * than that of the difference, by which it is judged.
   */
  private static String size(MetricReading row, AnalysisPlan.Method method) {
    if (method == AnalysisPlan.Method.ASYMPTOTIC_SEQUENCE
        && row.lift() instanceof Figure.Known lift
        && row.liftInterval() instanceof Bounds.Within within
        && leavesOpen(within) == leavesOpen(row.sequence())) {
      Interval interval = within.interval();
      return "%s (%s from %s to %s)"
          .formatted(
              Phrases.change(lift.value()),
              level(interval) + " sequence",
              Phrases.change(interval.lower()),
              Phrases.change(interval.upper()));
    }
    Bounds bounds = bounds(row, method);
    String difference = Phrases.difference(row.difference().number().orElse(0));
    return bounds instanceof Bounds.Within within
        ? "%s (%s from %s to %s)"
            .formatted(
                difference,
                level(within.interval()) + " " + kind(method),
                Phrases.difference(within.interval().lower()),
                Phrases.difference(within.interval().upper()))
        : difference;
  }

  private static boolean leavesOpen(Bounds bounds) {
    return bounds instanceof Bounds.Within within
        && within.interval().lower() <= 0
        && within.interval().upper() >= 0;
  }

  private static Bounds bounds(MetricReading row, AnalysisPlan.Method method) {
    return switch (method) {
      case ASYMPTOTIC_SEQUENCE -> row.sequence();
      case MIXTURE_SEQUENTIAL -> row.mixture().interval();
      case FIXED_HORIZON -> row.fixed().interval();
      case GROUP_SEQUENTIAL -> row.group().repeated();
    };
  }

  private static String kind(AnalysisPlan.Method method) {
    return switch (method) {
      case ASYMPTOTIC_SEQUENCE, MIXTURE_SEQUENTIAL -> "sequence";
      case FIXED_HORIZON -> "interval";
      case GROUP_SEQUENTIAL -> "repeated interval";
    };
  }

  private static String level(Interval interval) {
    return Phrases.percent(interval.level());
  }

  private static String why(String reason) {
    for (EffectOutcome.Reason each : EffectOutcome.Reason.values()) {
      if (each.name().equals(reason)) {
        return each.words();
      }
    }
    return switch (reason) {
      case "TOO_FEW_EVENTS" -> "a variant has too few events";
      case Analysis.BEFORE_HORIZON -> "the planned size is not reached";
      case "BEFORE_FIRST_LOOK" -> "the first planned look is not reached";
      default -> reason;
    };
  }

  private static String preference(PreferenceReading row, ExperimentReading reading) {
    String control = reading.terms().control();
    String tally =
        "%s wins, %s losses, %s ties, sign test p %s"
            .formatted(
                Phrases.count(row.wins()),
                Phrases.count(row.losses()),
                Phrases.count(row.ties()),
                Phrases.chance(row.signP()));
    return switch (row.status()) {
      case BETTER ->
          "People prefer %s to %s by %s: %s."
              .formatted(row.variant(), control, row.signal(), tally);
      case WORSE ->
          "People prefer %s to %s by %s: %s."
              .formatted(control, row.variant(), row.signal(), tally);
      default ->
          "No preference between %s and %s by %s is shown yet: %s."
              .formatted(row.variant(), control, row.signal(), tally);
    };
  }

  private static String blocks(SwitchbackReading row) {
    return "%s over %d blocks with %s and %d without: %s, randomisation p %s."
        .formatted(
            row.metric(),
            row.treatmentBlocks(),
            row.variant(),
            row.controlBlocks(),
            row.difference() instanceof Figure.Known known
                ? Phrases.difference(known.value())
                : Phrases.number(row.difference()),
            Phrases.chance(row.randomisationP()));
  }

  private static String shadow(ShadowReading row) {
    return "%s was asked to score %s decisions unseen: %s failed, agreement %s. %s"
        .formatted(
            row.variant(),
            Phrases.count(row.scored()),
            share(row.errorShare()),
            share(row.agreement()),
            row.passes() ? "It keeps its limits." : "It is not shown to keep its limits.");
  }

  private static String share(Figure figure) {
    return figure instanceof Figure.Known known
        ? Phrases.percent(known.value())
        : Phrases.number(figure);
  }

  private static String counts(PhaseReading phase) {
    String run = "Phase %d has run for %s".formatted(phase.number(), Phrases.hours(phase.hours()));
    if (phase.variants().stream().allMatch(variant -> variant.units() == 0)) {
      return run + ".";
    }
    return "%s: %s."
        .formatted(
            run,
            phase.variants().stream()
                .map(
                    variant ->
                        "%s has %s units (%s)"
                            .formatted(
                                variant.variant(),
                                Phrases.count(variant.units()),
                                Phrases.percent(variant.share())))
                .collect(Collectors.joining(", ")));
  }
}
