package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.PolicyNetworks;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What all algorithms share: builds the graph of a step from the algorithm's losses, and runs it
 * over the batch plan; an algorithm of several stages asks for one run after another.
 *
 * <p>Confined to one thread. A run holds its native memory until it returns.
 */
public final class Engine {
  private final OrtEnvironment environment;
  private final Algorithm whole;
  private final NetworkSchema schema;
  private final LearnerData data;
  private final TrainingPlan plan;
  private final ProgressListener listener;
  private final Checkpoints checkpoints;
  private final int learners;
  private final Measures measures;
  private final List<Progress> history = new ArrayList<>();
  private final String dataDigest;
  private long stepsBefore;
  private int stage;

  /** {@code whole}: the algorithm of all stages; {@code learners}: 0 where none share a step. */
  Engine(
      OrtEnvironment environment,
      Algorithm whole,
      NetworkSchema schema,
      LearnerData data,
      TrainingPlan plan,
      ProgressListener listener,
      Checkpoints checkpoints,
      int learners) {
    this(
        environment,
        whole,
        schema,
        data,
        plan,
        listener,
        checkpoints,
        learners,
        Measures.of(schema, data));
  }

  private Engine(
      OrtEnvironment environment,
      Algorithm whole,
      NetworkSchema schema,
      LearnerData data,
      TrainingPlan plan,
      ProgressListener listener,
      Checkpoints checkpoints,
      int learners,
      Measures measures) {
    this.learners = learners;
    this.environment = environment;
    this.whole = whole;
    this.schema = schema;
    this.data = data;
    this.plan = plan;
    this.listener = listener;
    this.checkpoints = checkpoints;
    this.dataDigest = checkpoints.areKept() ? Fingerprint.of(data) : "";
    this.measures = measures;
  }

  /**
   * The same over the same data, from the beginning, with networks that read inputs and tell values
   * as those of a policy do: what goes on learning from its weights.
   *
   * @throws IllegalArgumentException if the policy's networks are of another kind than the plan's
   */
  Engine inUnitsOf(TrainedPolicy policy) {
    if (!policy.networks().schema().equals(schema)
        || !policy.networks().config().equals(plan.networks())) {
      throw new IllegalArgumentException(
          "a policy goes on learning with its own columns and networks, %s, not %s"
              .formatted(policy.networks().config(), plan.networks()));
    }
    return new Engine(
        environment,
        whole,
        schema,
        data,
        plan,
        listener,
        checkpoints,
        learners,
        Measures.inUnitsOf(policy, data));
  }

  NetworkSchema schema() {
    return schema;
  }

  LearnerData data() {
    return data;
  }

  TrainingPlan plan() {
    return plan;
  }

  OrtEnvironment environment() {
    return environment;
  }

  /** Per signal, the unit of all values. */
  float[] scale() {
    return measures.scale();
  }

  /** Learns by the whole plan. */
  TrainedPolicy learn(Algorithm algorithm, Given given) {
    return learn(algorithm, given, plan);
  }

  /** Learns by a plan of its own, usually of other length. */
  TrainedPolicy learn(Algorithm algorithm, Given given, TrainingPlan plan) {
    double discount = algorithm.discount();
    PolicyNetworks networks =
        new PolicyNetworks(schema, plan.networks(), measures.normalisation(), algorithm.heads());
    BatchFeed feed = new BatchFeed(data, given, schema, data.mostCandidates(), scale());
    try (BatchStep step = step(algorithm, networks, plan, feed)) {
      StepGraph graph = step.graph();
      TrainingSession session = step.session();
      graph.start(session, measures.meanReturns(discount), given.weights());
      StageCheckpoints kept =
          StageCheckpoints.of(
              checkpoints,
              stage++,
              () -> RunIdentity.of(whole, plan, dataDigest, given, step.model()),
              session,
              graph);
      if (algorithm.promises().isEmpty()) {
        run(algorithm, step, plan, null, kept);
        return result(session, graph, networks, List.of());
      }
      try (PolicyJudge judge = judge(algorithm, networks, plan, feed)) {
        PriceControl prices =
            new PriceControl(algorithm, schema, judge, name -> weights(session, name));
        run(algorithm, step, plan, prices, kept);
        return result(session, graph, networks, prices.outcomes());
      }
    }
  }

  private BatchStep step(
      Algorithm algorithm, PolicyNetworks networks, TrainingPlan plan, BatchFeed feed) {
    float[] bounds = measures.valueBounds(algorithm.discount());
    if (learners == 0) {
      StepGraph graph = new StepGraph(networks, plan, data.mostCandidates(), bounds);
      algorithm.addLosses(graph);
      return new BatchStep.Whole(graph, graph.open(environment), feed);
    }
    if (plan.batchSize() % SharedStep.PARTS != 0) {
      throw new IllegalArgumentException(
          "learners share batches of multiples of %d rows, not of %d"
              .formatted(SharedStep.PARTS, plan.batchSize()));
    }
    TrainingPlan part = plan.withBatchSize(plan.batchSize() / SharedStep.PARTS);
    return new SharedStep(
        environment,
        extent -> {
          StepGraph graph = new StepGraph(networks, part, data.mostCandidates(), bounds, extent);
          algorithm.addLosses(graph);
          return graph;
        },
        feed,
        part.batchSize(),
        learners);
  }

