package io.bellwether.serving.rollout;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.evaluation.experiment.ExperimentReading;
import io.bellwether.evaluation.experiment.MetricReading;
import io.bellwether.evaluation.experiment.Monitoring;
import io.bellwether.evaluation.experiment.Power;
import io.bellwether.evaluation.experiment.Role;
import io.bellwether.evaluation.experiment.Spending;
import io.bellwether.evaluation.experiment.Spread;
import io.bellwether.evaluation.experiment.TickMemory;
import io.bellwether.evaluation.experiment.Traffic;
import io.bellwether.evaluation.experiment.VariantReading;
import io.bellwether.serving.experiment.Analysis;
import io.bellwether.serving.experiment.Experiment;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * How many units an experiment needs for the effect worth finding, and how long they take to come:
 * from the spread and the traffic that were measured so far.
 */
@Singleton
final class ExperimentPower {

  private static final double DEFAULT_POWER = 0.8;

  /** As a share of the control's value; beyond it nobody needs an experiment. */
  private static final double LARGEST_EFFECT = 1e6;

  private static final double HALF = 0.5;
  private static final double HOURS_PER_DAY = 24;
  private static final double SECONDS_PER_DAY = 86_400;

  private final Experiments experiments;
  private final Readings readings;

  ExperimentPower(Experiments experiments, Readings readings) {
    this.experiments = experiments;
    this.readings = readings;
  }

  /**
   * One primary metric under one treatment; what cannot be computed is left out.
   *
   * @param relativeEffect as a share of the control's value
   * @param effect the same in the metric's unit
   * @param perVariant units that each of two variants of one size needs
   * @param days until they have come, with half of the traffic each
   * @param reason why it cannot be computed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Needed(
      String name,
      String variant,
      double relativeEffect,
      @Nullable Double effect,
      @Nullable Long perVariant,
      @Nullable Double days,
      @Nullable String reason) {}

  /**
   * What an experiment needs.
   *
   * @param unitsPerDay new units a day; absent while unknown
   * @param price units needed for each one that a single planned look would need
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Answer(
      double alpha,
      double power,
      String method,
      double price,
      @Nullable Double unitsPerDay,
      List<Needed> metrics) {}

  Answer of(
      String name, @Nullable String effect, @Nullable String power, @Nullable String unitsPerDay) {
    ExperimentState state = experiments.require(name);
    Experiment experiment = state.declaration();
    double relative =
        number("effect", effect, 0, LARGEST_EFFECT).orElse(experiment.analysis().minimumEffect());
    double alpha = experiment.analysis().alpha();
    double wanted = number("power", power, alpha, 1).orElse(DEFAULT_POWER);
    Power calculator = Power.of(alpha, wanted, monitoring(experiment.analysis()));
    ExperimentReading reading = readings.read(state, TickMemory.START).reading();
    OptionalDouble traffic = number("unitsPerDay", unitsPerDay, 0, Double.MAX_VALUE);
    if (traffic.isEmpty()) {
      traffic = measured(reading);
    }
    OptionalDouble perDay = traffic;
    return new Answer(
        alpha,
        wanted,
        experiment.analysis().method().name(),
        calculator.price(),
        perDay.isPresent() ? perDay.getAsDouble() : null,
        experiment.primary().stream()
            .flatMap(
                metric ->
                    DeclaredPlan.treatments(experiment).stream()
                        .map(
                            treatment ->
                                row(reading, metric.name(), treatment)
                                    .map(row -> needed(row, relative, calculator, perDay))
                                    .orElseGet(() -> unknown(metric.name(), treatment, relative))))
            .toList());
  }

  private static Optional<MetricReading> row(
      ExperimentReading reading, String metric, String variant) {
    return reading.allPhases().stream()
        .filter(row -> row.role() == Role.PRIMARY)
        .filter(row -> row.metric().equals(metric) && row.variant().equals(variant))
        .findFirst();
  }

  private static Needed needed(
      MetricReading row, double relative, Power calculator, OptionalDouble unitsPerDay) {
    OptionalDouble control = row.control().number();
    OptionalDouble error = row.standardError().number();
    if (control.isEmpty() || error.isEmpty() || !(error.getAsDouble() > 0)) {
      return unknown(row.metric(), row.variant(), relative);
    }
    double difference = relative * Math.abs(control.getAsDouble());
    if (!(difference > 0)) {
      return new Needed(
          row.metric(), row.variant(), relative, null, null, null, "the control's value is zero");
    }
    Spread spread = spread(row, error.getAsDouble());
    Duration duration =
        unitsPerDay.isPresent()
            ? calculator.duration(
                spread, difference, new Traffic(unitsPerDay.getAsDouble(), HALF, HALF))
            : Duration.ZERO;
    return new Needed(
        row.metric(),
        row.variant(),
        relative,
        difference,
        (long) Math.ceil(calculator.unitsPerVariant(spread, difference)),
        unitsPerDay.isPresent() ? duration.toSeconds() / SECONDS_PER_DAY : null,
        unitsPerDay.isPresent() ? null : "no traffic was measured yet; pass unitsPerDay");
  }

  private static Needed unknown(String metric, String variant, double relative) {
    return new Needed(
        metric, variant, relative, null, null, null, "nothing was measured yet to know the spread");
  }

  /** The common variance that this standard error comes from; covariates are already in it. */
  private static Spread spread(MetricReading row, double error) {
    double control = row.controlUnits();
    double treatment = row.treatmentUnits();
    double variance = error * error / (1 / control + 1 / treatment);
    return new Spread(variance, variance);
  }

  /** Units of the present phase by its length. */
  private static OptionalDouble measured(ExperimentReading reading) {
    if (reading.phases().isEmpty()) {
      return OptionalDouble.empty();
    }
    var phase = reading.phases().get(reading.phases().size() - 1);
    long units = phase.variants().stream().mapToLong(VariantReading::units).sum();
    return units > 0 && phase.hours() > 0
        ? OptionalDouble.of(units * HOURS_PER_DAY / phase.hours())
        : OptionalDouble.empty();
  }

  private static Monitoring monitoring(Analysis analysis) {
    return switch (analysis.method()) {
      case SEQUENTIAL, MIXTURE_SPRT -> new Monitoring.Always();
      case FIXED, BAYES -> new Monitoring.Once();
      case GROUP_SEQUENTIAL ->
          new Monitoring.Planned(new Spending.ObrienFleming(), analysis.looks());
    };
  }

  private static OptionalDouble number(
      String field, @Nullable String text, double above, double below) {
    if (text == null) {
      return OptionalDouble.empty();
    }
    try {
      double number = Double.parseDouble(text);
      if (number > above && number < below) {
        return OptionalDouble.of(number);
      }
    } catch (NumberFormatException e) {
      // Answered like a number out of range.
    }
    throw ProblemException.of(
        Slug.VALUE_OUT_OF_RANGE,
        "%s is '%s', must be a number above %s%s"
            .formatted(field, text, above, below == Double.MAX_VALUE ? "" : " and below " + below));
  }
}
