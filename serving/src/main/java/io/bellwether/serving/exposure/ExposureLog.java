package io.bellwether.serving.exposure;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.serving.log.Event;
import io.bellwether.serving.log.EventLog;
import io.bellwether.serving.log.Stored;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The record of every exposure: its bytes, and its way to Kafka. Thread-safe. */
@Singleton
public final class ExposureLog {

  private static final String TYPE = "io.bellwether.exposure.recorded.v1";

  private final EventLog log;
  private final Counter sent;
  private final Counter failed;
  private final EventCodec<Exposure> codec = EventCodec.of(Exposure.class);

  ExposureLog(EventLog log, MeterRegistry registry) {
    this.log = log;
    sent = counter(registry, "sent");
    failed = counter(registry, "failed");
  }

  private static Counter counter(MeterRegistry registry, String result) {
    return Counter.builder("bellwether.exposures")
        .description("Exposures that were to be logged, shadows among them")
        .tag("result", result)
        .register(registry);
  }

  /** The bytes of an exposure. */
  public byte[] encode(Exposure exposure) {
    return codec.encode(exposure);
  }

  /** Reads an exposure. */
  public Exposure decode(byte[] bytes) throws UndecodableEventException {
    return codec.decode(bytes);
  }

  /** Makes an exposure safe, and completes with it. */
  public CompletableFuture<Exposure> write(Exposure exposure) {
    return log.record(event(exposure))
        .thenApply(stored -> exposure)
        .whenComplete((done, failure) -> (failure == null ? sent : failed).increment());
  }

  /**
   * Makes the exposures of an answer safe together with its decision, all or none.
   *
   * @param decision of the same answer
   * @param surface says what becomes of an answer that cannot be logged
   * @param byNanos as {@link EventLog#record(List, long)} has it
   */
  public CompletableFuture<Stored> write(
      List<Exposure> exposures, Event decision, Surface surface, long byNanos) {
    List<Event> events = new ArrayList<>(1 + exposures.size());
    events.add(decision);
    exposures.forEach(exposure -> events.add(event(exposure)));
    return log.record(events, surface, byNanos)
        .whenComplete(
            (stored, failure) ->
                (failure == null && stored != Stored.UNLOGGED ? sent : failed)
                    .increment(exposures.size()));
  }

  private Event event(Exposure exposure) {
    return new Event(
        Topics.EXPOSURES,
        exposure.getSubjectId(),
        exposure.getExposureId(),
        TYPE,
        Instant.EPOCH.plus(exposure.getExposedAtMicros(), ChronoUnit.MICROS),
        Event.AVRO,
        encode(exposure));
  }
}
