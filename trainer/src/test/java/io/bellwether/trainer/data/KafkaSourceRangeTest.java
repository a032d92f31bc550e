package io.bellwether.trainer.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class KafkaSourceRangeTest {

  private static final TopicPartition PARTITION = new TopicPartition("training", 0);

  private final List<byte[]> found = new ArrayList<>();

  @Test
  void readingEndsAtTheEndAndNoFurther() throws Exception {
    KafkaSourceRange.readUntil(3, PARTITION, consumer(5), Duration.ZERO, found::add);
    assertEquals(3, found.size());
  }

  @Test
  void aTopicThatFallsSilentBeforeTheEndIsAFailureAndNoEndlessWait() {
    IOException failed =
        assertThrows(
            IOException.class,
            () -> KafkaSourceRange.readUntil(9, PARTITION, consumer(5), Duration.ZERO, found::add));
    assertEquals("nothing new came from training-0 in 0 s at offset 5 of 9", failed.getMessage());
    assertEquals(5, found.size());
  }

  private static MockConsumer<byte[], byte[]> consumer(int records) {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    consumer.assign(List.of(PARTITION));
    consumer.seek(PARTITION, 0);
    for (int offset = 0; offset < records; offset++) {
      consumer.addRecord(
          new ConsumerRecord<>(PARTITION.topic(), 0, offset, new byte[0], new byte[] {1}));
    }
    return consumer;
  }
}
