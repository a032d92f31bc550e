package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.NetworkSchema;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Map;

/**
 * Copies rows of a data set into the feeds of a graph, candidates padded to a fixed number of
 * slots.
 *
 * <p>A row that was cut off (not terminated, without a next row) is followed by its own state: its
 * future is unknown, and its own value is the best guess at it. Confined to one thread.
 */
final class BatchFeed {
  static final String CONTEXT = "context";
  static final String HISTORY = "history";
  static final String ITEMS = "items";
  static final String MASK = "mask";
  static final String OPEN = "open";
  static final String ACTION = "action";
  static final String CHOSEN = "chosen";
  static final String REWARDS = "rewards";
  static final String CONTINUES = "continues";
  static final String WEIGHT = "weight";
  static final String PRICES = "prices";
  static final String PER_CANDIDATE = "candidate.";
  static final String PER_ROW = "row.";
  static final String SCHEDULED = "scheduled.";

  private static final String NEXT = "next.";

  private final LearnerData data;
  private final Given given;
  private final int slots;
  private final int contextWidth;
  private final int historyWidth;
  private final int itemWidth;
  private final int signals;
  private final float[] scaledRewards;
  private final float[] open;
  private final float[] zeros;
  private final float[] ones;
  private int[] following = {};

  /** {@code scale}: per signal, what rewards are divided by. */
  BatchFeed(LearnerData data, NetworkSchema schema, int slots, float[] scale) {
    this(data, Given.NONE, schema, slots, scale);
  }

  BatchFeed(LearnerData data, Given given, NetworkSchema schema, int slots, float[] scale) {
    this.data = data;
    this.given = given;
    this.slots = slots;
    this.contextWidth = schema.context().size();
    this.historyWidth = schema.historyLength() * schema.history().size();
    this.itemWidth = schema.item().size();
    this.signals = scale.length;
    this.scaledRewards = new float[data.rewards().length];
    for (int i = 0; i < scaledRewards.length; i++) {
      scaledRewards[i] = data.rewards()[i] / scale[i % signals];
    }
    this.open = new float[data.closed().length];
    for (int i = 0; i < open.length; i++) {
      open[i] = data.closed()[i] ? 0 : 1;
    }
    this.zeros = new float[slots * itemWidth];
    this.ones = new float[slots];
    Arrays.fill(ones, 1);
    given.candidates().forEach((name, values) -> requireLength(name, values, open.length));
    given.rows().forEach((name, values) -> requireLength(name, values, data.rows()));
  }

  private BatchFeed(BatchFeed other) {
    this.data = other.data;
    this.given = other.given;
    this.slots = other.slots;
    this.contextWidth = other.contextWidth;
    this.historyWidth = other.historyWidth;
    this.itemWidth = other.itemWidth;
    this.signals = other.signals;
    this.scaledRewards = other.scaledRewards;
    this.open = other.open;
    this.zeros = other.zeros;
    this.ones = other.ones;
  }

  /** The same rows for another thread; what both only read is shared. */
  BatchFeed forAnotherThread() {
    return new BatchFeed(this);
  }

  private static void requireLength(String name, float[] values, int length) {
    if (values.length != length) {
      throw new IllegalArgumentException(
          name + " has " + values.length + " values where " + length + " are needed");
    }
  }

  /** The feed of a value at a moment. */
  static String at(Moment moment, String feed) {
    return moment == Moment.NOW ? feed : NEXT + feed;
  }

  /** Fills every feed that the graph has; {@code rows} has one entry per row of its batch. */
  void fill(TrainingSession session, int[] rows) {
    blocks(session, REWARDS, scaledRewards, signals, rows);
    blocks(session, WEIGHT, data.weight(), 1, rows);
    for (Map.Entry<String, float[]> values : given.rows().entrySet()) {
      blocks(session, PER_ROW + values.getKey(), values.getValue(), 1, rows);
    }
    if (session.hasFeed(ACTION)) {
      LongBuffer action = session.longs(ACTION);
      for (int i = 0; i < rows.length; i++) {
        action.put(i, data.action()[rows[i]]);
      }
    }
    if (session.hasFeed(CHOSEN)) {
      chosen(session, rows);
    }
    if (session.hasFeed(CONTINUES)) {
      FloatBuffer continues = session.floats(CONTINUES);
      for (int i = 0; i < rows.length; i++) {
        continues.put(i, data.terminated()[rows[i]] ? 0 : 1);
      }
    }
    state(session, Moment.NOW, rows);
    if (session.hasFeed(NEXT + CONTEXT)) {
      state(session, Moment.NEXT, followers(rows));
    }
  }

  private int[] followers(int[] rows) {
    if (following.length != rows.length) {
      following = new int[rows.length];
    }
    for (int i = 0; i < rows.length; i++) {
      int next = data.next()[rows[i]];
      following[i] = next < 0 ? rows[i] : next;
    }
    return following;
  }

  private void state(TrainingSession session, Moment moment, int[] rows) {
    blocks(session, at(moment, CONTEXT), data.context(), contextWidth, rows);
    blocks(session, at(moment, HISTORY), data.history(), historyWidth, rows);
    candidates(session, at(moment, ITEMS), data.items(), itemWidth, rows);
    candidates(session, at(moment, MASK), ones, 0, rows);
    candidates(session, at(moment, OPEN), open, 1, rows);
    for (Map.Entry<String, float[]> values : given.candidates().entrySet()) {
      candidates(session, at(moment, PER_CANDIDATE + values.getKey()), values.getValue(), 1, rows);
    }
  }

  private static void blocks(
      TrainingSession session, String feed, float[] values, int width, int[] rows) {
    if (!session.hasFeed(feed)) {
      return;
    }
    FloatBuffer target = session.floats(feed);
    for (int i = 0; i < rows.length; i++) {
      target.put(i * width, values, rows[i] * width, width);
    }
  }

  /**
   * Copies {@code values[candidate * width + column]} of each row's candidates, then zeros; width 0
   * stands for ones of which each candidate gets the first.
   */
  private void candidates(
      TrainingSession session, String feed, float[] values, int width, int[] rows) {
    if (!session.hasFeed(feed)) {
      return;
    }
    FloatBuffer target = session.floats(feed);
    int columns = Math.max(1, width);
    for (int i = 0; i < rows.length; i++) {
      int first = data.itemOffsets()[rows[i]];
      int count = data.candidates(rows[i]);
      int place = i * slots * columns;
      target.put(place, values, first * width, count * columns);
      target.put(place + count * columns, zeros, 0, (slots - count) * columns);
    }
  }

  private void chosen(TrainingSession session, int[] rows) {
    FloatBuffer chosen = session.floats(CHOSEN);
    for (int i = 0; i < rows.length; i++) {
      int candidate = data.itemOffsets()[rows[i]] + data.action()[rows[i]];
      chosen.put(i * itemWidth, data.items(), candidate * itemWidth, itemWidth);
    }
  }
}
