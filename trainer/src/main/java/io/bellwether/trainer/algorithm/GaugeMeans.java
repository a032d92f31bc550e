package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.TrainingSession;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Means of gauges since the last report. Confined to one thread. */
final class GaugeMeans {
  private final List<String> names;
  private final double[] sums;
  private long count;

  GaugeMeans(List<String> names) {
    this.names = List.copyOf(names);
    this.sums = new double[names.size()];
  }

  void add(TrainingSession session) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += session.scalar(names.get(i));
    }
    count++;
  }

  SortedMap<String, Double> take() {
    SortedMap<String, Double> means = new TreeMap<>();
    for (int i = 0; i < sums.length; i++) {
      means.put(names.get(i), sums[i] / count);
      sums[i] = 0;
    }
    count = 0;
    return means;
  }
}
