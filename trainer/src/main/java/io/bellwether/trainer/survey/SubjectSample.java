package io.bellwether.trainer.survey;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The transitions of the subjects with the smallest hashes, as many as fit: a sample that depends
 * on nothing but the transitions, and that takes subjects as a whole but for the last one. Of a
 * decision it may hold several revisions. Confined to one thread; {@link #mayTake} may be asked by
 * any. Parts are joined by offering what one has {@link #toJoin} to the other.
 */
public final class SubjectSample {

  private static final Comparator<Sampled> ORDER =
      (a, b) -> {
        int order = Long.compareUnsigned(a.unit, b.unit);
        order = order != 0 ? order : Long.compareUnsigned(a.decision, b.decision);
        order = order != 0 ? order : Integer.compare(b.revision, a.revision);
        return order != 0 ? order : Arrays.compareUnsigned(a.transition, b.transition);
      };

  /**
   * A transition in the sample.
   *
   * @param unit hash of the subject
   * @param decision hash of the decision's id
   * @param bytes that a learner needs for it
   * @param transition encoded
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  public record Sampled(long unit, long decision, int revision, long bytes, byte[] transition) {

    void write(DataOutput out) throws IOException {
      out.writeLong(unit);
      out.writeLong(decision);
      out.writeInt(revision);
      out.writeLong(bytes);
      out.writeInt(transition.length);
      out.write(transition);
    }

    static Sampled read(DataInput in) throws IOException {
      long unit = in.readLong();
      long decision = in.readLong();
      int revision = in.readInt();
      long bytes = in.readLong();
      byte[] transition = new byte[in.readInt()];
      in.readFully(transition);
      return new Sampled(unit, decision, revision, bytes, transition);
    }
  }

  private final int mostTransitions;
  private final long mostBytes;
  private final PriorityQueue<Sampled> kept = new PriorityQueue<>(ORDER.reversed());
  private long bytes;

  /** Nothing from it on is taken. */
  private @Nullable Sampled firstDropped;

  /** Its subject's hash, as an unsigned number; before, the largest there is. */
  private volatile long limit = -1;

  SubjectSample(int mostTransitions, long mostBytes) {
    this.mostTransitions = mostTransitions;
    this.mostBytes = mostBytes;
  }

  /** Whether a transition of this subject may still be taken; where it says no, it never is. */
  boolean mayTake(long unit) {
    return Long.compareUnsigned(unit, limit) <= 0;
  }

  void offer(Sampled transition) {
    if (firstDropped != null && ORDER.compare(transition, firstDropped) >= 0) {
      return;
    }
    kept.add(transition);
    bytes += transition.bytes;
    while (kept.size() > mostTransitions || (bytes > mostBytes && kept.size() > 1)) {
      Sampled dropped = kept.remove();
      bytes -= dropped.bytes;
      firstDropped = dropped;
      limit = dropped.unit;
    }
  }

  /**
   * What another sample has to be offered to be joined with this one: also the first transition
   * that did not fit, behind which the other must not take any either.
   */
  List<Sampled> toJoin() {
    List<Sampled> offers = new ArrayList<>(kept);
    if (firstDropped != null) {
      offers.add(firstDropped);
    }
    return offers;
  }

  /** In the order of subjects, decisions and then from the highest revision down. */
  List<Sampled> inOrder() {
    return kept.stream().sorted(ORDER).toList();
  }
}
