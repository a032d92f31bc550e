package io.bellwether.serving.rollout;

import io.bellwether.evaluation.experiment.Distribution;
import io.bellwether.evaluation.experiment.Health;
import io.bellwether.evaluation.experiment.Moments;
import io.bellwether.evaluation.experiment.ShadowSample;
import io.bellwether.evaluation.experiment.VariantSample;
import io.bellwether.ingestion.event.Buckets;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.metrics.LogBuckets;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Numbers as they were counted, as the samples that the analysis reads. */
final class Samples {

  private Samples() {}

  /** One sample per variant, by name; the slices of a variant are merged and kept beside. */
  static List<VariantSample> shown(Collection<VariantNumbers> records) {
    List<String> columns = commonColumns(records);
    Map<String, VariantSample> byVariant = new TreeMap<>();
    for (VariantNumbers record : records) {
      byVariant.merge(record.getVariant(), sample(record, columns), VariantSample::plus);
    }
    return List.copyOf(byVariant.values());
  }

  /** One sample per version that was only scored, by its variant's name. */
  static List<ShadowSample> scored(Collection<VariantNumbers> records) {
    Map<String, ShadowSample> byVariant = new TreeMap<>();
    for (VariantNumbers record : records) {
      byVariant.merge(
          record.getVariant(),
          new ShadowSample(
              record.getVariant(), health(record), record.getAgreement(), record.getDistance()),
          Samples::merged);
    }
    return List.copyOf(byVariant.values());
  }

  private static ShadowSample merged(ShadowSample first, ShadowSample second) {
    return new ShadowSample(
        first.variant(),
        first.health().plus(second.health()),
        first.agreement() + second.agreement(),
        first.distance() + second.distance());
  }

  /** A surface may gain and lose signals within a phase; what was counted throughout stays. */
  private static List<String> commonColumns(Collection<VariantNumbers> records) {
    Set<String> common = null;
    for (VariantNumbers record : records) {
      if (record.getColumns().isEmpty()) {
        continue;
      }
      if (common == null) {
        common = new LinkedHashSet<>(record.getColumns());
      } else {
        common.retainAll(record.getColumns());
      }
    }
    return common == null ? List.of() : List.copyOf(common);
  }

  private static VariantSample sample(VariantNumbers record, List<String> columns) {
    return VariantSample.ofSlice(
        record.getVariant(),
        record.getSlice(),
        moments(record, columns),
        distributions(record, columns),
        health(record),
        record.getForced(),
        record.getCrossovers());
  }

  private static Moments moments(VariantNumbers record, List<String> columns) {
    if (record.getColumns().isEmpty()) {
      return Moments.empty(columns);
    }
    int count = columns.size();
    double[] sums = new double[count];
    double[] products = new double[count * (count + 1) / 2];
    int next = 0;
    for (int row = 0; row < count; row++) {
      int from = record.getColumns().indexOf(columns.get(row));
      sums[row] = record.getSums().get(from);
      for (int column = 0; column <= row; column++) {
        int to = record.getColumns().indexOf(columns.get(column));
        products[next++] = record.getProducts().get(triangle(from, to));
      }
    }
    return new Moments(columns, record.getUnits(), sums, products);
  }

  private static int triangle(int first, int second) {
    int row = Math.max(first, second);
    return row * (row + 1) / 2 + Math.min(first, second);
  }

  private static Map<String, Distribution> distributions(
      VariantNumbers record, List<String> columns) {
    Map<String, Distribution> byColumn = new HashMap<>();
    for (Buckets buckets : record.getDistributions()) {
      if (columns.contains(buckets.getColumn())) {
        byColumn.put(buckets.getColumn(), distribution(buckets));
      }
    }
    return byColumn;
  }

  private static Health health(VariantNumbers record) {
    return new Health(
        record.getExposures(), record.getDegraded(), distribution(record.getDecisionMicros()));
  }

  private static Distribution distribution(Buckets buckets) {
    return new Distribution(
        buckets.getBuckets().stream().mapToDouble(LogBuckets::upper).toArray(),
        buckets.getCounts().stream().mapToLong(Long::longValue).toArray(),
        buckets.getSums().stream().mapToDouble(Double::doubleValue).toArray(),
        buckets.getSquares().stream().mapToDouble(Double::doubleValue).toArray());
  }
}
