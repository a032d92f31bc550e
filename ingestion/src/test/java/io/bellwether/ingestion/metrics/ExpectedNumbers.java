package io.bellwether.ingestion.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.event.Buckets;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The numbers of experiments by their definition, over all events at once: slow and obvious. */
public final class ExpectedNumbers {

  private final Surface surface;
  private final Map<String, Done> decisions = new HashMap<>();
  private final Map<String, Exposure> exposures = new LinkedHashMap<>();

  /**
   * All that there is to know of a decision.
   *
   * @param signals in the end
   */
  public record Done(
      String id, String subjectId, long decidedAtMicros, List<SignalValue> signals) {}

  /** What a pool should hold. */
  private static final class Sums {
    private final List<double[]> rows = new ArrayList<>();
    private long exposures;
    private long degraded;
    private long forced;
    private long crossovers;
    private double agreement;
    private final List<Long> micros = new ArrayList<>();
  }

  public ExpectedNumbers(Surface surface) {
    this.surface = surface;
  }

  public void decided(Done decision) {
    decisions.put(decision.id(), decision);
  }

  public void exposed(Exposure exposure) {
    exposures.putIfAbsent(exposure.getKind() + exposure.getExposureId(), exposure);
  }

  /** Compares all keys; what a reader has must be the latest of each. */
  public void assertAre(Map<String, VariantNumbers> actual) {
    Map<String, Sums> expected = expected();
    assertEquals(expected.keySet(), new TreeMap<>(actual).keySet());
    expected.forEach((key, sums) -> assertPool(key, sums, at(actual, key)));
  }

  /** Whether exposures and units are all counted. */
  public boolean areCounted(Map<String, VariantNumbers> actual) {
    try {
      assertAre(actual);
      return true;
    } catch (AssertionError notYet) {
      return false;
    }
  }

  private static void assertPool(String key, Sums expected, VariantNumbers actual) {
    assertEquals(expected.rows.size(), actual.getUnits(), key + " units");
    assertEquals(expected.exposures, actual.getExposures(), key + " exposures");
    assertEquals(expected.degraded, actual.getDegraded(), key + " degraded");
    assertEquals(expected.forced, actual.getForced(), key + " forced");
    assertEquals(expected.crossovers, actual.getCrossovers(), key + " crossovers");
    assertClose(expected.agreement, actual.getAgreement(), key + " agreement");
    List<String> columns = actual.getColumns();
    int place = 0;
    for (int i = 0; i < columns.size(); i++) {
      int row = i;
      double sum = expected.rows.stream().mapToDouble(r -> r[row]).sum();
      assertClose(sum, actual.getSums().get(i), key + " " + columns.get(i));
      for (int j = 0; j <= i; j++) {
        int column = j;
        double product = expected.rows.stream().mapToDouble(r -> r[row] * r[column]).sum();
        String what = key + " " + columns.get(i) + " x " + columns.get(j);
        assertClose(product, actual.getProducts().get(place++), what);
      }
    }
    for (Buckets buckets : actual.getDistributions()) {
      int column = columns.indexOf(buckets.getColumn());
      List<Double> values = expected.rows.stream().map(r -> r[column]).toList();
      assertBuckets(key + " " + buckets.getColumn(), values, buckets);
    }
    List<Double> micros = expected.micros.stream().map(Long::doubleValue).toList();
    assertBuckets(key + " micros", micros, actual.getDecisionMicros());
  }

  private static void assertBuckets(String what, List<Double> values, Buckets actual) {
    TreeMap<Integer, List<Double>> expected = new TreeMap<>();
    values.forEach(
        v -> expected.computeIfAbsent(LogBuckets.indexOf(v), b -> new ArrayList<>()).add(v));
    assertEquals(List.copyOf(expected.keySet()), actual.getBuckets(), what);
    int place = 0;
    for (List<Double> bucket : expected.values()) {
      assertEquals(bucket.size(), actual.getCounts().get(place), what);
      double sum = bucket.stream().mapToDouble(v -> v).sum();
      double squares = bucket.stream().mapToDouble(v -> v * v).sum();
      assertClose(sum, actual.getSums().get(place), what);
      assertClose(squares, actual.getSquares().get(place++), what);
    }
  }

  private static void assertClose(double expected, double actual, String what) {
    assertEquals(expected, actual, 1e-9 * Math.max(1, Math.abs(expected)), what);
  }

  private Map<String, Sums> expected() {
    Map<String, Sums> pools = new TreeMap<>();
    Map<String, List<Exposure>> units = new LinkedHashMap<>();
    for (Exposure exposure : exposures.values()) {
      String own = slice(exposure, exposure.getExposedAtMicros());
      Sums pool = pool(pools, exposure, exposure.getVariant(), own);
      if (exposure.getForced()) {
        pool.forced++;
        continue;
      }
      pool.exposures++;
      pool.degraded += exposure.getDegraded() == null ? 0 : 1;
      pool.agreement += exposure.getAgreement();
      if (exposure.getDecisionMicros() > 0) {
        pool.micros.add(exposure.getDecisionMicros());
      }
      if (exposure.getKind() == ExposureKind.SHOWN) {
        units.computeIfAbsent(unitOf(exposure), u -> new ArrayList<>()).add(exposure);
      }
    }
    units.values().forEach(unit -> count(unit, pools));
    return pools;
  }

