package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.evaluation.tuning.Candidate;
import io.bellwether.evaluation.tuning.Family;
import io.bellwether.evaluation.tuning.Rule;
import io.bellwether.evaluation.tuning.Tuning;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which estimators a signal is shown under: those of the plan that suit the log, with the
 * parameters that the plan gives or, where it gives none, with those of the smallest estimated mean
 * squared error. Confined to one thread.
 */
final class Tuner {
  private static final String PARAMETER = "lambda";

  private final Estimation estimation;
  private final List<TunedFamily> tuned = new ArrayList<>();

  Tuner(Estimation estimation) {
    this.estimation = estimation;
  }

  /** What was chosen so far, and from what. */
  List<TunedFamily> tuned() {
    return List.copyOf(tuned);
  }

  List<Shown> shown(String signal) {
    EvaluationPlan plan = estimation.plan();
    LoggedDecisions log = estimation.log();
    Map<Family, Tuning> tunings = tunings(signal);
    List<Shown> shown = new ArrayList<>();
    for (String name : plan.shown()) {
      fixed(plan, name)
          .or(() -> Roster.withoutParameter(name))
          .or(() -> Roster.family(name).map(family -> tuned(family, tunings.get(family), signal)))
          .filter(each -> Roster.suits(each, log))
          .filter(each -> each.estimator().readable(estimation.target(signal, each.weighting())))
          .ifPresent(shown::add);
    }
    return shown;
  }

  private static Optional<Shown> fixed(EvaluationPlan plan, String name) {
    return plan.fixed().stream()
        .filter(estimator -> estimator.name().equals(name))
        .findFirst()
        .map(estimator -> Shown.of(estimator, Weighting.PREFIX));
  }

  private Shown tuned(Family family, @Nullable Tuning tuning, String signal) {
    if (tuning == null) {
      return shown(family.with(family.unlimited()), words(family, family.unlimited()));
    }
    Candidate selected = tuning.selected(Rule.DIRECT_MSE);
    String words = words(family, selected.parameter());
    tuned.add(record(tuning, signal, words));
    return shown(family.with(selected.parameter()), words).with("chosen", Rule.DIRECT_MSE.label());
  }

  private static Shown shown(Estimator estimator, String words) {
    return Shown.of(estimator, Weighting.PREFIX).with(PARAMETER, words);
  }

  /** Of every family that is shown without a given parameter, in one go. */
  private Map<Family, Tuning> tunings(String signal) {
    List<Tuning.Grid> grids =
        estimation.plan().shown().stream()
            .filter(name -> fixed(estimation.plan(), name).isEmpty())
            .flatMap(name -> Roster.family(name).stream())
            .distinct()
            .filter(family -> canBeTuned(family, signal))
            .map(this::grid)
            .toList();
    Map<Family, Tuning> tunings = new EnumMap<>(Family.class);
    Tuning.ofAll(grids, estimation.target(signal, Weighting.PREFIX), estimation.units())
        .forEach(tuning -> tunings.put(tuning.family(), tuning));
    return tunings;
  }

  private boolean canBeTuned(Family family, String signal) {
    Shown plain = Shown.of(family.with(family.unlimited()), Weighting.PREFIX);
    return Roster.suits(plain, estimation.log()) && estimation.refusal(plain, signal).isEmpty();
  }

  private Tuning.Grid grid(Family family) {
    WeightDiagnostics weights = estimation.plainWeights();
    return new Tuning.Grid(
        family,
        family.grid(
            weights.ninetiethPercentile(),
            weights.ninetyFifthPercentile(),
            weights.ninetyNinthPercentile()));
  }

  private static TunedFamily record(Tuning tuning, String signal, String selected) {
    Family family = tuning.family();
    return new TunedFamily(
        signal,
        family.label(),
        Rule.DIRECT_MSE.label(),
        selected,
        words(family, tuning.selected(Rule.SLOPE).parameter()),
        candidate(family, tuning.unlimited()),
        tuning.candidates().stream().map(each -> candidate(family, each)).toList());
  }

  private static TunedFamily.Candidate candidate(Family family, Candidate tried) {
    return new TunedFamily.Candidate(
        words(family, tried.parameter()),
        tried.value(),
        tried.standardError(),
        tried.estimatedBias(),
        tried.meanSquaredError());
  }

  private static String words(Family family, double parameter) {
    return parameter == family.unlimited() ? "unlimited" : Words.declared(parameter);
  }
}
