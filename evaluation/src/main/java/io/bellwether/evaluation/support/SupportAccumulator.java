package io.bellwether.evaluation.support;

import io.bellwether.evaluation.CompensatedSums;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Sums over decisions and all their candidates from which {@link Support} follows.
 *
 * <p>Call {@link #add} once per decision; it allocates nothing but a row per new logging version
 * and day. Memory does not grow with the log: at most about 25 MB with 200 items. A decision costs
 * half the square of its candidates. Confined to one thread; parts are joined with {@link #merge},
 * in any order, to the same result within 1e-12.
 */
public final class SupportAccumulator {
  private static final int FORMAT = 1;

  /** Columns of {@link #sums}, each over all actions. */
  private static final int TARGET = 0;

  private static final int WEIGHT = 1;
  private static final int WEIGHT_SQUARE = 2;
  private static final int COLUMNS = 3;

  private final ActionIndex index;
  private final int size;
  private final VectorChecks checks = new VectorChecks();
  private final CalibrationSums calibration;
  private final PropensityBins bins = new PropensityBins();
  private final LoggerDays days;

  /** {@code sums[column * size + action]}. */
  private final CompensatedSums sums;

  private final double[] smallest;
  private final CompensatedSums unsupported = new CompensatedSums(1);
  private long decisions;
  private long used;

  /** Of the current decision. */
  private final ActionChances chances;

  public SupportAccumulator(ActionIndex index) {
    this.index = index;
    size = index.size();
    calibration = new CalibrationSums(size);
    days = new LoggerDays(size);
    sums = new CompensatedSums(COLUMNS * size);
    smallest = new double[size];
    Arrays.fill(smallest, Double.MAX_VALUE);
    chances = new ActionChances(size);
  }

  /** Adds a decision. Vectors that cannot be are counted as a finding and otherwise left out. */
  public void add(DecisionVectors vectors) {
    decisions++;
    double loggingSum = 0;
    for (int at = 0; at < vectors.size; at++) {
      loggingSum += vectors.logging[at];
    }
    if (!checks.admit(vectors, loggingSum)) {
      return;
    }
    used++;
    addCandidates(vectors, loggingSum);
    addShown(vectors, loggingSum);
    bins.add(vectors, loggingSum);
  }

  private void addCandidates(DecisionVectors vectors, double loggingSum) {
    chances.clear();
    double missing = 0;
    for (int at = 0; at < vectors.size; at++) {
      int action = vectors.action[at];
      double logging = vectors.logging[at];
      chances.add(action, logging / loggingSum);
      sums.add(TARGET * size + action, vectors.target[at]);
      if (logging > 0) {
        smallest[action] = Math.min(smallest[action], logging);
      } else {
        missing += vectors.target[at];
      }
    }
    if (missing > 0) {
      unsupported.add(0, missing);
      checks.addUnsupported(vectors.decision);
    }
  }

  private void addShown(DecisionVectors vectors, double loggingSum) {
    int action = vectors.action[vectors.shown];
    boolean rounded = Math.abs(loggingSum - 1) > VectorChecks.SUM_ROUNDING;
    double propensity = rounded ? vectors.propensity / loggingSum : vectors.propensity;
    double weight = vectors.target[vectors.shown] / propensity;
    sums.add(WEIGHT * size + action, weight);
    sums.add(WEIGHT_SQUARE * size + action, weight * weight);
    calibration.add(chances, action);
    days.add(vectors.logger, vectors.day, action, weight, chances);
  }

  /** Adds what another accumulator with the same index has seen. */
  public void merge(SupportAccumulator other) {
    if (!other.index.equals(index)) {
      throw new IllegalArgumentException(
          "cannot merge sums over %d other actions into %d".formatted(other.size, size));
    }
    decisions += other.decisions;
    used += other.used;
    checks.merge(other.checks);
    calibration.merge(other.calibration);
    bins.merge(other.bins);
    days.merge(other.days);
    sums.merge(other.sums);
    unsupported.merge(other.unsupported);
    for (int action = 0; action < size; action++) {
      smallest[action] = Math.min(smallest[action], other.smallest[action]);
    }
  }

  /**
   * What was found so far.
   *
   * @param loggers the logging versions by number
   */
  public Support result(List<String> loggers) {
    if (decisions == 0) {
      return Support.EMPTY;
    }
    double mass = used == 0 ? 0 : unsupported.get(0) / used;
    return new Support(
        decisions,
        used,
        mass,
        overlap(),
        calibration.test(),
        bins.result(),
        days.result(loggers),
        days.beyond(),
        checks.findings(used, mass));
  }

  private List<ActionOverlap> overlap() {
    List<ActionOverlap> overlap = new ArrayList<>();
    for (int action = 0; action < size; action++) {
      long shown = calibration.shown(action);
      double target = sums.get(TARGET * size + action);
      double weight = sums.get(WEIGHT * size + action);
      double square = sums.get(WEIGHT_SQUARE * size + action);
      boolean candidate = smallest[action] < Double.MAX_VALUE;
      if (candidate || target > 0) {
        overlap.add(
            new ActionOverlap(
                index.name(action),
                shown,
                calibration.expected(action),
                target,
                target / used,
                shown == 0 ? 0 : weight / shown,
                square > 0 ? weight * weight / square : 0,
                candidate ? smallest[action] : 0));
      }
    }
    overlap.sort(Comparator.comparingLong((ActionOverlap each) -> -each.shown()));
    return overlap;
  }

  /** All sums, for {@link #fromBytes}. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("an array takes every byte", e);
    }
    return bytes.toByteArray();
  }

  /**
   * An accumulator as {@link #toBytes} wrote it.
   *
   * @throws IOException if the bytes are of another format or too few
   */
  public static SupportAccumulator fromBytes(byte[] bytes) throws IOException {
    return readFrom(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  /** Writes all sums, for {@link #readFrom}. */
  public void writeTo(DataOutput out) throws IOException {
    out.writeInt(FORMAT);
    index.writeTo(out);
    out.writeLong(decisions);
    out.writeLong(used);
    out.writeDouble(unsupported.get(0));
    for (int at = 0; at < sums.size(); at++) {
      out.writeDouble(sums.get(at));
    }
    for (double each : smallest) {
      out.writeDouble(each);
    }
    checks.writeTo(out);
    calibration.writeTo(out);
    bins.writeTo(out);
    days.writeTo(out);
  }

  /**
   * An accumulator as {@link #writeTo} wrote it.
   *
   * @throws IOException if the bytes are of another format
   */
  public static SupportAccumulator readFrom(DataInput in) throws IOException {
    int format = in.readInt();
    if (format != FORMAT) {
      throw new IOException("format %d of support sums, expected %d".formatted(format, FORMAT));
    }
    SupportAccumulator read = new SupportAccumulator(ActionIndex.readFrom(in));
    read.decisions = in.readLong();
    read.used = in.readLong();
    read.unsupported.add(0, in.readDouble());
    for (int at = 0; at < read.sums.size(); at++) {
      read.sums.add(at, in.readDouble());
    }
    for (int action = 0; action < read.size; action++) {
      read.smallest[action] = in.readDouble();
    }
    read.checks.read(in);
    read.calibration.read(in);
    read.bins.read(in);
    read.days.read(in);
    return read;
  }
}
