package io.bellwether.ingestion.attribution;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes records from Kafka as they are: a bad one is for an operator to refuse, not for here. */
final class ReadRecords implements KafkaRecordDeserializationSchema<Received> {

  private static final long serialVersionUID = 1L;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Received> out) {
    out.collect(
        new Received(
            record.topic(),
            record.partition(),
            record.offset(),
            record.timestamp(),
            record.key(),
            record.value()));
  }

  @Override
  public TypeInformation<Received> getProducedType() {
    return TypeInformation.of(Received.class);
  }
}
