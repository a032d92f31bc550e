package io.bellwether.loadtest.learning.bsim;

import io.bellwether.loadtest.people.Catalogue;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.Signal;
import io.bellwether.loadtest.people.Trace;
import io.bellwether.loadtest.people.VisibleState;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a learner sees of the simulated world, as columns: visible values only. Immutable and
 * thread-safe.
 *
 * <pre>
 * context  visible taste (8), topic memory (8), step / 40, last watched share, traces of the past (11)
 * item     topic (8), estimated quality, estimated bait, log duration, taste·topic, topic memory·topic
 * </pre>
 */
public final class SimulatedFeatures {
  /**
   * What is learned from, in the order of rewards: the objective first. Watching counts in tens of
   * seconds, flags as 1 or 0.
   */
  public static final List<Signal> SIGNALS =
      List.of(
          Signal.WATCH_SECONDS,
          Signal.CLICK,
          Signal.LIKE,
          Signal.FOLLOW,
          Signal.COMMENT,
          Signal.FORWARD,
          Signal.HATE);

  private static final double SECONDS_PER_REWARD = 10;
  private static final Trace[] TRACES = Trace.values();
  private static final int CONTEXT = 2 * Catalogue.TOPICS + 2 + TRACES.length;

  /** Columns of a video that are the same in every state. */
  private static final int OWN = Catalogue.TOPICS + 3;

  private static final int ITEM = OWN + 2;

  private final Catalogue catalogue;
  private final float[] own = new float[Catalogue.ITEMS * OWN];

  public SimulatedFeatures(Catalogue catalogue) {
    this.catalogue = catalogue;
    for (int item = 0; item < Catalogue.ITEMS; item++) {
      int at = item * OWN;
      for (double weight : catalogue.topic(item)) {
        own[at++] = (float) weight;
      }
      own[at++] = (float) catalogue.visibleQuality(item);
      own[at++] = (float) catalogue.visibleBait(item);
      own[at] = (float) catalogue.logDuration(item);
    }
  }

  /** The columns and signals; there is no history beside the traces. */
  public static NetworkSchema schema() {
    List<Column> context = new ArrayList<>();
    numbered(context, "taste");
    numbered(context, "memory");
    context.add(new Column.Number("step"));
    context.add(new Column.Number("last_watch"));
    for (Trace trace : TRACES) {
      context.add(new Column.Number("recent_" + trace.name().toLowerCase(Locale.ROOT)));
    }
    List<Column> item = new ArrayList<>();
    numbered(item, "topic");
    for (String name : List.of("quality", "bait", "log_duration", "match", "sameness")) {
      item.add(new Column.Number(name));
    }
    return new NetworkSchema(
        context, List.of(), 0, item, SIGNALS.stream().map(SimulatedFeatures::word).toList());
  }

  private static void numbered(List<Column> columns, String name) {
    for (int k = 0; k < Catalogue.TOPICS; k++) {
      columns.add(new Column.Number(name + ":" + k));
    }
  }

  /** The signal's name in schemas, rows and tables; "watch" for the objective. */
  public static String word(Signal signal) {
    return signal == Signal.WATCH_SECONDS ? "watch" : signal.wireName();
  }

  static int contextWidth() {
    return CONTEXT;
  }

  static int itemWidth() {
    return ITEM;
  }

  /** From a signal's own unit to that of rewards. */
  static float reward(Signal signal, double value) {
    return (float) (signal == Signal.WATCH_SECONDS ? value / SECONDS_PER_REWARD : value);
  }

  /** Writes the state's columns to {@code to[at ..]}. */
  void context(VisibleState state, float[] to, int at) {
    int column = at;
    for (double weight : state.taste()) {
      to[column++] = (float) weight;
    }
    for (double weight : state.topicMemory()) {
      to[column++] = (float) weight;
    }
    to[column++] = (float) state.step() / ShortVideoWorld.MAX_STEPS;
    to[column++] = (float) state.lastWatch();
    for (Trace trace : TRACES) {
      to[column++] = (float) state.trace(trace);
    }
  }

  /** Writes the columns of a video in a state to {@code to[at ..]}. */
  void item(VisibleState state, int item, float[] to, int at) {
    System.arraycopy(own, item * OWN, to, at, OWN);
    to[at + OWN] = (float) state.match(catalogue, item);
    to[at + OWN + 1] = (float) state.sameness(catalogue, item);
  }
}
