package io.bellwether.evaluation.offpolicy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Logged decisions in columns, one row per shown item, as the evaluation reads them.
 *
 * <p>Rows of one decision stand together, positions 0, 1, … in order; decisions stand in the order
 * in which they were made. Each column has one value per row. A column that is not known is an
 * empty array. Arrays are not copied and must not change afterwards; values are checked by the
 * report, not here (only lengths are).
 *
 * <ul>
 *   <li>{@code decision}: a number per decision, any but not used twice
 *   <li>{@code position}: 0-based place in the slate
 *   <li>{@code unit}: hash of the subject; equal units are not independent
 *   <li>{@code logging}: propensity of the shown item, given the earlier positions, in (0, 1]
 *   <li>{@code target}: the target policy's probability of the same item, given the same, in [0, 1]
 *   <li>{@code baseline}: the same for the champion; empty where the logging policy is the baseline
 *   <li>{@code divergence}: KL(target ‖ logging) over the row's candidates, nats
 *   <li>{@code unsupported}: target probability on candidates that the logging policy never shows
 *   <li>{@code thin}: target probability on candidates with a propensity below 0.001
 * </ul>
 */
public final class LoggedDecisions {
  private static final double[] UNKNOWN = {};

  private final int[] decision;
  private final int[] position;
  private final long[] unit;
  private final double[] logging;
  private final double[] target;
  private final double[] baseline;
  private final double[] divergence;
  private final double[] unsupported;
  private final double[] thin;
  private final Map<String, Signal> signals;
  private final Excluded excluded;
  private final int[] firstRow;
  private final int positions;

  /**
   * One signal's columns.
   *
   * @param reward the row's own observed amount
   * @param prediction the reward model's prediction for the shown item, made by a model that has
   *     not seen the decision; empty if there is no model
   * @param direct Σ over candidates of target probability times prediction
   * @param baselineDirect the same sum under the champion; empty if there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // columns are shared, not compared
  public record Signal(
      double[] reward, double[] prediction, double[] direct, double[] baselineDirect) {

    public static Signal withoutModel(double[] reward) {
      return new Signal(reward, UNKNOWN, UNKNOWN, UNKNOWN);
    }

    public static Signal modelled(double[] reward, double[] prediction, double[] direct) {
      return new Signal(reward, prediction, direct, UNKNOWN);
    }

    public boolean hasModel() {
      return prediction.length > 0 && direct.length > 0;
    }

    public boolean hasBaselineModel() {
      return prediction.length > 0 && baselineDirect.length > 0;
    }
  }

  /** Decisions that the log had and the columns have not, by reason; never chosen by outcome. */
  public record Excluded(long duplicates, long immature, long fallbacks) {
    public Excluded {
      if (duplicates < 0 || immature < 0 || fallbacks < 0) {
        throw new IllegalArgumentException(
            "%d, %d, %d excluded".formatted(duplicates, immature, fallbacks));
      }
    }

    public long total() {
      return duplicates + immature + fallbacks;
    }
  }

  private LoggedDecisions(Builder builder) {
    decision = builder.decision;
    position = builder.position;
    unit = builder.unit;
    logging = builder.logging;
    target = builder.target;
    baseline = builder.baseline;
    divergence = builder.divergence;
    unsupported = builder.unsupported;
    thin = builder.thin;
    signals = Map.copyOf(builder.signals);
    excluded = builder.excluded;
    checkLengths();
    firstRow = firstRows();
    positions = longest();
  }

  public static Builder builder() {
    return new Builder();
  }

  public int rows() {
    return decision.length;
  }

  public int decisions() {
    return firstRow.length - 1;
  }

  /** The longest slate. */
  public int positions() {
    return positions;
  }

  /** Where a decision's rows start; {@code firstRow(decisions())} is the number of rows. */
  public int firstRow(int decisionNumber) {
    return firstRow[decisionNumber];
  }

  public int decision(int row) {
    return decision[row];
  }

  public int position(int row) {
    return position[row];
  }

  /** Of a decision's subject. */
  public long unit(int decisionNumber) {
    return unit[firstRow[decisionNumber]];
  }

  public double logging(int row) {
    return logging[row];
  }

  public double target(int row) {
    return target[row];
  }

  public double baseline(int row) {
    return baseline[row];
  }

  /** Whether a champion other than the logging policy is the baseline. */
  public boolean hasBaseline() {
    return baseline.length > 0;
  }

  public List<String> signals() {
    return signals.keySet().stream().sorted().toList();
  }

  public Signal signal(String name) {
    Signal signal = signals.get(name);
    if (signal == null) {
      throw new IllegalArgumentException(
          "no signal '%s'; the log has %s".formatted(name, signals()));
    }
    return signal;
  }

  /** Nats per row, empty if not known; a copy. */
  public double[] divergence() {
    return divergence.clone();
  }

