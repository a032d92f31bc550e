package io.bellwether.serving.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;

/**
 * An event as the spool keeps it: a version, then topic, key, id, type, time (seconds and
 * nanoseconds) and media type, then the value to the end. Texts are UTF-8 behind their length.
 */
final class EventFrame {

  private static final byte VERSION = 1;

  private EventFrame() {}

  static byte[] encode(Event event) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(event.value().length + 256);
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      write(out, event.topic());
      write(out, event.key());
      write(out, event.id());
      write(out, event.type());
      out.writeLong(event.time().getEpochSecond());
      out.writeInt(event.time().getNano());
      write(out, event.mediaType());
      out.write(event.value());
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes all", e);
    }
    return bytes.toByteArray();
  }

  /** Reads what {@link #encode} wrote; fails where it is something else. */
  static Event decode(byte[] frame) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame));
    byte version = in.readByte();
    if (version != VERSION) {
      throw new IOException("an event of version " + version + "; known is " + VERSION);
    }
    return new Event(
        read(in),
        read(in),
        read(in),
        read(in),
        Instant.ofEpochSecond(in.readLong(), in.readInt()),
        read(in),
        in.readAllBytes());
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String read(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("a text of " + length + " bytes in an event's frame");
    }
    return new String(in.readNBytes(length), UTF_8);
  }
}
