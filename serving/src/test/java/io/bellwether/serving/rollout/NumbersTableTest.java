package io.bellwether.serving.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.serving.rollout.NumbersTable.ExperimentNumbers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NumbersTableTest {

  private static final Instant T0 = Instant.parse("2026-11-30T12:00:00Z");

  private final NumbersTable table = new NumbersTable();

  @Test
  void theLatestOfAKeyReplacesTheEarlier() {
    Population control = new Population("e", 1, "control").grow(10);
    table.apply(control.counted(T0));
    long before = table.of("e").changes();
    table.apply(control.grow(5).counted(T0.plusSeconds(1)));
    ExperimentNumbers now = table.of("e");
    assertEquals(List.of(15L), now.records().stream().map(VariantNumbers::getUnits).toList());
    assertNotEquals(before, now.changes());
  }

  @Test
  void readingTheTopicAgainChangesNothing() {
    Population control = new Population("e", 1, "control");
    VariantNumbers first = control.grow(10).counted(T0);
    VariantNumbers second = control.grow(10).counted(T0.plusSeconds(1));
    table.apply(first);
    table.apply(second);
    ExperimentNumbers once = table.of("e");
    table.apply(first);
    assertEquals(once, table.of("e"));
  }

  @Test
  void aPhaseIsAsOldAsTheVariantThatWasLeastRecentlyCounted() {
    table.apply(new Population("e", 2, "control").grow(1).counted(T0.plusSeconds(9)));
    table.apply(new Population("e", 2, "treatment").grow(1).counted(T0.plusSeconds(3)));
    table.apply(new Population("e", 1, "treatment").grow(1).counted(T0));
    assertEquals(Optional.of(T0.plusSeconds(3)), table.of("e").countedUntil(2));
    assertEquals(Optional.empty(), table.of("e").countedUntil(3));
  }

  @Test
  void numbersAreShownOnceAllOfTheMomentAreThere() {
    Population control = new Population("e", 1, "control").grow(10);
    Population treatment = new Population("e", 1, "treatment").grow(10);
    table.apply(control.counted(T0));
    table.apply(treatment.counted(T0));
    table.apply(control.grow(160).counted(T0.plusSeconds(1)));
    assertEquals(List.of(10L, 10L), units());
    table.apply(treatment.grow(150).counted(T0.plusSeconds(1)));
    assertEquals(List.of(170L, 160L), units());
  }

  @Test
  void whoIsSilentHoldsNobodyUp() {
    Population control = new Population("e", 1, "control").grow(10);
    table.apply(new Population("e", 1, "treatment").grow(10).counted(T0));
    table.apply(control.counted(T0));
    table.apply(control.grow(5).counted(T0.plusSeconds(5)));
    assertEquals(List.of(10L, 10L), units());
    table.apply(control.counted(T0.plusSeconds(6)));
    assertEquals(List.of(15L, 10L), units());
  }

  @Test
  void whatFellSilentAtSeveralMomentsIsShownAfterARestart() {
    table.apply(new Population("e", 1, "control").grow(10).counted(T0));
    table.apply(new Population("e", 1, "treatment").grow(20).counted(T0.plusSeconds(2)));
    table.showAll();
    assertEquals(List.of(10L, 20L), units());
  }

  private List<Long> units() {
    return table.of("e").records().stream().map(VariantNumbers::getUnits).toList();
  }

  @Test
  void whatDoesNotFitTogetherIsRefusedAndLeavesWhatWasKnown() {
    table.apply(new Population("e", 1, "control").grow(10).counted(T0));
    VariantNumbers broken = new Population("e", 1, "control").grow(20).counted(T0.plusSeconds(1));
    broken.setProducts(List.of());
    assertThrows(IllegalArgumentException.class, () -> table.apply(broken));
    assertEquals(10, table.of("e").records().get(0).getUnits());
  }

  @Test
  void experimentsPhasesAndKindsAreKeptApart() {
    table.apply(new Population("e", 1, "control").grow(1).counted(T0));
    table.apply(new Population("e", 2, "control").grow(2).counted(T0));
    table.apply(new Population("f", 1, "control").grow(3).counted(T0));
    VariantNumbers shadow = new Population("e", 1, "control").grow(4).counted(T0);
    shadow.setKind(ExposureKind.SHADOW);
    table.apply(shadow);
    assertEquals(1, table.of("e").of(1, ExposureKind.SHOWN).get(0).getUnits());
    assertEquals(4, table.of("e").of(1, ExposureKind.SHADOW).get(0).getUnits());
    assertEquals(2, table.of("e").of(2, ExposureKind.SHOWN).get(0).getUnits());
    assertEquals(3, table.of("f").of(1, ExposureKind.SHOWN).get(0).getUnits());
    assertEquals(List.of(), table.of("g").records());
  }
}
