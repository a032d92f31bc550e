package io.bellwether.serving.deadletter;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.UndecodableEventException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/** What a topic's events are, and how they are keyed. Immutable and thread-safe. */
final class EventKind<T extends SpecificRecordBase> {

  private static final Map<String, EventKind<?>> BY_TOPIC =
      Map.of(
          Topics.DECISIONS,
          new EventKind<>(Decision.class, Decision::getDecisionId, Decision::getSurface),
          Topics.OUTCOMES,
          new EventKind<>(Outcome.class, Outcome::getDecisionId, outcome -> null),
          Topics.EXPOSURES,
          new EventKind<>(Exposure.class, Exposure::getSubjectId, Exposure::getSurface));

  private final Class<T> type;
  private final EventCodec<T> codec;
  private final Function<T, String> key;
  private final Function<T, @Nullable String> surface;

  private EventKind(Class<T> type, Function<T, String> key, Function<T, @Nullable String> surface) {
    this.type = type;
    this.codec = EventCodec.of(type);
    this.key = key;
    this.surface = surface;
  }

  /** The kind of event that a topic holds; empty for topics whose events cannot be refused. */
  static Optional<EventKind<?>> of(String topic) {
    return Optional.ofNullable(BY_TOPIC.get(topic));
  }

  /**
   * What an event says.
   *
   * @param key under which it belongs in its topic
   * @param surface absent where it names none
   */
  record Read(ObjectNode fields, String key, @Nullable String surface) {}

  /** Reads an event; empty where the bytes are none of this kind. */
  Optional<Read> read(byte @Nullable [] value) {
    if (value == null) {
      return Optional.empty();
    }
    try {
      T event = codec.decode(value);
      return Optional.of(new Read(EventJson.write(event), key.apply(event), surface.apply(event)));
    } catch (UndecodableEventException e) {
      return Optional.empty();
    }
  }

  /** The surface that an event names, if it is one and names one. */
  Optional<String> surface(byte @Nullable [] value) {
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(surface.apply(codec.decode(value)));
    } catch (UndecodableEventException e) {
      return Optional.empty();
    }
  }

  /** The bytes of the event with these fields; refuses those that are none of this kind's. */
  byte[] write(ObjectNode fields, String pointer) {
    return codec.encode(type.cast(EventJson.read(fields, schema(), pointer)));
  }

  private Schema schema() {
    return org.apache.avro.specific.SpecificData.get().getSchema(type);
  }

  /** What this kind is called. */
  String name() {
    return type.getSimpleName();
  }
}
