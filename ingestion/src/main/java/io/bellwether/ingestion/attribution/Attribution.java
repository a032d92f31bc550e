package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rule by which outcomes of one surface belong to a decision and become values of signals.
 *
 * <p>The result depends on the set of outcomes only: not on their order, on duplicates, or on how
 * they were split into batches. Immutable.
 */
public final class Attribution {

  /**
   * How long before its decision an outcome may seem to have happened: a person's clock and ours
   * agree this well, and no better.
   */
  public static final Duration CLOCK_SKEW = Duration.ofSeconds(1);

  private static final int WHOLE_SLATE = -1;

  private final Map<String, Signal> signals;
  private final Duration longestWindow;

  public Attribution(Surface surface) {
    this.signals = new HashMap<>();
    surface.signals().forEach(s -> signals.put(s.name(), s));
    this.longestWindow = surface.longestWindow();
  }

  /** When the last window of a decision is over, microseconds since the epoch. */
  public long closesAtMicros(Shown shown) {
    return shown.decidedAtMicros() + micros(longestWindow);
  }

  /**
   * What an outcome means to its decision.
   *
   * @throws RefusedException when the signal is not declared or does not take this value, or the
   *     item was not shown
   */
  public Observed observe(Shown shown, Outcome outcome) throws RefusedException {
    Signal signal = signals.get(outcome.getSignal());
    if (signal == null) {
      throw new RefusedException(
          Reason.VALUE_OUT_OF_RANGE,
          "signal '" + outcome.getSignal() + "' is none of " + signals.keySet());
    }
    double value = outcome.getValue();
    if (!accepts(signal, value)) {
      throw new RefusedException(
          Reason.VALUE_OUT_OF_RANGE,
          signal.name()
              + " is "
              + value
              + ", outside ["
              + signal.min()
              + ", "
              + signal.max()
              + "]");
    }
    long delay = outcome.getOccurredAtMicros() - shown.decidedAtMicros();
    boolean inside = -micros(CLOCK_SKEW) <= delay && delay <= micros(signal.window());
    return new Observed(
        outcome.getOutcomeId(),
        signal.name(),
        position(shown, outcome),
        value + 0.0, // -0.0 + 0.0 is 0.0
        outcome.getOccurredAtMicros(),
        inside);
  }

  /** The values of a decision's distinct outcomes. */
  public Attributed attribute(Collection<Observed> outcomes) {
    Map<String, Observed> distinct = new HashMap<>();
    outcomes.forEach(o -> distinct.merge(o.outcomeId(), o, Observed::or));
    Map<String, TreeMap<Integer, List<Observed>>> cells = new TreeMap<>();
    int inside = 0;
    for (Observed outcome : distinct.values().stream().sorted(Observed.IN_TIME).toList()) {
      if (outcome.inside()) {
        cells
            .computeIfAbsent(outcome.signal(), s -> new TreeMap<>())
            .computeIfAbsent(outcome.position(), p -> new ArrayList<>())
            .add(outcome);
        inside++;
      }
    }
    List<SignalValue> values = new ArrayList<>();
    cells.forEach(
        (signal, positions) ->
            positions.forEach(
                (position, cell) ->
                    values.add(
                        new SignalValue(signal, position, aggregate(signal, cell), cell.size()))));
    return new Attributed(values, inside, distinct.size() - inside);
  }

  /**
   * @param cell in the order of time, not empty
   */
  private double aggregate(String name, List<Observed> cell) {
    Signal signal = signals.get(name);
    // A signal that was declared when it was observed, and no longer is: as if it were a sum.
    Signal.Aggregate rule = signal == null ? Signal.Aggregate.SUM : signal.aggregate();
    return switch (rule) {
      case SUM -> cell.stream().mapToDouble(Observed::value).reduce(0, Double::sum);
      case MAX -> cell.stream().mapToDouble(Observed::value).reduce(Double::max).orElseThrow();
      case FIRST -> cell.get(0).value();
      case LAST -> cell.get(cell.size() - 1).value();
    };
  }

  private static boolean accepts(Signal signal, double value) {
    boolean inRange = Double.isFinite(value) && signal.min() <= value && value <= signal.max();
    return inRange && (signal.type() != Signal.Type.FLAG || value == 0 || value == 1);
  }

  private static int position(Shown shown, Outcome outcome) throws RefusedException {
    String itemId = outcome.getItemId();
    if (itemId == null) {
      return WHOLE_SLATE;
    }
    int position = shown.itemIds().indexOf(itemId);
    if (position < 0) {
      throw new RefusedException(
          Reason.DANGLING_ITEM, "item '" + itemId + "' is none of " + shown.itemIds());
    }
    return position;
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }
}
