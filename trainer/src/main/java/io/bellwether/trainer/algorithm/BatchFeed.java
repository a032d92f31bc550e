package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.NetworkSchema;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

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
  static final String NEXT_CONTEXT = "nextContext";
  static final String NEXT_HISTORY = "nextHistory";
  static final String WEIGHT = "weight";
  static final String PRICES = "prices";

  private final LearnerData data;
  private final int slots;
  private final int contextWidth;
  private final int historyWidth;
  private final int itemWidth;
  private final int signals;
  private final float[] scaledRewards;
  private final float[] open;
  private final float[] zeros;
  private final float[] ones;

  /** {@code scale}: per signal, what rewards are divided by. */
  BatchFeed(LearnerData data, NetworkSchema schema, int slots, float[] scale) {
    this.data = data;
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
  }

  /** Fills every feed that the graph has; {@code rows} has one entry per row of its batch. */
  void fill(TrainingSession session, int[] rows) {
    blocks(session, CONTEXT, data.context(), contextWidth, rows);
    blocks(session, HISTORY, data.history(), historyWidth, rows);
    blocks(session, REWARDS, scaledRewards, signals, rows);
    blocks(session, WEIGHT, data.weight(), 1, rows);
    if (session.hasFeed(ITEMS)) {
      candidates(session, rows);
    }
    if (session.hasFeed(CHOSEN)) {
      chosen(session, rows);
    }
    if (session.hasFeed(NEXT_CONTEXT)) {
      next(session, rows);
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

  private void candidates(TrainingSession session, int[] rows) {
    FloatBuffer items = session.floats(ITEMS);
    FloatBuffer mask = session.floats(MASK);
    FloatBuffer placeable = session.floats(OPEN);
    LongBuffer action = session.longs(ACTION);
    for (int i = 0; i < rows.length; i++) {
      int row = rows[i];
      int count = data.candidates(row);
      int at = i * slots;
      items.put(
          at * itemWidth, data.items(), data.itemOffsets()[row] * itemWidth, count * itemWidth);
      items.put((at + count) * itemWidth, zeros, 0, (slots - count) * itemWidth);
      mask.put(at, ones, 0, count);
      mask.put(at + count, zeros, 0, slots - count);
      placeable.put(at, open, data.itemOffsets()[row], count);
      placeable.put(at + count, zeros, 0, slots - count);
      action.put(i, data.action()[row]);
    }
  }

  private void chosen(TrainingSession session, int[] rows) {
    FloatBuffer chosen = session.floats(CHOSEN);
    for (int i = 0; i < rows.length; i++) {
      int candidate = data.itemOffsets()[rows[i]] + data.action()[rows[i]];
      chosen.put(i * itemWidth, data.items(), candidate * itemWidth, itemWidth);
    }
  }

  private void next(TrainingSession session, int[] rows) {
    int[] following = new int[rows.length];
    FloatBuffer continues = session.floats(CONTINUES);
    for (int i = 0; i < rows.length; i++) {
      int row = rows[i];
      following[i] = data.next()[row] < 0 ? row : data.next()[row];
      continues.put(i, data.terminated()[row] ? 0 : 1);
    }
    blocks(session, NEXT_CONTEXT, data.context(), contextWidth, following);
    blocks(session, NEXT_HISTORY, data.history(), historyWidth, following);
  }
}
