package io.bellwether.evaluation.experiment;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What a metric is of units' totals. Every variance is over units, however many decisions each has.
 *
 * <p>The total of signal {@code s} is column {@code s}, {@code s:any} is 1 for units with a total
 * above 0; a {@code pre:} stands before a total of the period before the experiment, and {@code
 * pre:seen} is 1 for units that were there then. A covariate takes off what those explain, see
 * {@link Covariates}; a capped mean or a quantile has none.
 */
public sealed interface Measure {
  /** Follows a signal's name: 1 for units with a total above 0. */
  String ANY = ":any";

  /** The signal that is measured. */
  String signal();

  /** Of two variants, neither of them empty. */
  EffectOutcome effect(VariantSample control, VariantSample treatment);

  /** Whether totals of the time before the experiment take off what they explain. */
  default boolean covariate() {
    return false;
  }

  /**
   * Units of a variant with a total of the signal above 0; empty where they are not counted, or
   * where totals are below 0 on the whole, so that this is not what tells how rare the signal is.
   */
  default OptionalLong events(VariantSample sample) {
    Moments moments = sample.moments();
    String any = signal() + ANY;
    if (!moments.has(any) || !moments.finite()) {
      return OptionalLong.empty();
    }
    return moments.has(signal()) && moments.sum(signal()) < 0
        ? OptionalLong.empty()
        : OptionalLong.of(Math.round(moments.sum(any)));
  }

  /** Mean of the units' totals. */
  record Mean(String signal, boolean covariate) implements Measure {
    @Override
    public EffectOutcome effect(VariantSample control, VariantSample treatment) {
      return new MomentEffect(new Linear.OfMean(signal), covariates(covariate, signal))
          .between(control.moments(), treatment.moments());
    }
  }

  /** A signal's total over all units by the number of their decisions. */
  record PerDecision(String signal, boolean covariate) implements Measure {
    @Override
    public EffectOutcome effect(VariantSample control, VariantSample treatment) {
      return new Ratio(signal, "decisions", covariate).effect(control, treatment);
    }
  }

  /** A signal's total over all units by another one's. */
  record Ratio(String signal, String denominator, boolean covariate) implements Measure {
    @Override
    public EffectOutcome effect(VariantSample control, VariantSample treatment) {
      return new MomentEffect(
              new Linear.OfRatio(signal, denominator), covariates(covariate, signal, denominator))
          .between(control.moments(), treatment.moments());
    }
  }

  /**
   * Share of units whose total is above 0. Its variance is p(1 − p), as GrowthBook has it, without
   * n/(n − 1); with a covariate it is the sample variance.
   */
  record Conversion(String signal, boolean covariate) implements Measure {
    @Override
    public EffectOutcome effect(VariantSample control, VariantSample treatment) {
      Linear share = new Linear.OfShare(new Linear.OfMean(column()));
      return new MomentEffect(share, covariates(covariate, signal))
          .between(control.moments(), treatment.moments());
    }

    /** The same comparison counted out, for few events; empty where they are not counted. */
    public Optional<TwoByTwo> table(VariantSample control, VariantSample treatment) {
      OptionalLong first = events(control);
      OptionalLong second = events(treatment);
      return first.isEmpty() || second.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new TwoByTwo(
                  first.getAsLong(), control.units(), second.getAsLong(), treatment.units()));
    }

    private String column() {
      return signal + ANY;
    }
  }

  /**
   * Mean of the units' totals, each cut at one percentile of all of them, so that a few huge ones
   * do not drown the rest.
   *
   * @param share of the units of both variants together that stay as they are, in (0, 1)
   */
  record Winsorised(String signal, double share) implements Measure {
    public Winsorised {
      requireShare(share);
    }

    @Override
    public EffectOutcome effect(VariantSample control, VariantSample treatment) {
      return Totals.of(signal, control, treatment)
          .effect(
              (first, second) -> {
                double cap = first.plus(second).interpolated(share);
                return Effect.between(first.capped(cap).side(), second.capped(cap).side());
              });
    }

    /** The cap and how many units it cut; empty where their totals are not counted. */
    public Optional<Capping> capping(VariantSample control, VariantSample treatment) {
      Totals totals = Totals.of(signal, control, treatment);
      if (totals.missing().isPresent()) {
        return Optional.empty();
      }
      double cap = totals.control().plus(totals.treatment()).interpolated(share);
      return Optional.of(
          new Capping(
              cap,
              totals.control().capped(cap).cutShare(),
              totals.treatment().capped(cap).cutShare()));
    }
  }

  /** Shares in [0, 1] of the units whose total was above the cap; unequal ones are a finding. */
  record Capping(double cap, double controlShare, double treatmentShare) {}

  /**
   * The smallest total that a share of the units does not exceed. Its error comes from the order
   * statistics around it.
   *
   * @param share in (0, 1): 0.5 is the median
   */
  record Quantile(String signal, double share) implements Measure {
    public Quantile {
      requireShare(share);
    }

    @Override
    public EffectOutcome effect(VariantSample control, VariantSample treatment) {
      return Totals.of(signal, control, treatment)
          .effect(
              (first, second) ->
                  Effect.between(
                      QuantileError.of(first, share).side(first.count()),
                      QuantileError.of(second, share).side(second.count())));
    }
  }

  private static void requireShare(double share) {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("a share lies in (0, 1), found " + share);
    }
  }

  private static List<String> covariates(boolean wanted, String... signals) {
    return wanted
        ? Stream.concat(Stream.of(signals), Stream.of("seen")).map(name -> "pre:" + name).toList()
        : List.of();
  }
}
