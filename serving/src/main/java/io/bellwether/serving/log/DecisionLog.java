package io.bellwether.serving.log;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.UndecodableEventException;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;

/** The record of every decision: its bytes, and its way to Kafka. Thread-safe. */
@Singleton
public final class DecisionLog {

  private static final String TYPE = "io.bellwether.decision.made.v1";

  private final EventLog log;
  private final EventCodec<Decision> codec = EventCodec.of(Decision.class);

  DecisionLog(EventLog log) {
    this.log = log;
  }

  /** The bytes of a decision. */
  public byte[] encode(Decision decision) {
    return codec.encode(decision);
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
