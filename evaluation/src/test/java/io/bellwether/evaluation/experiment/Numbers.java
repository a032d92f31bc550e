package io.bellwether.evaluation.experiment;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Numbers of experiments as a stream would count them, made from what they shall show. */
final class Numbers {
  static final Duration FRESH = Duration.ofSeconds(2);
  static final String CONTROL = "control";
  static final String TREATMENT = "b";
  static final Metric CLICKS = mean("clicks", Direction.UP);
  static final Metric COMPLAINTS = mean("complaints", Direction.DOWN);

  private Numbers() {}

  static Metric mean(String signal, Direction direction) {
    return new Metric(signal, new Measure.Mean(signal, false), direction);
  }

  /** A column with that mean and sample variance. */
  record Total(String column, double mean, double variance) {}

  static Total clicks(double mean) {
    return new Total("clicks", mean, 1);
  }

  static Total complaints(double mean) {
    return new Total("complaints", mean, 0.25);
  }

  /** Columns that do not vary together. */
  static Moments moments(long units, Total... totals) {
    int count = totals.length;
    double[] sums = new double[count];
    double[] products = new double[count * (count + 1) / 2];
    for (int row = 0; row < count; row++) {
      sums[row] = units * totals[row].mean();
      for (int column = 0; column <= row; column++) {
        products[row * (row + 1) / 2 + column] =
            units * totals[row].mean() * totals[column].mean()
                + (row == column ? (units - 1) * totals[row].variance() : 0);
      }
    }
    return new Moments(List.of(totals).stream().map(Total::column).toList(), units, sums, products);
  }

  static VariantSample sample(String variant, long units, Total... totals) {
    return sample(variant, healthy(units), 0, moments(units, totals));
  }

  static VariantSample sample(String variant, Health health, long crossovers, Moments moments) {
    return new VariantSample(variant, moments, Map.of(), health, 0, crossovers, Map.of());
  }

  static Health healthy(long exposures) {
    return health(exposures, 0, 2_000);
  }

  static Health health(long exposures, long degraded, double micros) {
    return new Health(
        exposures,
        degraded,
        new Distribution(
            new double[] {micros},
            new long[] {exposures},
            new double[] {micros * exposures},
            new double[] {micros * micros * exposures}));
  }

  static PhaseSample phase(int number, double share, Duration age, VariantSample... samples) {
    return PhaseSample.of(
        number,
        Map.of(CONTROL, 1 - share, TREATMENT, share),
        Map.of(CONTROL, "v1", TREATMENT, "v2"),
        List.of(samples),
        age);
  }

  static PhaseSample shadows(Duration age, ShadowSample... shadows) {
    return new PhaseSample(
        1,
        new TreeMap<>(Map.of(CONTROL, 1.0)),
        new TreeMap<>(Map.of(CONTROL, "v1", TREATMENT, "v2")),
        List.of(),
        List.of(shadows),
        age);
  }

  static AnalysisPlan plan() {
    return AnalysisPlan.of(CONTROL, CLICKS)
        .withPrimaryMargins(new Margin.Absolute(0), new Margin.Absolute(0.02))
        .withGuardrails(
            List.of(new Guardrail(COMPLAINTS, new Margin.Absolute(0), new Margin.Absolute(0.02))));
  }

  static ExperimentReading read(AnalysisPlan plan, PhaseSample... phases) {
    return Analysis.read(plan, List.of(phases), FRESH, TickMemory.START);
  }
}
