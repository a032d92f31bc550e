package io.bellwether.evaluation.experiment;

/**
 * A metric with a limit whose breach takes a rollout back.
 *
 * @param harm beyond this the rollout is taken back
 * @param tolerated the treatment must be shown to be within this before everybody gets it
 */
public record Guardrail(Metric metric, Margin harm, Margin tolerated) {

  public Guardrail {
    if (metric.measure().covariate()
        && !(harm.comparesWithControl() && tolerated.comparesWithControl())) {
      throw new IllegalArgumentException(
          "%s: a covariate adjusts a difference, not a level".formatted(metric.name()));
    }
  }

  /** One limit for both. */
  public static Guardrail within(Metric metric, Margin limit) {
    return new Guardrail(metric, limit, limit);
  }
}
