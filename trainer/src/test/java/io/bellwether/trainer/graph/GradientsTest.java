package io.bellwether.trainer.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * Every operator's gradient against central differences of its own forward pass, both run by ONNX
 * Runtime.
 */
class GradientsTest {
  /**
   * Step of the central difference: a compromise between curvature and the rounding of single
   * precision.
   */
  private static final float STEP = 1f / 128;

  private static final int ROWS = 3;
  private static final int COLUMNS = 4;

  @SuppressWarnings("ArrayRecordComponent")
  private record Operator(Range range, Function<List<Tensor>, Tensor> apply, Shape... operands) {}

  private enum Range {
    ANY(-2, 2),
    POSITIVE(0.5, 3);

    private final double low;
    private final double high;

    Range(double low, double high) {
      this.low = low;
      this.high = high;
    }
  }

  private static final Shape MATRIX = Shape.of(ROWS, COLUMNS);
  private static final Shape ROW = Shape.of(COLUMNS);
  private static final Shape COLUMN = Shape.of(ROWS, 1);

  private static final Map<String, Operator> OPERATORS = operators();

  private static Map<String, Operator> operators() {
    Map<String, Operator> all = new TreeMap<>();
    all.put("add", any(x -> x.get(0).add(x.get(1)), MATRIX, MATRIX));
    all.put("add a row", any(x -> x.get(0).add(x.get(1)), MATRIX, ROW));
    all.put("add a scalar", any(x -> x.get(0).add(x.get(1)), MATRIX, Shape.of()));
    all.put("subtract a column", any(x -> x.get(0).sub(x.get(1)), MATRIX, COLUMN));
    all.put("subtract from a row", any(x -> x.get(0).sub(x.get(1)), ROW, MATRIX));
    all.put("multiply", any(x -> x.get(0).mul(x.get(1)), MATRIX, MATRIX));
    all.put("multiply a row", any(x -> x.get(0).mul(x.get(1)), MATRIX, ROW));
    all.put("multiply column and row", any(x -> x.get(0).mul(x.get(1)), COLUMN, ROW));
    all.put(
        "multiply in three dimensions",
        any(x -> x.get(0).reshape(ROWS, 2, 2).mul(x.get(1).reshape(ROWS, 1, 1)), MATRIX, COLUMN));
    all.put("divide", positive(x -> x.get(0).div(x.get(1)), MATRIX, MATRIX));
    all.put("divide by a column", positive(x -> x.get(0).div(x.get(1)), MATRIX, COLUMN));
    all.put("square", any(x -> x.get(0).square(), MATRIX));
    all.put("negate", any(x -> x.get(0).negate(), MATRIX));
    all.put("relu", any(x -> x.get(0).relu(), MATRIX));
    all.put("exp", any(x -> x.get(0).exp(), MATRIX));
    all.put("log", positive(x -> x.get(0).log(), MATRIX));
    all.put("sqrt", positive(x -> x.get(0).sqrt(), MATRIX));
    all.put("sigmoid", any(x -> x.get(0).sigmoid(), MATRIX));
    all.put("tanh", any(x -> x.get(0).tanh(), MATRIX));
    all.put("sin", any(x -> x.get(0).sin(), MATRIX));
    all.put("cos", any(x -> x.get(0).cos(), MATRIX));
    all.put("min", any(x -> x.get(0).min(x.get(1)), MATRIX, ROW));
    all.put("max", any(x -> x.get(0).max(x.get(1)), MATRIX, COLUMN));
    all.put("clip", any(x -> x.get(0).clip(-1, 0.5f), MATRIX));
    all.put(
        "select",
        any(
            x -> x.get(0).isLessThan(x.get(1)).select(x.get(2), x.get(3)),
            MATRIX,
            MATRIX,
            ROW,
            COLUMN));
    all.put("sum of all", any(x -> x.get(0).sum(), MATRIX));
    all.put("sum over rows", any(x -> x.get(0).sum(0), MATRIX));
    all.put("sum over columns", any(x -> x.get(0).sum(-1), MATRIX));
    all.put("mean of all", any(x -> x.get(0).mean(), MATRIX));
    all.put("mean over columns", any(x -> x.get(0).mean(1), MATRIX));
    all.put("softmax", any(x -> x.get(0).softmax(), MATRIX));
    all.put("log softmax", any(x -> x.get(0).logSoftmax(), MATRIX));
    all.put("matrix product", any(x -> x.get(0).matMul(x.get(1)), MATRIX, Shape.of(COLUMNS, 5)));
    all.put(
        "affine",
        any(x -> x.get(0).affine(x.get(1), x.get(2)), MATRIX, Shape.of(COLUMNS, 5), Shape.of(5)));
    all.put(
        "inner products",
        any(x -> x.get(0).reshape(ROWS, 2, 2).innerProducts(x.get(1)), MATRIX, Shape.of(ROWS, 2)));
    all.put(
        "stacked matrix products",
        any(x -> x.get(0).matMul(x.get(1)), Shape.of(2, 1, 3, 2), Shape.of(2, 1, 2, 4)));
    all.put("transpose", any(x -> x.get(0).transpose(1, 0), MATRIX));
    all.put(
        "transpose four dimensions",
        any(x -> x.get(0).transpose(2, 0, 3, 1), Shape.of(2, 3, 1, 4)));
    all.put(
        "split, parts in another order",
        any(
            x -> {
              List<Tensor> parts = x.get(0).exp().split(1, 2, 2);
              return Tensor.concat(0, List.of(parts.get(1), parts.get(0).square(), parts.get(1)));
            },
            MATRIX));
    all.put("split, one part of three", any(x -> x.get(0).exp().split(0, 3, 1).get(1), MATRIX));
    all.put(
        "split, beside another use",
        any(x -> x.get(0).split(0, 3, 1).get(0).add(x.get(0).split(0, 3, 1).get(2)), MATRIX));
    all.put("reshape", any(x -> x.get(0).reshape(2, 6), MATRIX));
    all.put("expand", any(x -> x.get(0).expand(Shape.of(2, ROWS, COLUMNS)), COLUMN));
    all.put("slice columns", any(x -> x.get(0).slice(1, 1, 3), MATRIX));
    all.put("slice first row", any(x -> x.get(0).slice(0, 0, 1), MATRIX));
    all.put("slice last row", any(x -> x.get(0).slice(0, 2, 3), MATRIX));
    all.put("concat", any(x -> Tensor.concat(-1, x), MATRIX, COLUMN, MATRIX));
    all.put(
        "gather rows, some twice",
        any(
            x ->
                x.get(0)
                    .gatherRows(x.get(0).graph().constant(new long[] {2, 0, 2, 2}, Shape.of(2, 2))),
            MATRIX));
    all.put(
        "pick one per row",
        any(x -> x.get(0).pick(x.get(0).graph().constant(new long[] {1, 3, 1}, COLUMN)), MATRIX));
    all.put("a value used twice", any(x -> x.get(0).exp().mul(x.get(0)).add(x.get(0)), MATRIX));
    return all;
  }

