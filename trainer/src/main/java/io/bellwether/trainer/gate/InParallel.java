package io.bellwether.trainer.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Work on a long list, cut into batches that all cores share; results keep the list's order. */
final class InParallel {

  /** Large enough to fill a graph's matrix products, small enough to keep every core busy. */
  private static final int BATCH = 128;

  private InParallel() {}

  static <T, R> List<R> map(List<T> list, Function<List<T>, List<R>> ofBatch) {
    List<List<R>> batches =
        IntStream.range(0, (list.size() + BATCH - 1) / BATCH)
            .parallel()
            .mapToObj(
                i -> ofBatch.apply(list.subList(i * BATCH, Math.min(list.size(), (i + 1) * BATCH))))
            .toList();
    List<R> results = new ArrayList<>(list.size());
    batches.forEach(results::addAll);
    return results;
  }
}
