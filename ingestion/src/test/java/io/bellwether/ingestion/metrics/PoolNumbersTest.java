package io.bellwether.ingestion.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.VariantNumbers;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Exposures of one variant, by the wall clock of the harness, which starts at 0. */
class PoolNumbersTest {

  private static final long AT = 1_764_500_000_000_000L;

  private KeyedOneInputStreamOperatorTestHarness<String, NumbersChange, VariantNumbers> harness;

  @BeforeEach
  void open() throws Exception {
    harness = harness();
    harness.open();
    harness.setProcessingTime(100_000);
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void allNumbersAreToldAtTheSameSeconds() throws Exception {
    expose("d1");
    harness.setProcessingTime(100_999);
    expose("d2");
    expose("d3");
    assertEquals(List.of(), exposures());
    harness.setProcessingTime(101_007);
    expose("d4");
    harness.setProcessingTime(102_000);

    assertEquals(List.of(3L, 4L), exposures());
    assertEquals(
        List.of(101_000_000L, 102_000_000L),
        harness.extractOutputValues().stream().map(VariantNumbers::getWrittenAtMicros).toList());
  }

  @Test
  void numbersAreToldAgainForTenMinutesSoThatSilenceMeansThatNobodyCounts() throws Exception {
    expose("d1");
    for (long second = 100; second <= 2_000; second++) {
      harness.setProcessingTime(second * 1_000 + 1);
    }

    List<Long> told = exposures();
    assertEquals(600, told.size());
    assertEquals(List.of(1L), told.stream().distinct().toList());
  }

  @Test
  void aRestoredPoolGoesOnWhereItStood() throws Exception {
    expose("d1");
    OperatorSubtaskState state = harness.snapshot(1, 1);
    harness.close();
    harness = harness();
    harness.initializeState(state);
    harness.open();
    harness.setProcessingTime(200_000);
    expose("d2");
    harness.setProcessingTime(202_000);

    assertEquals(2L, exposures().get(exposures().size() - 1));
  }

  @Test
  void aShadowHasNoColumns() throws Exception {
    harness.processElement(
        NumbersChange.exposed(
            TestEvents.exposure("d", "s", "ab", 1, "b", AT)
                .setKind(ExposureKind.SHADOW)
                .setDegraded("TIMEOUT")
                .setDistance(0.25)
                .build(),
            "2025-11-30"),
        0);
    harness.setProcessingTime(101_000);

    VariantNumbers numbers = harness.extractOutputValues().get(0);
    assertEquals(List.of(), numbers.getColumns());
    assertEquals(List.of(), numbers.getDistributions());
    assertEquals(1, numbers.getDegraded());
    assertEquals(0.25, numbers.getDistance());
  }

  @Test
  void numbersThatNothingCanChangeAnyMoreAreLetGo() throws Exception {
    expose("d1");
    harness.setProcessingTime(100_001);
    harness.setProcessingTime(100_000 + Duration.ofMinutes(11).toMillis());
    harness.setProcessingTime(100_000 + Duration.ofDays(61).toMillis());

    assertEquals(0, harness.numKeyedStateEntries());
    assertEquals(0, harness.numProcessingTimeTimers());
  }

  private List<Long> exposures() {
    return harness.extractOutputValues().stream().map(VariantNumbers::getExposures).toList();
  }

  private void expose(String decision) throws Exception {
    harness.processElement(
        NumbersChange.exposed(
            TestEvents.exposure(decision, "s", "ab", 1, "a", AT).build(), "2025-11-30"),
        0);
  }

  private static KeyedOneInputStreamOperatorTestHarness<String, NumbersChange, VariantNumbers>
      harness() throws Exception {
    PoolNumbers operator =
        new PoolNumbers(() -> List.of(TestEvents.surface()), MetricsSettings.defaults());
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new KeyedProcessOperator<>(operator), NumbersChange::key, Types.STRING);
  }
}
