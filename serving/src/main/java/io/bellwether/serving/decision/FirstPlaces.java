package io.bellwether.serving.decision;

import java.util.Arrays;

/**
 * At which place each of some numbers came first: open addressing with linear probing, in memory
 * that is used again. Holds {@code number + 1}, 0 where nothing is. Confined to one thread.
 */
final class FirstPlaces {

  private static final int SMALLEST = 256;
  private static final int GOLDEN_RATIO = 0x9E3779B9;

  private int[] numbers = new int[SMALLEST];
  private int[] places = new int[SMALLEST];
  private int shift;

  /** Forgets everything, and makes room for so many numbers. */
  void clear(int most) {
    int capacity = Math.max(SMALLEST, Integer.highestOneBit(2 * Math.max(1, most)) << 1);
    if (numbers.length < capacity) {
      numbers = new int[capacity];
      places = new int[capacity];
    } else {
      Arrays.fill(numbers, 0);
    }
    shift = Integer.numberOfLeadingZeros(numbers.length) + 1;
  }

  /** The place at which a number, at least 0, came before; -1 where it comes for the first time. */
  int put(int number, int place) {
    int mask = numbers.length - 1;
    int at = (number * GOLDEN_RATIO) >>> shift;
    while (numbers[at] != 0) {
      if (numbers[at] == number + 1) {
        return places[at];
      }
      at = (at + 1) & mask;
    }
    numbers[at] = number + 1;
    places[at] = place;
    return -1;
  }
}
