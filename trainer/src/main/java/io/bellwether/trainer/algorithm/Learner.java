package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.ColumnScaling;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Normalisation;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.PolicyNetworks;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The engine that all algorithms share: it measures the data, builds the graph of a step from the
 * algorithm's losses, and runs it over the batch plan.
 *
 * <p>The result is a function of algorithm, data and plan: one thread, no clock, no generator with
 * state. Stateless, so thread-safe; a run holds its native memory until it returns.
 */
public final class Learner {
  /** Signals that hardly vary are not blown up. */
  private static final double SMALLEST_SCALE = 1e-3;

  private final OrtEnvironment environment;

  public Learner(OrtEnvironment environment) {
    this.environment = environment;
  }

  /**
   * Trains from first weights.
   *
   * @throws InvalidLearnerDataException for data that no learner can use
   * @throws DivergedException when losses or values leave the range in which they mean something
   */
  public TrainedPolicy train(
      Algorithm algorithm,
      NetworkSchema schema,
      LearnerData data,
      TrainingPlan plan,
      ProgressListener listener) {
    data.validate(schema);
    float[] scale = signalScale(data, schema.signals().size());
    PolicyNetworks networks =
        new PolicyNetworks(schema, plan.networks(), normalisation(schema, data));
    StepGraph graph =
        new StepGraph(
            networks, plan, data.mostCandidates(), valueBounds(data, scale, algorithm.discount()));
    algorithm.addLosses(graph);
    BatchFeed feed = new BatchFeed(data, schema, data.mostCandidates(), scale);
    int estimateRows = algorithm.multipliers().rows();
    try (TrainingSession session = graph.open(environment);
        PolicyEstimator estimator =
            new PolicyEstimator(environment, networks, plan, data, feed, estimateRows)) {
      Parameters actor = networks.initialActor(plan.seed());
      Parameters critic =
          networks.initialCritic(plan.seed(), meanReturns(data, scale, algorithm.discount()));
      start(session, graph, actor, critic);
      PriceControl prices = new PriceControl(algorithm, schema, estimator, actor.values());
      List<Progress> history = run(session, graph, prices, new Run(data, plan, feed, listener));
      boolean hasActor = graph.learns(StepGraph.ACTOR);
      boolean hasCritic = graph.learns(StepGraph.CRITIC);
      return new TrainedPolicy(
          networks,
          hasActor ? new Parameters(actor.layout(), session.read(StepGraph.ACTOR)) : actor,
          hasActor,
          hasCritic ? new Parameters(critic.layout(), session.read(StepGraph.CRITIC)) : critic,
          hasCritic,
          scale,
          history,
          hasActor ? prices.outcomes(session.read(StepGraph.ACTOR)) : List.of());
    }
  }

  private record Run(
      LearnerData data, TrainingPlan plan, BatchFeed feed, ProgressListener listener) {}

  private static void start(
      TrainingSession session, StepGraph graph, Parameters actor, Parameters critic) {
    if (graph.learns(StepGraph.ACTOR)) {
      session.write(StepGraph.ACTOR, actor.values());
    }
    if (graph.learns(StepGraph.CRITIC)) {
      session.write(StepGraph.CRITIC, critic.values());
    }
    if (graph.hasTarget()) {
      session.write(StepGraph.TARGET, critic.values());
    }
  }