  private PolicyJudge judge(
      Algorithm algorithm, PolicyNetworks networks, TrainingPlan plan, BatchFeed feed) {
    StepGraph asked = new StepGraph(networks, plan, data.mostCandidates(), new float[0]);
    return algorithm.judgedValues(asked) == null
        ? new PolicyEstimator(
            environment, networks, plan, data, feed, algorithm.multipliers().rows())
        : new FirstStates(environment, algorithm, networks, plan, data, feed, scale());
  }

  /** The current weights of a vector, trained or fixed. */
  static float[] weights(TrainingSession session, String name) {
    if (session.hasState(name)) {
      return session.read(name);
    }
    FloatBuffer fed = session.floats(name);
    float[] values = new float[fed.capacity()];
    fed.get(0, values);
    return values;
  }

  private void run(
      Algorithm algorithm,
      BatchStep batchStep,
      TrainingPlan plan,
      @Nullable PriceControl prices,
      StageCheckpoints kept) {
    StepGraph graph = batchStep.graph();
    TrainingSession session = batchStep.session();
    Batches batches = Batches.of(algorithm, data, plan);
    DivergenceWatch watch =
        new DivergenceWatch(graph.gauges(), graph.gauges().contains(StepGraph.LARGEST_VALUE));
    GaugeMeans means = new GaugeMeans(graph.gauges());
    int[] rows = new int[plan.batchSize()];
    int reportsBefore = history.size();
    long done = kept.resume(watch, prices, history);
    if (done > 0) {
      listener.onContinued(stepsBefore + done);
    }
    feedPrices(session, prices);
    for (long step = done + 1; step <= plan.steps(); step++) {
      batches.fill(step - 1, rows);
      setRates(session, graph, plan, step);
      for (Map.Entry<String, Float> number : algorithm.schedule(plan, step).entrySet()) {
        session.set(BatchFeed.SCHEDULED + number.getKey(), number.getValue());
      }
      batchStep.run(rows);
      watch.check(step, session);
      means.add(session);
      algorithm.after(step, session);
      if (prices != null && prices.isDue(step)) {
        prices.update();
        prices.feed(session);
      }
      if (step % plan.reportEvery() == 0 || step == plan.steps()) {
        report(step, means.take(), watch, prices);
        kept.offer(
            step,
            step == plan.steps(),
            watch,
            prices,
            history.subList(reportsBefore, history.size()));
      }
    }
    stepsBefore += plan.steps();
  }

  private void feedPrices(TrainingSession session, @Nullable PriceControl prices) {
    if (prices != null) {
      prices.feed(session);
    } else if (session.hasFeed(BatchFeed.PRICES)) {
      float[] objectiveOnly = new float[schema.signals().size()];
      objectiveOnly[0] = 1;
      session.floats(BatchFeed.PRICES).put(objectiveOnly);
    }
  }

  private void report(
      long step,
      SortedMap<String, Double> gauges,
      DivergenceWatch watch,
      @Nullable PriceControl prices) {
    if (prices != null) {
      prices.addGauges(gauges);
    }
    watch.check(step, new Progress(step, gauges));
    Progress progress = new Progress(stepsBefore + step, gauges);
    history.add(progress);
    listener.onProgress(progress);
  }

  private void setRates(TrainingSession session, StepGraph graph, TrainingPlan plan, long step) {
    boolean shared = false;
    for (Map.Entry<String, Pace> vector : graph.paces().entrySet()) {
      Pace pace = vector.getValue();
      String name = vector.getKey();
      session.set(name + StepGraph.RATE, (float) pace.rate(plan, step, data.rows()));
      if (pace.every() == 1) {
        shared = true;
      } else {
        session.set(name + StepGraph.DUE, pace.isDue(step) ? 1 : 0);
        setCorrections(session, plan, name + ".", Math.max(1, step / pace.every()));
      }
    }
    if (shared) {
      setCorrections(session, plan, "", step);
    }
  }

  private static void setCorrections(
      TrainingSession session, TrainingPlan plan, String prefix, long updates) {
    session.set(prefix + StepGraph.MEAN_CORRECTION, plan.adam().meanCorrection(updates));
    session.set(prefix + StepGraph.SQUARE_CORRECTION, plan.adam().squareCorrection(updates));
  }

  private TrainedPolicy result(
      TrainingSession session,
      StepGraph graph,
      PolicyNetworks networks,
      List<PromiseOutcome> promises) {
    SortedMap<String, float[]> vectors = new TreeMap<>();
    for (String name : graph.weightNames()) {
      vectors.put(name, weights(session, name));
    }
    boolean hasActor = graph.learns(StepGraph.ACTOR);
    boolean hasCritic = graph.learns(StepGraph.CRITIC);
    Parameters actor = networks.initialActor(plan.seed());
    Parameters critic =
        networks.initialCritic(plan.seed(), new float[schema.signals().size() * networks.heads()]);
    return new TrainedPolicy(
        networks,
        hasActor ? new Parameters(actor.layout(), weights(session, StepGraph.ACTOR)) : actor,
        hasActor,
        hasCritic ? new Parameters(critic.layout(), weights(session, StepGraph.CRITIC)) : critic,
        hasCritic,
        vectors,
        scale(),
        history,
        promises);
  }
}
