package io.bellwether.ingestion.surface;

import java.io.Serializable;
import java.util.List;

/** One declared property of a context or of an item. Immutable. */
public sealed interface Feature extends Serializable {

  /** Name in requests; letters, digits, {@code _} and {@code -}, at most 128. */
  String name();

  /** A finite number in {@code [min, max]}; bounds are infinite where none is declared. */
  record Number(String name, double min, double max) implements Feature {}

  /** True or false. */
  record Flag(String name) implements Feature {}

  /**
   * One of a set of texts: the listed {@code values}, or any text where the list is empty, which is
   * then hashed into {@code buckets}.
   */
  record Category(String name, List<String> values, int buckets) implements Feature {
    public Category {
      values = List.copyOf(values);
    }
  }

  /** At most {@code max} texts, each as in {@link Category}; order does not matter. */
  record Categories(String name, List<String> values, int buckets, int max) implements Feature {
    public Categories {
      values = List.copyOf(values);
    }
  }

  /** {@code size} finite numbers, given as an array. */
  record Vector(String name, int size) implements Feature {}
}
