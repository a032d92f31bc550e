package io.bellwether.trainer.network;

/**
 * One encoded feature column of a context, a history row or an item, and how a network takes it in.
 */
public sealed interface Column {

  String name();

  /** Width of the embedding that the column gets; 0 for a column that enters as a number. */
  default int embeddingWidth() {
    return 0;
  }

  /**
   * A quantity: centred and divided by its standard deviation over the training data; a constant
   * becomes 0.
   */
  @SuppressWarnings("JavaLangClash")
  record Number(String name) implements Column {}

  /** A value that already has a fitting scale, such as 0 or 1: taken as it is. */
  record Flag(String name) implements Column {}

  /**
   * A category: the column holds an integer id in {@code [0, cardinality)}, of which 0 is unknown
   * or missing; any other value is taken for 0.
   */
  record Category(String name, int cardinality) implements Column {
    private static final int WIDEST = 16;

    public Category {
      if (cardinality < 1) {
        throw new IllegalArgumentException(
            "category " + name + " needs at least the id 0 for unknown");
      }
    }

    /**
     * About the square root of the number of categories: enough to tell them apart, little enough
     * to learn.
     */
    @Override
    public int embeddingWidth() {
      return Math.min(WIDEST, 1 + (int) Math.ceil(Math.sqrt(cardinality)));
    }
  }
}