  private static List<Progress> run(
      TrainingSession session, StepGraph graph, PriceControl prices, Run run) {
    TrainingPlan plan = run.plan;
    BatchPlan batches = new BatchPlan(plan.seed(), run.data.rowId(), plan.batchSize());
    DivergenceWatch watch = new DivergenceWatch(graph.gauges(), graph.learns(StepGraph.CRITIC));
    GaugeMeans means = new GaugeMeans(graph.gauges());
    List<Progress> history = new ArrayList<>();
    int[] rows = new int[plan.batchSize()];
    prices.feed(session);
    for (long step = 1; step <= plan.steps(); step++) {
      batches.fill(step - 1, rows);
      run.feed.fill(session, rows);
      schedule(session, plan, step, run.data.rows());
      session.step();
      watch.check(step, session);
      means.add(session);
      if (prices.isDue(step)) {
        prices.update(session.read(StepGraph.ACTOR));
        prices.feed(session);
      }
      if (step % plan.reportEvery() == 0 || step == plan.steps()) {
        SortedMap<String, Double> gauges = means.take();
        prices.addGauges(gauges);
        Progress progress = new Progress(step, gauges);
        watch.check(step, progress);
        history.add(progress);
        run.listener.onProgress(progress);
      }
    }
    return history;
  }

  private static void schedule(TrainingSession session, TrainingPlan plan, long step, int rows) {
    if (session.hasFeed(StepGraph.ACTOR + StepGraph.RATE)) {
      session.set(StepGraph.ACTOR + StepGraph.RATE, (float) plan.rate(step));
    }
    if (session.hasFeed(StepGraph.CRITIC + StepGraph.RATE)) {
      session.set(StepGraph.CRITIC + StepGraph.RATE, (float) plan.criticRate(step, rows));
    }
    session.set(StepGraph.MEAN_CORRECTION, plan.adam().meanCorrection(step));
    session.set(StepGraph.SQUARE_CORRECTION, plan.adam().squareCorrection(step));
  }

  private static Normalisation normalisation(NetworkSchema schema, LearnerData data) {
    int historyWidth = schema.history().size();
    return new Normalisation(
        ColumnScaling.measure(schema.context(), data.context(), row -> true),
        ColumnScaling.measure(
            schema.history(), data.history(), row -> data.history()[row * historyWidth] > 0),
        ColumnScaling.measure(schema.item(), data.items(), row -> true));
  }

  /** Standard deviation of each signal's rewards, at least {@link #SMALLEST_SCALE}. */
  private static float[] signalScale(LearnerData data, int signals) {
    float[] scale = new float[signals];
    for (int signal = 0; signal < signals; signal++) {
      double mean = mean(data, signal, signals);
      double squares = 0;
      for (int i = signal; i < data.rewards().length; i += signals) {
        squares += (data.rewards()[i] - mean) * (data.rewards()[i] - mean);
      }
      scale[signal] = (float) Math.max(SMALLEST_SCALE, Math.sqrt(squares / data.rows()));
    }
    return scale;
  }

  private static double mean(LearnerData data, int signal, int signals) {
    double sum = 0;
    for (int i = signal; i < data.rewards().length; i += signals) {
      sum += data.rewards()[i];
    }
    return sum / data.rows();
  }

  /**
   * The return that every row would have if each had the mean reward and the mean chance to go on,
   * in scaled units.
   */
  private static float[] meanReturns(LearnerData data, float[] scale, double discount) {
    int ended = 0;
    for (boolean terminated : data.terminated()) {
      ended += terminated ? 1 : 0;
    }
    double goesOn = 1 - (double) ended / data.rows();
    float[] returns = new float[scale.length];
    for (int signal = 0; signal < scale.length; signal++) {
      returns[signal] =
          (float) (mean(data, signal, scale.length) / scale[signal] / (1 - discount * goesOn));
    }
    return returns;
  }

  /** Largest possible return of each signal in scaled units, at least 1. */
  private static float[] valueBounds(LearnerData data, float[] scale, double discount) {
    float[] bounds = new float[scale.length];
    for (int i = 0; i < data.rewards().length; i++) {
      int signal = i % scale.length;
      bounds[signal] = Math.max(bounds[signal], Math.abs(data.rewards()[i]) / scale[signal]);
    }
    for (int signal = 0; signal < bounds.length; signal++) {
      bounds[signal] = (float) Math.max(1, bounds[signal] / (1 - discount));
    }
    return bounds;
  }

  /** Means of gauges since the last report. Confined to one thread. */
  private static final class GaugeMeans {
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
}
