package io.bellwether.trainer.job;

import io.bellwether.ingestion.surface.Constraint;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.trainer.algorithm.Algorithm;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.Promise;
import io.bellwether.trainer.algorithm.TrainingPlan;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.HistoryForm;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the learner has to do, in plain values that travel to the task that runs it. Immutable.
 *
 * @param context columns of the context, in order; the next two likewise
 * @param signals in the learners' order
 * @param promises what has to be kept
 * @param learners how many share every batch; 0 for one that has whole batches
 * @param historyForm how the networks take in a history
 * @param metadata written into the graph
 * @param embedding floats of an item's embedding for retrieval; 0: no towers are distilled
 * @param prunedShare which share of the hidden units the pruned form lacks; 0: there is none
 * @param folder of the run
 */
record LearnerTask(
    ArrayList<ColumnSpec> context,
    ArrayList<ColumnSpec> history,
    int historyLength,
    ArrayList<ColumnSpec> item,
    ArrayList<String> signals,
    TrainingMethod method,
    double discount,
    ArrayList<PromiseSpec> promises,
    long seed,
    double epochs,
    int batchSize,
    HistoryForm historyForm,
    int learners,
    double temperature,
    double uniform,
    double minPropensity,
    int slateSize,
    String featureDigest,
    TreeMap<String, String> metadata,
    int embedding,
    double prunedShare,
    String folder)
    implements Serializable {

  private static final long serialVersionUID = 1;

  /** Fewer steps teach nothing, however few rows there are. */
  private static final long FEWEST_STEPS = 20;

  /**
   * A column.
   *
   * @param kind {@code NUMBER}, {@code FLAG} or {@code CATEGORY}
   */
  record ColumnSpec(String name, String kind, int cardinality) implements Serializable {

    private static final long serialVersionUID = 1;

    private static ColumnSpec of(Column column) {
      if (column instanceof Column.Category category) {
        return new ColumnSpec(category.name(), "CATEGORY", category.cardinality());
      }
      return new ColumnSpec(column.name(), column instanceof Column.Flag ? "FLAG" : "NUMBER", 0);
    }

    private Column column() {
      return switch (kind) {
        case "CATEGORY" -> new Column.Category(name, cardinality);
        case "FLAG" -> new Column.Flag(name);
        default -> new Column.Number(name);
      };
    }
  }

  /**
   * A promise.
   *
   * @param bound per decision, or as a share of the log's mean
   */
  record PromiseSpec(int signal, boolean atLeast, double bound, boolean relative)
      implements Serializable {

    private static final long serialVersionUID = 1;

    /** In the learner's terms: an absolute bound is one of the mean per row. */
    Promise promise(double rowsPerDecision) {
      return promise(
          relative ? new Promise.ShareOfLog(bound) : new Promise.Absolute(bound / rowsPerDecision));
    }

    /**
     * For a learner that judges returns: an absolute bound as a share of the log's mean, as if the
     * signal were spread evenly over an episode. A signal that never happened has no share.
     */
    Promise ofReturns(double rowsPerDecision, double logMean) {
      return relative || logMean == 0
          ? promise(rowsPerDecision)
          : promise(new Promise.ShareOfLog(bound / rowsPerDecision / logMean));
    }

    private Promise promise(Promise.Bound limit) {
      return new Promise(signal, atLeast ? Promise.Sense.AT_LEAST : Promise.Sense.AT_MOST, limit);
    }
  }

  static LearnerTask of(TrainingRequest request, SortedMap<String, String> metadata) {
    NetworkSchema schema = SurfaceSchema.network(request.surface());
    return new LearnerTask(
        specs(schema.context()),
        specs(schema.history()),
        schema.historyLength(),
        specs(schema.item()),
        new ArrayList<>(schema.signals()),
        request.method(),
        request.surface().objective().discount(),
        promises(request.surface(), schema.signals()),
        request.seed(),
        request.epochs(),
        request.batchSize(),
        request.historyForm(),
        request.learners(),
        request.surface().exploration().temperature(),
        request.surface().exploration().uniform(),
        request.surface().exploration().minPropensity(),
        request.surface().slateSize(),
        SurfaceSchema.policy(request.surface()).digest(),
        new TreeMap<>(metadata),
        request.surface().retrieval().embedding(),
        prunedShare(request.surface().graph()),
        request.folder().toString());
  }

  private static double prunedShare(Surface.GraphChoice graph) {
    return graph.form() == Surface.GraphChoice.Form.PRUNED ? graph.prunedShare() : 0;
  }

  private static ArrayList<ColumnSpec> specs(List<Column> columns) {
    ArrayList<ColumnSpec> specs = new ArrayList<>();
    columns.forEach(column -> specs.add(ColumnSpec.of(column)));
    return specs;
  }

  /** A promise about the objective itself is the gate's to judge: training maximises it anyway. */
  private static ArrayList<PromiseSpec> promises(Surface surface, List<String> signals) {
    ArrayList<PromiseSpec> specs = new ArrayList<>();
    for (Constraint constraint : surface.constraints()) {
      int signal = signals.indexOf(constraint.signal());
      if (signal > 0) {
        specs.add(
            new PromiseSpec(
                signal,
                constraint.direction() == Constraint.Direction.AT_LEAST,
                constraint.bound(),
                constraint.relative()));
      }
    }
    return specs;
  }

  NetworkSchema schema() {
    return new NetworkSchema(
        context.stream().map(ColumnSpec::column).toList(),
        history.stream().map(ColumnSpec::column).toList(),
        historyLength,
        item.stream().map(ColumnSpec::column).toList(),
        signals);
  }

  /**
   * What is to be run.
   *
   * @param rowsPerDecision mean number of positions
   */
  Algorithm algorithm(double rowsPerDecision, LearnerData data) {
    Algorithm byRow =
        method.algorithm(
            discount, promises.stream().map(spec -> spec.promise(rowsPerDecision)).toList());
    return byRow.judgesReturns()
        ? method.algorithm(
            discount,
            promises.stream()
                .map(spec -> spec.ofReturns(rowsPerDecision, data.meanReward(spec.signal())))
                .toList())
        : byRow;
  }

  /** The plan for this many rows. */
  TrainingPlan plan(int rows) {
    long steps = Math.max(FEWEST_STEPS, (long) Math.ceil(epochs * rows / batchSize));
    return TrainingPlan.of(seed, steps)
        .withBatchSize(batchSize)
        .withNetworks(NetworkConfig.DEFAULT.withForm(historyForm))
        .withExploration(exploration());
  }

  /** How the surface explores. */
  Exploration exploration() {
    return new Exploration(temperature, uniform, minPropensity);
  }
}
