package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.offpolicy.UnitIndex;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Map;

/**
 * A sample of logged episodes with what a model that has not seen their subjects expects of them,
 * in compact columns of rows: step after step, a row per position. Nothing is copied, and nothing
 * must change afterwards.
 *
 * @param first where each episode's steps begin, and at the end the number of steps
 * @param firstRow where each step's rows begin, and at the end the number of rows
 * @param unit per episode, a hash of the subject
 * @param logging per row, propensity of the logged item given the earlier positions
 * @param target the target policy's chance of it, given the same
 * @param baseline the champion's; the propensities where the logging policy is the baseline
 * @param signals by name
 */
@SuppressWarnings("ArrayRecordComponent") // columns are shared, not compared
public record ModelledEpisodes(
    int[] first,
    int[] firstRow,
    long[] unit,
    double[] logging,
    double[] target,
    double[] baseline,
    Map<String, Signal> signals) {

  /**
   * One signal.
   *
   * @param reward per row
   * @param target what the model expects under the target policy
   * @param baseline the same under the baseline
   */
  @SuppressWarnings("ArrayRecordComponent") // columns are shared, not compared
  public record Signal(double[] reward, StepValues target, StepValues baseline) {

    StepSignal underTarget() {
      return new StepSignal(DoubleBuffer.wrap(reward), target);
    }

    StepSignal underBaseline() {
      return new StepSignal(DoubleBuffer.wrap(reward), baseline);
    }

    boolean isFinite() {
      return target.isFinite() && baseline.isFinite();
    }
  }

  public ModelledEpisodes {
    signals = Map.copyOf(signals);
    int rows = firstRow[firstRow.length - 1];
    if (firstRow.length != first[first.length - 1] + 1
        || unit.length != first.length - 1
        || logging.length != rows
        || target.length != rows
        || baseline.length != rows) {
      throw new IllegalArgumentException("columns of different lengths");
    }
  }

  /** How many episodes there are. */
  public int count() {
    return unit.length;
  }

  /** Whether all of the model's numbers are finite. */
  public boolean isFinite() {
    return signals.values().stream().allMatch(Signal::isFinite);
  }

  /** A signal under the target, as estimators take it. */
  public StepSignal underTarget(String signal) {
    return of(signal).underTarget();
  }

  /** A signal under the baseline. */
  public StepSignal underBaseline(String signal) {
    return of(signal).underBaseline();
  }

  private Signal of(String signal) {
    Signal known = signals.get(signal);
    if (known == null) {
      throw new IllegalArgumentException("no signal " + signal + " among " + signals.keySet());
    }
    return known;
  }

  EpisodeRows rows() {
    int steps = firstRow.length - 1;
    int[] from = Arrays.copyOf(firstRow, steps);
    int[] to = Arrays.copyOfRange(firstRow, 1, steps + 1);
    return new EpisodeRows(first, from, to, UnitIndex.of(unit), firstRow[steps]);
  }
}
