package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.MetricReading.Status;
import io.bellwether.evaluation.interval.AsymptoticSequence;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.report.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Which of two interleaved rankings subjects prefer, by the credit that their units gave. */
final class Preferences {
  /** Follows a signal's name: treatment's minus control's credit of a unit. */
  private static final String CREDIT = ":credit";

  private static final String WIN = ":win";
  private static final String LOSS = ":loss";

  private Preferences() {}

  /**
   * One row per metric that counts a signal's credit; none for another design. They share the
   * phase's error equally.
   */
  static List<PreferenceReading> read(AnalysisPlan plan, PhaseSample phase) {
    if (plan.design() != AnalysisPlan.Design.INTERLEAVING) {
      return List.of();
    }
    List<PreferenceReading> rows = new ArrayList<>();
    String treatment =
        phase.versions().keySet().stream()
            .filter(name -> !name.equals(plan.control()))
            .findFirst()
            .orElse("");
    List<Metric> metrics =
        Stream.concat(plan.primaryMetrics().stream(), plan.secondary().stream()).toList();
    for (Metric metric : metrics) {
      for (VariantSample sample : phase.variants()) {
        if (sample.moments().has(metric.measure().signal() + CREDIT)) {
          rows.add(
              row(
                  plan,
                  plan.alphaOfPhase(phase.number()) / metrics.size(),
                  treatment,
                  metric,
                  sample.moments()));
        }
      }
    }
    return rows;
  }

  private static PreferenceReading row(
      AnalysisPlan plan, double alpha, String treatment, Metric metric, Moments moments) {
    String signal = metric.measure().signal();
    boolean up = metric.direction() == Direction.UP;
    long first = Math.round(moments.sum(signal + WIN));
    long second = Math.round(moments.sum(signal + LOSS));
    long wins = up ? first : second;
    long losses = up ? second : first;
    SignTest test = new SignTest(wins, losses, moments.units() - wins - losses);
    String early = early(moments, signal + CREDIT);
    if (!early.isEmpty()) {
      Figure unknown = new Figure.Unknown(early);
      return new PreferenceReading(
          signal,
          treatment,
          metric.direction(),
          Status.TOO_EARLY,
          early,
          wins,
          losses,
          test.ties(),
          Figure.of(test.preference(), early),
          Figure.of(test.pValue(), "ONLY_TIES"),
          unknown,
          new Bounds.Absent(early),
          unknown);
    }
    double credit = moments.mean(signal + CREDIT);
    double error = Math.sqrt(moments.variance(signal + CREDIT) / moments.units());
    AsymptoticSequence sequence = new AsymptoticSequence(alpha, plan.plannedUnits());
    double half = sequence.twoSidedMargin(moments.units(), error);
    double p = sequence.pValue(moments.units(), credit, error);
    return new PreferenceReading(
        signal,
        treatment,
        metric.direction(),
        p <= alpha ? status(metric.direction(), credit) : Status.UNDECIDED,
        "",
        wins,
        losses,
        test.ties(),
        Figure.of(test.preference(), early),
        Figure.of(test.pValue(), "ONLY_TIES"),
        Figure.of(credit),
        new Bounds.Within(
            new Interval(
                Interval.Method.ASYMPTOTIC_SEQUENCE, 1 - alpha, credit - half, credit + half)),
        Figure.of(p));
  }

  private static Status status(Direction direction, double credit) {
    return direction.oriented(credit) > 0 ? Status.BETTER : Status.WORSE;
  }

  private static String early(Moments moments, String credit) {
    if (moments.units() < Analysis.BURN_IN) {
      return EffectOutcome.Reason.TOO_FEW_UNITS.name();
    }
    if (!moments.finite()) {
      return EffectOutcome.Reason.NOT_FINITE.name();
    }
    return moments.variance(credit) > 0 ? "" : EffectOutcome.Reason.ZERO_VARIANCE.name();
  }
}
