package io.bellwether.trainer.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ai.onnxruntime.OrtEnvironment;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrainingSessionTest {
  private static final Adam ADAM = new Adam(0.9, 0.99, 1e-8, 1.5);
  private static final double FOLLOW = 0.25;
  private static final float[] START = {1, -2, 0.5f};
  private static final float[] CURVATURE = {1, 3, 0.5f};

  /** Minimises {@code ½ Σ c_i x_i²} by Adam, with a target that follows. */
  private static TrainingSession quadratic() {
    Graph graph = new Graph();
    Shape shape = Shape.of(3);
    Adam.State state =
        new Adam.State(
            graph.input("x", ElementType.FLOAT, shape),
            graph.input("mean", ElementType.FLOAT, shape),
            graph.input("square", ElementType.FLOAT, shape));
    Tensor target = graph.input("target", ElementType.FLOAT, shape);
    Adam.Schedule schedule =
        new Adam.Schedule(
            scalar(graph, "rate"),
            scalar(graph, "meanCorrection"),
            scalar(graph, "squareCorrection"));
    Tensor x = state.parameters().variable();
    Tensor loss = x.square().mul(graph.constant(CURVATURE, shape)).sum().mul(0.5f);
    Adam.Step step = ADAM.step(state, Gradients.of(loss, List.of(x)).get(0), schedule);
    graph.output("loss", loss);
    graph.output("norm", step.gradientNorm());
    return new TrainingSession(
        OrtEnvironment.getEnvironment(),
        graph,
        List.of(
            new TrainingSession.State("x", state.parameters(), step.state().parameters()),
            new TrainingSession.State("mean", state.mean(), step.state().mean()),
            new TrainingSession.State("square", state.square(), step.state().square()),
            new TrainingSession.State(
                "target", target, Adam.follow(target, step.state().parameters(), FOLLOW))));
  }

  private static Tensor scalar(Graph graph, String name) {
    return graph.input(name, ElementType.FLOAT, Shape.of());
  }

  private static void step(TrainingSession session, int number) {
    session.set("rate", 0.1f);
    session.set("meanCorrection", ADAM.meanCorrection(number));
    session.set("squareCorrection", ADAM.squareCorrection(number));
    session.step();
  }

  @Test
  void aPartOfAVectorIsWhatTheVectorHoldsAtEveryStep() {
    Graph graph = new Graph();
    Tensor vector = graph.input("vector", ElementType.FLOAT, Shape.of(6));
    Tensor fed = graph.input("fed", ElementType.FLOAT, Shape.of(2));
    graph.output("part", graph.part(vector, 2, Shape.of(2, 2)).add(0));
    graph.output("fedPart", graph.part(fed, 1, Shape.of(1)).add(0));
    graph.output("computed", graph.part(vector.mul(3), 4, Shape.of(1, 2)));
    try (TrainingSession session =
        new TrainingSession(
            OrtEnvironment.getEnvironment(),
            graph,
            List.of(new TrainingSession.State("vector", vector, vector.mul(2))))) {
      session.write("vector", new float[] {1, 2, 3, 4, 5, 6});
      session.floats("fed").put(new float[] {7, 8});
      for (float times : new float[] {1, 2, 4}) {
        session.step();
        assertArrayEquals(
            new float[] {3 * times, 4 * times, 5 * times, 6 * times}, session.values("part"));
        assertArrayEquals(new float[] {15 * times, 18 * times}, session.values("computed"));
        assertEquals(8, session.scalar("fedPart"));
      }
    }
  }

  @Test
  void stepsAreAdamWithABoundedGradientAndAFollowingTarget() {
    double[] x = {1, -2, 0.5};
    double[] mean = new double[3];
    double[] square = new double[3];
    double[] target = new double[3];
    try (TrainingSession session = quadratic()) {
      session.write("x", START);
      for (int number = 1; number <= 25; number++) {
        step(session, number);
        double norm = Math.sqrt(x[0] * x[0] + 9 * x[1] * x[1] + 0.25 * x[2] * x[2]);
        assertEquals(norm, session.scalar("norm"), 1e-4);
        for (int i = 0; i < 3; i++) {
          double gradient = CURVATURE[i] * x[i] * Math.min(1, 1.5 / norm);
          mean[i] = 0.9 * mean[i] + 0.1 * gradient;
          square[i] = 0.99 * square[i] + 0.01 * gradient * gradient;
          x[i] -=
              0.1
                  * mean[i]
                  / (1 - Math.pow(0.9, number))
                  / (Math.sqrt(square[i] / (1 - Math.pow(0.99, number))) + 1e-8);
          target[i] += FOLLOW * (x[i] - target[i]);
        }
      }
      for (int i = 0; i < 3; i++) {
        assertEquals(x[i], session.read("x")[i], 1e-4);
        assertEquals(target[i], session.read("target")[i], 1e-4);
      }
    }
  }

  @Test
  void aRestoredCheckpointContinuesWithTheSameBits() {
    try (TrainingSession whole = quadratic();
        TrainingSession restored = quadratic()) {
      whole.write("x", START);
      for (int number = 1; number <= 7; number++) {
        step(whole, number);
      }
      for (String state : List.of("x", "mean", "square", "target")) {
        restored.write(state, whole.read(state));
      }
      for (int number = 8; number <= 20; number++) {
        step(whole, number);
        step(restored, number);
      }
      assertArrayEquals(whole.read("x"), restored.read("x"));
      assertArrayEquals(whole.read("target"), restored.read("target"));
    }
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownOnes() {
    try (TrainingSession session = quadratic()) {
      assertEquals(
          "the graph has no y, only [x, mean, square, target]",
          assertThrows(IllegalArgumentException.class, () -> session.read("y")).getMessage());
      assertThrows(IllegalArgumentException.class, () -> session.write("x", new float[2]));
    }
  }
}
