package io.bellwether.serving.rule;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.feature.Column;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.policy.scoring.SlateRules;
import io.bellwether.serving.surface.DeclaredSurface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Numbers the groups that a feature makes of encoded candidates: texts are told apart by the ids of
 * the surface's layout, so that texts which share a bucket are one group. Immutable.
 */
final class FeatureGroups {

  private final DeclaredSurface surface;
  private final float[] items;
  private final int[] kept;

  /**
   * @param items encoded candidates, {@code [candidates * itemWidth]}
   * @param kept those that are left
   */
  FeatureGroups(DeclaredSurface surface, float[] items, int[] kept) {
    this.surface = surface;
    this.items = items;
    this.kept = kept;
  }

  /**
   * The groups of a category: one per id, in the order in which they come.
   *
   * @param numberOfId is filled: the number of each id's group
   */
  int[] ofCategory(String feature, Map<Integer, Integer> numberOfId) {
    int width = surface.layout().itemWidth();
    int column = column(feature);
    int[] groups = new int[kept.length];
    for (int i = 0; i < kept.length; i++) {
      int id = (int) items[kept[i] * width + column];
      Integer known = numberOfId.get(id);
      if (id != 0 && known == null) {
        known = numberOfId.size();
        numberOfId.put(id, known);
      }
      groups[i] = known == null ? SlateRules.NO_GROUP : known;
    }
    return groups;
  }

  /** Group 0: the candidates that have a value, or a flag. */
  int[] ofValue(String feature, Optional<String> value) {
    int width = surface.layout().itemWidth();
    int columns = columns(feature);
    int first = firstColumn(feature);
    float wanted = value.map(text -> id(feature, text)).orElse(1f);
    int[] groups = new int[kept.length];
    Arrays.fill(groups, SlateRules.NO_GROUP);
    for (int i = 0; i < kept.length; i++) {
      for (int column = first; column < first + columns; column++) {
        if (wanted != 0 && items[kept[i] * width + column] == wanted) {
          groups[i] = 0;
        }
      }
    }
    return groups;
  }

  /** The id of a text in the surface's layout. */
  float id(String feature, String text) {
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    if (declared(feature) instanceof Feature.Categories) {
      one.putArray(feature).add(text);
    } else {
      one.put(feature, text);
    }
    float[] row = new float[surface.layout().itemWidth()];
    surface.item().encode(one, "", row, 0, new ArrayList<>());
    return row[firstColumn(feature)];
  }

  boolean isCategory(String feature) {
    return declared(feature) instanceof Feature.Category;
  }

  private int columns(String feature) {
    return declared(feature) instanceof Feature.Categories many ? many.max() : 1;
  }

  private int firstColumn(String feature) {
    return column(declared(feature) instanceof Feature.Categories ? feature + ":0" : feature);
  }

  private Feature declared(String feature) {
    return surface.surface().item().stream()
        .filter(f -> f.name().equals(feature))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no feature " + feature));
  }

  private int column(String name) {
    return column(surface, name);
  }

  /** Where a column stands in an encoded item. */
  static int column(DeclaredSurface surface, String name) {
    List<Column> columns = surface.layout().item();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no column " + name);
  }
}
