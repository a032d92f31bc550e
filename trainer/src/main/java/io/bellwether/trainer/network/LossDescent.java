package io.bellwether.trainer.network;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Gradients;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.List;

/**
 * One network's weights on their way down one loss, by {@link Adam} with its defaults: what is
 * trained beside a policy's actor and critics, which {@code StepGraph} trains together.
 *
 * <p>Owns its session. Confined to one thread at a time.
 */
public final class LossDescent implements AutoCloseable {
  private static final String WEIGHTS = "weights";
  private static final String MEAN = "mean";
  private static final String SQUARE = "square";
  private static final String RATE = "rate";
  private static final String MEAN_CORRECTION = "meanCorrection";
  private static final String SQUARE_CORRECTION = "squareCorrection";
  private static final String LOSS = "loss";

  private final ParameterLayout layout;
  private final TrainingSession session;
  private long steps;

  /** What is minimised. */
  @FunctionalInterface
  public interface Loss {

    /**
     * Adds the loss of a batch to a graph.
     *
     * @param graph to which the batch's inputs are added, under names that are free in it
     * @return a scalar
     */
    Tensor of(Graph graph, Weights weights);
  }

  private LossDescent(ParameterLayout layout, TrainingSession session) {
    this.layout = layout;
    this.session = session;
  }

  /** Opens a session for weights of this layout, which are 0 until {@link #begin}. */
  public static LossDescent open(OrtEnvironment environment, ParameterLayout layout, Loss loss) {
    Graph graph = new Graph();
    Tensor flat = vector(graph, WEIGHTS, layout);
    Weights weights = Weights.trained(layout, flat);
    Tensor value = loss.of(graph, weights);
    graph.output(LOSS, value);
    List<Tensor> gradients =
        Gradients.of(value, layout.names().stream().map(weights::get).toList()).stream()
            .map(gradient -> gradient.reshape(gradient.shape().size()))
            .toList();
    Adam.State now =
        new Adam.State(flat, vector(graph, MEAN, layout), vector(graph, SQUARE, layout));
    Adam.Schedule schedule =
        new Adam.Schedule(
            scalar(graph, RATE), scalar(graph, MEAN_CORRECTION), scalar(graph, SQUARE_CORRECTION));
    Adam.State next = Adam.DEFAULT.step(now, Tensor.concat(0, gradients), schedule).state();
    return new LossDescent(
        layout,
        new TrainingSession(
            environment,
            graph,
            List.of(
                new TrainingSession.State(WEIGHTS, flat, next.parameters()),
                new TrainingSession.State(MEAN, now.mean(), next.mean()),
                new TrainingSession.State(SQUARE, now.square(), next.square()))));
  }

  private static Tensor vector(Graph graph, String name, ParameterLayout layout) {
    return graph.input(name, ElementType.FLOAT, Shape.of(layout.size()));
  }

  private static Tensor scalar(Graph graph, String name) {
    return graph.input(name, ElementType.FLOAT, Shape.of());
  }

  /** Where a batch's inputs are written before a step. */
  public TrainingSession inputs() {
    return session;
  }

  /** Begins with these weights. */
  public void begin(Parameters weights) {
    session.write(WEIGHTS, weights.values());
  }

  /**
   * Goes one step down the loss of the batch that is in the inputs.
   *
   * @param rate of learning, above 0
   * @return the loss before the step
   */
  public float step(double rate) {
    steps++;
    session.set(RATE, (float) rate);
    session.set(MEAN_CORRECTION, Adam.DEFAULT.meanCorrection(steps));
    session.set(SQUARE_CORRECTION, Adam.DEFAULT.squareCorrection(steps));
    session.step();
    return session.scalar(LOSS);
  }

  /**
   * The loss of the batch that is in the inputs. The weights stay, the moments do not: for the end.
   */
  public float loss() {
    session.set(RATE, 0);
    session.step();
    return session.scalar(LOSS);
  }

  /** The weights now. */
  public Parameters weights() {
    return new Parameters(layout, session.read(WEIGHTS));
  }

  @Override
  public void close() {
    session.close();
  }
}
