package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.network.ColumnScaling;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Normalisation;

/**
 * What a data set says about its own units, measured once and shared by all stages of a run.
 *
 * @param scale per signal, the standard deviation of its rewards: the unit of the critics' values
 */
@SuppressWarnings("ArrayRecordComponent")
record Measures(LearnerData data, float[] scale, Normalisation normalisation) {

  /** Signals that hardly vary are not blown up. */
  private static final double SMALLEST_SCALE = 1e-3;

  static Measures of(NetworkSchema schema, LearnerData data) {
    return new Measures(
        data, signalScale(data, schema.signals().size()), normalisation(schema, data));
  }

  /** Of other data, in the units of a policy that goes on learning from it. */
  static Measures inUnitsOf(TrainedPolicy policy, LearnerData data) {
    return new Measures(data, policy.signalScale(), policy.networks().normalisation());
  }

  private static Normalisation normalisation(NetworkSchema schema, LearnerData data) {
    int historyWidth = schema.history().size();
    return new Normalisation(
        ColumnScaling.measure(schema.context(), data.context(), row -> true),
        ColumnScaling.measure(
            schema.history(), data.history(), row -> data.history()[row * historyWidth] > 0),
        ColumnScaling.measure(schema.item(), data.items(), row -> true));
  }

  private static float[] signalScale(LearnerData data, int signals) {
    float[] scale = new float[signals];
    for (int signal = 0; signal < signals; signal++) {
      double mean = mean(data, signal, signals);
      double squares = 0;
      for (int i = signal; i < data.rewards().length; i += signals) {
        squares += (data.rewards()[i] - mean) * (data.rewards()[i] - mean);
      }
      scale[signal] = (float) Math.max(SMALLEST_SCALE, Math.sqrt(squares / data.rows()));
    }
    return scale;
  }

  private static double mean(LearnerData data, int signal, int signals) {
    double sum = 0;
    for (int i = signal; i < data.rewards().length; i += signals) {
      sum += data.rewards()[i];
    }
    return sum / data.rows();
  }

  /**
   * The return that every row would have if each had the mean reward and the mean chance to go on,
   * in scaled units.
   */
  float[] meanReturns(double discount) {
    int ended = 0;
    for (boolean terminated : data.terminated()) {
      ended += terminated ? 1 : 0;
    }
    double goesOn = 1 - (double) ended / data.rows();
    float[] returns = new float[scale.length];
    for (int signal = 0; signal < scale.length; signal++) {
      returns[signal] =
          (float) (mean(data, signal, scale.length) / scale[signal] / (1 - discount * goesOn));
    }
    return returns;
  }

  /** Largest possible return of each signal in scaled units, at least 1. */
  float[] valueBounds(double discount) {
    float[] bounds = new float[scale.length];
    for (int i = 0; i < data.rewards().length; i++) {
      int signal = i % scale.length;
      bounds[signal] = Math.max(bounds[signal], Math.abs(data.rewards()[i]) / scale[signal]);
    }
    for (int signal = 0; signal < bounds.length; signal++) {
      bounds[signal] = (float) Math.max(1, bounds[signal] / (1 - discount));
    }
    return bounds;
  }
}
