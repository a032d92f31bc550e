package io.bellwether.ingestion.event;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.SchemaStore;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of one kind of event: Avro's single-object encoding (marker, schema fingerprint, body).
 *
 * <p>A reader knows the current schema and those before it, whose texts are resources; a record of
 * another version reads when its schema is passed to {@link #of(Class, List)}, as a schema registry
 * would. Thread-safe.
 */
public final class EventCodec<T extends SpecificRecordBase> {

  private static final byte[] MARKER = {(byte) 0xC3, 1};

  private static final List<String> EARLIER_VERSIONS = List.of("1", "2", "3");

  /** Those that have changed since, with what they refer to, which comes first. */
  private static final Map<String, List<String>> CHANGED =
      Map.of(
          "Decision", List.of("Decision"),
          "Transition", List.of("Decision", "Transition"));

  private final byte[] header;
  private final ThreadLocal<EventEncoder> encoders = ThreadLocal.withInitial(EventEncoder::new);
  private final ThreadLocal<EventBody<T>> bodies;
  private final BinaryMessageDecoder<T> decoder;

  private EventCodec(Class<T> type, Schema schema, List<Schema> otherVersions) {
    SpecificData model = SpecificData.getForSchema(schema);
    this.header = header(schema);
    this.bodies = ThreadLocal.withInitial(() -> body(type, schema, model));
    SchemaStore.Cache versions = new SchemaStore.Cache();
    otherVersions.forEach(versions::addSchema);
    this.decoder = new BinaryMessageDecoder<>(model, schema, versions);
  }

  @SuppressWarnings("unchecked") // outcomes for the class of outcomes
  private static <T extends SpecificRecordBase> EventBody<T> body(
      Class<T> type, Schema schema, SpecificData model) {
    return type.equals(Outcome.class)
        ? (EventBody<T>) new OutcomeBody(schema)
        : new RecordBody<>(schema, model);
  }

  /** The codec of a generated record class. */
  public static <T extends SpecificRecordBase> EventCodec<T> of(Class<T> type) {
    return of(type, earlier(type.getSimpleName()));
  }

  /** The codec of a generated record class that also reads records of these versions. */
  public static <T extends SpecificRecordBase> EventCodec<T> of(
      Class<T> type, List<Schema> otherVersions) {
    return new EventCodec<>(type, SpecificData.get().getSchema(type), otherVersions);
  }

  private static List<Schema> earlier(String name) {
    List<String> texts = CHANGED.getOrDefault(name, List.of());
    return texts.isEmpty()
        ? List.of()
        : EARLIER_VERSIONS.stream().map(version -> schema(version, texts)).toList();
  }

  /** The last of these texts, which may refer to those before it. */
  private static Schema schema(String version, List<String> texts) {
    Schema.Parser parser = new Schema.Parser();
    Schema last = null;
    for (String text : texts) {
      String resource = "/schemas/" + version + "/" + text + ".avsc";
      try (InputStream schema = EventCodec.class.getResourceAsStream(resource)) {
        last = parser.parse(Objects.requireNonNull(schema, resource));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + resource, e);
      }
    }
    return Objects.requireNonNull(last);
  }

  /**
   * An event's bytes, and where in them one of its fields lies. The array is not copied.
   *
   * @param at index of the first byte of the field's content
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Encoded(byte[] bytes, int at) {}

  /** The bytes of an event whose required fields are all set. */
  public byte[] encode(T event) {
    EventEncoder encoder = encoders.get();
    write(event, null, encoder);
    return encoder.end();
  }

  /**
   * The bytes of an event whose required fields are all set, and where in them the content of one
   * of its fields lies.
   *
   * @param field what the event holds in a field of type bytes
   */
  public Encoded encode(T event, ByteBuffer field) {
    EventEncoder encoder = encoders.get();
    write(event, field, encoder);
    int at = encoder.watchedAt();
    if (at < 0) {
      throw new IllegalArgumentException("the event holds no such bytes");
    }
    return new Encoded(encoder.end(), at);
  }

  private void write(T event, @Nullable ByteBuffer field, EventEncoder encoder) {
    try {
      encoder.begin(header, field);
      event.customEncode(encoder);
    } catch (IOException e) {
      throw new IllegalStateException("encoding to memory does no I/O", e);
    }
  }

  /** The marker of the single-object encoding, and the fingerprint of the schema. */
  private static byte[] header(Schema schema) {
    ByteBuffer header = ByteBuffer.allocate(MARKER.length + Long.BYTES).order(LITTLE_ENDIAN);
    return header.put(MARKER).putLong(SchemaNormalization.parsingFingerprint64(schema)).array();
  }

  /**
   * Reads an event.
   *
   * @throws UndecodableEventException when the bytes are no such event
   */
  public T decode(byte[] bytes) throws UndecodableEventException {
    try {
      return isCurrent(bytes) ? bodies.get().read(bytes, header.length) : decoder.decode(bytes);
    } catch (IOException | RuntimeException e) {
      throw undecodable(bytes, e);
    }
  }

  static UndecodableEventException undecodable(byte[] bytes, Exception cause) {
    return new UndecodableEventException(
        bytes.length + " bytes are no event of a known version: " + cause.getMessage(), cause);
  }

  int headerLength() {
    return header.length;
  }

  /** Whether the bytes say that they are an event of the current schema. */
  boolean isCurrent(byte[] bytes) {
    return bytes.length >= header.length
        && Arrays.equals(bytes, 0, header.length, header, 0, header.length);
  }
}
