package io.bellwether.serving.rollout;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.evaluation.experiment.Distribution;
import io.bellwether.evaluation.experiment.VariantSample;
import io.bellwether.ingestion.event.VariantNumbers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SamplesTest {

  private static final Instant T0 = Instant.parse("2026-11-30T12:00:00Z");

  @Test
  void theSlicesOfAVariantAreOneSampleAndStandBeside() {
    VariantNumbers monday = new Population("e", 1, "control").grow(40).counted(T0);
    VariantNumbers tuesday = new Population("e", 1, "control").grow(60).crossing(3).counted(T0);
    tuesday.setSlice("2026-12-01");
    List<VariantSample> samples = Samples.shown(List.of(monday, tuesday));
    assertEquals(1, samples.size());
    VariantSample control = samples.get(0);
    assertEquals(100, control.units());
    assertEquals(3, control.crossovers());
    assertEquals(100, control.health().exposures());
    assertEquals(Set.of("2026-11-30", "2026-12-01"), control.slices().keySet());
    assertEquals(
        monday.getSums().get(1) + tuesday.getSums().get(1),
        control.moments().sum("watch_seconds"),
        1e-9);
    assertEquals(100, watched(control).count());
  }

  @Test
  void momentsKeepMeansVariancesAndQuantiles() {
    VariantSample control =
        Samples.shown(List.of(new Population("e", 1, "control").grow(20_000).counted(T0))).get(0);
    assertEquals(100, control.moments().mean("watch_seconds"), 0.3);
    assertEquals(100, control.moments().variance("watch_seconds"), 4);
    assertEquals(0.3, control.moments().mean("like:any"), 0.01);
    assertEquals(100, watched(control).quantile(0.5).orElseThrow(), 1.5);
    assertEquals(2_000, control.health().decisionMicros().quantile(0.99).orElseThrow(), 1e-6);
  }

  @Test
  void aColumnThatWasNotCountedThroughoutIsLeftOut() {
    VariantNumbers before = new Population("e", 1, "control").grow(10).counted(T0);
    before.setColumns(List.of("decisions", "watch_seconds"));
    before.setSums(before.getSums().subList(0, 2));
    before.setProducts(before.getProducts().subList(0, 3));
    VariantNumbers after = new Population("e", 1, "treatment").grow(10).counted(T0);
    Map<Integer, List<String>> columns =
        Map.of(
            0, Samples.shown(List.of(before, after)).get(0).moments().columns(),
            1, Samples.shown(List.of(before, after)).get(1).moments().columns());
    assertEquals(
        Map.of(0, List.of("decisions", "watch_seconds"), 1, List.of("decisions", "watch_seconds")),
        columns);
  }

  @Test
  void variantsThatHaveNoColumnInCommonHaveNoneAtAll() {
    VariantNumbers before = new Population("e", 1, "control").grow(10).counted(T0);
    before.setColumns(List.of("old"));
    before.setSums(before.getSums().subList(0, 1));
    before.setProducts(before.getProducts().subList(0, 1));
    VariantNumbers after = new Population("e", 1, "treatment").grow(10).counted(T0);
    VariantNumbers later = new Population("e", 1, "treatment").grow(10).counted(T0);
    later.setSlice("2026-12-01");
    List<VariantSample> samples = Samples.shown(List.of(before, after, later));
    assertEquals(List.of(), samples.get(0).moments().columns());
    assertEquals(20, samples.get(1).units());
  }

  private static Distribution watched(VariantSample sample) {
    return requireNonNull(sample.distributions().get("watch_seconds"));
  }
}
