package io.bellwether.trainer.algorithm;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a learner measured since its last report.
 *
 * @param step steps done so far
 * @param gauges mean per step of each loss and gauge, by name
 */
public record Progress(long step, SortedMap<String, Double> gauges) {
  public Progress {
    gauges = Collections.unmodifiableSortedMap(new TreeMap<>(gauges));
  }
}
