package io.bellwether.trainer.gate;

import java.nio.ByteBuffer;

/**
 * A part's support as a message: the part's number, then the sums.
 *
 * @param part number of the part, or {@link #CONTESTED}
 * @param sums as the accumulator writes them
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record SupportReport(int part, byte[] sums) {

  /** The decisions of which there are several transitions, from all parts. */
  static final int CONTESTED = Integer.MAX_VALUE;

  byte[] bytes() {
    return ByteBuffer.allocate(Integer.BYTES + sums.length).putInt(part).put(sums).array();
  }

  static SupportReport of(byte[] bytes) {
    ByteBuffer message = ByteBuffer.wrap(bytes);
    int part = message.getInt();
    byte[] sums = new byte[message.remaining()];
    message.get(sums);
    return new SupportReport(part, sums);
  }
}