  private static Operator any(Function<List<Tensor>, Tensor> apply, Shape... operands) {
    return new Operator(Range.ANY, apply, operands);
  }

  private static Operator positive(Function<List<Tensor>, Tensor> apply, Shape... operands) {
    return new Operator(Range.POSITIVE, apply, operands);
  }

  @Provide
  Arbitrary<String> operatorNames() {
    return Arbitraries.of(OPERATORS.keySet());
  }

  @Property(tries = 190)
  void aGradientIsTheLimitOfDifferences(
      @ForAll("operatorNames") String name, @ForAll @IntRange(max = 99) int seed) {
    Operator operator = Objects.requireNonNull(OPERATORS.get(name));
    float[][] values = new float[operator.operands.length][];
    for (int operand = 0; operand < values.length; operand++) {
      values[operand] = awayFromKinks(operator, seed, operand);
    }
    try (TrainingSession session = session(operator)) {
      for (int operand = 0; operand < values.length; operand++) {
        evaluate(session, values);
        float[] gradient = session.values("gradient" + operand);
        for (int element = 0; element < values[operand].length; element++) {
          float kept = values[operand][element];
          values[operand][element] = kept + STEP;
          double above = evaluate(session, values);
          values[operand][element] = kept - STEP;
          double below = evaluate(session, values);
          values[operand][element] = kept;
          double expected = (above - below) / (2 * STEP);
          assertEquals(
              expected,
              gradient[element],
              2e-3 * (1 + Math.abs(expected)),
              name + " operand " + operand);
        }
      }
    }
  }

