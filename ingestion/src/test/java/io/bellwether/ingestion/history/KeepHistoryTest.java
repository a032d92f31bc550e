package io.bellwether.ingestion.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.ingestion.erasure.ErasureFeed;
import io.bellwether.ingestion.event.Erasure;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.redis.RedisValue;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.function.SerializableSupplier;
import org.junit.jupiter.api.Test;

class KeepHistoryTest {

  private static final FeatureLayout LAYOUT = FeatureLayout.of(TestEvents.surface());

  @Test
  void whoWasErasedBeginsAnew() throws Exception {
    var before = harness(() -> ErasureFeed.of(new ErasedSubjects()));
    before.open();
    before.processElement(update("anna", "d1", 1_000_000), 0);
    before.processElement(update("bo", "d2", 1_000_000), 0);
    var state = before.snapshot(1, 1);
    before.close();

    var after =
        harness(
            () -> {
              ErasedSubjects erased = new ErasedSubjects();
              erased.add(new Erasure(Erasure.hash("anna"), "0".repeat(26), 2_000_000));
              return ErasureFeed.of(erased);
            });
    after.initializeState(state);
    after.open();
    after.processElement(update("anna", "d3", 2_000_000), 0);
    after.processElement(update("anna", "d4", 3_000_000), 0);
    after.processElement(update("bo", "d5", 3_000_000), 0);

    List<RedisValue> told = after.extractOutputValues();
    assertEquals(2, told.size());
    assertEquals(List.of(3_000_000L), times(told.get(0)));
    assertEquals(2, times(told.get(1)).size());
    assertEquals(1_000_000, times(told.get(1)).get(0), 8_000, "as exact as a history is");
    after.close();
  }

  private static List<Long> times(RedisValue value) {
    return SubjectHistory.fromBytes(value.value(), LAYOUT).entries().stream()
        .map(SubjectHistory.Entry::decidedAtMicros)
        .toList();
  }

  private static HistoryUpdate update(String subject, String decision, long micros) {
    return new HistoryUpdate(
        TestEvents.surface().name(),
        subject,
        decision,
        micros,
        1,
        new long[] {ItemReference.of("item")},
        new float[0],
        new float[TestEvents.surface().history().signals().size()]);
  }

  private static KeyedOneInputStreamOperatorTestHarness<String, HistoryUpdate, RedisValue> harness(
      SerializableSupplier<ErasureFeed> erasures) throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(
            new KeepHistory(() -> List.of(TestEvents.surface()), Duration.ofDays(30), erasures)),
        HistoryUpdate::subjectKey,
        Types.STRING);
  }
}
