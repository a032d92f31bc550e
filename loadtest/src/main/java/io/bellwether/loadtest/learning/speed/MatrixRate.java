package io.bellwether.loadtest.learning.speed;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.graph.ElementType;
import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * How fast this machine multiplies matrices on one thread: a large product by ONNX Runtime and
 * nothing beside it. Confined to one thread; owns native memory until {@link #close}.
 */
final class MatrixRate implements AutoCloseable {
  private static final int SIZE = 1024;
  private static final double OPERATIONS = 2.0 * SIZE * SIZE * SIZE;

  private final TrainingSession session;

  private MatrixRate(TrainingSession session) {
    this.session = session;
  }

  static MatrixRate open(OrtEnvironment environment) {
    Graph graph = new Graph();
    Tensor left = graph.input("left", ElementType.FLOAT, Shape.of(SIZE, SIZE));
    Tensor right = graph.input("right", ElementType.FLOAT, Shape.of(SIZE, SIZE));
    graph.output("product", left.matMul(right));
    TrainingSession session = new TrainingSession(environment, graph, List.of());
    fill(session.floats("left"), 1);
    fill(session.floats("right"), 2);
    session.step();
    return new MatrixRate(session);
  }

  private static void fill(FloatBuffer matrix, int tag) {
    for (int i = 0; i < matrix.capacity(); i++) {
      matrix.put(i, (float) CounterRandom.uniform(1, tag, i, 0, 0));
    }
  }

  /** Floating point operations per second over about this time. */
  double measure(double seconds) {
    long began = System.nanoTime();
    long products = 0;
    double spent;
    do {
      session.step();
      products++;
      spent = (System.nanoTime() - began) / 1e9;
    } while (spent < seconds);
    return products * OPERATIONS / spent;
  }

  @Override
  public void close() {
    session.close();
  }
}
