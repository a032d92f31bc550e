package io.bellwether.trainer.survey;

import io.bellwether.trainer.data.Findings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What one task of a survey tells the one that collects. Plain bytes, so that no serialiser of a
 * framework has to know the types: a byte that says which, then the fields in order.
 */
sealed interface SurveyReport {

  /**
   * What a task has read.
   *
   * @param findings of the transitions that were known and in the range
   * @param outOfRange known transitions of decisions outside the range
   * @param later transitions that were joined after the time as of which the report is
   * @param lastJoinedMicros when the last known transition was joined; {@link Long#MIN_VALUE} where
   *     there is none
   */
  record Read(
      Findings findings, HostileValues hostile, long outOfRange, long later, long lastJoinedMicros)
      implements SurveyReport {}

  /** A transition of the sample. */
  record Sample(SubjectSample.Sampled transition) implements SurveyReport {}

  /** That a decision has more than one transition. */
  record Contested(long key) implements SurveyReport {}

  /** Counts over the decisions that a task has settled. */
  record Settled(Tally tally) implements SurveyReport {}

  /** As a message. */
  default byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(this, out);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory does no I/O", e);
    }
    return bytes.toByteArray();
  }

  private static void write(SurveyReport report, DataOutput out) throws IOException {
    if (report instanceof Read read) {
      out.writeByte(0);
      read.findings.write(out);
      read.hostile.write(out);
      out.writeLong(read.outOfRange);
      out.writeLong(read.later);
      out.writeLong(read.lastJoinedMicros);
    } else if (report instanceof Sample sample) {
      out.writeByte(1);
      sample.transition.write(out);
    } else if (report instanceof Contested contested) {
      out.writeByte(2);
      out.writeLong(contested.key);
    } else if (report instanceof Settled settled) {
      out.writeByte(3);
      settled.tally.write(out);
    }
  }

  /** The report of a message. */
  static SurveyReport of(byte[] bytes) {
    try {
      DataInput in = new DataInputStream(new ByteArrayInputStream(bytes));
      return switch (in.readByte()) {
        case 0 ->
            new Read(
                Findings.read(in),
                HostileValues.read(in),
                in.readLong(),
                in.readLong(),
                in.readLong());
        case 1 -> new Sample(SubjectSample.Sampled.read(in));
        case 2 -> new Contested(in.readLong());
        default -> new Settled(Tally.read(in));
      };
    } catch (IOException e) {
      throw new IllegalStateException("a report ends early", e);
    }
  }
}
