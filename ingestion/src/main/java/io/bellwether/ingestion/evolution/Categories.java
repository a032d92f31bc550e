package io.bellwether.ingestion.evolution;

import io.bellwether.ingestion.surface.Feature;
import java.util.List;

/** How a feature's texts become ids: by a list, or where it is empty by a hash into buckets. */
record Categories(List<String> values, int buckets) {

  /** Of one that has ids. */
  static Categories of(Feature feature) {
    if (feature instanceof Feature.Category category) {
      return of(category.values(), category.buckets());
    }
    if (feature instanceof Feature.Categories many) {
      return of(many.values(), many.buckets());
    }
    throw new IllegalArgumentException(feature.name() + " has no ids");
  }

  private static Categories of(List<String> values, int buckets) {
    return new Categories(values, values.isEmpty() ? buckets : 0);
  }
}
