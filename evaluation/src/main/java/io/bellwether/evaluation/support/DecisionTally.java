package io.bellwether.evaluation.support;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * How many decisions show something, and the five smallest of their numbers, so that the result
 * does not depend on the order of decisions. Confined to one thread.
 */
final class DecisionTally {
  private static final int MAX_EXAMPLES = 5;

  private long count;

  /** Ascending; {@code Long.MAX_VALUE} where there is none. */
  private final long[] smallest = new long[MAX_EXAMPLES];

  DecisionTally() {
    Arrays.fill(smallest, Long.MAX_VALUE);
  }

  void add(long decision) {
    count++;
    keep(decision);
  }

  void merge(DecisionTally other) {
    count += other.count;
    for (long decision : other.smallest) {
      keep(decision);
    }
  }

  long count() {
    return count;
  }

  List<Long> examples() {
    return Arrays.stream(smallest).filter(each -> each < Long.MAX_VALUE).boxed().toList();
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeLong(count);
    for (long decision : smallest) {
      out.writeLong(decision);
    }
  }

  void read(DataInput in) throws IOException {
    count = in.readLong();
    for (int at = 0; at < MAX_EXAMPLES; at++) {
      smallest[at] = in.readLong();
    }
  }

  private void keep(long decision) {
    int at = MAX_EXAMPLES - 1;
    if (decision >= smallest[at]) {
      return;
    }
    while (at > 0 && smallest[at - 1] > decision) {
      smallest[at] = smallest[at - 1];
      at--;
    }
    smallest[at] = decision;
  }
}
