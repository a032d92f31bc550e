package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.VariantNumbers;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Numbers as a record of their topic, which keeps the latest of each key. */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
public final class WriteNumbers implements KafkaRecordSerializationSchema<VariantNumbers> {

  private static final long serialVersionUID = 1L;

  private transient EventCodec<VariantNumbers> codec;

  @Override
  public void open(
      SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) {
    codec = EventCodec.of(VariantNumbers.class);
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      VariantNumbers numbers, KafkaSinkContext context, Long timestamp) {
    byte[] key = key(numbers).getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(Topics.EXPERIMENT_METRICS, key, codec.encode(numbers));
  }

  /** As {@link NumbersChange#key} names them. */
  static String key(VariantNumbers numbers) {
    return (numbers.getKind() == ExposureKind.SHADOW ? "shadow/" : "")
        + numbers.getExperiment()
        + "/"
        + numbers.getPhase()
        + "/"
        + numbers.getVariant()
        + "/"
        + numbers.getSlice();
  }
}
