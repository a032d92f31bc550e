package io.bellwether.serving.item;

import io.bellwether.ingestion.surface.Feature;
import java.util.List;

/**
 * Where each declared feature of an item stands in a row: its floats, as {@link
 * io.bellwether.ingestion.feature.FeatureLayout} lays them out, and the words of categories.
 * Features are numbered in the order of their declaration. Immutable.
 */
public final class ItemColumns {

  private final List<Feature> features;
  private final int[] column;
  private final int[] firstWord;
  private final int words;

  /** The columns of these features. */
  public ItemColumns(List<Feature> features) {
    this.features = List.copyOf(features);
    column = new int[features.size() + 1];
    firstWord = new int[features.size() + 1];
    for (int i = 0; i < features.size(); i++) {
      Feature feature = features.get(i);
      column[i + 1] = column[i] + columns(feature);
      firstWord[i + 1] = firstWord[i] + words(feature);
    }
    words = firstWord[features.size()];
  }

  private static int columns(Feature feature) {
    if (feature instanceof Feature.Number) {
      return 2;
    }
    if (feature instanceof Feature.Categories many) {
      return many.max();
    }
    return feature instanceof Feature.Vector vector ? vector.size() : 1;
  }

  private static int words(Feature feature) {
    if (feature instanceof Feature.Categories many) {
      return many.max();
    }
    return feature instanceof Feature.Category ? 1 : 0;
  }

  /** The declared features, in their order. */
  public List<Feature> features() {
    return features;
  }

  /** The number of a feature; -1 where none is declared under this name. */
  public int feature(String name) {
    for (int i = 0; i < features.size(); i++) {
      if (features.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The first column of a feature in an encoded row. */
  public int column(int feature) {
    return column[feature];
  }

  /** Words that an item has of a feature at most; 0 where it is no category. */
  public int words(int feature) {
    return firstWord[feature + 1] - firstWord[feature];
  }

  /** Floats of an encoded row. */
  public int width() {
    return column[features.size()];
  }

  int firstWord(int feature) {
    return firstWord[feature];
  }

  /** Words of a row, those of all features together. */
  int words() {
    return words;
  }
}
