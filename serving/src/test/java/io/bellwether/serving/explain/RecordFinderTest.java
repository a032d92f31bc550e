package io.bellwether.serving.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RecordFinderTest {

  @Test
  void aSearchBeginsALittleEarlierButNotBefore1970() {
    assertEquals(8_000, RecordFinder.millisBefore(Instant.ofEpochSecond(10)));
    assertEquals(0, RecordFinder.millisBefore(Instant.EPOCH));
  }

  @Test
  void beforeATopicIsMadeNothingIsInIt() {
    assertEquals(Optional.empty(), RecordFinder.partition("decisions", 0, "d1"));
    assertEquals(
        Optional.of(new TopicPartition("decisions", 0)),
        RecordFinder.partition("decisions", 1, "d1"));
  }
}
