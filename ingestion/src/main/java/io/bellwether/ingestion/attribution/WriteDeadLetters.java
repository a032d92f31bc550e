package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A refused record as it came, key and bytes, with the reason and its origin in the headers. */
final class WriteDeadLetters implements KafkaRecordSerializationSchema<DeadLetter> {

  private static final long serialVersionUID = 1L;

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      DeadLetter letter, KafkaSinkContext context, Long timestamp) {
    Received origin = letter.record();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(Topics.DEAD_LETTERS, origin.key(), origin.value());
    record
        .headers()
        .add("x-error", utf8(letter.reason()))
        .add("x-detail", utf8(letter.detail()))
        .add("x-topic", utf8(origin.topic()))
        .add("x-partition", utf8(Integer.toString(origin.partition())))
        .add("x-offset", utf8(Long.toString(origin.offset())))
        .add("x-first-seen", utf8(Instant.ofEpochMilli(origin.writtenAtMillis()).toString()));
    return record;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
