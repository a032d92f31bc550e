package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Gradients;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.ParameterLayout;
import io.bellwether.trainer.network.PolicyNetworks;
import io.bellwether.trainer.network.StateRows;
import io.bellwether.trainer.network.Weights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The graph of one training step under construction, in the words in which an algorithm states its
 * losses.
 *
 * <p>A batch has {@code B} rows of at most {@code M} candidates. A value is built when it is first
 * asked for, so a graph contains, and asks to be fed, only what its algorithm uses; an in-sample
 * algorithm asks for critics at logged actions only. Confined to one thread.
 */
public final class StepGraph {
  static final String ACTOR = "actor";
  static final String CRITIC = "critic";
  static final String TARGET = "target";
  static final String MEAN = ".mean";
  static final String SQUARE = ".square";
  static final String RATE = ".rate";
  static final String DUE = ".due";
  static final String GRADIENT_NORM = ".gradientNorm";
  static final String MEAN_CORRECTION = "meanCorrection";
  static final String SQUARE_CORRECTION = "squareCorrection";
  static final String ACTOR_LOSS = "actor.loss";
  static final String CRITIC_LOSS = "critic.loss";
  static final String LARGEST_VALUE = "critic.largestValue";

  /** What a part of a step leaves for the other: a gradient, a carried value, a gauge's mean. */
  static final String GRADIENT = ".gradient";

  static final String MOVED = ".moved";
  static final String PART = ".part";

  private static final String SLOW = ".slow";

  /** Purpose tag of the counter generator for the seeds of further critics. */
  private static final long TAG = 903;

  private final Graph graph = new Graph();
  private final PolicyNetworks networks;
  private final TrainingPlan plan;
  private final int slots;
  private final float[] valueBounds;
  private final Extent extent;
  private final Map<String, Tensor> built = new HashMap<>();
  private final Map<String, StepActor> actors = new HashMap<>();
  private final Map<String, StepCritic> critics = new LinkedHashMap<>();
  private final Map<String, Vector> vectors = new LinkedHashMap<>();
  private final Map<String, Weights> slowCopies = new LinkedHashMap<>();
  private final SortedMap<String, Pace> paces = new TreeMap<>();
  private final Map<String, Tensor> moved = new HashMap<>();
  private final Map<String, float[]> carried = new LinkedHashMap<>();
  private final List<String> gauges = new ArrayList<>();
  private final List<TrainingSession.State> states = new ArrayList<>();

  /** How much of a step a graph does. */
  enum Extent {
    /** All of it. */
    WHOLE,

    /** Losses and gradients of some rows of the batch; nothing moves. */
    GRADIENTS,

    /** Moves by gradients that are fed; what the losses need of the rows is dead code. */
    MOVES
  }

  /** First weights of a vector, given what a critic's outputs should start at. */
  interface First {
    float[] weights(float[] meanReturns);
  }

  private record Vector(ParameterLayout layout, Weights weights, First first) {}

  /**
   * @param slots at least the largest number of candidates of a row
   * @param valueBounds per signal, the largest return that the data allows, in scaled units
   */
  StepGraph(PolicyNetworks networks, TrainingPlan plan, int slots, float[] valueBounds) {
    this(networks, plan, slots, valueBounds, Extent.WHOLE);
  }

  StepGraph(
      PolicyNetworks networks, TrainingPlan plan, int slots, float[] valueBounds, Extent extent) {
    this.extent = extent;
    this.networks = networks;
    this.plan = plan;
    this.slots = slots;
    this.valueBounds = valueBounds;
  }

  // Sizes and settings.

  Graph graph() {
    return graph;
  }

  PolicyNetworks networks() {
    return networks;
  }

  TrainingPlan plan() {
    return plan;
  }

  Exploration exploration() {
    return plan.exploration();
  }

  /** Rows of a batch, {@code B}. */
  long rows() {
    return plan.batchSize();
  }

  /** Candidates of a row at most, {@code M}. */
  long slots() {
    return slots;
  }

