package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.RunningP;

/**
 * A test for sample ratio mismatch at every look of an experiment, over phases with different
 * shares. Immutable.
 *
 * @param logOfEndedPhases sum of the logarithms of the Bayes factors with which phases ended
 * @param running smallest p-value so far
 */
public record SampleRatioWatch(double logOfEndedPhases, RunningP running) {
  private static final double ALARM = 0.01;

  public SampleRatioWatch {
    if (!Double.isFinite(logOfEndedPhases)) {
      throw new IllegalArgumentException("no Bayes factor: " + logOfEndedPhases);
    }
  }

  public static SampleRatioWatch start() {
    return new SampleRatioWatch(0, RunningP.start());
  }

  /** After one more look at the phase that runs. */
  public SampleRatioWatch look(double logBayesFactor) {
    double p = Math.min(1, Math.exp(-logOfEndedPhases - logBayesFactor));
    return new SampleRatioWatch(logOfEndedPhases, running.after(p));
  }

  /** After the last look at the phase that ran. */
  public SampleRatioWatch phaseEnded(double logBayesFactor) {
    return new SampleRatioWatch(logOfEndedPhases + logBayesFactor, look(logBayesFactor).running());
  }

  /** Always valid: it is below a number with at most that chance if all splits are fair. */
  public double p() {
    return running.value();
  }

  /** Chance no longer explains the split; all effects are void. */
  public boolean alarms() {
    return p() < ALARM;
  }
}