  /** Probability per row, empty if not known; a copy. */
  public double[] unsupported() {
    return unsupported.clone();
  }

  /** Probability per row, empty if not known; a copy. */
  public double[] thin() {
    return thin.clone();
  }

  public Excluded excluded() {
    return excluded;
  }

  public UnitIndex units() {
    long[] ofDecision = new long[decisions()];
    for (int number = 0; number < ofDecision.length; number++) {
      ofDecision[number] = unit[firstRow[number]];
    }
    return UnitIndex.of(ofDecision);
  }

  public PrefixWeights targetWeights() {
    return new PrefixWeights(this, target);
  }

  public PrefixWeights baselineWeights() {
    return new PrefixWeights(this, baseline);
  }

  /** A signal under the target policy. */
  public DecisionColumns underTarget(String name, PrefixWeights weights) {
    Signal signal = signal(name);
    return new DecisionColumns(
        this,
        weights,
        signal.reward,
        signal.prediction,
        signal.hasModel() ? signal.direct : UNKNOWN);
  }

  /** A signal under the champion. */
  public DecisionColumns underBaseline(String name, PrefixWeights weights) {
    Signal signal = signal(name);
    return new DecisionColumns(
        this,
        weights,
        signal.reward,
        signal.prediction,
        signal.hasBaselineModel() ? signal.baselineDirect : UNKNOWN);
  }

  private void checkLengths() {
    requireRows("position", position.length);
    requireRows("unit", unit.length);
    requireRows("logging", logging.length);
    requireRows("target", target.length);
    requireRowsOrNone("baseline", baseline);
    requireRowsOrNone("divergence", divergence);
    requireRowsOrNone("unsupported", unsupported);
    requireRowsOrNone("thin", thin);
    signals.forEach(
        (name, signal) -> {
          requireRows(name, signal.reward.length);
          requireRowsOrNone(name + " prediction", signal.prediction);
          requireRowsOrNone(name + " direct", signal.direct);
          requireRowsOrNone(name + " baseline direct", signal.baselineDirect);
        });
  }

  private void requireRowsOrNone(String name, double[] column) {
    if (column.length > 0) {
      requireRows(name, column.length);
    }
  }

  private void requireRows(String name, int length) {
    if (length != decision.length) {
      throw new IllegalArgumentException(
          "column '%s' has %d rows, decision has %d".formatted(name, length, decision.length));
    }
  }

  private int[] firstRows() {
    int count = 0;
    for (int row = 0; row < decision.length; row++) {
      count += startsDecision(row) ? 1 : 0;
    }
    int[] first = new int[count + 1];
    first[count] = decision.length;
    int number = 0;
    for (int row = 0; row < decision.length; row++) {
      if (startsDecision(row)) {
        first[number++] = row;
      }
    }
    return first;
  }

  private boolean startsDecision(int row) {
    return row == 0 || decision[row] != decision[row - 1];
  }

  private int longest() {
    int longest = 1;
    for (int number = 0; number < decisions(); number++) {
      longest = Math.max(longest, firstRow[number + 1] - firstRow[number]);
    }
    return longest;
  }

  /** Collects columns. Confined to one thread. */
  public static final class Builder {
    private int[] decision = {};
    private int[] position = {};
    private long[] unit = {};
    private double[] logging = UNKNOWN;
    private double[] target = UNKNOWN;
    private double[] baseline = UNKNOWN;
    private double[] divergence = UNKNOWN;
    private double[] unsupported = UNKNOWN;
    private double[] thin = UNKNOWN;
    private Excluded excluded = new Excluded(0, 0, 0);
    private final Map<String, Signal> signals = new LinkedHashMap<>();

    private Builder() {}

    public Builder decisions(int[] decisionOfRow, int[] positionOfRow, long[] unitOfRow) {
      decision = decisionOfRow;
      position = positionOfRow;
      unit = unitOfRow;
      return this;
    }

    public Builder logging(double[] propensity) {
      logging = propensity;
      return this;
    }

    public Builder target(double[] probability) {
      target = probability;
      return this;
    }

    /** Makes the champion the baseline instead of the logging policy. */
    public Builder baseline(double[] probability) {
      baseline = probability;
      return this;
    }

    public Builder divergence(double[] nats) {
      divergence = nats;
      return this;
    }

    public Builder unsupported(double[] probability) {
      unsupported = probability;
      return this;
    }

    public Builder thin(double[] probability) {
      thin = probability;
      return this;
    }

    public Builder signal(String name, Signal columns) {
      signals.put(name, columns);
      return this;
    }

    public Builder excluded(Excluded counts) {
      excluded = counts;
      return this;
    }

    public LoggedDecisions build() {
      return new LoggedDecisions(this);
    }
  }
}
