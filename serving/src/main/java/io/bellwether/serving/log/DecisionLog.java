package io.bellwether.serving.log;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.UndecodableEventException;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The record of every decision: its bytes, and its way to Kafka. Thread-safe. */
@Singleton
public final class DecisionLog {

  private static final String TYPE = "io.bellwether.decision.made.v1";
  private static final int INITIAL_BYTES = 1 << 14;

  /** What one exceptional decision needed is not kept for all that follow. */
  private static final int MOST_KEPT_BYTES = 1 << 18;

  private final EventLog log;
  private final EventCodec<Decision> codec = EventCodec.of(Decision.class);
  private final ThreadLocal<ByteBuffer> rows =
      ThreadLocal.withInitial(() -> littleEndian(INITIAL_BYTES));

  DecisionLog(EventLog log) {
    this.log = log;
  }

  /** The bytes of a decision. */
  public byte[] encode(Decision decision) {
    return codec.encode(decision);
  }

  /**
   * The bytes of a decision whose candidates' features are still where they were registered or
   * read. They are written into the bytes alone, and the decision's {@code items} become a view of
   * those, so that nobody may write to them.
   *
   * @param bytes of all features
   * @param items writes so many bytes, as {@code items} holds them, from a buffer's position on;
   *     the buffer is little-endian, and its position may stay
   */
  public byte[] encode(Decision decision, int bytes, Consumer<ByteBuffer> items) {
    ByteBuffer floats = memory(bytes);
    items.accept(floats);
    floats.rewind();
    decision.setItems(floats);
    EventCodec.Encoded encoded = codec.encode(decision, floats);
    decision.setItems(ByteBuffer.wrap(encoded.bytes(), encoded.at(), floats.remaining()).slice());
    return encoded.bytes();
  }

  /** So many bytes, of which nothing is kept after the decision was encoded. */
  private ByteBuffer memory(int bytes) {
    ByteBuffer memory = rows.get();
    if (memory.capacity() < bytes) {
      memory = littleEndian(bytes);
      if (bytes <= MOST_KEPT_BYTES) {
        rows.set(memory);
      }
    }
    return memory.clear().limit(bytes);
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads a decision. */
  public Decision decode(byte[] bytes) throws UndecodableEventException {
    return codec.decode(bytes);
  }

  /** Makes a decision safe, and completes with it. */
  public CompletableFuture<Decision> write(Decision decision, byte[] bytes) {
    return log.record(event(decision, bytes)).thenApply(stored -> decision);
  }

  /** The record of a decision. */
  public Event event(Decision decision, byte[] bytes) {
    return new Event(
        Topics.DECISIONS,
        decision.getDecisionId(),
        decision.getDecisionId(),
        TYPE,
        Instant.EPOCH.plus(decision.getDecidedAtMicros(), ChronoUnit.MICROS),
        Event.AVRO,
        bytes);
  }
}
