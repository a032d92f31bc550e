package io.bellwether.loadtest.experiment;

import io.bellwether.evaluation.experiment.Direction;
import io.bellwether.evaluation.experiment.Effect;
import io.bellwether.evaluation.experiment.EffectOutcome;
import io.bellwether.evaluation.experiment.Measure;
import io.bellwether.evaluation.experiment.Metric;
import io.bellwether.evaluation.experiment.UnitSums;
import io.bellwether.evaluation.experiment.VariantSample;
import io.bellwether.policy.scoring.CounterRandom;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Whether adjusting by what people did before leaves an effect where it is, and how much of its
 * variance it takes off: with a correlation of 0.7, {@code 1 - 0.7² = 0.51} of it stays. Immutable.
 *
 * @param experiments how many
 * @param units of each variant
 */
record CovariateStudy(int experiments, int units, long seed) {
  static final double CORRELATION = 0.7;
  private static final double EFFECT = 0.1;
  private static final List<String> COLUMNS =
      List.of("decisions", "value", "value:any", "pre:seen", "pre:decisions", "pre:value");

  /** Tags of {@link CounterRandom}. */
  private static final int BEFORE = 95;

  private static final int NOISE = 96;

  /**
   * What was seen.
   *
   * @param bias mean of the adjusted estimates minus the truth
   * @param biasError one standard error of it
   * @param varianceFactor variance of the adjusted estimates over that of the plain ones
   */
  record Outcome(double bias, double biasError, double varianceFactor) {}

  Outcome run() {
    double[][] both =
        IntStream.range(0, experiments).parallel().mapToObj(this::play).toArray(double[][]::new);
    double[] plain = IntStream.range(0, experiments).mapToDouble(i -> both[i][0]).toArray();
    double[] adjusted = IntStream.range(0, experiments).mapToDouble(i -> both[i][1]).toArray();
    double variance = variance(adjusted);
    return new Outcome(
        mean(adjusted) - EFFECT, Math.sqrt(variance / experiments), variance / variance(plain));
  }

  private double[] play(int experiment) {
    VariantSample control = draw(experiment, 0);
    VariantSample treatment = draw(experiment, 1);
    return new double[] {
      difference(false, control, treatment), difference(true, control, treatment)
    };
  }

  private VariantSample draw(int experiment, int variant) {
    UnitSums sums = new UnitSums(COLUMNS);
    double rest = Math.sqrt(1 - CORRELATION * CORRELATION);
    for (int unit = 0; unit < units; unit++) {
      double before = CounterRandom.normal(seed, BEFORE, experiment, variant, unit);
      double noise = CounterRandom.normal(seed, NOISE, experiment, variant, unit);
      double value = 5 + CORRELATION * before + rest * noise + variant * EFFECT;
      sums.add(1, value, 1, 1, 1, 5 + before);
    }
    return VariantSample.of(variant == 0 ? "control" : "treatment", sums.moments());
  }

  private static double difference(
      boolean covariate, VariantSample control, VariantSample treatment) {
    EffectOutcome effect =
        new Metric("value", new Measure.Mean("value", covariate), Direction.UP)
            .effect(control, treatment);
    if (effect instanceof Effect known) {
      return known.difference();
    }
    throw new IllegalStateException("no effect of drawn units: " + effect);
  }

  private static double mean(double[] values) {
    return IntStream.range(0, values.length).mapToDouble(i -> values[i]).average().orElseThrow();
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return squares / (values.length - 1);
  }
}
