package io.bellwether.loadtest.fuzz;

import io.bellwether.evaluation.interval.CounterRandom;

/**
 * The random choices of one request, a function of the seed and its number. Confined to a thread.
 */
final class Chance {

  private static final long TAG = 0xF022;

  private final long state;
  private long drawn;

  Chance(long seed, long request) {
    state = new CounterRandom(seed).state(TAG, request, 0);
  }

  /** A whole number from 0 to n - 1. */
  int below(int n) {
    return (int) Math.floorMod(CounterRandom.bits(state, drawn++), (long) n);
  }

  /** True once in n times. */
  boolean oneIn(int n) {
    return below(n) == 0;
  }

  @SafeVarargs
  final <T> T of(T... choices) {
    return choices[below(choices.length)];
  }

  byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) below(256);
    }
    return bytes;
  }
}
