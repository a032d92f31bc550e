package io.bellwether.loadtest.learning.speed;

import static io.bellwether.loadtest.learning.speed.StepData.FEATURES;
import static io.bellwether.loadtest.learning.speed.StepData.ROWS;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Gradients;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The graph of one step under construction, in the words in which {@link LearningStep} states its
 * losses. Values are built when they are first asked for. Confined to one thread.
 */
final class StepModel {
  static final String ACTOR = "actor";
  static final String CRITICS = "critics";
  static final String VALUE = "value";
  static final String SLOW_CRITICS = "slowCritics";
  static final String LOG_TEMPERATURE = "logTemperature";
  static final String LOSS = ".loss";
  static final String STATES = "states";
  static final String NEXT_STATES = "nextStates";
  static final String ACTIONS = "actions";
  static final String REWARDS = "rewards";
  static final String CONTINUES = "continues";
  static final String RATE = "rate";
  static final String MEAN_CORRECTION = "meanCorrection";
  static final String SQUARE_CORRECTION = "squareCorrection";
  static final Adam ADAM = Adam.DEFAULT;

  private static final float DISCOUNT = 0.99f;
  private static final double FOLLOWING_RATE = 0.005;

  private final Graph graph = new Graph();
  private final Map<String, List<HeadNetwork>> networks;
  private final Map<String, Tensor> inputs = new HashMap<>();
  private final Map<String, List<List<Tensor>>> trained = new HashMap<>();
  private final Map<String, Tensor> next = new HashMap<>();
  private final List<TrainingSession.State> states = new ArrayList<>();

  StepModel(LearningStep step, int hidden) {
    networks = step.networks(hidden);
    step.addLosses(this);
  }

  TrainingSession open(OrtEnvironment environment) {
    return new TrainingSession(environment, graph, states);
  }

  // What the data says.

  Tensor states() {
    return input(STATES, ElementType.FLOAT, Shape.of(ROWS, FEATURES));
  }

  Tensor nextStates() {
    return input(NEXT_STATES, ElementType.FLOAT, Shape.of(ROWS, FEATURES));
  }

  /** The logged action of each row, {@code [ROWS, 1]}. */
  Tensor actions() {
    return input(ACTIONS, ElementType.INT64, Shape.of(ROWS, 1));
  }

  /** The reward and what is expected after it, {@code [ROWS, 1]}; without gradient. */
  Tensor aim(Tensor nextValue) {
    Tensor rewards = input(REWARDS, ElementType.FLOAT, Shape.of(ROWS, 1));
    Tensor continues = input(CONTINUES, ElementType.FLOAT, Shape.of(ROWS, 1));
    return rewards.add(continues.mul(nextValue).mul(DISCOUNT)).stopGradient();
  }

  // What the networks say.

  /** Logits of all actions. */
  Tensor actor(Tensor rows) {
    return HeadNetwork.apply(trained(ACTOR).get(0), rows);
  }

  Tensor value(Tensor rows) {
    return HeadNetwork.apply(trained(VALUE).get(0), rows);
  }

  /** Values of all actions by both critics. */
  List<Tensor> critics(Tensor rows) {
    return trained(CRITICS).stream().map(weights -> HeadNetwork.apply(weights, rows)).toList();
  }

  /** The same by the slow copies; without gradient. */
  List<Tensor> slowCritics(Tensor rows) {
    return weights(CRITICS, vector(SLOW_CRITICS, CRITICS)).stream()
        .map(weights -> HeadNetwork.apply(weights, rows))
        .toList();
  }

  Tensor logTemperature() {
    return trained(LOG_TEMPERATURE).get(0).get(0);
  }

  Tensor number(double value) {
    return graph.constant((float) value);
  }

  /** Half the mean squared difference of the logged actions' values from an aim. */
  Tensor squaredError(Tensor values, Tensor aim) {
    return values.pick(actions()).sub(aim).square().mul(0.5f).mean();
  }

  // What is to be learned.

  void minimise(String vector, Tensor loss) {
    graph.output(vector + LOSS, loss);
    List<Tensor> variables = trained(vector).stream().flatMap(List::stream).toList();
    List<Tensor> gradients =
        Gradients.of(loss, variables).stream()
            .map(gradient -> gradient.reshape(gradient.shape().size()))
            .toList();
    Adam.State state =
        new Adam.State(
            vector(vector, vector),
            vector(vector + ".mean", vector),
            vector(vector + ".square", vector));
    Adam.Schedule schedule =
        new Adam.Schedule(scalar(RATE), scalar(MEAN_CORRECTION), scalar(SQUARE_CORRECTION));
    Adam.State after = ADAM.step(state, Tensor.concat(0, gradients), schedule).state();
    next.put(vector, after.parameters());
    states.add(new TrainingSession.State(vector, state.parameters(), after.parameters()));
    states.add(new TrainingSession.State(vector + ".mean", state.mean(), after.mean()));
    states.add(new TrainingSession.State(vector + ".square", state.square(), after.square()));
  }

  /** The slow critics follow what the critics have become. */
  void followCritics() {
    Tensor slow = vector(SLOW_CRITICS, CRITICS);
    Tensor online = next.getOrDefault(CRITICS, vector(CRITICS, CRITICS));
    states.add(
        new TrainingSession.State(SLOW_CRITICS, slow, Adam.follow(slow, online, FOLLOWING_RATE)));
  }

  private List<List<Tensor>> trained(String name) {
    List<List<Tensor>> known = trained.get(name);
    if (known == null) {
      known =
          weights(name, vector(name, name)).stream()
              .map(network -> network.stream().map(Tensor::variable).toList())
              .toList();
      trained.put(name, known);
    }
    return known;
  }

  private List<List<Tensor>> weights(String name, Tensor vector) {
    List<List<Tensor>> weights = new ArrayList<>();
    int from = 0;
    for (HeadNetwork network : networks(name)) {
      weights.add(network.weights(vector, from));
      from += network.size();
    }
    return weights.isEmpty() ? List.of(List.of(vector)) : weights;
  }

  private List<HeadNetwork> networks(String name) {
    return networks.getOrDefault(name, List.of());
  }

  /** A vector as long as all weights of the named networks, or one number where there are none. */
  private Tensor vector(String name, String like) {
    int size = networks(like).stream().mapToInt(HeadNetwork::size).sum();
    return input(name, ElementType.FLOAT, Shape.of(Math.max(1, size)));
  }

  private Tensor scalar(String name) {
    return input(name, ElementType.FLOAT, Shape.of());
  }

  private Tensor input(String name, ElementType type, Shape shape) {
    return inputs.computeIfAbsent(name, each -> graph.input(each, type, shape));
  }
}
