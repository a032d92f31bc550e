package io.bellwether.trainer.job;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.DecisionDifference;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.export.Int8Form;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The 8-bit form of an exported graph, with how differently it decides on the rows that it was
 * trained on. Immutable.
 *
 * @param graph serialised
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record SmallerForm(byte[] graph, DecisionDifference.Measured difference) {

  /** Requests that are compared: at 1000 a share of 2 % is known to within 1 %. */
  private static final int REQUESTS = 1000;

  private static final String PREFIX = "int8.";

  /** The form, measured; empty where the graph has no product that is large enough. */
  static Optional<SmallerForm> of(
      byte[] graph,
      FeatureSchema schema,
      LearnerData data,
      Exploration exploration,
      int slateSize) {
    byte[] smaller = new Int8Form().of(graph);
    if (Arrays.equals(graph, smaller)) {
      return Optional.empty();
    }
    try (Scorer reference = Scorer.open(graph, schema);
        Scorer other = Scorer.open(smaller, schema)) {
      DecisionDifference difference =
          new DecisionDifference(reference, other, exploration, slateSize);
      int[] rows = firstPositions(data);
      int compared = Math.min(REQUESTS, rows.length);
      for (int i = 0; i < compared; i++) {
        // From all over the log and not from its first subjects.
        add(difference, schema, data, rows[(int) ((long) i * rows.length / compared)]);
      }
      return Optional.of(new SmallerForm(smaller, difference.measured()));
    }
  }

  /** For the manifest. */
  Map<String, Double> metrics() {
    Map<String, Double> metrics = new TreeMap<>();
    metrics.put(PREFIX + "requests", (double) difference.requests());
    metrics.put(PREFIX + "changedSlates", difference.changedSlates());
    metrics.put(PREFIX + "propensityDifference", difference.propensityDifference());
    return metrics;
  }

  /** Rows at which every candidate could stand: first positions, one for each decision. */
  private static int[] firstPositions(LearnerData data) {
    int[] rows = new int[data.rows()];
    int found = 0;
    for (int row = 0; row < data.rows(); row++) {
      boolean any = false;
      for (int at = data.itemOffsets()[row]; at < data.itemOffsets()[row + 1]; at++) {
        any |= data.closed()[at];
      }
      if (!any && data.candidates(row) > 0) {
        rows[found++] = row;
      }
    }
    return Arrays.copyOf(rows, found);
  }

  private static void add(
      DecisionDifference difference, FeatureSchema schema, LearnerData data, int row) {
    int context = schema.contextWidth();
    int history = schema.historySize();
    int width = schema.itemWidth();
    difference.add(
        Arrays.copyOfRange(data.context(), row * context, (row + 1) * context),
        Arrays.copyOfRange(data.history(), row * history, (row + 1) * history),
        Arrays.copyOfRange(
            data.items(), data.itemOffsets()[row] * width, data.itemOffsets()[row + 1] * width));
  }
}
