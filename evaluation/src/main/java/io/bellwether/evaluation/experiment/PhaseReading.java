package io.bellwether.evaluation.experiment;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One phase: constant shares and versions.
 *
 * @param versions policy version by variant
 * @param hours how long it has lasted
 * @param alpha error of the phase's conclusions, its share of the plan's
 */
public record PhaseReading(
    int number,
    SortedMap<String, Double> shares,
    SortedMap<String, String> versions,
    double hours,
    double alpha,
    List<VariantReading> variants,
    List<MetricReading> metrics) {

  public PhaseReading {
    shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
    versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
    variants = List.copyOf(variants);
    metrics = List.copyOf(metrics);
  }
}
