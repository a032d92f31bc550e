package io.bellwether.serving.rollout;

import io.bellwether.evaluation.interval.CounterRandom;
import io.bellwether.ingestion.event.Buckets;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.metrics.LogBuckets;
import io.bellwether.ingestion.metrics.UnitColumns;
import io.bellwether.serving.Fixtures;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/**
 * Units of one variant in one phase of the surface {@code feed}, and what is counted of them. Each
 * made one decision; its watch seconds are normal with deviation 10, its like is a coin.
 */
public final class Population {

  private static final int WATCH = 1;
  private static final int LIKE = 3;
  private static final List<String> COLUMNS = UnitColumns.of(Fixtures.feed()).names();

  private final String experiment;
  private final int phase;
  private final String variant;
  private final CounterRandom random;
  private double watch = 100;
  private double like = 0.3;
  private double degraded;
  private long decisionMicros = 2_000;
  private long crossovers;
  private int size;

  public Population(String experiment, int phase, String variant) {
    this.experiment = experiment;
    this.phase = phase;
    this.variant = variant;
    random = new CounterRandom(31 * variant.hashCode() + phase);
  }

  public Population watching(double mean) {
    watch = mean;
    return this;
  }

  public Population liking(double chance) {
    like = chance;
    return this;
  }

  /** The share of decisions that are answered by another policy. */
  public Population degraded(double share) {
    degraded = share;
    return this;
  }

  public Population taking(long micros) {
    decisionMicros = micros;
    return this;
  }

  public Population crossing(long units) {
    crossovers = units;
    return this;
  }

  /** So many more units. */
  public Population grow(int units) {
    size += units;
    return this;
  }

  private List<double[]> rows() {
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      double[] row = new double[COLUMNS.size()];
      row[0] = 1;
      row[WATCH] = Math.max(0, watch + 10 * gaussian(rows.size()));
      row[WATCH + 1] = row[WATCH] > 0 ? 1 : 0;
      row[LIKE] = random.uniform(0, rows.size(), 0, 2) < like ? 1 : 0;
      row[LIKE + 1] = row[LIKE];
      rows.add(row);
    }
    return rows;
  }

  /** What was counted so far, written at this time. */
  public VariantNumbers counted(Instant at) {
    List<double[]> rows = rows();
    int count = COLUMNS.size();
    Double[] sums = filled(count);
    Double[] products = filled(count * (count + 1) / 2);
    for (double[] row : rows) {
      for (int i = 0; i < count; i++) {
        sums[i] += row[i];
        for (int j = 0; j <= i; j++) {
          products[i * (i + 1) / 2 + j] += row[i] * row[j];
        }
      }
    }
    return VariantNumbers.newBuilder()
        .setExperiment(experiment)
        .setPhase(phase)
        .setVariant(variant)
        .setKind(ExposureKind.SHOWN)
        .setSlice("2026-11-30")
        .setColumns(COLUMNS)
        .setUnits(rows.size())
        .setSums(List.of(sums))
        .setProducts(List.of(products))
        .setDistributions(
            List.of(buckets("watch_seconds", of(rows, WATCH)), buckets("like", of(rows, LIKE))))
        .setExposures(rows.size())
        .setDegraded(Math.round(degraded * rows.size()))
        .setForced(0)
        .setCrossovers(crossovers)
        .setDecisionMicros(buckets("", Collections.nCopies(rows.size(), (double) decisionMicros)))
        .setNewestMicros(micros(at))
        .setWrittenAtMicros(micros(at))
        .build();
  }

  static long micros(Instant at) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, at);
  }

  private static List<Double> of(List<double[]> rows, int column) {
    return rows.stream().map(row -> row[column]).toList();
  }

  private static Buckets buckets(String column, List<Double> values) {
    TreeMap<Integer, double[]> byBucket = new TreeMap<>();
    for (double value : values) {
      double[] sums = byBucket.computeIfAbsent(LogBuckets.indexOf(value), key -> new double[3]);
      sums[0]++;
      sums[1] += value;
      sums[2] += value * value;
    }
    return Buckets.newBuilder()
        .setColumn(column)
        .setBuckets(List.copyOf(byBucket.keySet()))
        .setCounts(byBucket.values().stream().map(s -> (long) s[0]).toList())
        .setSums(byBucket.values().stream().map(s -> s[1]).toList())
        .setSquares(byBucket.values().stream().map(s -> s[2]).toList())
        .build();
  }

  private static Double[] filled(int size) {
    Double[] zeros = new Double[size];
    Arrays.fill(zeros, 0.0);
    return zeros;
  }

  /** By Box and Muller. */
  private double gaussian(int unit) {
    double radius = Math.sqrt(-2 * Math.log(random.uniform(0, unit, 0, 0)));
    return radius * Math.cos(2 * Math.PI * random.uniform(0, unit, 0, 1));
  }
}
