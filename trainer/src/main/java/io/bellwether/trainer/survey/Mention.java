package io.bellwether.trainer.survey;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.scoring.DecisionSeed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * That a usable transition was read: enough to tell which of a decision's transitions counts, and
 * to count it.
 *
 * @param key hash of the decision's id
 * @param degraded why the answer was less than the policy; empty where it was not
 * @param sha256 of the transition
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record Mention(
    long key,
    String id,
    int revision,
    long decidedAtMicros,
    int rows,
    String logger,
    String degraded,
    byte[] sha256) {

  /** The mention of a transition. */
  public static Mention of(Transition transition, byte[] sha256) {
    Decision decision = transition.getDecision();
    return new Mention(
        DecisionSeed.seedOf(decision.getDecisionId()),
        decision.getDecisionId(),
        transition.getRevision(),
        decision.getDecidedAtMicros(),
        decision.getSlate().size(),
        decision.getPolicyVersion(),
        decision.getDegraded() == null ? "" : decision.getDegraded().getReason(),
        sha256);
  }

  /** The key of {@link #bytes}. */
  static long keyOf(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }

  /** The key first. */
  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(key);
      out.writeUTF(id);
      out.writeInt(revision);
      out.writeLong(decidedAtMicros);
      out.writeInt(rows);
      out.writeUTF(logger);
      out.writeUTF(degraded);
      out.write(sha256);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory does no I/O", e);
    }
    return bytes.toByteArray();
  }

  static Mention of(byte[] bytes) {
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      return new Mention(
          in.readLong(),
          in.readUTF(),
          in.readInt(),
          in.readLong(),
          in.readInt(),
          in.readUTF(),
          in.readUTF(),
          in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException("a mention ends early", e);
    }
  }

  /** Whether this transition counts and not the other one of the same decision. */
  public boolean countsBefore(Mention other) {
    if (revision != other.revision) {
      return revision > other.revision;
    }
    // of two that say they are the same one, whichever it is, but always the same
    return Arrays.compareUnsigned(sha256, other.sha256) < 0;
  }
}
