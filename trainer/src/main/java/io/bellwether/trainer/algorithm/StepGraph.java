package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Gradients;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.Candidates;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.ParameterLayout;
import io.bellwether.trainer.network.PolicyNetworks;
import io.bellwether.trainer.network.StateRows;
import io.bellwether.trainer.network.Weights;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The graph of one training step under construction, in the words in which an algorithm states its
 * losses.
 *
 * <p>A batch has {@code B} rows of at most {@code M} candidates. A value is built when it is first
 * asked for, so a graph contains, and asks to be fed, only what its algorithm uses. The critic is
 * evaluated at logged actions only; all candidates go through the actor alone. Confined to one
 * thread.
 */
public final class StepGraph {
  static final String ACTOR = "actor";
  static final String CRITIC = "critic";
  static final String TARGET = "target";
  static final String MEAN = ".mean";
  static final String SQUARE = ".square";
  static final String RATE = ".rate";
  static final String MEAN_CORRECTION = "meanCorrection";
  static final String SQUARE_CORRECTION = "squareCorrection";
  static final String ACTOR_LOSS = "actor.loss";
  static final String CRITIC_LOSS = "critic.loss";
  static final String LARGEST_VALUE = "critic.largestValue";

  /** A logit that no softmax notices, yet finite, so that gradients and entropies are. */
  private static final float MASKED = -1e9f;

  private final Graph graph = new Graph();
  private final PolicyNetworks networks;
  private final NetworkSchema schema;
  private final TrainingPlan plan;
  private final int slots;
  private final float[] valueBounds;
  private final Map<String, Tensor> built = new HashMap<>();
  private final List<String> gauges = new ArrayList<>();
  private final List<TrainingSession.State> states = new ArrayList<>();
  private @Nullable Weights actor;
  private @Nullable Weights critic;

  /** {@code valueBounds}: per signal, the largest return that the data allows, in scaled units. */
  StepGraph(PolicyNetworks networks, TrainingPlan plan, int slots, float[] valueBounds) {
    this.networks = networks;
    this.schema = networks.schema();
    this.plan = plan;
    this.slots = slots;
    this.valueBounds = valueBounds;
  }

  // What the data says.

  /** Rewards per signal in units of its scale, {@code [B, S]}. */
  Tensor rewards() {
    return feed(BatchFeed.REWARDS, ElementType.FLOAT, schema.signals().size());
  }

  /** 1 where the episode goes on after the row, 0 where it ended, {@code [B, 1]}. */
  Tensor continues() {
    return feed(BatchFeed.CONTINUES, ElementType.FLOAT, 1);
  }

  /**
   * Price of each signal's advantage, {@code [1, S]}: 1 for the objective, the signed multiplier of
   * a promise, or 0.
   */
  Tensor prices() {
    return built(
        BatchFeed.PRICES,
        () ->
            graph.input(BatchFeed.PRICES, ElementType.FLOAT, Shape.of(1, schema.signals().size())));
  }

  // What the networks say.

  /**
   * {@code log π(a|s)} of the logged action under the policy as it is served, {@code [B, 1]}: its
   * weight over the weights of all candidates that may stand at the position, where a weight is
   * {@code (1 - e) softmax(logits / temperature) + e / M} over all {@code M} candidates and {@code
   * e} is raised where the floor asks for it.
   */
  Tensor loggedLogProbability() {
    return built(
        "loggedLogProbability",
        () -> {
          Tensor candidates = mask().sum(-1);
          Tensor uniform =
              candidates
                  .mul((float) plan.exploration().minPropensity())
                  .max(graph.constant((float) plan.exploration().uniform()))
                  .min(graph.constant(1f));
          Tensor weights =
              logProbabilities().exp().mul(uniform.negate().add(1f)).add(uniform.div(candidates));
          Tensor placed = weights.pick(feed(BatchFeed.ACTION, ElementType.INT64, 1));
          Tensor left = weights.mul(feed(BatchFeed.OPEN, ElementType.FLOAT, slots)).sum(-1);
          return placed.log().sub(left.log());
        });
  }

