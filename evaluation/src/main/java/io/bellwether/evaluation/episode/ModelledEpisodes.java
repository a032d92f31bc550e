package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.offpolicy.UnitIndex;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
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
   * What a model expects of one signal.
   *
   * @param target under the target policy
   * @param baseline under the baseline
   */
  public record Expected(StepValues target, StepValues baseline) {}

  /**
   * One signal.
   *
   * @param reward per row
   * @param crossFitted by models that have not seen the episode's subject
   * @param refits per fold, by the model that has not seen the fold: all episodes, so that what
   *     values owe to the luck of their model shows; empty where that is not known
   */
  @SuppressWarnings("ArrayRecordComponent") // columns are shared, not compared
  public record Signal(double[] reward, Expected crossFitted, List<Expected> refits) {

    public Signal {
      refits = List.copyOf(refits);
    }

    StepSignal underTarget(Expected expected) {
      return new StepSignal(DoubleBuffer.wrap(reward), expected.target);
    }

    StepSignal underBaseline(Expected expected) {
      return new StepSignal(DoubleBuffer.wrap(reward), expected.baseline);
    }

    boolean isFinite() {
      return isFinite(crossFitted) && refits.stream().allMatch(Signal::isFinite);
    }

    private static boolean isFinite(Expected expected) {
      return expected.target.isFinite() && expected.baseline.isFinite();
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
    return of(signal).underTarget(of(signal).crossFitted);
  }

  /** A signal under the baseline. */
  public StepSignal underBaseline(String signal) {
    return of(signal).underBaseline(of(signal).crossFitted);
  }

  /** How many models there are to compare. */
  public int refits(String signal) {
    return of(signal).refits.size();
  }

  /** A signal under the target, as the model without a fold sees all episodes. */
  public StepSignal underTarget(String signal, int fold) {
    return of(signal).underTarget(of(signal).refits.get(fold));
  }

  /** The same under the baseline. */
  public StepSignal underBaseline(String signal, int fold) {
    return of(signal).underBaseline(of(signal).refits.get(fold));
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
