package io.bellwether.serving.retrieval;

import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.serving.item.ItemTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The embeddings of one table's items, {@code vectors[row * width + column]}, made equally long:
 * one component more takes what is missing to the longest of them. Then what has the largest inner
 * product with a query is also what is nearest to it, which is what an index of neighbours needs.
 * Immutable and thread-safe.
 *
 * <p>Source: Bachrach and others, "Speeding Up the Xbox Recommender System Using a Euclidean
 * Transformation for Inner-Product Spaces", 2014.
 */
final class Embeddings {

  private static final int ROWS_AT_ONCE = 1024;

  private final float[] vectors;
  private final int width;
  private final int size;

  private Embeddings(float[] vectors, int width) {
    this.vectors = vectors;
    this.width = width;
    this.size = vectors.length / width;
  }

  /** The embeddings of all items of a table; none where it is asked to stop. */
  static @Nullable Embeddings of(RetrievalTowers towers, ItemTable table, Stop stop) {
    int width = towers.width() + 1;
    float[] vectors = new float[Math.multiplyExact(table.size(), width)];
    int itemWidth = table.columns().width();
    for (int from = 0; from < table.size(); from += ROWS_AT_ONCE) {
      if (stop.wanted()) {
        return null;
      }
      int count = Math.min(ROWS_AT_ONCE, table.size() - from);
      float[] items = new float[count * itemWidth];
      for (int i = 0; i < count; i++) {
        table.copy(from + i, items, i * itemWidth);
      }
      float[] embeddings = towers.embeddings(items, count);
      for (int i = 0; i < count; i++) {
        System.arraycopy(embeddings, i * (width - 1), vectors, (from + i) * width, width - 1);
      }
    }
    return of(vectors, width);
  }

  /**
   * @param vectors whose last components are free; they are changed and kept
   */
  static Embeddings of(float[] vectors, int width) {
    double longest = 0;
    for (int from = 0; from < vectors.length; from += width) {
      longest = Math.max(longest, squares(vectors, from, width - 1));
    }
    float scale = longest > 0 ? (float) (1 / Math.sqrt(longest)) : 1;
    for (int from = 0; from < vectors.length; from += width) {
      for (int i = from; i < from + width - 1; i++) {
        vectors[i] *= scale;
      }
      vectors[from + width - 1] =
          (float) Math.sqrt(Math.max(0, 1 - squares(vectors, from, width - 1)));
    }
    return new Embeddings(vectors, width);
  }

  /** A query as long as the embeddings: the component more counts for nothing. */
  float[] query(float[] query) {
    double squares = squares(query, 0, query.length);
    float scale = squares > 0 ? (float) (1 / Math.sqrt(squares)) : 1;
    float[] wide = Arrays.copyOf(query, width);
    for (int i = 0; i < query.length; i++) {
      wide[i] *= scale;
    }
    return wide;
  }

  int size() {
    return size;
  }

  int width() {
    return width;
  }

  /** The vector of a row, a copy. */
  float[] vector(int row) {
    return Arrays.copyOfRange(vectors, row * width, (row + 1) * width);
  }

  /** Inner product of a vector with a row's, in {@code [-1, 1]}. */
  float product(float[] vector, int row) {
    return product(vector, 0, row * width);
  }

  /** Inner product of two rows, in {@code [-1, 1]}. */
  float product(int row, int other) {
    return product(vectors, row * width, other * width);
  }

  /** Four sums, which do not wait for each other. */
  private float product(float[] left, int leftFrom, int from) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int i = 0;
    for (; i + 3 < width; i += 4) {
      a += left[leftFrom + i] * vectors[from + i];
      b += left[leftFrom + i + 1] * vectors[from + i + 1];
      c += left[leftFrom + i + 2] * vectors[from + i + 2];
      d += left[leftFrom + i + 3] * vectors[from + i + 3];
    }
    for (; i < width; i++) {
      a += left[leftFrom + i] * vectors[from + i];
    }
    return (a + b) + (c + d);
  }

  private static double squares(float[] values, int from, int count) {
    double sum = 0;
    for (int i = from; i < from + count; i++) {
      sum += (double) values[i] * values[i];
    }
    return sum;
  }

  /** Whether somebody wants a long computation to end. */
  interface Stop {
    boolean wanted();
  }
}
