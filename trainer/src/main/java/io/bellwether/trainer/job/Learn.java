package io.bellwether.trainer.job;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.trainer.algorithm.Algorithm;
import io.bellwether.trainer.algorithm.CheckpointFolder;
import io.bellwether.trainer.algorithm.DivergedException;
import io.bellwether.trainer.algorithm.InvalidLearnerDataException;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.PolicyDiagnosis;
import io.bellwether.trainer.algorithm.Progress;
import io.bellwether.trainer.algorithm.PromiseOutcome;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.data.DataSet;
import io.bellwether.trainer.data.DataSummary;
import io.bellwether.trainer.data.FeederMessage;
import io.bellwether.trainer.data.InvalidTrainingData;
import io.bellwether.trainer.data.LearnerColumns;
import io.bellwether.trainer.data.LinkedRows;
import io.bellwether.trainer.export.OnnxExporter;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.report.TrainingReport;
import io.bellwether.trainer.retrieval.DistilledTowers;
import io.bellwether.trainer.retrieval.TowerDistillation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The one learner: collects the rows of all feeders, puts them into canonical order, trains,
 * exports, holds the export against what was trained, and leaves the result in the run's folder.
 * All rows are in memory. Emits nothing. A task that is started again in the same folder goes on
 * from the last checkpoint.
 *
 * <p>What training again would not change (data that cannot be used, divergence) is a result and
 * not a failure of the job, so that no restart repeats it.
 */
final class Learn extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<byte[], byte[]>, BoundedOneInput {

  private static final long serialVersionUID = 1;

  /** Shorter work is done again rather than kept. */
  private static final Duration CHECKPOINTS = Duration.ofSeconds(20);

  private final LearnerTask task;
  private transient DataSet data = new DataSet();

  Learn(LearnerTask task) {
    this.task = task;
  }

  @Override
  public void open() throws Exception {
    super.open();
    data = new DataSet();
  }

  @Override
  public void processElement(StreamRecord<byte[]> element) {
    FeederMessage.deliver(element.getValue(), data);
  }

  @Override
  public void endInput() throws IOException {
    RunFolder folder = new RunFolder(Path.of(task.folder()));
    CheckpointFolder checkpoints =
        new CheckpointFolder(
            folder.checkpoints(),
            task.metadata().toString() + " " + CodeVersion.current(),
            CHECKPOINTS,
            notice -> LOG.warn("{}", notice));
    try {
      folder.write(train(folder, checkpoints));
      checkpoints.clear();
    } catch (InvalidTrainingData | InvalidLearnerDataException e) {
      folder.write(refused(TrainingFailed.Kind.INVALID_DATA, e));
    } catch (DivergedException e) {
      String kept = checkpoints.latest().map("; the last good checkpoint is "::concat).orElse("");
      folder.write(new LearnerOutcome.Refused(TrainingFailed.Kind.DIVERGED, e.getMessage() + kept));
    } catch (TrainingFailed e) {
      folder.write(refused(e.kind(), e));
    }
  }

  private static LearnerOutcome.Refused refused(TrainingFailed.Kind kind, Exception reason) {
    return new LearnerOutcome.Refused(kind, String.valueOf(reason.getMessage()));
  }

