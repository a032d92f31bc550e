package io.bellwether.ingestion.backfill;

import io.bellwether.ingestion.attribution.Received;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Takes records from Kafka as they are, and not more of them in a second than it may: who waits
 * here reads nothing. Confined to its task's thread.
 */
final class PacedRecords implements KafkaRecordDeserializationSchema<Received> {

  private static final long serialVersionUID = 1L;
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What was not used of a second's share is gone after this. */
  private static final long BURST_NANOS = SECOND_NANOS / 10;

  private final double nanosEach;
  private transient double dueNanos;
  private transient long startNanos;

  /**
   * @param perSecond records in this subtask
   */
  PacedRecords(double perSecond) {
    this.nanosEach = SECOND_NANOS / perSecond;
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Received> out) {
    pace();
    out.collect(
        new Received(
            record.topic(),
            record.partition(),
            record.offset(),
            record.timestamp(),
            record.key(),
            record.value()));
  }

  private void pace() {
    if (startNanos == 0) {
      startNanos = System.nanoTime();
    }
    double now = System.nanoTime() - startNanos;
    dueNanos = Math.max(dueNanos, now - BURST_NANOS) + nanosEach;
    if (dueNanos > now) {
      LockSupport.parkNanos((long) (dueNanos - now));
    }
  }

  @Override
  public TypeInformation<Received> getProducedType() {
    return TypeInformation.of(Received.class);
  }
}
