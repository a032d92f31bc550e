package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.EffectOutcome.Reason;
import java.util.Optional;

/** Where a limit for a treatment lies: relative to the control, or a level of its own. */
public sealed interface Margin {

  /**
   * How far the treatment is on the allowed side of this limit.
   *
   * @param effect of the metric, treatment against control
   */
  Distance distance(Metric metric, VariantSample treatment, EffectOutcome effect);

  /** In words, such as "at most 2 % below the control". */
  String words(Direction direction);

  /** Whether the control's numbers play a part. */
  default boolean comparesWithControl() {
    return true;
  }

  /**
   * At most so much worse than the control.
   *
   * @param amount at least 0, in the metric's unit
   */
  record Absolute(double amount) implements Margin {
    public Absolute {
      requireSize(amount);
    }

    @Override
    public Distance distance(Metric metric, VariantSample treatment, EffectOutcome effect) {
      return effect instanceof Effect known
          ? new Distance.Known(
              metric.direction().oriented(known.difference()) + amount,
              known.standardError(),
              known.units())
          : Distance.unknown(effect);
    }

    @Override
    public String words(Direction direction) {
      return amount == 0
          ? "not " + worse(direction) + " the control"
          : "at most %s %s the control".formatted(Phrases.declared(amount), worse(direction));
    }
  }

  /**
   * At most such a share worse than the control, whose value is above 0.
   *
   * @param share at least 0: 0.02 is two percent
   */
  record Relative(double share) implements Margin {
    public Relative {
      requireSize(share);
    }

    /**
     * The treatment less so much of the control, as a share of the control. Its error is that of
     * the sum and not the lift's own, which shrinks with the treatment's value and so finds harm
     * too easily among few units.
     */
    @Override
    public Distance distance(Metric metric, VariantSample treatment, EffectOutcome effect) {
      if (!(effect instanceof Effect known)) {
        return Distance.unknown(effect);
      }
      Optional<Welch> lift = known.lift().known();
      if (lift.isPresent()) {
        double ofControl = 1 - metric.direction().oriented(share);
        return new Distance.Known(
            metric.direction().oriented(lift.get().difference()) + share,
            Math.max(1, ofControl) * known.standardError() / Math.abs(known.control()),
            known.units());
      }
      return known.lift() instanceof Lift.Withheld withheld
          ? new Distance.Unknown(withheld.reason().name())
          : new Distance.Unknown(Reason.UNSTABLE_BASELINE.name());
    }

    @Override
    public String words(Direction direction) {
      return share == 0
          ? "not " + worse(direction) + " the control"
          : "at most %s %% %s the control"
              .formatted(Phrases.declared(100 * share), worse(direction));
    }
  }

  /**
   * A level of the treatment's own, whatever the control does.
   *
   * @param bound in the metric's unit: the least of what shall be high, the most of what shall be
   *     low
   */
  record Level(double bound) implements Margin {
    public Level {
      if (!Double.isFinite(bound)) {
        throw new IllegalArgumentException("a bound is a number, found " + bound);
      }
    }

    /** The treatment against itself has √2 times the error of its value. */
    @Override
    public Distance distance(Metric metric, VariantSample treatment, EffectOutcome effect) {
      EffectOutcome own = metric.effect(treatment, treatment);
      return own instanceof Effect known
          ? new Distance.Known(
              metric.direction().oriented(known.treatment() - bound),
              known.standardError() / Math.sqrt(2),
              treatment.units())
          : Distance.unknown(own);
    }

    @Override
    public String words(Direction direction) {
      return (direction == Direction.UP ? "at least " : "at most ") + Phrases.declared(bound);
    }

    @Override
    public boolean comparesWithControl() {
      return false;
    }
  }

  private static void requireSize(double size) {
    if (!(size >= 0) || Double.isInfinite(size)) {
      throw new IllegalArgumentException("a margin is at least 0, found " + size);
    }
  }

  private static String worse(Direction direction) {
    return direction == Direction.UP ? "below" : "above";
  }
}
