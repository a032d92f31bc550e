package io.bellwether.evaluation.offpolicy;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The importance weight of an item's embedding: the chance that the target policy shows something
 * with the observed level, over the chance that the logging policy does. Immutable.
 *
 * <p>An embedding of several dimensions takes the product of the dimensions' ratios, which is exact
 * where the dimensions are independent given context and policy and an approximation elsewhere.
 *
 * <p>A ratio is empty where the logging policy never shows a level that the target policy shows:
 * then no value can be had from these weights ({@code EMBEDDING_UNSUPPORTED}). A level that neither
 * shows has ratio 0.
 *
 * <p>Source: Saito and Joachims, "Off-Policy Evaluation for Large Action Spaces via Embeddings",
 * 2022.
 */
public final class EmbeddingRatio {
  /** Why there is no value where a ratio is empty. */
  public static final String UNSUPPORTED = "EMBEDDING_UNSUPPORTED";

  private final List<Dimension> dimensions;

  private interface Dimension {
    double chance(int level, int item);
  }

  private EmbeddingRatio(List<Dimension> dimensions) {
    this.dimensions = dimensions;
  }

  /** One dimension with one level for each item; the array is not copied. */
  public static EmbeddingRatio ofClusters(int[] clusterOfItem) {
    return new EmbeddingRatio(List.of((level, item) -> clusterOfItem[item] == level ? 1 : 0));
  }

  /**
   * One dimension whose level is drawn anew for each shown item; the array is not copied.
   *
   * @param levels {@code [item][level]}, rows that sum to 1
   */
  public static EmbeddingRatio ofChances(double[][] levels) {
    return new EmbeddingRatio(List.of((level, item) -> levels[item][level]));
  }

  /** The same with the other's dimensions after these. */
  public EmbeddingRatio and(EmbeddingRatio other) {
    return new EmbeddingRatio(
        Stream.concat(dimensions.stream(), other.dimensions.stream()).toList());
  }

  /**
   * @param target the target policy's chance of each item, as {@code logging}
   * @param levels the observed level of each dimension
   */
  public OptionalDouble of(double[] target, double[] logging, int... levels) {
    if (levels.length != dimensions.size()) {
      throw new IllegalArgumentException(
          "%d levels for %d dimensions".formatted(levels.length, dimensions.size()));
    }
    double product = 1;
    for (int at = 0; at < levels.length; at++) {
      Dimension dimension = dimensions.get(at);
      double shown = 0;
      double logged = 0;
      for (int item = 0; item < target.length; item++) {
        double chance = dimension.chance(levels[at], item);
        shown += chance * target[item];
        logged += chance * logging[item];
      }
      if (logged == 0 && shown > 0) {
        return OptionalDouble.empty();
      }
      product *= logged == 0 ? 0 : shown / logged;
    }
    return OptionalDouble.of(product);
  }

  /**
   * The ratio where the chance of a level given an item is unknown and a classifier says instead
   * which item a level came from: Σ over items of target/logging · posterior.
   *
   * @param posterior chance under the logging policy of each item, given context and level
   */
  public static OptionalDouble ofPosterior(double[] target, double[] logging, double[] posterior) {
    double ratio = 0;
    for (int item = 0; item < target.length; item++) {
      double share = target[item] * posterior[item];
      if (logging[item] == 0 && share > 0) {
        return OptionalDouble.empty();
      }
      ratio += share == 0 ? 0 : share / logging[item];
    }
    return OptionalDouble.of(ratio);
  }
}
