package io.bellwether.trainer.graph;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The dimensions of a {@link Tensor}, outermost first; no dimensions is a scalar.
 *
 * <p>A dimension is a size of at least 0, or a {@link Graph#symbol symbol} (below 0) whose size is
 * known only when the graph runs. Symbols are equal only to themselves; gradients need sizes.
 * Immutable.
 */
public record Shape(List<Long> dimensions) {

  public Shape {
    dimensions = List.copyOf(dimensions);
  }

  public static Shape of(long... dimensions) {
    return new Shape(Arrays.stream(dimensions).boxed().toList());
  }

  public int rank() {
    return dimensions.size();
  }

  /** The dimension at {@code axis}; a negative axis counts from the last. */
  public long dimension(int axis) {
    return dimensions.get(axis(axis));
  }

  /** The last dimension: the width of a row. */
  public long width() {
    return dimension(-1);
  }

  /** Number of elements. Fails for a shape with a symbol, whose count is not known yet. */
  public long size() {
    long size = 1;
    for (long dimension : dimensions) {
      if (dimension < 0) {
        throw new IllegalStateException(
            "the size of " + this + " is known only when the graph runs");
      }
      size = Math.multiplyExact(size, dimension);
    }
    return size;
  }

  public long[] toArray() {
    return dimensions.stream().mapToLong(Long::longValue).toArray();
  }

  int axis(int axis) {
    int positive = axis < 0 ? axis + rank() : axis;
    if (positive < 0 || positive >= rank()) {
      throw new IllegalArgumentException("axis " + axis + " is outside of " + this);
    }
    return positive;
  }

  public Shape with(int axis, long dimension) {
    long[] changed = toArray();
    changed[axis(axis)] = dimension;
    return of(changed);
  }

  /**
   * The shape of an elementwise operation: aligned at the last axis, a 1 stretches to the other's
   * dimension.
   */
  Shape broadcast(Shape other) {
    int rank = Math.max(rank(), other.rank());
    long[] result = new long[rank];
    for (int fromLast = 1; fromLast <= rank; fromLast++) {
      long mine = fromLast <= rank() ? dimensions.get(rank() - fromLast) : 1;
      long theirs = fromLast <= other.rank() ? other.dimensions.get(other.rank() - fromLast) : 1;
      if (mine != theirs && mine != 1 && theirs != 1) {
        throw new IllegalArgumentException("cannot broadcast " + this + " with " + other);
      }
      result[rank - fromLast] = mine == 1 ? theirs : mine;
    }
    return of(result);
  }

  @Override
  public String toString() {
    return dimensions.stream()
        .map(dimension -> dimension < 0 ? "?" + -dimension : Long.toString(dimension))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