  /** Number of signals. */
  int signals() {
    return networks.schema().signals().size();
  }

  // What the data says.

  /** Rewards per signal in units of its scale, {@code [B, signals]}. */
  Tensor rewards() {
    return feed(BatchFeed.REWARDS, ElementType.FLOAT, signals());
  }

  /** 1 where the episode goes on after the row, 0 where it ended, {@code [B, 1]}. */
  Tensor continues() {
    return feed(BatchFeed.CONTINUES, ElementType.FLOAT, 1);
  }

  /** 1 at slots that hold a candidate, else 0, {@code [B, M]}. */
  Tensor mask(Moment moment) {
    return feed(BatchFeed.at(moment, BatchFeed.MASK), ElementType.FLOAT, slots);
  }

  /** 1 at slots whose candidate may stand at the row's position, else 0, {@code [B, M]}. */
  Tensor open(Moment moment) {
    return feed(BatchFeed.at(moment, BatchFeed.OPEN), ElementType.FLOAT, slots);
  }

  /** 1 at the slot of the logged action, else 0, {@code [B, M]}. */
  Tensor loggedAction() {
    return built(
        "loggedAction",
        () -> {
          float[] numbers = new float[slots];
          for (int slot = 0; slot < slots; slot++) {
            numbers[slot] = slot;
          }
          Tensor action = feed(BatchFeed.ACTION, ElementType.INT64, 1).cast(ElementType.FLOAT);
          return graph
              .constant(numbers, Shape.of(1, slots))
              .isEqualTo(action)
              .cast(ElementType.FLOAT);
        });
  }

  /** Values that were given per candidate, {@code [B, M]}; 0 at slots without a candidate. */
  Tensor perCandidate(String name, Moment moment) {
    return feed(BatchFeed.at(moment, BatchFeed.PER_CANDIDATE + name), ElementType.FLOAT, slots);
  }

  /** Values that were given per row, {@code [B, 1]}. */
  Tensor perRow(String name) {
    return feed(BatchFeed.PER_ROW + name, ElementType.FLOAT, 1);
  }

  /**
   * Price of each signal's advantage, {@code [1, signals]}: 1 for the objective, the signed
   * multiplier of a promise, or 0.
   */
  Tensor prices() {
    return built(
        BatchFeed.PRICES,
        () -> graph.input(BatchFeed.PRICES, ElementType.FLOAT, Shape.of(1, signals())));
  }

  /** A number that the engine sets anew at each step by {@link Algorithm#schedule}: a scalar. */
  Tensor scheduled(String name) {
    return scalar(BatchFeed.SCHEDULED + name);
  }

  StateRows states(Moment moment) {
    var schema = networks.schema();
    Tensor context =
        feed(BatchFeed.at(moment, BatchFeed.CONTEXT), ElementType.FLOAT, schema.context().size());
    return new StateRows(
        context,
        schema.hasHistory()
            ? feed(
                BatchFeed.at(moment, BatchFeed.HISTORY),
                ElementType.FLOAT,
                schema.historyLength(),
                schema.history().size())
            : null);
  }

  /** Raw candidates, {@code [B * M, Di]}. */
  Tensor flatItems(Moment moment) {
    int width = networks.schema().item().size();
    return built(
        "flatItems." + moment,
        () ->
            feed(BatchFeed.at(moment, BatchFeed.ITEMS), ElementType.FLOAT, slots, width)
                .reshape((long) plan.batchSize() * slots, width));
  }

  // What the networks say.

  /** The actor that is learned and served. */
  StepActor actor() {
    return actor(ACTOR);
  }

  /** One of several actors, by name; {@link #actor()} is the one that is served. */
  StepActor actor(String name) {
    return actors.computeIfAbsent(
        name, n -> new StepActor(this, n, networks.actor(), actorWeights(n)));
  }

  /** The slow copy of the served actor. */
  StepActor slowActor() {
    actorWeights(ACTOR);
    return actors.computeIfAbsent(
        ACTOR + SLOW, n -> new StepActor(this, n, networks.actor(), slow(ACTOR)));
  }