  /**
   * Distinct multiples of a sixteenth plus an offset per operand: no two values, and no kink,
   * within one step.
   */
  private static float[] awayFromKinks(Operator operator, int seed, int operand) {
    float[] values = new float[(int) operator.operands[operand].size()];
    double low = operator.range.low;
    double steps = (operator.range.high - low) * 16;
    for (int i = 0; i < values.length; i++) {
      double position = Math.floor(CounterRandom.uniform(seed, 1, operand, i, 0) * steps);
      values[i] = (float) (low + position / 16 + (operand + 1) / 64.0 - 1 / 128.0 * 0.5);
    }
    return values;
  }

  /** Weights every element of the result differently, so that no error cancels. */
  private static TrainingSession session(Operator operator) {
    Graph graph = new Graph();
    List<Tensor> variables = new ArrayList<>();
    for (int operand = 0; operand < operator.operands.length; operand++) {
      variables.add(
          graph.input("x" + operand, ElementType.FLOAT, operator.operands[operand]).variable());
    }
    Tensor result = operator.apply.apply(variables);
    float[] weights = new float[(int) result.shape().size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = 0.3f + 0.1f * i;
    }
    Tensor loss = result.mul(graph.constant(weights, result.shape())).sum();
    graph.output("loss", loss);
    List<Tensor> gradients = Gradients.of(loss, variables);
    for (int operand = 0; operand < gradients.size(); operand++) {
      assertEquals(operator.operands[operand], gradients.get(operand).shape());
      graph.output("gradient" + operand, gradients.get(operand));
    }
    return new TrainingSession(OrtEnvironment.getEnvironment(), graph, List.of());
  }

  private static double evaluate(TrainingSession session, float[][] values) {
    for (int operand = 0; operand < values.length; operand++) {
      session.floats("x" + operand).put(values[operand]);
    }
    session.step();
    return session.scalar("loss");
  }

  @Test
  void theGradientOfALinearRegressionIsItsClosedForm() {
    Graph graph = new Graph();
    Tensor x = graph.constant(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(3, 2));
    Tensor y = graph.constant(new float[] {1, 0, -1}, Shape.of(3, 1));
    Tensor weight = graph.constant(new float[] {0.5f, -0.25f}, Shape.of(2, 1)).variable();
    Tensor loss = x.matMul(weight).sub(y).square().sum().mul(0.5f);
    // Xᵀ(Xw - y) with Xw - y = (-1, 0.5, 2).
    assertArrayEquals(
        new float[] {10.5f, 12f}, only(graph, Gradients.of(loss, List.of(weight)).get(0)), 1e-6f);
  }

  @Test
  void theGradientOfLogSoftmaxIsTheTargetLessTheProbabilities() {
    Graph graph = new Graph();
    Tensor logits =
        graph
            .constant(new float[] {0, (float) Math.log(2), (float) Math.log(5)}, Shape.of(1, 3))
            .variable();
    Tensor picked = logits.logSoftmax().pick(graph.constant(new long[] {2}, Shape.of(1, 1)));
    assertArrayEquals(
        new float[] {-0.125f, -0.25f, 0.375f},
        only(graph, Gradients.of(picked.sum(), List.of(logits)).get(0)),
        1e-6f);
  }

  @Test
  void noGradientPassesAStop() {
    Graph graph = new Graph();
    Tensor x = graph.constant(new float[] {3}, Shape.of(1)).variable();
    Tensor loss = x.mul(x.stopGradient()).sum();
    assertArrayEquals(new float[] {3}, only(graph, Gradients.of(loss, List.of(x)).get(0)));
  }

