package io.bellwether.trainer.gate;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Surface;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which items are alike: those with the same value of one declared feature. Immutable.
 *
 * @param columns of an encoded item that hold the feature; none where no item is like another
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record ItemClusters(int[] columns) implements Serializable {

  private static final long serialVersionUID = 1;

  /**
   * The clusters by a feature.
   *
   * @param feature a category, a list of categories or a flag; empty for none, absent for the only
   *     category or list that items have
   * @throws IllegalArgumentException where items do not declare such a feature
   */
  static ItemClusters of(Surface surface, @Nullable String feature) {
    if (feature == null) {
      List<Feature> categories = surface.item().stream().filter(ItemClusters::isCategory).toList();
      return categories.size() == 1
          ? ofFeature(surface, categories.get(0).name())
          : new ItemClusters(new int[0]);
    }
    return feature.isEmpty() ? new ItemClusters(new int[0]) : ofFeature(surface, feature);
  }

  private static boolean isCategory(Feature feature) {
    return feature instanceof Feature.Category || feature instanceof Feature.Categories;
  }

  private static ItemClusters ofFeature(Surface surface, String name) {
    Feature declared =
        surface.item().stream()
            .filter(feature -> feature.name().equals(name))
            .filter(feature -> isCategory(feature) || feature instanceof Feature.Flag)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "items of surface %s declare no category, list or flag '%s'"
                            .formatted(surface.name(), name)));
    List<String> names =
        FeatureLayout.of(surface).item().stream().map(column -> column.name()).toList();
    String first = declared instanceof Feature.Categories ? name + ":0" : name;
    int width = declared instanceof Feature.Categories many ? many.max() : 1;
    int from = names.indexOf(first);
    int[] columns = new int[width];
    Arrays.setAll(columns, i -> from + i);
    return new ItemClusters(columns);
  }

  boolean isEmpty() {
    return columns.length == 0;
  }

  /**
   * A number per candidate, equal where they are alike.
   *
   * @param items {@code [candidates * itemWidth]}
   */
  int[] of(float[] items, int candidates) {
    int width = items.length / candidates;
    int[] clusters = new int[candidates];
    for (int i = 0; i < candidates; i++) {
      clusters[i] = i;
      for (int j = 0; j < i; j++) {
        if (areAlike(items, i * width, j * width)) {
          clusters[i] = clusters[j];
          break;
        }
      }
    }
    return clusters;
  }

  /** Order does not matter in a list, but encoding keeps the order in which it was given. */
  private boolean areAlike(float[] items, int one, int other) {
    if (columns.length == 1) {
      return items[one + columns[0]] == items[other + columns[0]];
    }
    float[] left = new float[columns.length];
    float[] right = new float[columns.length];
    for (int i = 0; i < columns.length; i++) {
      left[i] = items[one + columns[i]];
      right[i] = items[other + columns[i]];
    }
    Arrays.sort(left);
    Arrays.sort(right);
    return Arrays.equals(left, right);
  }
}