  /**
   * {@code log softmax(logits / temperature)} over the slots of each row, {@code [B, M]}; about
   * -1e9 at slots without a candidate.
   */
  Tensor logProbabilities() {
    return built(
        "logProbabilities",
        () -> {
          Tensor real = graph.constant(0.5f).isLessThan(mask());
          Tensor tempered = logits().mul((float) (1 / plan.exploration().temperature()));
          return real.select(tempered, graph.constant(MASKED)).logSoftmax();
        });
  }

  /** Mean over real candidates of the squared logit: a scalar. */
  Tensor meanSquaredLogit() {
    return built("meanSquaredLogit", () -> logits().square().mul(mask()).sum().div(mask().sum()));
  }

  /** Logits of every slot, {@code [B, M]}, masked or not. */
  Tensor logits() {
    return built(
        "logits",
        () -> {
          Tensor items = feed(BatchFeed.ITEMS, ElementType.FLOAT, slots, schema.item().size());
          Tensor flat = items.reshape((long) plan.batchSize() * slots, schema.item().size());
          return networks
              .actor()
              .logits(
                  actor(),
                  states(BatchFeed.CONTEXT, BatchFeed.HISTORY),
                  flat,
                  new Candidates.Padded(slots))
              .reshape(plan.batchSize(), slots);
        });
  }

  private Tensor mask() {
    return feed(BatchFeed.MASK, ElementType.FLOAT, slots);
  }

  /** {@code Q(s, a)} of the logged action per signal, {@code [B, S]}. */
  Tensor actionValues() {
    return built(
        "actionValues",
        () -> {
          Tensor chosen = feed(BatchFeed.CHOSEN, ElementType.FLOAT, schema.item().size());
          return networks
              .critic()
              .actionValues(critic(), encodedStates(), chosen, new Candidates.OnePerState());
        });
  }

  /**
   * {@code Q(s, .)} of every slot per signal, {@code [B * M, S]}: for looking, no algorithm needs
   * it.
   */
  Tensor allActionValues() {
    Tensor items = feed(BatchFeed.ITEMS, ElementType.FLOAT, slots, schema.item().size());
    Tensor flat = items.reshape((long) plan.batchSize() * slots, schema.item().size());
    return networks
        .critic()
        .actionValues(critic(), encodedStates(), flat, new Candidates.Padded(slots));
  }

  /** {@code V(s)} per signal, {@code [B, S]}. */
  Tensor stateValues() {
    return built("stateValues", () -> networks.critic().stateValues(critic(), encodedStates()));
  }

  private Tensor encodedStates() {
    return built(
        "encodedStates",
        () -> networks.critic().encode(critic(), states(BatchFeed.CONTEXT, BatchFeed.HISTORY)));
  }

  /** {@code V'(s')} per signal by the target network, {@code [B, S]}; without gradient. */
  Tensor nextStateValues() {
    return built(
        "nextStateValues",
        () -> {
          Weights target =
              Weights.fixed(networks.critic().layout(), flat(TARGET, networks.critic().layout()));
          StateRows next = states(BatchFeed.NEXT_CONTEXT, BatchFeed.NEXT_HISTORY);
          return networks.critic().stateValues(target, networks.critic().encode(target, next));
        });
  }

  private StateRows states(String context, String history) {
    return new StateRows(
        feed(context, ElementType.FLOAT, schema.context().size()),
        schema.hasHistory()
            ? feed(history, ElementType.FLOAT, schema.historyLength(), schema.history().size())
            : null);
  }

  private Weights actor() {
    if (actor == null) {
      actor = Weights.trained(networks.actor().layout(), flat(ACTOR, networks.actor().layout()));
    }
    return actor;
  }

  private Weights critic() {
    if (critic == null) {
      critic =
          Weights.trained(networks.critic().layout(), flat(CRITIC, networks.critic().layout()));
    }
    return critic;
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
    graph.output(name, scalar);
    gauges.add(name);
  }

