package io.bellwether.evaluation.offpolicy;

import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of decisions that are worked on in parallel and joined in their order. Where they begin
 * depends on the log alone, so a result is the same to the last bit for any number of threads.
 *
 * @param size decisions in a range, before its ends move to where units begin
 */
record Chunks(int size) {

  /** Long enough to hide the cost of a task, short enough to keep many cores busy. */
  static final Chunks STANDARD = new Chunks(16_384);

  /** So many parts are kept before they are joined: a bound on memory. */
  private static final int WAVE = 64;

  Chunks {
    if (size < 1) {
      throw new IllegalArgumentException("a chunk has at least one decision: " + size);
    }
  }

  /** What is done with the decisions {@code from} (inclusive) to {@code to} (exclusive). */
  interface Work<A> {
    A over(int from, int to);
  }

  <A> A reduce(int decisions, Work<A> work, BinaryOperator<A> join) {
    return reduce(decisions, IntUnaryOperator.identity(), work, join);
  }

  /**
   * Joins the parts of all ranges.
   *
   * @param boundary the first place at or after a place where a range may begin
   * @param join may change and return its first argument
   */
  <A> A reduce(int decisions, IntUnaryOperator boundary, Work<A> work, BinaryOperator<A> join) {
    int chunks = (int) Math.max(1, ((long) decisions + size - 1) / size);
    @Nullable A all = null;
    for (int first = 0; first < chunks; first += WAVE) {
      List<A> parts =
          IntStream.range(first, Math.min(chunks, first + WAVE))
              .parallel()
              .mapToObj(
                  chunk ->
                      work.over(
                          start(chunk, decisions, boundary), start(chunk + 1, decisions, boundary)))
              .toList();
      for (A part : parts) {
        all = all == null ? part : join.apply(all, part);
      }
    }
    return Objects.requireNonNull(all);
  }

  private int start(int chunk, int decisions, IntUnaryOperator boundary) {
    long start = (long) chunk * size;
    return start >= decisions ? decisions : boundary.applyAsInt((int) start);
  }
}
