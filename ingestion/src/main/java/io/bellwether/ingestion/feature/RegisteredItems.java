package io.bellwether.ingestion.feature;

/** The registered items of a surface, by {@link ItemReference}. */
@FunctionalInterface
public interface RegisteredItems {

  /** No item is registered. */
  RegisteredItems NONE = (reference, target, offset) -> false;

  /**
   * Copies an item's encoded features to {@code target} from {@code offset} on.
   *
   * @return whether the item is registered; otherwise {@code target} is as it was
   */
  boolean copy(long reference, float[] target, int offset);
}