  @Test
  void aVariableThatTheLossDoesNotUseHasAZeroGradient() {
    Graph graph = new Graph();
    Tensor used = graph.constant(new float[] {3}, Shape.of(1)).variable();
    Tensor unused = graph.constant(new float[] {3, 4}, Shape.of(2)).variable();
    assertArrayEquals(
        new float[] {0, 0}, only(graph, Gradients.of(used.sum(), List.of(unused)).get(0)));
  }

  @Test
  void theLargestElementHasNoGradient() {
    Graph graph = new Graph();
    Tensor x = graph.constant(new float[] {3, 5, 4, 1}, Shape.of(2, 2)).variable();
    Tensor largest = x.max(1);
    assertArrayEquals(new float[] {5, 4}, only(graph, largest));
    assertEquals(false, largest.isDifferentiable());
  }

  @Test
  void extremeLogitsStayFinite() {
    Graph graph = new Graph();
    Tensor logits = graph.constant(new float[] {-1e9f, 1000, 999}, Shape.of(1, 3)).variable();
    Tensor chosen = logits.logSoftmax().slice(1, 1, 2).sum();
    assertArrayEquals(
        new float[] {0, 0.268941f, -0.268941f},
        only(graph, Gradients.of(chosen, List.of(logits)).get(0)),
        1e-5f);
  }

  @Test
  void shapesThatDoNotFitAreRefusedByName() {
    Graph graph = new Graph();
    Tensor x = graph.input("x", ElementType.FLOAT, Shape.of(2, 3));
    Tensor y = graph.input("y", ElementType.FLOAT, Shape.of(2, 4));
    assertEquals(
        "cannot broadcast [2, 3] with [2, 4]",
        assertThrows(IllegalArgumentException.class, () -> x.add(y)).getMessage());
    assertThrows(IllegalArgumentException.class, () -> x.matMul(y));
    assertThrows(IllegalArgumentException.class, () -> x.slice(1, 2, 4));
    assertThrows(IllegalArgumentException.class, () -> x.split(1, 2, 2));
    assertThrows(IllegalArgumentException.class, () -> x.transpose(0, 0));
    assertEquals(
        "cannot multiply [1, 2, 3] with [2, 3, 1]",
        assertThrows(
                IllegalArgumentException.class,
                () -> x.reshape(1, 2, 3).matMul(y.reshape(2, 4, 1).slice(1, 0, 3)))
            .getMessage());
  }

  @Test
  void symbolsPassThroughWhatChangesTheLayout() {
    Graph graph = new Graph();
    long rows = graph.symbol("R");
    long all = graph.symbol("rows");
    Tensor x = graph.input("x", ElementType.FLOAT, Shape.of(rows, 2, 4));
    assertEquals(Shape.of(2, 4, rows), x.transpose(1, 2, 0).shape());
    assertEquals(Shape.of(rows, 2, 2), x.matMul(x.transpose(0, 2, 1)).shape());
    Tensor flat = x.transpose(1, 0, 2).reshape(all, 4);
    assertEquals(Shape.of(rows, 4), flat.split(0, 2, rows).get(1).shape());
    assertThrows(IllegalArgumentException.class, () -> x.matMul(x));
    assertThrows(IllegalArgumentException.class, () -> flat.split(0, 2, 3));
  }

  @Test
  void theSameCallsGiveTheSameBytes() {
    assertArrayEquals(model(), model());
  }

  private static byte[] model() {
    Graph graph = new Graph();
    Tensor x = graph.input("x", ElementType.FLOAT, Shape.of(graph.symbol("N"), 2)).variable();
    graph.output("y", x.mul(2).exp().sigmoid());
    return graph.toModel("g", new TreeMap<>(Map.of("b", "2", "a", "1", "c", "3")));
  }

  private static float[] only(Graph graph, Tensor tensor) {
    graph.output("only", tensor);
    try (TrainingSession session =
        new TrainingSession(OrtEnvironment.getEnvironment(), graph, List.of())) {
      session.step();
      return session.values("only");
    }
  }
}
