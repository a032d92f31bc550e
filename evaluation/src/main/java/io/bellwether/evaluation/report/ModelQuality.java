package io.bellwether.evaluation.report;

import io.bellwether.evaluation.support.ReliabilityBin;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How well a reward model predicts what it has not seen: its predictions for the logged items
 * against what was observed.
 *
 * @param rows how many of them
 * @param figures by name: {@code rSquared} (share of variance explained), {@code calibrationSlope}
 *     and {@code calibrationIntercept} (of observed on predicted; 1 and 0 are perfect), {@code
 *     meanPredicted}, {@code meanObserved}, and for flags {@code logLoss} and {@code
 *     constantLogLoss} (of predicting the mean everywhere) in nats; what cannot be computed is left
 *     out
 * @param reliability observed against predicted, ranges of about equally many rows
 */
public record ModelQuality(
    String signal, long rows, SortedMap<String, Double> figures, List<ReliabilityBin> reliability) {

  public ModelQuality {
    figures = Collections.unmodifiableSortedMap(new TreeMap<>(figures));
    reliability = List.copyOf(reliability);
  }
}