  private void count(List<Exposure> unit, Map<String, Sums> pools) {
    Exposure first =
        unit.stream()
            .min(
                Comparator.comparingLong(Exposure::getExposedAtMicros)
                    .thenComparing(Exposure::getVariant))
            .orElseThrow();
    String slice = slice(first, first.getExposedAtMicros());
    List<String> others =
        unit.stream()
            .map(Exposure::getVariant)
            .distinct()
            .filter(variant -> !variant.equals(first.getVariant()))
            .toList();
    others.forEach(variant -> pool(pools, first, variant, slice).crossovers++);
    if (others.isEmpty()) {
      double[] row = first.getTeams().isEmpty() ? row(unit) : credits(unit);
      pool(pools, first, first.getVariant(), slice).rows.add(row);
    } else {
      pool(pools, first, first.getVariant(), slice);
    }
  }

  private double[] row(List<Exposure> unit) {
    List<Signal> signals = surface.signals();
    double[] row = new double[1 + 2 * signals.size() + 2 + signals.size()];
    row[0] = unit.size();
    List<Done> before = before(unit.get(0));
    int last = 1 + 2 * signals.size();
    row[last] = before.isEmpty() ? 0 : 1;
    row[last + 1] = before.size();
    for (int s = 0; s < signals.size(); s++) {
      String signal = signals.get(s).name();
      double total = unit.stream().mapToDouble(e -> total(of(e), signal)).sum();
      row[1 + 2 * s] = total;
      row[2 + 2 * s] = total > 0 ? 1 : 0;
      row[last + 2 + s] = before.stream().mapToDouble(d -> total(d, signal)).sum();
    }
    return row;
  }

  private double[] credits(List<Exposure> unit) {
    List<Signal> signals = surface.signals();
    double[] row = new double[1 + 3 * signals.size()];
    row[0] = unit.size();
    for (int s = 0; s < signals.size(); s++) {
      double credit = 0;
      for (Exposure exposure : unit) {
        for (SignalValue value : of(exposure).signals()) {
          if (value.getSignal().equals(signals.get(s).name()) && value.getPosition() >= 0) {
            int team = exposure.getTeams().get(value.getPosition());
            credit += team == 1 ? value.getValue() : team == 0 ? -value.getValue() : 0;
          }
        }
      }
      row[1 + 3 * s] = credit;
      // Credits of tenths that cancel leave dust, another one in another order.
      row[2 + 3 * s] = credit > UnitColumns.ZERO ? 1 : 0;
      row[3 + 3 * s] = credit < -UnitColumns.ZERO ? 1 : 0;
    }
    return row;
  }

  /** The subject's decisions that were over before it met the experiment, in any phase. */
  private List<Done> before(Exposure unit) {
    Exposure first =
        exposures.values().stream()
            .filter(e -> e.getKind() == ExposureKind.SHOWN && !e.getForced())
            .filter(e -> e.getExperiment().equals(unit.getExperiment()))
            .filter(e -> e.getSubjectId().equals(unit.getSubjectId()))
            .min(Comparator.comparingLong(Exposure::getExposedAtMicros))
            .orElseThrow();
    long end = first.getExposedAtMicros() - surface.longestWindow().toNanos() / 1000;
    return decisions.values().stream()
        .filter(d -> d.subjectId().equals(unit.getSubjectId()))
        .filter(d -> d.decidedAtMicros() < end)
        .filter(d -> d.decidedAtMicros() >= end - first.getPreperiodMicros())
        .toList();
  }

  private Done of(Exposure exposure) {
    return at(decisions, exposure.getDecisionId());
  }

  private static double total(Done decision, String signal) {
    return decision.signals().stream()
        .filter(value -> value.getSignal().equals(signal))
        .mapToDouble(SignalValue::getValue)
        .sum();
  }

  private static String unitOf(Exposure exposure) {
    String experiment = exposure.getExperiment() + " " + exposure.getPhase() + " ";
    return exposure.getSlice().isEmpty()
        ? experiment + exposure.getUnit()
        : experiment + exposure.getSlice() + " " + exposure.getDecisionId();
  }

  private static String slice(Exposure exposure, long firstMicros) {
    return exposure.getSlice().isEmpty()
        ? LocalDate.ofEpochDay(Math.floorDiv(firstMicros, 86_400_000_000L)).toString()
        : exposure.getSlice();
  }

  private static Sums pool(
      Map<String, Sums> pools, Exposure exposure, String variant, String slice) {
    String key =
        (exposure.getKind() == ExposureKind.SHADOW ? "shadow/" : "")
            + String.join(
                "/",
                exposure.getExperiment(),
                Integer.toString(exposure.getPhase()),
                variant,
                slice);
    return pools.computeIfAbsent(key, k -> new Sums());
  }

  private static <K, V> V at(Map<K, V> map, K key) {
    return Objects.requireNonNull(map.get(key));
  }

  /** The exposures that were told, each once. */
  public Collection<Exposure> distinct() {
    return exposures.values();
  }
}
