package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A transition as a record of its topic, keyed by decision id, with a CloudEvent's attributes. */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
final class WriteTransitions implements KafkaRecordSerializationSchema<Transition> {

  private static final long serialVersionUID = 1L;

  private transient EventCodec<Transition> codec;

  @Override
  public void open(
      SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) {
    codec = EventCodec.of(Transition.class);
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Transition transition, KafkaSinkContext context, Long timestamp) {
    String decisionId = transition.getDecision().getDecisionId();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(Topics.TRAINING, utf8(decisionId), codec.encode(transition));
    record
        .headers()
        .add("ce_specversion", utf8("1.0"))
        .add("ce_type", utf8("io.bellwether.decision.joined.v1"))
        .add("ce_source", utf8("/bellwether/" + transition.getDecision().getSurface()))
        .add("ce_id", utf8(decisionId + "." + transition.getRevision()))
        .add("content-type", utf8("application/avro"));
    return record;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
