package io.bellwether.trainer.network;

/**
 * Widths of the layers of actor and critic, and how they take in a history and meet an item.
 *
 * <p>Smaller than the sizes of a large installation on purpose: with some thousand rows and two CPU
 * cores a step takes milliseconds, and the demo's data does not support more.
 *
 * @param hidden width of hidden layers
 * @param embedding width in which state and item meet ({@code d} of the score {@code <W1 h, e> /
 *     √d})
 * @param history width of an encoded history row
 * @param form how the encoded rows of a history become one
 * @param conditioned whether the state scales and shifts the hidden layer of the item tower, for
 *     tastes that differ strongly between few kinds of states; towers for retrieval, which embed
 *     items beforehand, never do
 */
public record NetworkConfig(
    int hidden, int embedding, int history, HistoryForm form, boolean conditioned) {

  public static final NetworkConfig DEFAULT = new NetworkConfig(64, 32, 32);

  public NetworkConfig {
    if (hidden < 1 || embedding < 1 || history < 1) {
      throw new IllegalArgumentException(
          "widths must be positive: " + hidden + ", " + embedding + ", " + history);
    }
  }

  /** Histories as their mean, items by themselves. */
  public NetworkConfig(int hidden, int embedding, int history) {
    this(hidden, embedding, history, HistoryForm.MEAN, false);
  }

  public NetworkConfig withForm(HistoryForm other) {
    return new NetworkConfig(hidden, embedding, history, other, conditioned);
  }

  public NetworkConfig withEmbedding(int width) {
    return new NetworkConfig(hidden, width, history, form, conditioned);
  }

  public NetworkConfig withConditioned(boolean yes) {
    return new NetworkConfig(hidden, embedding, history, form, yes);
  }
}