  private Weights actorWeights(String name) {
    return vector(
        name, networks.actor().layout(), returns -> networks.initialActor(plan.seed()).values());
  }

  /** The first critic. */
  StepCritic critic() {
    return critic(0);
  }

  /** Critic 0, 1, ... of several that start from different weights. */
  StepCritic critic(int member) {
    return critics.computeIfAbsent(
        criticName(member), n -> new StepCritic(this, n, networks.critic(), criticWeights(member)));
  }

  /** The slow copy of critic 0, 1, ... */
  StepCritic slowCritic(int member) {
    criticWeights(member);
    String name = criticName(member);
    return critics.computeIfAbsent(
        slowName(name), n -> new StepCritic(this, n, networks.critic(), slow(name)));
  }

  private Weights criticWeights(int member) {
    long seed = member == 0 ? plan.seed() : CounterRandom.hash(plan.seed(), TAG, member, 0, 0);
    return vector(
        criticName(member),
        networks.critic().layout(),
        returns -> networks.initialCritic(seed, returns).values());
  }

  static String criticName(int member) {
    return member == 0 ? CRITIC : CRITIC + "." + member;
  }

  private static String slowName(String vector) {
    return vector.equals(CRITIC) ? TARGET : vector + SLOW;
  }

  /** Mean of {@code values [B, M, S]} under {@code policy [B, M]}: {@code [B, S]}. */
  Tensor expectation(Tensor policy, Tensor values) {
    return policy
        .reshape(rows(), slots, 1)
        .mul(values)
        .sum(1)
        .reshape(rows(), values.shape().width());
  }

  /** One output of {@code values [B, M, S]}: {@code [B, M]}. */
  Tensor output(Tensor values, int output) {
    return values.slice(2, output, output + 1L).reshape(rows(), slots);
  }

  // Parameters of other kinds.

  /**
   * A parameter vector by name: trained where the algorithm minimises something over it, otherwise
   * fixed at what it starts from.
   */
  Weights vector(String name, ParameterLayout layout, First first) {
    Vector known = vectors.get(name);
    if (known == null) {
      known = new Vector(layout, Weights.trained(layout, flat(name, layout)), first);
      vectors.put(name, known);
    }
    return known.weights;
  }

  /**
   * A copy of a vector that follows it by {@link TrainingPlan#targetRate} at each step, without
   * gradient.
   */
  Weights slow(String vector) {
    Weights known = slowCopies.get(vector);
    if (known == null) {
      ParameterLayout layout = vectorOf(vector).layout;
      known = Weights.fixed(layout, flat(slowName(vector), layout));
      slowCopies.put(vector, known);
    }
    return known;
  }

  /** A value that is carried from step to step, {@code [n]}; see {@link #carry}. */
  Tensor carried(String name, float[] first) {
    carried.put(name, first);
    return built(name, () -> graph.input(name, ElementType.FLOAT, Shape.of(first.length)));
  }

  /** What a carried value is at the next step, {@code [n]}. */
  void carry(String name, Tensor next) {
    Tensor current = built(name, () -> missing(name));
    switch (extent) {
      case WHOLE -> states.add(new TrainingSession.State(name, current, next.stopGradient()));
      case GRADIENTS -> graph.output(name + MOVED, next);
      case MOVES -> {
        Tensor fed = graph.input(name + MOVED, ElementType.FLOAT, current.shape());
        states.add(new TrainingSession.State(name, current, fed.mul(1f)));
      }
    }
  }

  private Vector vectorOf(String name) {
    Vector vector = vectors.get(name);
    return vector == null ? missing(name) : vector;
  }

  private static <T> T missing(String name) {
    throw new IllegalArgumentException("the step has no " + name);
  }

  // What is to be learned.

  /** Weighted sum over the columns of {@code [B, k]} and mean over its rows: a scalar. */
  Tensor mean(Tensor perRow) {
    return perRow
        .mul(feed(BatchFeed.WEIGHT, ElementType.FLOAT, 1))
        .sum()
        .mul(1f / plan.batchSize());
  }

