package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rule by which outcomes of one surface belong to a decision and become values of signals.
 *
 * <p>The result depends on the set of outcomes only: not on their order, on duplicates, or on how
 * they were split into batches. Immutable.
 */
public final class Attribution implements Serializable {

  private static final long serialVersionUID = 1;

  /**
   * How long before its decision an outcome may seem to have happened: a person's clock and ours
   * agree this well, and no better.
   */
  public static final Duration CLOCK_SKEW = Duration.ofSeconds(1);

  private static final int WHOLE_SLATE = -1;
  private static final int FEW = 8;

  private static final Comparator<Observed> BY_CELL = Attribution::compareCells;

  private final HashMap<String, Signal> signals;
  private final List<Signal> silences;
  private final Duration longestWindow;

  public Attribution(Surface surface) {
    this.signals = new HashMap<>();
    surface.signals().forEach(s -> signals.put(s.name(), s));
    this.silences = surface.signals().stream().filter(Signal::isSilence).toList();
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
    if (!signal.accepts(value)) {
      throw new RefusedException(Reason.VALUE_OUT_OF_RANGE, refusal(signal, value));
    }
    return new Observed(
        outcome.getOutcomeId(),
        signal.name(),
        position(shown, outcome),
        value + 0.0, // -0.0 + 0.0 is 0.0
        outcome.getOccurredAtMicros(),
        isInside(signal, shown.decidedAtMicros(), outcome.getOccurredAtMicros()),
        outcome.getReceivedAtMicros());
  }

  /**
   * What a transition's outcome means under this declaration; empty where it has no such signal, or
   * none that takes this value.
   *
   * @param decidedAtMicros of its decision, microseconds since the epoch
   */
  Optional<Observed> observe(long decidedAtMicros, Observation outcome) {
    Signal signal = signals.get(outcome.getSignal());
    if (signal == null || !signal.accepts(outcome.getValue())) {
      return Optional.empty();
    }
    return Optional.of(
        new Observed(
            outcome.getOutcomeId(),
            signal.name(),
            outcome.getPosition(),
            outcome.getValue(),
            outcome.getOccurredAtMicros(),
            isInside(signal, decidedAtMicros, outcome.getOccurredAtMicros()),
            outcome.getReceivedAtMicros()));
  }

  /** Whether there are signals that tell only when all windows are over. */
  boolean hasSilences() {
    return !silences.isEmpty();
  }

  /** The values of a decision's distinct outcomes so far. */
  public Attributed attribute(Collection<Observed> outcomes) {
    return attribute(outcomes, 0);
  }

  /**
   * The values of a decision's distinct outcomes, and of silence, when all windows are over.
   *
   * @param positions how many items were shown
   */
  public Attributed conclude(Collection<Observed> outcomes, int positions) {
    return attribute(outcomes, positions);
  }

  private static int compareCells(Observed a, Observed b) {
    int order = a.signal().compareTo(b.signal());
    return order != 0 ? order : Integer.compare(a.position(), b.position());
  }

  private Attributed attribute(Collection<Observed> outcomes, int silentPositions) {
    List<Observed> ordered = distinctInTime(outcomes);
    List<Observed> inside = new ArrayList<>(ordered.size());
    for (Observed outcome : ordered) {
      if (outcome.inside()) {
        inside.add(outcome);
      }
    }
    int counted = inside.size();
    inside.sort(BY_CELL); // stable: a cell's outcomes stay in the order of time
    List<SignalValue> values = new ArrayList<>();
    int from = 0;
    while (from < counted) {
      Observed first = inside.get(from);
      int to = from + 1;
      while (to < counted && BY_CELL.compare(first, inside.get(to)) == 0) {
        to++;
      }
      double value = aggregate(inside.subList(from, to));
      values.add(new SignalValue(first.signal(), first.position(), value, to - from));
      from = to;
    }
    if (silentPositions > 0 && hasSilences()) {
      addSilences(ordered, silentPositions, values);
    }
    List<Observation> raw = new ArrayList<>(ordered.size());
    for (Observed outcome : ordered) {
      raw.add(outcome.observation());
    }
    return new Attributed(values, counted, ordered.size() - counted, raw);
  }

  /** Of several with one id the first in time, which is the one that counts. */
  private static List<Observed> distinctInTime(Collection<Observed> outcomes) {
    List<Observed> ordered = new ArrayList<>(outcomes);
    ordered.sort(Observed.IN_TIME);
    if (ordered.size() <= FEW) {
      return distinctOfFew(ordered);
    }
    Set<String> ids = new HashSet<>();
    ordered.removeIf(outcome -> !ids.add(outcome.outcomeId()));
    return ordered;
  }

  /** The same without a set, which would cost more than all comparisons. */
  private static List<Observed> distinctOfFew(List<Observed> ordered) {
    List<Observed> distinct = new ArrayList<>(ordered.size());
    for (Observed outcome : ordered) {
      boolean known = false;
      for (int i = 0; i < distinct.size() && !known; i++) {
        known = distinct.get(i).outcomeId().equals(outcome.outcomeId());
      }
      if (!known) {
        distinct.add(outcome);
      }
    }
    return distinct;
  }

  /** Adds 1 for each position at which nothing happened that a signal is the silence of. */
  private void addSilences(List<Observed> ordered, int positions, List<SignalValue> values) {
    for (Signal silence : silences) {
      values.removeIf(value -> value.getSignal().equals(silence.name())); // it was sent once
      BitSet broken = new BitSet(positions);
      for (Observed outcome : ordered) {
        if (!outcome.inside()
            || outcome.value() == 0
            || !silence.silenceOf().contains(outcome.signal())) {
          continue;
        }
        if (outcome.position() == WHOLE_SLATE) {
          broken.set(0, positions);
        } else {
          broken.set(outcome.position());
        }
      }
      for (int p = broken.nextClearBit(0); p < positions; p = broken.nextClearBit(p + 1)) {
        values.add(new SignalValue(silence.name(), p, 1.0, 0));
      }
    }
    values.sort(
        Comparator.comparing(SignalValue::getSignal).thenComparingInt(SignalValue::getPosition));
  }

  /**
   * @param cell one signal's at one position in the order of time, not empty
   */
  private double aggregate(List<Observed> cell) {
    Signal signal = signals.get(cell.get(0).signal());
    // A signal that was declared when it was observed, and no longer is: as if it were a sum.
    Signal.Aggregate rule = signal == null ? Signal.Aggregate.SUM : signal.aggregate();
    return switch (rule) {
      case SUM -> sum(cell);
      case MAX -> max(cell);
      case FIRST -> cell.get(0).value();
      case LAST -> cell.get(cell.size() - 1).value();
    };
  }

  private static double sum(List<Observed> cell) {
    double sum = 0;
    for (Observed outcome : cell) {
      sum += outcome.value();
    }
    return sum;
  }

  private static double max(List<Observed> cell) {
    double max = Double.NEGATIVE_INFINITY;
    for (Observed outcome : cell) {
      max = Math.max(max, outcome.value());
    }
    return max;
  }

  private static boolean isInside(Signal signal, long decidedAtMicros, long occurredAtMicros) {
    long delay = occurredAtMicros - decidedAtMicros;
    return -micros(CLOCK_SKEW) <= delay && delay <= micros(signal.window());
  }

  private static String refusal(Signal signal, double value) {
    return signal.isSilence()
        ? signal.name() + " follows from the silence of " + signal.silenceOf() + ", nobody sends it"
        : signal.name() + " is " + value + ", outside [" + signal.min() + ", " + signal.max() + "]";
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
