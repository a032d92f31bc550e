package io.bellwether.serving.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.serving.spool.RecordForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * An event as it stands in the spool: a version, then its fields in the order of {@link Event},
 * each text with its length in bytes before it, and the value to the end. Numbers are big-endian.
 */
final class EventFrame implements RecordForm<Event> {

  private static final byte VERSION = 1;

  /** The version, the lengths of five texts, and the time. */
  private static final int FIXED = 1 + 5 * Integer.BYTES + Long.BYTES + Integer.BYTES;

  @Override
  public int size(Event event) {
    return FIXED
        + bytes(event.topic())
        + bytes(event.key())
        + bytes(event.id())
        + bytes(event.type())
        + bytes(event.mediaType())
        + event.value().length;
  }

  @Override
  public void write(Event event, ByteBuffer target) {
    target.put(VERSION);
    put(event.topic(), target);
    put(event.key(), target);
    put(event.id(), target);
    put(event.type(), target);
    target.putLong(event.time().getEpochSecond()).putInt(event.time().getNano());
    put(event.mediaType(), target);
    target.put(event.value());
  }

  @Override
  public Event read(ByteBuffer frame) throws IOException {
    if (frame.remaining() < FIXED) {
      throw new IOException("an event of " + frame.remaining() + " bytes");
    }
    byte version = frame.get();
    if (version != VERSION) {
      throw new IOException("an event of version " + version + "; known is " + VERSION);
    }
    String topic = text(frame);
    String key = text(frame);
    String id = text(frame);
    String type = text(frame);
    if (frame.remaining() < Long.BYTES + 2 * Integer.BYTES) {
      throw new IOException("an event without its end");
    }
    Instant time = Instant.ofEpochSecond(frame.getLong(), frame.getInt());
    String mediaType = text(frame);
    byte[] value = new byte[frame.remaining()];
    frame.get(value);
    return new Event(topic, key, id, type, time, mediaType, value);
  }

  /** Bytes of a text in UTF-8, without writing it. */
  private static int bytes(String text) {
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        return text.getBytes(UTF_8).length;
      }
    }
    return bytes;
  }

  private static void put(String text, ByteBuffer target) {
    byte[] bytes = text.getBytes(UTF_8);
    target.putInt(bytes.length).put(bytes);
  }

  private static String text(ByteBuffer frame) throws IOException {
    int length = frame.remaining() < Integer.BYTES ? -1 : frame.getInt();
    if (length < 0 || length > frame.remaining()) {
      throw new IOException("a text of " + length + " bytes in an event's frame");
    }
    byte[] bytes = new byte[length];
    frame.get(bytes);
    return new String(bytes, UTF_8);
  }
}
