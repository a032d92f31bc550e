package io.bellwether.serving.experiment;

/**
 * A half-open range of a layer's buckets.
 *
 * @param from first bucket, 0 to 9999
 * @param to one past the last bucket, 1 to 10000
 */
public record Slice(int from, int to) {

  /** All of a layer. */
  public static final Slice WHOLE = new Slice(0, Bucket.COUNT);

  public Slice {
    if (from < 0 || from >= to || to > Bucket.COUNT) {
      throw new IllegalArgumentException(
          "a slice [%d, %d), expected 0 <= from < to <= %d".formatted(from, to, Bucket.COUNT));
    }
  }

  /** How many buckets it has. */
  public int size() {
    return to - from;
  }

  /** Whether a bucket lies in it. */
  public boolean holds(int bucket) {
    return bucket >= from && bucket < to;
  }

  /** Whether the two have a bucket in common. */
  public boolean overlaps(Slice other) {
    return from < other.to && other.from < to;
  }

  @Override
  public String toString() {
    return "[" + from + ", " + to + ")";
  }
}
