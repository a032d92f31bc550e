package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.EffectOutcome.Reason;
import io.bellwether.evaluation.experiment.EffectOutcome.Undefined;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * One effect of several phases with different shares: the phases' effects are averaged, never their
 * values, because a base rate that moves with the share would look like an effect. A phase without
 * an effect is left out; units are counted once per phase.
 *
 * <pre>
 * effect = Σ a_k·effect_k, a_k = w_k / Σ w
 * </pre>
 *
 * <p>The relative difference is the same average of the phases' ones.
 */
public enum PooledPhases {
  /**
   * w_k = N_k, the units of the phase; for phases whose units are different people: SE² = Σ
   * a_k²·SE_k².
   */
  BY_UNITS {
    @Override
    double weight(Effect phase) {
      return phase.units();
    }

    @Override
    Welch combined(double difference, List<Welch> phases, double[] shares) {
      double total = 0;
      for (int phase = 0; phase < shares.length; phase++) {
        total += squaredError(phases, shares, phase);
      }
      double perFreedom = 0;
      for (int phase = 0; phase < shares.length; phase++) {
        double part = squaredError(phases, shares, phase) / total;
        perFreedom += part * part / phases.get(phase).degreesOfFreedom();
      }
      return new Welch(difference, Math.sqrt(total), 1 / perFreedom);
    }

    private static double squaredError(List<Welch> phases, double[] shares, int phase) {
      double error = shares[phase] * phases.get(phase).standardError();
      return error * error;
    }
  },

  /**
   * w_k = n_t·n_c/(n_t + n_c), which favours phases with even shares; for people who come back in
   * later phases, whose errors may move together: SE = Σ a_k·SE_k is never too narrow.
   *
   * <p>Source of the weights: Mantel and Haenszel, "Statistical Aspects of the Analysis of Data
   * from Retrospective Studies of Disease", 1959.
   */
  MANTEL_HAENSZEL {
    @Override
    double weight(Effect phase) {
      return (double) phase.controlUnits() * phase.treatmentUnits() / phase.units();
    }

    @Override
    Welch combined(double difference, List<Welch> phases, double[] shares) {
      double error = average(phases, shares, Welch::standardError);
      double freedom = Double.POSITIVE_INFINITY;
      for (Welch phase : phases) {
        freedom = Math.min(freedom, phase.degreesOfFreedom());
      }
      return new Welch(difference, error, freedom);
    }
  };

  /** The phases' effects as one; undefined, with the last phase's reason, if none has any. */
  public EffectOutcome of(List<? extends EffectOutcome> phases) {
    List<Effect> effects =
        phases.stream().filter(Effect.class::isInstance).map(Effect.class::cast).toList();
    if (effects.isEmpty()) {
      return undefined(phases);
    }
    double total = effects.stream().mapToDouble(this::weight).sum();
    double[] shares = effects.stream().mapToDouble(phase -> weight(phase) / total).toArray();
    return new Effect(
        average(effects, shares, Effect::control),
        average(effects, shares, Effect::treatment),
        combined(effects.stream().map(Effect::absolute).toList(), shares),
        lift(effects, shares),
        effects.stream().mapToLong(Effect::controlUnits).sum(),
        effects.stream().mapToLong(Effect::treatmentUnits).sum());
  }

  abstract double weight(Effect phase);

  /** That difference with the error of the phases' average. */
  abstract Welch combined(double difference, List<Welch> phases, double[] shares);

  private Welch combined(List<Welch> phases, double[] shares) {
    return combined(average(phases, shares, Welch::difference), phases, shares);
  }

  private Lift lift(List<Effect> effects, double[] shares) {
    for (Effect phase : effects) {
      if (phase.lift().known().isEmpty()) {
        return phase.lift();
      }
    }
    return new Lift.Known(
        combined(
            effects.stream().map(phase -> phase.lift().known().orElseThrow()).toList(), shares));
  }

  private static <T> double average(List<T> phases, double[] shares, ToDoubleFunction<T> value) {
    double sum = 0;
    for (int phase = 0; phase < shares.length; phase++) {
      sum += shares[phase] * value.applyAsDouble(phases.get(phase));
    }
    return sum;
  }

  private static EffectOutcome undefined(List<? extends EffectOutcome> phases) {
    Reason reason = Reason.EMPTY_VARIANT;
    for (EffectOutcome phase : phases) {
      if (phase instanceof Undefined undefined) {
        reason = undefined.reason();
      }
    }
    return new Undefined(
        reason,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        phases.stream().mapToLong(EffectOutcome::controlUnits).sum(),
        phases.stream().mapToLong(EffectOutcome::treatmentUnits).sum());
  }
}
