package io.bellwether.trainer.data;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What a feeder sends to the learner: rows, and at its end what it found. Plain bytes, so that no
 * serialiser of a framework has to know the types: a byte that says which, then the fields in
 * order, big-endian, floats little-endian.
 */
public final class FeederMessage {

  private static final byte ROW = 0;
  private static final byte FINDINGS = 1;

  private FeederMessage() {}

  /** A row as a message. */
  public static byte[] of(TrainingRow row) {
    int floats = row.context().length + row.history().length + row.items().length;
    return bytes(ROW, 256 + floats * Float.BYTES, row::write);
  }

  /** Findings as a message. */
  public static byte[] of(Findings findings) {
    return bytes(FINDINGS, 64, findings::write);
  }

  /** Adds what a message carries to a data set. */
  public static void deliver(byte[] message, DataSet data) {
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
      if (in.readByte() == ROW) {
        data.add(TrainingRow.read(in));
      } else {
        data.add(Findings.read(in));
      }
    } catch (IOException e) {
      throw new IllegalStateException("a feeder's message ends early", e);
    }
  }

  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(byte kind, int sizeHint, Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(sizeHint);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(kind);
      body.write(out);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory does no I/O", e);
    }
    return bytes.toByteArray();
  }
}
