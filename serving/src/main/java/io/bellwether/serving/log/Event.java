package io.bellwether.serving.log;

import java.time.Instant;

/**
 * One record for Kafka. The array is not copied.
 *
 * @param topic where it goes
 * @param key its key
 * @param id idempotency key: together with the source it is unique
 * @param type CloudEvents type
 * @param time when it happened
 * @param mediaType of the value
 * @param value the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Event(
    String topic,
    String key,
    String id,
    String type,
    Instant time,
    String mediaType,
    byte[] value) {

  /** Media type of Avro's single-object encoding. */
  public static final String AVRO = "application/avro";

  /** Media type of JSON. */
  public static final String JSON = "application/json";
}