  private LearnerOutcome.Trained train(RunFolder folder, CheckpointFolder checkpoints)
      throws IOException {
    Prepared prepared = prepare();
    LearnerData columns = prepared.columns();
    NetworkSchema schema = task.schema();
    Algorithm algorithm = task.algorithm(prepared.rowsPerDecision(), columns);
    ProgressWriter progress = new ProgressWriter(folder, task, algorithm, columns.rows());
    progress.starts();
    TrainedPolicy policy =
        new Learner(OrtEnvironment.getEnvironment())
            .sharedBy(task.learners())
            .train(algorithm, schema, columns, task.plan(columns.rows()), progress, checkpoints);
    progress.exports();
    byte[] graph = new OnnxExporter().export(policy, task.metadata());
    double difference = ExportParity.check(policy, graph, policySchema(schema), columns);
    Map<String, Double> metrics =
        metrics(policy, schema, algorithm.judgesReturns() ? 1 : prepared.rowsPerDecision());
    metrics.put("export.difference", difference);
    SortedMap<String, byte[]> files = new TreeMap<>();
    files.put(PolicyManifest.GRAPH, graph);
    for (SmallerForm smaller : smallerForms(policy, graph, columns)) {
      files.put(smaller.file(), smaller.graph());
      metrics.putAll(smaller.metrics());
    }
    if (task.embedding() > 0) {
      DistilledTowers towers = towers(policy, graph, columns);
      files.put(RetrievalTowers.FILE, towers.graph());
      metrics.putAll(towers.metrics());
    }
    TrainingReport report = report(policy, columns, algorithm.discount());
    files.put(TrainingReport.JSON, report.json());
    files.put(TrainingReport.PAGE, report.page());
    return new LearnerOutcome.Trained(files, prepared.summary(), metrics);
  }

  private TrainingReport report(TrainedPolicy policy, LearnerData columns, double discount) {
    return new TrainingReport(
        "Training of %s with seed %d".formatted(task.method().word(), task.seed()),
        policy,
        PolicyDiagnosis.of(
            OrtEnvironment.getEnvironment(), policy, columns, task.plan(columns.rows()), discount));
  }

  private List<SmallerForm> smallerForms(TrainedPolicy policy, byte[] graph, LearnerData columns) {
    try (SmallerForms forms =
        new SmallerForms(
            graph, policySchema(task.schema()), columns, task.exploration(), task.slateSize())) {
      List<SmallerForm> written = new ArrayList<>();
      forms.int8().ifPresent(written::add);
      if (task.prunedShare() > 0 && policy.hasActor()) {
        written.add(forms.pruned(policy, task.prunedShare(), task.seed(), task.metadata()));
      }
      return written;
    }
  }

  private DistilledTowers towers(TrainedPolicy policy, byte[] graph, LearnerData columns) {
    try (Scorer actor = Scorer.open(graph, policySchema(task.schema()))) {
      return TowerDistillation.distil(
          policy, actor, columns, task.embedding(), task.seed(), task.metadata());
    }
  }

  /** What training needs of the rows, which are then no longer held. */
  private record Prepared(LearnerData columns, DataSummary summary) {

    double rowsPerDecision() {
      return (double) summary.rows() / summary.decisions();
    }
  }

  private Prepared prepare() {
    LinkedRows rows = data.link();
    return new Prepared(LearnerColumns.of(rows), rows.summary());
  }

  private FeatureSchema policySchema(NetworkSchema schema) {
    return new FeatureSchema(
        task.featureDigest(),
        schema.context().size(),
        schema.historyLength(),
        schema.history().size(),
        schema.item().size(),
        schema.signals());
  }

  /**
   * Promises are in figures per decision, as reports have them, or in returns of episodes where the
   * algorithm judges those.
   *
   * @param unit what the algorithm's figures are multiplied by
   */
  private static Map<String, Double> metrics(
      TrainedPolicy policy, NetworkSchema schema, double unit) {
    Map<String, Double> metrics = new TreeMap<>();
    if (!policy.history().isEmpty()) {
      Progress last = policy.history().get(policy.history().size() - 1);
      metrics.putAll(last.gauges());
    }
    for (PromiseOutcome outcome : policy.promises()) {
      String name = "promise." + schema.signals().get(outcome.promise().signal());
      metrics.put(name + ".bound", unit * outcome.bound());
      metrics.put(name + ".estimate", unit * outcome.estimate());
      metrics.put(name + ".standardError", unit * outcome.standardError());
      metrics.put(name + ".multiplier", outcome.multiplier());
      metrics.put(name + ".hopeless", outcome.hopeless() ? 1.0 : 0.0);
    }
    metrics.values().removeIf(value -> !Double.isFinite(value));
    return metrics;
  }
}
