package io.bellwether.trainer.job;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.DecisionDifference;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.export.Int8Form;
import io.bellwether.trainer.export.OnnxExporter;
import io.bellwether.trainer.pruning.GradualPruning;
import io.bellwether.trainer.pruning.PrunedActor;
import io.bellwether.trainer.pruning.PruningPlan;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The smaller forms of an exported graph, each with how differently it decides on the rows that the
 * graph was trained on. Holds the graph open until {@link #close}. Confined to one thread.
 */
final class SmallerForms implements AutoCloseable {

  /** Requests that are compared: at 1000 a share of 2 % is known to within 1 %. */
  private static final int REQUESTS = 1000;

  private final byte[] graph;
  private final FeatureSchema schema;
  private final LearnerData data;
  private final Exploration exploration;
  private final int slateSize;
  private final Scorer full;

  SmallerForms(
      byte[] graph,
      FeatureSchema schema,
      LearnerData data,
      Exploration exploration,
      int slateSize) {
    this.graph = graph;
    this.schema = schema;
    this.data = data;
    this.exploration = exploration;
    this.slateSize = slateSize;
    full = Scorer.open(graph, schema);
  }

  /** In 8-bit integers; empty where the graph has no product that is large enough. */
  Optional<SmallerForm> int8() {
    byte[] smaller = new Int8Form().of(graph);
    return Arrays.equals(graph, smaller)
        ? Optional.empty()
        : Optional.of(
            SmallerForm.of(
                "int8", PolicyManifest.INT8_GRAPH, smaller, difference(smaller), Map.of()));
  }

  /** Without a share of the actor's hidden units, and without values. */
  SmallerForm pruned(
      TrainedPolicy policy, double share, long seed, SortedMap<String, String> metadata) {
    PrunedActor pruned =
        GradualPruning.prune(
            policy, full, data, exploration.temperature(), PruningPlan.of(share), seed);
    byte[] smaller = new OnnxExporter().export(policy.networks(), pruned.actor(), metadata);
    return SmallerForm.of(
        "pruned", PolicyManifest.PRUNED_GRAPH, smaller, difference(smaller), pruned.metrics());
  }

  private DecisionDifference.Measured difference(byte[] smaller) {
    try (Scorer other = Scorer.open(smaller, schema)) {
      DecisionDifference difference = new DecisionDifference(full, other, exploration, slateSize);
      int[] rows = firstPositions(data);
      int compared = Math.min(REQUESTS, rows.length);
      for (int i = 0; i < compared; i++) {
        // From all over the log and not from its first subjects.
        add(difference, rows[(int) ((long) i * rows.length / compared)]);
      }
      return difference.measured();
    }
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

  private void add(DecisionDifference difference, int row) {
    int context = schema.contextWidth();
    int history = schema.historySize();
    int width = schema.itemWidth();
    difference.add(
        Arrays.copyOfRange(data.context(), row * context, (row + 1) * context),
        Arrays.copyOfRange(data.history(), row * history, (row + 1) * history),
        Arrays.copyOfRange(
            data.items(), data.itemOffsets()[row] * width, data.itemOffsets()[row + 1] * width));
  }

  @Override
  public void close() {
    full.close();
  }
}
