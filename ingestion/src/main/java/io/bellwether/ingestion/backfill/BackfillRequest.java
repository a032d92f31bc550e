package io.bellwether.ingestion.backfill;

import io.bellwether.ingestion.surface.Surface;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * What shall be joined once more.
 *
 * @param kafka {@code host:port}, several separated by commas
 * @param surfaces all declared surfaces
 * @param from decisions that Kafka got from then on
 * @param to and before this
 * @param into archive folder that this fills; there is none yet, so that no archive gets rows twice
 * @param eventsPerSecond at most, so that Kafka's other readers have their share
 */
public record BackfillRequest(
    String kafka,
    SerializableSupplier<List<Surface>> surfaces,
    Instant from,
    Instant to,
    Path into,
    int eventsPerSecond) {

  public BackfillRequest {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("from " + from + " to " + to + " is no time");
    }
    if (eventsPerSecond < 1) {
      throw new IllegalArgumentException(eventsPerSecond + " events a second, expected at least 1");
    }
  }
}