  /** A scalar to report beside the losses. */
  void gauge(String name, Tensor scalar) {
    graph.output(
        name,
        extent == Extent.MOVES
            ? graph.input(name + PART, ElementType.FLOAT, Shape.of()).mul(1f)
            : scalar);
    gauges.add(name);
  }

  /** Trains the served actor. */
  void minimiseActor(Tensor loss) {
    minimiseActor(loss, Pace.THROUGHOUT);
  }

  void minimiseActor(Tensor loss, Pace pace) {
    gauge(ACTOR_LOSS, loss);
    minimise(List.of(ACTOR), loss, pace);
  }

  /** Trains every critic that was asked for, for as long as the plan gives critics. */
  void minimiseCritic(Tensor loss) {
    minimiseCritic(loss, Pace.SOME_EPOCHS);
  }

  void minimiseCritic(Tensor loss, Pace pace) {
    gauge(CRITIC_LOSS, loss);
    gauge(LARGEST_VALUE, largestValue());
    minimise(
        vectors.keySet().stream()
            .filter(name -> name.equals(CRITIC) || name.startsWith(CRITIC + "."))
            .toList(),
        loss,
        pace);
  }

  /**
   * The largest value of the batch, as a share of what the data allows for its signal: a scalar.
   */
  private Tensor largestValue() {
    Tensor values = critic(0).logged();
    int heads = Math.toIntExact(values.shape().width() / valueBounds.length);
    float[] bounds = new float[valueBounds.length * heads];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = valueBounds[i / heads];
    }
    Tensor size =
        values.max(values.negate()).div(graph.constant(bounds, Shape.of(1, bounds.length)));
    return size.stopGradient().reshape(1, size.shape().size()).max(1).reshape(Shape.of());
  }

  /** Moves vectors down the gradient of a loss, each by an optimiser of its own. */
  void minimise(List<String> names, Tensor loss, Pace pace) {
    List<Tensor> variables = new ArrayList<>();
    for (String name : names) {
      Vector vector = vectorOf(name);
      vector.layout.names().forEach(weight -> variables.add(vector.weights.get(weight)));
    }
    List<Tensor> gradients = Gradients.of(loss, variables);
    int at = 0;
    for (String name : names) {
      int count = vectorOf(name).layout.names().size();
      move(name, gradients.subList(at, at + count), pace);
      at += count;
    }
  }

  private void move(String name, List<Tensor> gradients, Pace pace) {
    ParameterLayout layout = vectorOf(name).layout;
    List<Tensor> flattened =
        gradients.stream().map(gradient -> gradient.reshape(gradient.shape().size())).toList();
    Tensor whole = Tensor.concat(0, flattened);
    paces.put(name, pace);
    switch (extent) {
      case WHOLE -> move(name, layout, whole, pace);
      case GRADIENTS -> graph.output(name + GRADIENT, whole);
      case MOVES ->
          move(
              name,
              layout,
              graph.input(name + GRADIENT, ElementType.FLOAT, Shape.of(layout.size())),
              pace);
    }
  }

  private void move(String name, ParameterLayout layout, Tensor gradient, Pace pace) {
    Adam.State state =
        new Adam.State(flat(name, layout), flat(name + MEAN, layout), flat(name + SQUARE, layout));
    String own = pace.every() == 1 ? "" : name + ".";
    Adam.Schedule schedule =
        new Adam.Schedule(
            scalar(name + RATE), scalar(own + MEAN_CORRECTION), scalar(own + SQUARE_CORRECTION));
    Adam.Step step = plan.adam().step(state, gradient, schedule);
    graph.output(name + GRADIENT_NORM, step.gradientNorm());
    gauges.add(name + GRADIENT_NORM);
    Adam.State next = step.state();
    if (pace.every() > 1) {
      Tensor due = scalar(name + DUE);
      next =
          new Adam.State(
              whenDue(due, state.parameters(), next.parameters()),
              whenDue(due, state.mean(), next.mean()),
              whenDue(due, state.square(), next.square()));
    }
    states.add(new TrainingSession.State(name, state.parameters(), next.parameters()));
    states.add(new TrainingSession.State(name + MEAN, state.mean(), next.mean()));
    states.add(new TrainingSession.State(name + SQUARE, state.square(), next.square()));
    moved.put(name, next.parameters());
  }

  private Tensor whenDue(Tensor due, Tensor before, Tensor after) {
    return graph.constant(0.5f).isLessThan(due).select(after, before);
  }

  // What the engine needs.

  List<String> gauges() {
    return gauges;
  }

  boolean learns(String vector) {
    return paces.containsKey(vector);
  }

  /** The vectors that are trained, and how fast. */
  SortedMap<String, Pace> paces() {
    return paces;
  }

  /** The names of the values that are carried from step to step beside all weights. */
  Set<String> carriedNames() {
    return carried.keySet();
  }

  /** The names of all vectors and of their slow copies. */
  List<String> weightNames() {
    List<String> names = new ArrayList<>(vectors.keySet());
    slowCopies.keySet().forEach(vector -> names.add(slowName(vector)));
    return names;
  }

  /** Makes a value a result, for a graph that only looks. */
  void report(String name, Tensor value) {
    graph.output(name, value);
  }

  /** The graph as it was opened: what a step computes, bit by bit. */
  byte[] model() {
    return graph.toModel("step", new TreeMap<>());
  }

  TrainingSession open(OrtEnvironment environment) {
    slowCopies.forEach(
        (vector, weights) -> {
          Tensor online = moved.get(vector);
          if (online != null) {
            Tensor slow = flat(slowName(vector), vectorOf(vector).layout);
            Tensor followed = Adam.follow(slow, online, plan.targetRate());
            states.add(new TrainingSession.State(slowName(vector), slow, followed));
          }
        });
    return new TrainingSession(environment, graph, states);
  }

  /**
   * Sets first weights, carried values and slow copies.
   *
   * @param given weights that replace the first ones, by vector
   */
  void start(TrainingSession session, float[] meanReturns, Map<String, float[]> given) {
    float[] outputs = new float[meanReturns.length * networks.heads()];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = meanReturns[i / networks.heads()];
    }
    vectors.forEach(
        (name, vector) -> {
          float[] first = given.get(name);
          float[] weights = first == null ? vector.first.weights(outputs) : first;
          write(session, name, weights);
          if (slowCopies.containsKey(name)) {
            write(session, slowName(name), weights);
          }
        });
    carried.forEach((name, first) -> write(session, name, Arrays.copyOf(first, first.length)));
  }

  /** Weights of a trained vector are a state; those of any other are fed. */
  static void write(TrainingSession session, String name, float[] weights) {
    if (session.hasFeed(name)) {
      session.floats(name).put(weights);
    } else {
      session.write(name, weights);
    }
  }

  // Inputs.

  private Tensor flat(String name, ParameterLayout layout) {
    return built(name, () -> graph.input(name, ElementType.FLOAT, Shape.of(layout.size())));
  }

  private Tensor scalar(String name) {
    return built(name, () -> graph.input(name, ElementType.FLOAT, Shape.of()));
  }

  Tensor feed(String name, ElementType type, long... perRow) {
    long[] shape = new long[perRow.length + 1];
    shape[0] = plan.batchSize();
    System.arraycopy(perRow, 0, shape, 1, perRow.length);
    return built(name, () -> graph.input(name, type, Shape.of(shape)));
  }

  /** A value under construction. */
  interface Construction {
    Tensor build();
  }

  /**
   * The value of this name, built when it is first asked for. Not {@code computeIfAbsent}: building
   * one value asks for others.
   */
  Tensor built(String name, Construction construction) {
    Tensor known = built.get(name);
    if (known == null) {
      known = construction.build();
      built.put(name, known);
    }
    return known;
  }
}
