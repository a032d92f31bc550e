package io.bellwether.evaluation.offpolicy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Logged decisions in columns, one row per shown item, as the evaluation reads them.
 *
 * <p>Rows of one decision stand together, positions 0, 1, … in order. Where the decisions of a unit
 * stand together too, ordered by unit, no pass needs memory that grows with the log. A column is a
 * buffer, on the heap or mapped from a file, which is shared, read by index and must not change
 * afterwards; one that is not known is empty. Values are checked by the report, not here (only
 * lengths are). Thread-safe.
 *
 * <p>One value per row:
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
 *   <li>{@code clusterWeight}: product over the positions up to the row's of the shown cluster's
 *       chance, target / logging
 *   <li>{@code slotWeight}: chance of this item at this position whatever stands before it, target
 *       / logging
 *   <li>{@code balancedWeight}: chance of the slate up to this position under the target / its mean
 *       chance under all loggers, each with its share of the log
 * </ul>
 *
 * <p>One value per decision:
 *
 * <ul>
 *   <li>{@code slateWeight}: pseudo-inverse weight of the slate
 *   <li>{@code timeMicros}: when it was made, microseconds since 1970
 *   <li>{@code logger}: index into {@link #loggers()} of the policy version that made it
 *   <li>{@code segments}: {@link Labels} by dimension
 * </ul>
 */
public final class LoggedDecisions {
  private static final DoubleBuffer UNKNOWN = DoubleBuffer.allocate(0);
  private static final IntBuffer NO_NUMBERS = IntBuffer.allocate(0);
  private static final LongBuffer NO_TIMES = LongBuffer.allocate(0);

  private final IntBuffer decision;
  private final IntBuffer position;
  private final LongBuffer unit;
  private final DoubleBuffer logging;
  private final DoubleBuffer target;
  private final DoubleBuffer baseline;
  private final DoubleBuffer divergence;
  private final DoubleBuffer unsupported;
  private final DoubleBuffer thin;
  private final DoubleBuffer clusterWeight;
  private final DoubleBuffer slotWeight;
  private final DoubleBuffer balancedWeight;
  private final DoubleBuffer slateWeight;
  private final LongBuffer timeMicros;
  private final IntBuffer logger;
  private final List<String> loggers;
  private final Map<String, Labels> segments;
  private final Map<String, Signal> signals;
  private final Excluded excluded;
  private final int decisions;
  private final int positions;

  /** Rows of every decision; 0 where they differ, and then {@link #firstRow} is filled. */
  private final int rowsEach;

  /** Where each decision starts and, at the end, the number of rows; outside the heap. */
  private final IntBuffer firstRow;

  /**
   * One signal's columns.
   *
   * @param reward the row's own observed amount
   * @param prediction the reward model's prediction for the shown item, made by a model that has
   *     not seen the decision; empty if there is no model
   * @param direct Σ over candidates of target probability times prediction
   * @param baselineDirect the same sum under the champion; empty if there is none
   */
  public record Signal(
      DoubleBuffer reward,
      DoubleBuffer prediction,
      DoubleBuffer direct,
      DoubleBuffer baselineDirect) {

    public Signal {
      reward = reward.slice();
      prediction = prediction.slice();
      direct = direct.slice();
      baselineDirect = baselineDirect.slice();
    }

    public Signal(double[] reward, double[] prediction, double[] direct, double[] baselineDirect) {
      this(
          DoubleBuffer.wrap(reward),
          DoubleBuffer.wrap(prediction),
          DoubleBuffer.wrap(direct),
          DoubleBuffer.wrap(baselineDirect));
    }

    public static Signal withoutModel(double[] reward) {
      return withoutModel(DoubleBuffer.wrap(reward));
    }

    public static Signal withoutModel(DoubleBuffer reward) {
      return new Signal(reward, UNKNOWN, UNKNOWN, UNKNOWN);
    }

    public static Signal modelled(double[] reward, double[] prediction, double[] direct) {
      return modelled(
          DoubleBuffer.wrap(reward), DoubleBuffer.wrap(prediction), DoubleBuffer.wrap(direct));
    }

    public static Signal modelled(
        DoubleBuffer reward, DoubleBuffer prediction, DoubleBuffer direct) {
      return new Signal(reward, prediction, direct, UNKNOWN);
    }

    public boolean hasModel() {
      return prediction.hasRemaining() && direct.hasRemaining();
    }

    public boolean hasBaselineModel() {
      return prediction.hasRemaining() && baselineDirect.hasRemaining();
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
    clusterWeight = builder.clusterWeight;
    slotWeight = builder.slotWeight;
    balancedWeight = builder.balancedWeight;
    slateWeight = builder.slateWeight;
    timeMicros = builder.timeMicros;
    logger = builder.logger;
    loggers = builder.loggers;
    segments = Map.copyOf(builder.segments);
    signals = Map.copyOf(builder.signals);
    excluded = builder.excluded;
    checkRows();
    DecisionLengths lengths = DecisionLengths.of(decision);
    decisions = lengths.decisions();
    positions = lengths.longest();
    rowsEach = lengths.same();
    firstRow = rowsEach > 0 ? NO_NUMBERS : firstRows();
    checkDecisions();
  }

  public static Builder builder() {
    return new Builder();
  }

  public int rows() {
    return decision.limit();
  }

  public int decisions() {
    return decisions;
  }

  /** The longest slate. */
  public int positions() {
    return positions;
  }

  /** Where a decision's rows start; {@code firstRow(decisions())} is the number of rows. */
  public int firstRow(int decisionNumber) {
    return rowsEach > 0 ? rowsEach * decisionNumber : firstRow.get(decisionNumber);
  }

  public int decision(int row) {
    return decision.get(row);
  }

  public int position(int row) {
    return position.get(row);
  }

  /** Of a decision's subject. */
  public long unit(int decisionNumber) {
    return unit.get(firstRow(decisionNumber));
  }

  public double logging(int row) {
    return logging.get(row);
  }

  public double target(int row) {
    return target.get(row);
  }

  public double baseline(int row) {
    return baseline.get(row);
  }

  /** Whether a champion other than the logging policy is the baseline. */
  public boolean hasBaseline() {
    return baseline.hasRemaining();
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

  /** Nats per row, empty if not known. */
  public DoubleBuffer divergence() {
    return divergence;
  }

  /** Probability per row, empty if not known. */
  public DoubleBuffer unsupported() {
    return unsupported;
  }

  /** Probability per row, empty if not known. */
  public DoubleBuffer thin() {
    return thin;
  }

  public boolean hasClusterWeights() {
    return clusterWeight.hasRemaining();
  }

  /** 1 where not known. */
  public double clusterWeight(int row) {
    return hasClusterWeights() ? clusterWeight.get(row) : 1;
  }

  public boolean hasSlotWeights() {
    return slotWeight.hasRemaining();
  }

  /** 1 where not known. */
  public double slotWeight(int row) {
    return hasSlotWeights() ? slotWeight.get(row) : 1;
  }

  public boolean hasBalancedWeights() {
    return balancedWeight.hasRemaining();
  }

  /** Only where {@link #hasBalancedWeights}. */
  public double balancedWeight(int row) {
    return balancedWeight.get(row);
  }

  public boolean hasSlateWeights() {
    return slateWeight.hasRemaining();
  }

  /** 1 where not known. */
  public double slateWeight(int decisionNumber) {
    return hasSlateWeights() ? slateWeight.get(decisionNumber) : 1;
  }

  public boolean hasTimes() {
    return timeMicros.hasRemaining();
  }

  /** Microseconds since 1970; only where {@link #hasTimes}. */
  public long timeMicros(int decisionNumber) {
    return timeMicros.get(decisionNumber);
  }

  /** Policy versions that made the decisions; empty if not known. */
  public List<String> loggers() {
    return loggers;
  }

  /** Index into {@link #loggers()}; only where that is not empty. */
  public int logger(int decisionNumber) {
    return logger.get(decisionNumber);
  }

  /** Names of the dimensions, in alphabetical order. */
  public List<String> segments() {
    return segments.keySet().stream().sorted().toList();
  }

  public Labels segment(String dimension) {
    Labels labels = segments.get(dimension);
    if (labels == null) {
      throw new IllegalArgumentException(
          "no segments by '%s'; the log has %s".formatted(dimension, segments()));
    }
    return labels;
  }

  public Excluded excluded() {
    return excluded;
  }

  public UnitIndex units() {
    return UnitIndex.of(decisions, this::unit);
  }

  public PrefixWeights targetWeights() {
    return PrefixWeights.ofRatios(this, target);
  }

  /**
   * Weights of the target policy.
   *
   * @throws IllegalArgumentException for balanced ones where they are not known
   */
  public PrefixWeights targetWeights(Weighting weighting) {
    if (weighting == Weighting.PREFIX) {
      return targetWeights();
    }
    if (!hasBalancedWeights()) {
      throw new IllegalArgumentException("the log has no balanced weights");
    }
    return PrefixWeights.known(this, balancedWeight);
  }

  public PrefixWeights baselineWeights() {
    return PrefixWeights.ofRatios(this, baseline);
  }

  /** A signal under the target policy. */
  public DecisionColumns underTarget(String name, PrefixWeights weights) {
    Signal signal = signal(name);
    return DecisionColumns.ofTarget(
        this,
        weights,
        signal.reward,
        signal.prediction,
        signal.hasModel() ? signal.direct : UNKNOWN);
  }

  /** A signal under the target policy. */
  public DecisionColumns underTarget(String name, Weighting weighting) {
    return underTarget(name, targetWeights(weighting));
  }

  /** A signal under the champion, for which no cluster, slot or slate weights are known. */
  public DecisionColumns underBaseline(String name, PrefixWeights weights) {
    Signal signal = signal(name);
    return DecisionColumns.ofBaseline(
        this,
        weights,
        signal.reward,
        signal.prediction,
        signal.hasBaselineModel() ? signal.baselineDirect : UNKNOWN);
  }

  private void checkRows() {
    requireRows("position", position.limit());
    requireRows("unit", unit.limit());
    requireRows("logging", logging.limit());
    requireRows("target", target.limit());
    requireRowsOrNone("baseline", baseline);
    requireRowsOrNone("divergence", divergence);
    requireRowsOrNone("unsupported", unsupported);
    requireRowsOrNone("thin", thin);
    requireRowsOrNone("clusterWeight", clusterWeight);
    requireRowsOrNone("slotWeight", slotWeight);
    requireRowsOrNone("balancedWeight", balancedWeight);
    signals.forEach(
        (name, signal) -> {
          requireRows(name, signal.reward.limit());
          requireRowsOrNone(name + " prediction", signal.prediction);
          requireRowsOrNone(name + " direct", signal.direct);
          requireRowsOrNone(name + " baseline direct", signal.baselineDirect);
        });
  }

  private void requireRowsOrNone(String name, DoubleBuffer column) {
    if (column.hasRemaining()) {
      requireRows(name, column.limit());
    }
  }

  private void requireRows(String name, int length) {
    if (length != decision.limit()) {
      throw new IllegalArgumentException(
          "column '%s' has %d rows, decision has %d".formatted(name, length, decision.limit()));
    }
  }

  private void checkDecisions() {
    requireDecisionsOrNone("slateWeight", slateWeight.limit());
    requireDecisionsOrNone("timeMicros", timeMicros.limit());
    requireDecisionsOrNone("logger", logger.limit());
    segments.forEach(
        (dimension, labels) -> requireDecisions(dimension, labels.ofDecision().limit()));
  }

  private void requireDecisionsOrNone(String name, int length) {
    if (length > 0) {
      requireDecisions(name, length);
    }
  }

  private void requireDecisions(String name, int length) {
    if (length != decisions) {
      throw new IllegalArgumentException(
          "column '%s' has %d values, there are %d decisions".formatted(name, length, decisions));
    }
  }

  private IntBuffer firstRows() {
    IntBuffer first =
        ByteBuffer.allocateDirect(Integer.BYTES * (decisions + 1))
            .order(ByteOrder.nativeOrder())
            .asIntBuffer();
    int number = 0;
    for (int row = 0; row < rows(); row++) {
      if (row == 0 || decision.get(row) != decision.get(row - 1)) {
        first.put(number++, row);
      }
    }
    return first.put(number, rows());
  }

  /** Collects columns. Confined to one thread. */
  public static final class Builder {
    private IntBuffer decision = NO_NUMBERS;
    private IntBuffer position = NO_NUMBERS;
    private LongBuffer unit = NO_TIMES;
    private DoubleBuffer logging = UNKNOWN;
    private DoubleBuffer target = UNKNOWN;
    private DoubleBuffer baseline = UNKNOWN;
    private DoubleBuffer divergence = UNKNOWN;
    private DoubleBuffer unsupported = UNKNOWN;
    private DoubleBuffer thin = UNKNOWN;
    private DoubleBuffer clusterWeight = UNKNOWN;
    private DoubleBuffer slotWeight = UNKNOWN;
    private DoubleBuffer balancedWeight = UNKNOWN;
    private DoubleBuffer slateWeight = UNKNOWN;
    private LongBuffer timeMicros = NO_TIMES;
    private IntBuffer logger = NO_NUMBERS;
    private List<String> loggers = List.of();
    private Excluded excluded = new Excluded(0, 0, 0);
    private final Map<String, Labels> segments = new LinkedHashMap<>();
    private final Map<String, Signal> signals = new LinkedHashMap<>();

    private Builder() {}

    public Builder decisions(int[] decisionOfRow, int[] positionOfRow, long[] unitOfRow) {
      return decisions(
          IntBuffer.wrap(decisionOfRow), IntBuffer.wrap(positionOfRow), LongBuffer.wrap(unitOfRow));
    }

    public Builder decisions(
        IntBuffer decisionOfRow, IntBuffer positionOfRow, LongBuffer unitOfRow) {
      decision = decisionOfRow.slice();
      position = positionOfRow.slice();
      unit = unitOfRow.slice();
      return this;
    }

    public Builder logging(double[] propensity) {
      return logging(DoubleBuffer.wrap(propensity));
    }

    public Builder logging(DoubleBuffer propensity) {
      logging = propensity.slice();
      return this;
    }

    public Builder target(double[] probability) {
      return target(DoubleBuffer.wrap(probability));
    }

    public Builder target(DoubleBuffer probability) {
      target = probability.slice();
      return this;
    }

    /** Makes the champion the baseline instead of the logging policy. */
    public Builder baseline(double[] probability) {
      return baseline(DoubleBuffer.wrap(probability));
    }

    /** Makes the champion the baseline instead of the logging policy. */
    public Builder baseline(DoubleBuffer probability) {
      baseline = probability.slice();
      return this;
    }

    public Builder divergence(double[] nats) {
      return divergence(DoubleBuffer.wrap(nats));
    }

    public Builder divergence(DoubleBuffer nats) {
      divergence = nats.slice();
      return this;
    }

    public Builder unsupported(double[] probability) {
      return unsupported(DoubleBuffer.wrap(probability));
    }

    public Builder unsupported(DoubleBuffer probability) {
      unsupported = probability.slice();
      return this;
    }

    public Builder thin(double[] probability) {
      return thin(DoubleBuffer.wrap(probability));
    }

    public Builder thin(DoubleBuffer probability) {
      thin = probability.slice();
      return this;
    }

    public Builder clusterWeight(double[] weight) {
      return clusterWeight(DoubleBuffer.wrap(weight));
    }

    public Builder clusterWeight(DoubleBuffer weight) {
      clusterWeight = weight.slice();
      return this;
    }

    public Builder slotWeight(double[] weight) {
      return slotWeight(DoubleBuffer.wrap(weight));
    }

    public Builder slotWeight(DoubleBuffer weight) {
      slotWeight = weight.slice();
      return this;
    }

    public Builder balancedWeight(double[] weight) {
      return balancedWeight(DoubleBuffer.wrap(weight));
    }

    public Builder balancedWeight(DoubleBuffer weight) {
      balancedWeight = weight.slice();
      return this;
    }

    public Builder slateWeight(double[] weightOfDecision) {
      return slateWeight(DoubleBuffer.wrap(weightOfDecision));
    }

    public Builder slateWeight(DoubleBuffer weightOfDecision) {
      slateWeight = weightOfDecision.slice();
      return this;
    }

    public Builder timeMicros(long[] ofDecision) {
      return timeMicros(LongBuffer.wrap(ofDecision));
    }

    public Builder timeMicros(LongBuffer ofDecision) {
      timeMicros = ofDecision.slice();
      return this;
    }

    public Builder loggers(List<String> versions, int[] ofDecision) {
      return loggers(versions, IntBuffer.wrap(ofDecision));
    }

    public Builder loggers(List<String> versions, IntBuffer ofDecision) {
      loggers = List.copyOf(versions);
      logger = ofDecision.slice();
      return this;
    }

    public Builder segment(String dimension, Labels labels) {
      segments.put(dimension, labels);
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
