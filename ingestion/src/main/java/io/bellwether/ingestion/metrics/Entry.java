package io.bellwether.ingestion.metrics;

/**
 * When a subject met an experiment first, in whichever phase, and what was known of it before:
 * state of {@link MeasureUnits}, public so that Flink serializes it as a record. Immutable by
 * convention: nobody changes the arrays.
 *
 * @param exposedAtMicros of its first exposure, microseconds since the epoch
 * @param preperiodMicros how far back its covariates reach; 0: it has none
 * @param before {@code [1 + signals]}: decisions in the pre-period, then their totals
 * @param lost what {@code before} lost to rounding
 * @param seenAtMicros its newest exposure
 */
public record Entry(
    long exposedAtMicros, long preperiodMicros, double[] before, double[] lost, long seenAtMicros) {

  static Entry at(long exposedAtMicros, long preperiodMicros, long seenAtMicros, int signals) {
    return new Entry(
        exposedAtMicros,
        preperiodMicros,
        new double[1 + signals],
        new double[1 + signals],
        seenAtMicros);
  }

  /** Whether an exposure is the first one; of two at once the one that reaches further back. */
  boolean isAfter(long exposedAt, long preperiod) {
    return exposedAt < exposedAtMicros
        || (exposedAt == exposedAtMicros && preperiod > preperiodMicros);
  }

  /**
   * Whether a decision belongs to the pre-period: all its windows were over before the subject met
   * the experiment, so that nothing of it can be an effect.
   */
  boolean covers(long decidedAtMicros, long windowMicros) {
    long end = exposedAtMicros - windowMicros;
    return end - preperiodMicros <= decidedAtMicros && decidedAtMicros < end;
  }

  Entry seenAt(long micros) {
    return new Entry(
        exposedAtMicros, preperiodMicros, before, lost, Math.max(seenAtMicros, micros));
  }

  Entry with(int decisions, double[] totals) {
    double[] sums = before.clone();
    double[] rest = lost.clone();
    Neumaier.add(sums, rest, 0, decisions);
    for (int signal = 0; signal < totals.length; signal++) {
      Neumaier.add(sums, rest, 1 + signal, totals[signal]);
    }
    return new Entry(exposedAtMicros, preperiodMicros, sums, rest, seenAtMicros);
  }

  double[] covariates() {
    return Neumaier.values(before, lost);
  }

  /** When the surface has other signals now. */
  Entry relaid(SignalsChange change) {
    return new Entry(
        exposedAtMicros, preperiodMicros, change.apply(before), change.apply(lost), seenAtMicros);
  }
}
