package io.bellwether.loadtest.ingestion;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of one event, of which copies with other ids and times are made in place: an event
 * costs little more than its copy, so that what is measured is what reads it.
 *
 * <p>Ids are a letter and {@value #DIGITS} digits. Times are of this century: their Avro form has a
 * fixed length. Immutable.
 */
final class EventBytes implements Serializable {

  static final int DIGITS = 12;

  private static final long serialVersionUID = 1L;
  private static final int TIME_BYTES = 8;

  private final byte[] template;
  private final int[][] idsAt;
  private final int[][] timesAt;

  /**
   * @param template an encoded event
   * @param ids the ids in it that are replaced; each may stand several times
   * @param times the times in it that are replaced, microseconds since the epoch, all distinct
   */
  EventBytes(byte[] template, List<String> ids, long... times) {
    this.template = template.clone();
    idsAt = new int[ids.size()][];
    for (int i = 0; i < idsAt.length; i++) {
      idsAt[i] = places(ids.get(i).getBytes(US_ASCII));
    }
    timesAt = new int[times.length][];
    for (int i = 0; i < timesAt.length; i++) {
      byte[] time = new byte[TIME_BYTES];
      writeTime(time, 0, times[i]);
      timesAt[i] = places(time);
    }
  }

  /** An id as it stands in events. */
  static String id(char letter, long number) {
    byte[] text = new byte[1 + DIGITS];
    text[0] = (byte) letter;
    writeDigits(text, 1, number);
    return new String(text, US_ASCII);
  }

  /** The bytes of an id. */
  static byte[] idBytes(char letter, long number) {
    byte[] text = new byte[1 + DIGITS];
    text[0] = (byte) letter;
    writeDigits(text, 1, number);
    return text;
  }

  /** The number in an id. */
  static long number(String id) {
    return Long.parseLong(id, 1, id.length(), 10);
  }

  byte[] copy() {
    return template.clone();
  }

  /** Replaces the number of an id; its letter stays. */
  void setId(byte[] copy, int id, long number) {
    for (int at : idsAt[id]) {
      writeDigits(copy, at + 1, number);
    }
  }

  void setTime(byte[] copy, int time, long micros) {
    for (int at : timesAt[time]) {
      writeTime(copy, at, micros);
    }
  }

  private int[] places(byte[] wanted) {
    List<Integer> found = new ArrayList<>();
    for (int at = 0; at + wanted.length <= template.length; at++) {
      if (matches(wanted, at)) {
        found.add(at);
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException("the event does not hold what is to be replaced in it");
    }
    return found.stream().mapToInt(i -> i).toArray();
  }

  private boolean matches(byte[] wanted, int at) {
    for (int i = 0; i < wanted.length; i++) {
      if (template[at + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  private static void writeDigits(byte[] bytes, int at, long number) {
    long rest = number;
    for (int i = at + DIGITS - 1; i >= at; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  /** As Avro writes a long: zigzag, seven bits a byte, lowest first. */
  private static void writeTime(byte[] bytes, int at, long micros) {
    long rest = micros << 1;
    for (int i = at; i < at + TIME_BYTES - 1; i++) {
      bytes[i] = (byte) (rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    if (rest < 1 || rest > 0x7F) {
      throw new IllegalArgumentException(micros + " us is no time of this century");
    }
    bytes[at + TIME_BYTES - 1] = (byte) rest;
  }
}