  void minimiseActor(Tensor loss) {
    gauge(ACTOR_LOSS, loss);
    Adam.State next = minimise(ACTOR, networks.actor().layout(), actor(), loss);
    states.add(
        new TrainingSession.State(
            ACTOR, flat(ACTOR, networks.actor().layout()), next.parameters()));
  }

  void minimiseCritic(Tensor loss) {
    gauge(CRITIC_LOSS, loss);
    gauge(LARGEST_VALUE, largestValue());
    ParameterLayout layout = networks.critic().layout();
    Adam.State next = minimise(CRITIC, layout, critic(), loss);
    states.add(new TrainingSession.State(CRITIC, flat(CRITIC, layout), next.parameters()));
    if (built.containsKey(TARGET)) {
      Tensor target = flat(TARGET, layout);
      Tensor followed = Adam.follow(target, next.parameters(), plan.targetRate());
      states.add(new TrainingSession.State(TARGET, target, followed));
    }
  }

  /**
   * The largest value of the batch, as a share of what the data allows for its signal: a scalar.
   */
  private Tensor largestValue() {
    Tensor values = actionValues();
    Tensor size =
        values
            .max(values.negate())
            .div(graph.constant(valueBounds, Shape.of(1, valueBounds.length)));
    return size.stopGradient().reshape(1, size.shape().size()).max(1).reshape(Shape.of());
  }

  private Adam.State minimise(String name, ParameterLayout layout, Weights weights, Tensor loss) {
    List<Tensor> variables = layout.names().stream().map(weights::get).toList();
    List<Tensor> flattened =
        Gradients.of(loss, variables).stream()
            .map(gradient -> gradient.reshape(gradient.shape().size()))
            .toList();
    Adam.State state =
        new Adam.State(flat(name, layout), flat(name + MEAN, layout), flat(name + SQUARE, layout));
    Adam.Schedule schedule =
        new Adam.Schedule(scalar(name + RATE), scalar(MEAN_CORRECTION), scalar(SQUARE_CORRECTION));
    Adam.Step step = plan.adam().step(state, Tensor.concat(0, flattened), schedule);
    gauge(name + ".gradientNorm", step.gradientNorm());
    states.add(new TrainingSession.State(name + MEAN, state.mean(), step.state().mean()));
    states.add(new TrainingSession.State(name + SQUARE, state.square(), step.state().square()));
    return step.state();
  }

  // What the engine needs.

  List<String> gauges() {
    return gauges;
  }

  boolean learns(String network) {
    return states.stream().anyMatch(state -> state.name().equals(network));
  }

  boolean hasTarget() {
    return built.containsKey(TARGET);
  }

  /** Makes {@code log π} of the logged action a result, for a graph that only looks. */
  void report(String name, Tensor value) {
    graph.output(name, value);
  }

  TrainingSession open(OrtEnvironment environment) {
    return new TrainingSession(environment, graph, states);
  }

  private Tensor flat(String name, ParameterLayout layout) {
    return built(name, () -> graph.input(name, ElementType.FLOAT, Shape.of(layout.size())));
  }

  private Tensor scalar(String name) {
    return built(name, () -> graph.input(name, ElementType.FLOAT, Shape.of()));
  }

  private Tensor feed(String name, ElementType type, long... perRow) {
    long[] shape = new long[perRow.length + 1];
    shape[0] = plan.batchSize();
    System.arraycopy(perRow, 0, shape, 1, perRow.length);
    return built(name, () -> graph.input(name, type, Shape.of(shape)));
  }

  private interface Construction {
    Tensor build();
  }

  /** Not {@code computeIfAbsent}: building one value asks for others. */
  private Tensor built(String name, Construction construction) {
    Tensor known = built.get(name);
    if (known == null) {
      known = construction.build();
      built.put(name, known);
    }
    return known;
  }
}
