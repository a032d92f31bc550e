package io.bellwether.serving.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.DateTimeException;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A refused event as it came, with why and from where. The arrays are not copied.
 *
 * @param reason code of what was wrong
 * @param topic from which it was read
 * @param partition of that topic
 * @param offset in that partition; -1 where the letter does not say
 * @param firstSeen when it was first written; absent where the letter does not say
 * @param refusedAt when it became a dead letter
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Letter(
    LetterId id,
    String reason,
    String detail,
    String topic,
    int partition,
    long offset,
    @Nullable Instant firstSeen,
    Instant refusedAt,
    byte @Nullable [] key,
    byte @Nullable [] value) {

  static Letter of(ConsumerRecord<byte[], byte[]> record) {
    return new Letter(
        new LetterId(record.partition(), record.offset()),
        header(record, "x-error"),
        header(record, "x-detail"),
        header(record, "x-topic"),
        (int) number(header(record, "x-partition")),
        number(header(record, "x-offset")),
        time(header(record, "x-first-seen")),
        Instant.ofEpochMilli(record.timestamp()),
        record.key(),
        record.value());
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null ? "" : new String(header.value(), UTF_8);
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static @Nullable Instant time(String text) {
    try {
      return text.isEmpty() ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
