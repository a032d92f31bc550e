package io.bellwether.evaluation.experiment;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was counted in one phase, in which shares and versions did not change. Immutable.
 *
 * @param number 1-based
 * @param shares of the experiment's traffic by variant, in [0, 1]; a variant that is not named gets
 *     none
 * @param versions policy version by variant
 * @param variants at most one sample per variant; of a variant without one nothing was counted
 * @param age how long the phase has lasted, or lasted
 */
public record PhaseSample(
    int number,
    SortedMap<String, Double> shares,
    SortedMap<String, String> versions,
    List<VariantSample> variants,
    List<ShadowSample> shadows,
    Duration age) {

  public PhaseSample {
    shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
    versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
    variants = List.copyOf(variants);
    shadows = List.copyOf(shadows);
    if (number < 1 || age.isNegative()) {
      throw new IllegalArgumentException("phase %d of age %s".formatted(number, age));
    }
  }

  /** Without shadows. */
  public static PhaseSample of(
      int number,
      Map<String, Double> shares,
      Map<String, String> versions,
      List<VariantSample> variants,
      Duration age) {
    return new PhaseSample(
        number, new TreeMap<>(shares), new TreeMap<>(versions), variants, List.of(), age);
  }

  double share(String variant) {
    return shares.getOrDefault(variant, 0.0);
  }

  /** Variants with a share above 0, by name. */
  List<String> withTraffic() {
    return shares.keySet().stream().filter(name -> share(name) > 0).toList();
  }

  Optional<VariantSample> find(String variant) {
    return variants.stream().filter(each -> each.variant().equals(variant)).findFirst();
  }

  /** A sample of no unit for a variant of which nothing was counted. */
  VariantSample sample(String variant) {
    return find(variant).orElseGet(() -> VariantSample.of(variant, Moments.empty(columns())));
  }

  private List<String> columns() {
    return variants.isEmpty() ? List.of() : variants.get(0).moments().columns();
  }

  long crossovers() {
    return variants.stream().mapToLong(VariantSample::crossovers).sum();
  }

  long units() {
    return variants.stream().mapToLong(VariantSample::units).sum();
  }
}
