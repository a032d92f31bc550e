package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.util.ArrayList;
import java.util.List;

/**
 * What is counted of one unit of an experiment, column by column. Immutable.
 *
 * <p>With signals {@code a} and {@code b}, a unit that sees one variant's slates has {@code
 * decisions, a, a:any, b, b:any, pre:seen, pre:decisions, pre:a, pre:b}:
 *
 * <ul>
 *   <li>{@code decisions}: its exposed decisions in this phase;
 *   <li>{@code a}: the sum of the signal's values over these decisions and all their positions;
 *   <li>{@code a:any}: 1 where that sum is above 0, else 0;
 *   <li>{@code pre:seen}, {@code pre:decisions}, {@code pre:a}: whether the subject had decisions
 *       before it met the experiment, how many, and what came of them; known before exposure, so
 *       that a variant cannot change them.
 * </ul>
 *
 * <p>One that sees two variants' items in one slate has {@code decisions, a:credit, a:win, a:loss,
 * b:credit, b:win, b:loss}: the signal's sum over items of variant 1 minus that over items of
 * variant 0, whether that is above 0, and whether it is below.
 */
public final class UnitColumns {

  /** The unit's exposed decisions. */
  public static final String DECISIONS = "decisions";

  /** Whether the subject had decisions before. */
  public static final String SEEN_BEFORE = before("seen");

  /** How many decisions the subject had before. */
  public static final String DECISIONS_BEFORE = before(DECISIONS);

  /** Totals this close to 0 are 0: what is left of a value that was taken back. */
  static final double ZERO = LogBuckets.SMALLEST;

  private final List<String> signals;
  private final boolean interleaved;
  private final List<String> names;

  private UnitColumns(List<String> signals, boolean interleaved, List<String> names) {
    this.signals = List.copyOf(signals);
    this.interleaved = interleaved;
    this.names = List.copyOf(names);
  }

  /** Of units that see one variant's slates. */
  public static UnitColumns of(Surface surface) {
    List<String> signals = names(surface);
    List<String> names = new ArrayList<>();
    names.add(DECISIONS);
    for (String signal : signals) {
      names.add(signal);
      names.add(any(signal));
    }
    names.add(SEEN_BEFORE);
    names.add(DECISIONS_BEFORE);
    signals.forEach(signal -> names.add(before(signal)));
    return new UnitColumns(signals, false, names);
  }

  /** Of units that see two variants' items in one slate. */
  public static UnitColumns interleaved(Surface surface) {
    List<String> signals = names(surface);
    List<String> names = new ArrayList<>();
    names.add(DECISIONS);
    for (String signal : signals) {
      names.add(credit(signal));
      names.add(win(signal));
      names.add(loss(signal));
    }
    return new UnitColumns(signals, true, names);
  }

  /** The column that is 1 where a signal's total is above 0. */
  public static String any(String signal) {
    return signal + ":any";
  }

  /** The column of a signal's total before the experiment. */
  public static String before(String signal) {
    return "pre:" + signal;
  }

  /** The column of a signal's total for variant 1 minus that for variant 0. */
  public static String credit(String signal) {
    return signal + ":credit";
  }

  /** The column that is 1 where the credit is above 0. */
  public static String win(String signal) {
    return signal + ":win";
  }

  /** The column that is 1 where the credit is below 0. */
  public static String loss(String signal) {
    return signal + ":loss";
  }

  /** All columns, in their order. */
  public List<String> names() {
    return names;
  }

  /** How many there are. */
  public int size() {
    return names.size();
  }

  /** The surface's signals, in its order. */
  List<String> signals() {
    return signals;
  }

  /** The column of which a signal's distribution is kept: its total, or its credit. */
  int total(int signal) {
    return 1 + signal * (interleaved ? 3 : 2);
  }

  /**
   * A unit's columns.
   *
   * @param totals per signal
   * @param before {@code [1 + signals]}: decisions before the experiment, then totals; not looked
   *     at where slates are interleaved
   */
  double[] row(long decisions, double[] totals, double[] before) {
    double[] row = new double[names.size()];
    row[0] = decisions;
    for (int signal = 0; signal < totals.length; signal++) {
      double total = Math.abs(totals[signal]) < ZERO ? 0 : totals[signal];
      int column = total(signal);
      row[column] = total;
      row[column + 1] = total > 0 ? 1 : 0;
      if (interleaved) {
        row[column + 2] = total < 0 ? 1 : 0;
      }
    }
    if (!interleaved) {
      int column = 1 + 2 * signals.size();
      row[column] = before[0] > 0 ? 1 : 0;
      System.arraycopy(before, 0, row, column + 1, before.length);
    }
    return row;
  }

  private static List<String> names(Surface surface) {
    return surface.signals().stream().map(Signal::name).toList();
  }
}
