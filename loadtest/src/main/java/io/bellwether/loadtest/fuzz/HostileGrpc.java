package io.bellwether.loadtest.fuzz;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Calls of the gRPC interface, good and bad. Confined to a thread. */
final class HostileGrpc {

  private static final int PREFIX = 5;

  /** Fits into the window that a connection begins with. */
  private static final int MAX_BYTES = 60_000;

  private static final String DECISIONS = "/bellwether.v1.Decisions/";

  private final Chance chance;
  private final String surface;
  private final String apiKey;

  /** A name and a value of a call's metadata. */
  record Header(String name, String value) {}

  /**
   * A call.
   *
   * @param data of its only stream, messages with their prefixes
   * @param whole whether the call is well-formed below its messages, so that a status that blames
   *     the caller is due
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Call(List<Header> headers, byte[] data, boolean whole) {

    Call {
      headers = List.copyOf(headers);
    }
  }

  HostileGrpc(Chance chance, String surface, String apiKey) {
    this.chance = chance;
    this.surface = surface;
    this.apiKey = apiKey;
  }

  Call next() {
    return switch (chance.below(10)) {
      case 0 -> call(DECISIONS + "DecideBatch", batch().toBytes());
      case 1, 2 -> call(DECISIONS + "RecordOutcome", outcome().toBytes());
      case 3 ->
          call(
              DECISIONS + "RecordOutcomes",
              new Protobuf().message(1, outcome()).message(1, outcome()).toBytes());
      case 4 -> call(DECISIONS + "Activate", new Protobuf().text(1, text()).toBytes());
      case 5 ->
          call(
              chance.of(
                  DECISIONS + "Nothing",
                  "/nothing.Nothing/Nothing",
                  "/grpc.health.v1.Health/Check",
                  "/grpc.health.v1.Health/Watch"),
              new Protobuf().text(1, text()).toBytes());
      case 6 -> broken(decision().toBytes());
      default -> call(DECISIONS + "Decide", decision().toBytes());
    };
  }

  private Protobuf batch() {
    Protobuf batch = new Protobuf();
    int count = chance.oneIn(50) ? 120 : chance.below(4);
    for (int i = 0; i < count; i++) {
      batch.message(1, decision());
    }
    return batch;
  }

  private Protobuf decision() {
    Protobuf request = new Protobuf().text(1, chance.oneIn(10) ? text() : surface);
    if (chance.oneIn(2)) {
      request.text(2, chance.oneIn(2) ? text() : "d-" + chance.below(1000));
    }
    if (chance.oneIn(2)) {
      request.message(3, new Protobuf().text(1, text()));
    }
    if (chance.oneIn(2)) {
      request.message(4, struct(chance.oneIn(100) ? 150 : 2));
    }
    int candidates = chance.oneIn(100) ? 1200 : chance.below(4);
    for (int i = 0; i < candidates; i++) {
      Protobuf candidate = new Protobuf().text(1, chance.oneIn(5) ? text() : "i" + i);
      request.message(
          5,
          chance.oneIn(3)
              ? candidate.message(2, chance.oneIn(2) ? new Protobuf() : struct(1))
              : candidate);
    }
    if (chance.oneIn(3)) {
      request.text(chance.of(6, 7), text());
    }
    request.message(
        8,
        chance.oneIn(3)
            ? new Protobuf()
                .number(1 + chance.below(6), chance.of(-1L, 0L, 1L << 40, Long.MAX_VALUE))
            : new Protobuf().number(2, 1));
    if (chance.oneIn(4)) {
      request.message(chance.of(9, 10, 11, 500_000_000), value(3));
    }
    return request;
  }

  private Protobuf outcome() {
    Protobuf outcome =
        new Protobuf()
            .text(1, text())
            .text(2, "d-" + chance.below(1000))
            .text(5, chance.of("like", "click", HostileJson.CANARY));
    if (!chance.oneIn(5)) {
      outcome.decimal(6, number());
    }
    if (chance.oneIn(3)) {
      outcome.message(
          7,
          new Protobuf()
              .number(1, chance.of(0L, 1_796_011_200L, Long.MAX_VALUE, Long.MIN_VALUE))
              .number(2, chance.of(0L, -1L, 1_000_000_000L)));
    }
    return outcome.message(8, struct(1));
  }

  private Protobuf struct(int depth) {
    return new Protobuf()
        .message(1, new Protobuf().text(1, text()).message(2, value(depth)))
        .message(1, new Protobuf().text(1, "hour").message(2, value(0)));
  }

  private Protobuf value(int depth) {
    Protobuf value = new Protobuf();
    if (depth > 0) {
      return chance.oneIn(2)
          ? value.message(5, struct(depth - 1))
          : value.message(6, new Protobuf().message(1, value(depth - 1)));
    }
    return switch (chance.below(6)) {
      case 0 -> value.number(1, chance.of(0L, 7L, -1L));
      case 1 -> value.decimal(2, number());
      case 2 -> value.text(3, text());
      case 3 -> value.number(4, 1);
      case 4 -> value.bytes(3, new byte[] {(byte) 0xFF, (byte) 0xFE});
      default -> value;
    };
  }

  private double number() {
    return chance.of(
        0.0, -0.0, 1.0, 0.1, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, 1e300, -7.0);
  }

  private String text() {
    return HostileJson.CANARY
        + chance.of("", " ", "\u0000", "🦊", "\n", "x".repeat(300), "x".repeat(2000));
  }

  private Call call(String path, byte[] message) {
    byte[] fitting = Arrays.copyOf(message, Math.min(message.length, MAX_BYTES));
    byte[] sent = chance.oneIn(4) ? spoiled(fitting) : fitting;
    List<Header> headers = headers(path);
    if (chance.oneIn(5)) {
      headers.add(
          chance.of(
              new Header("traceparent", "x".repeat(200)),
              new Header("bellwether-deadline-ms", chance.of("0", "-1", "x", "1")),
              new Header("grpc-timeout", chance.of("1S", "50m", "1H")),
              new Header("grpc-encoding", "identity"),
              new Header("cookie", HostileHttp.SECRET_CANARY)));
    }
    return new Call(headers, prefixed(0, sent.length, sent), true);
  }

  private List<Header> headers(String path) {
    List<Header> headers = new ArrayList<>();
    headers.add(new Header(":method", "POST"));
    headers.add(new Header(":scheme", "http"));
    headers.add(new Header(":path", path));
    headers.add(new Header(":authority", "localhost"));
    headers.add(new Header("content-type", "application/grpc"));
    headers.add(new Header("te", "trailers"));
    headers.add(
        apiKey.isBlank() || chance.oneIn(10)
            ? new Header("x-api-key", HostileHttp.SECRET_CANARY)
            : new Header("x-api-key", apiKey));
    return headers;
  }

  private byte[] spoiled(byte[] message) {
    if (message.length > 0 && chance.oneIn(2)) {
      message[chance.below(message.length)] = (byte) chance.below(256);
      return message;
    }
    return chance.oneIn(2)
        ? Arrays.copyOf(message, chance.below(message.length + 1))
        : chance.bytes(chance.below(300));
  }

  /** What breaks the rules of gRPC or of its frames. */
  private Call broken(byte[] unbounded) {
    byte[] message = Arrays.copyOf(unbounded, Math.min(unbounded.length, MAX_BYTES / 2));
    List<Header> headers = headers(DECISIONS + "Decide");
    byte[] whole = prefixed(0, message.length, message);
    return switch (chance.below(10)) {
      case 0 -> new Call(headers, prefixed(1, message.length, message), false);
      case 1 -> new Call(headers, prefixed(255, message.length, message), false);
      case 2 -> new Call(headers, prefixed(0, Integer.MAX_VALUE, message), false);
      case 3 -> new Call(headers, prefixed(0, -1, message), false);
      case 4 -> new Call(headers, Arrays.copyOf(whole, chance.below(whole.length)), false);
      case 5 -> {
        byte[] twice = Arrays.copyOf(whole, 2 * whole.length);
        System.arraycopy(whole, 0, twice, whole.length, whole.length);
        yield new Call(headers, twice, false);
      }
      case 6 -> with(headers, new Header("grpc-timeout", chance.of("x", "-1S", "", "999999999H")));
      case 7 -> with(headers, new Header("grpc-encoding", chance.of("gzip", "x")));
      case 8 -> with(headers, new Header("Upper-Case", HostileHttp.SECRET_CANARY));
      default -> with(headers, new Header("x-bin", "x".repeat(chance.of(3, 9000))));
    };
  }

  private Call with(List<Header> headers, Header header) {
    headers.add(header);
    return new Call(headers, prefixed(0, 0, new byte[0]), false);
  }

  private static byte[] prefixed(int flag, int length, byte[] message) {
    return ByteBuffer.allocate(PREFIX + message.length)
        .put((byte) flag)
        .putInt(length)
        .put(message)
        .array();
  }
}
