package io.bellwether.trainer.data;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.DecisionSeed;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a learner needs of one position of one decision. The arrays are the row's own and are not
 * copied; nobody writes to them.
 *
 * @param rowId {@link #idOf} of the decision and the position: the only key by which rows are
 *     ordered, shuffled and split
 * @param decisionId of the decision
 * @param position 0-based
 * @param positions how many the slate has
 * @param revision which restatement of the decision this is; the highest counts
 * @param sessionId of the session
 * @param decidedAtMicros when, microseconds since the epoch
 * @param context {@code [contextWidth]}
 * @param history {@code [historyLength * historyWidth]}
 * @param candidates how many items the decision chose from
 * @param items {@code [candidates * itemWidth]}: all of them, at every position
 * @param closed indexes among {@code items} of those that could not stand here: first what stands
 *     at earlier positions, in their order, then what the decision's rules kept out; they have
 *     their share of the scores all the same
 * @param action index of the placed item among {@code items}
 * @param propensity chance of the placement given the earlier ones; (0, 1]
 * @param rewards per signal, in the order of {@link SignalOrder}: its value at this position and an
 *     equal share of its value for the slate as a whole, so that the rewards of all positions add
 *     up to the decision's
 * @param terminated whether the session ended here by itself
 * @param nextDecisionId the session's next decision; empty when there is none
 * @param weight sample weight, 1 unless something was drawn more often than it happened
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record TrainingRow(
    long rowId,
    String decisionId,
    int position,
    int positions,
    int revision,
    String sessionId,
    long decidedAtMicros,
    float[] context,
    float[] history,
    int candidates,
    float[] items,
    int[] closed,
    int action,
    double propensity,
    double[] rewards,
    boolean terminated,
    String nextDecisionId,
    double weight) {

  private static final long ROW_TAG = 901;

  /** The id of a position of a decision: 64 bits that are uniform over decisions. */
  public static long idOf(String decisionId, int position) {
    return CounterRandom.hash(DecisionSeed.seedOf(decisionId), ROW_TAG, position, 0, 0);
  }

  /** Floats of one item. */
  public int itemWidth() {
    return items.length / candidates;
  }

  /** The same as if nothing had been restated. */
  TrainingRow withoutRevision() {
    return revision == 0
        ? this
        : new TrainingRow(
            rowId,
            decisionId,
            position,
            positions,
            0,
            sessionId,
            decidedAtMicros,
            context,
            history,
            candidates,
            items,
            closed,
            action,
            propensity,
            rewards,
            terminated,
            nextDecisionId,
            weight);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(rowId);
    out.writeUTF(decisionId);
    out.writeInt(position);
    out.writeInt(positions);
    out.writeInt(revision);
    out.writeUTF(sessionId);
    out.writeLong(decidedAtMicros);
    writeFloats(context, out);
    writeFloats(history, out);
    out.writeInt(candidates);
    writeFloats(items, out);
    out.writeInt(closed.length);
    for (int candidate : closed) {
      out.writeInt(candidate);
    }
    out.writeInt(action);
    out.writeDouble(propensity);
    out.writeInt(rewards.length);
    for (double reward : rewards) {
      out.writeDouble(reward);
    }
    out.writeBoolean(terminated);
    out.writeUTF(nextDecisionId);
    out.writeDouble(weight);
  }

  static TrainingRow read(DataInput in) throws IOException {
    return new TrainingRow(
        in.readLong(),
        in.readUTF(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readUTF(),
        in.readLong(),
        readFloats(in),
        readFloats(in),
        in.readInt(),
        readFloats(in),
        readInts(in),
        in.readInt(),
        in.readDouble(),
        readDoubles(in),
        in.readBoolean(),
        in.readUTF(),
        in.readDouble());
  }

  private static void writeFloats(float[] values, DataOutput out) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    out.writeInt(values.length);
    out.write(bytes.array());
  }

  private static float[] readFloats(DataInput in) throws IOException {
    float[] values = new float[in.readInt()];
    byte[] bytes = new byte[values.length * Float.BYTES];
    in.readFully(bytes);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
    return values;
  }

  private static int[] readInts(DataInput in) throws IOException {
    int[] values = new int[in.readInt()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readInt();
    }
    return values;
  }

  private static double[] readDoubles(DataInput in) throws IOException {
    double[] values = new double[in.readInt()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readDouble();
    }
    return values;
  }
}
