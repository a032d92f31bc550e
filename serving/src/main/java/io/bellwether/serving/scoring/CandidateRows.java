package io.bellwether.serving.scoring;

import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.serving.item.ItemTable;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/**
 * The encoded features of one request's candidates, in their order: floats of their own, or rows of
 * registered items, of which nothing is copied before it is scored or logged. Immutable.
 */
public sealed interface CandidateRows {

  /** How many candidates there are. */
  int count();

  /** Floats of one candidate. */
  int width();

  /** What {@link #writeTo} writes. */
  default int bytes() {
    return count() * width() * Float.BYTES;
  }

  /** Copies a candidate's floats to {@code target} from {@code offset} on. */
  void copy(int candidate, float[] target, int offset);

  /** Some of these candidates, by index, in this order. */
  CandidateRows only(int[] kept);

  /**
   * Candidates with floats of their own, which are not copied.
   *
   * @param items {@code [count * width]}
   */
  static CandidateRows of(float[] items, int width, int count) {
    return new Own(items, width, count);
  }

  /**
   * Registered items, by their rows in a table; the array is not copied.
   *
   * @param width floats of one item
   */
  static CandidateRows registered(ItemTable table, int width, int[] rows) {
    return new Registered(table, width, rows);
  }

  /** All floats, {@code [count * width]}, in an array that is the caller's own. */
  default float[] toArray() {
    float[] all = new float[count() * width()];
    for (int i = 0; i < count(); i++) {
      copy(i, all, i * width());
    }
    return all;
  }

  /** Adds a request with these candidates to a batch. */
  default void addTo(ScoringBatch batch, float[] context, float[] history) {
    batch.beginRequest(context, history);
    float[] row = new float[width()];
    for (int i = 0; i < count(); i++) {
      copy(i, row, 0);
      batch.addCandidate(row, 0);
    }
  }

  /**
   * Writes all floats as events carry them.
   *
   * @param target little-endian, with room for all; they go from its position on, which stays
   */
  default void writeTo(ByteBuffer target) {
    FloatBuffer floats = target.asFloatBuffer();
    float[] row = new float[width()];
    for (int i = 0; i < count(); i++) {
      copy(i, row, 0);
      floats.put(row);
    }
  }

  /** Candidates with floats of their own. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Own(float[] items, int width, int count) implements CandidateRows {

    public Own {
      if (items.length != width * count) {
        throw new IllegalArgumentException(
            "%d floats for %d candidates of %d".formatted(items.length, count, width));
      }
    }

    @Override
    public void copy(int candidate, float[] target, int offset) {
      System.arraycopy(items, candidate * width, target, offset, width);
    }

    @Override
    public CandidateRows only(int[] kept) {
      float[] some = new float[kept.length * width];
      for (int i = 0; i < kept.length; i++) {
        copy(kept[i], some, i * width);
      }
      return new Own(some, width, kept.length);
    }
  }

  /** Rows of a table. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Registered(ItemTable table, int width, int[] rows) implements CandidateRows {

    @Override
    public int count() {
      return rows.length;
    }

    @Override
    public void copy(int candidate, float[] target, int offset) {
      table.copy(rows[candidate], target, offset);
    }

    @Override
    public CandidateRows only(int[] kept) {
      int[] some = new int[kept.length];
      for (int i = 0; i < kept.length; i++) {
        some[i] = rows[kept[i]];
      }
      return new Registered(table, width, some);
    }
  }
}
