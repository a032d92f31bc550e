package io.bellwether.evaluation.offpolicy;

import java.nio.DoubleBuffer;
import java.util.function.BinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;

/**
 * Numbers that can be read as often as needed, from several threads: those of {@code value} below
 * {@code end} that are held.
 */
record Column(int end, IntPredicate held, IntToDoubleFunction value) {

  /** Takes a number into a part of a result. */
  interface Accumulator<A> {
    void add(A part, double value);
  }

  static Column of(double[] values) {
    return new Column(values.length, at -> true, at -> values[at]);
  }

  static Column of(DoubleBuffer values) {
    return new Column(values.limit(), at -> true, values::get);
  }

  /** A pass in parallel, joined in order. */
  <A> A reduce(Supplier<A> newPart, Accumulator<A> accumulator, BinaryOperator<A> join) {
    return Chunks.STANDARD.reduce(
        end,
        (from, to) -> {
          A part = newPart.get();
          for (int at = from; at < to; at++) {
            if (held.test(at)) {
              accumulator.add(part, value.applyAsDouble(at));
            }
          }
          return part;
        },
        join);
  }
}
