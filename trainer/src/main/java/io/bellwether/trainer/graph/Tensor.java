package io.bellwether.trainer.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One value of a {@link Graph}: an input, a constant or the result of an operator, with a known
 * type and shape.
 *
 * <p>Every method adds operators to the graph and returns their result; nothing is computed before
 * the graph runs. Elementwise operations broadcast like ONNX (aligned at the last axis). The
 * derivative of each operator stands beside it: {@code g} is the gradient at the result, {@code
 * operand} says for which operand it is asked.
 *
 * <p>Gradients end at inputs, constants, comparisons, {@link #max(int)} and {@link #stopGradient}.
 */
public final class Tensor {
  private final Graph graph;
  private final int id;
  private final String name;
  private final ElementType type;
  private final Shape shape;
  private final List<Tensor> operands;
  private final @Nullable Backward backward;
  private final boolean differentiable;
  private final @Nullable Split origin;

  /**
   * An operator that gives a value in parts.
   *
   * @param parts in order; numbered one after the other
   */
  record Split(Tensor whole, int axis, List<Tensor> parts) {}

  Tensor(
      Graph graph,
      int id,
      String name,
      ElementType type,
      Shape shape,
      List<Tensor> operands,
      @Nullable Backward backward) {
    this.graph = graph;
    this.id = id;
    this.name = name;
    this.type = type;
    this.shape = shape;
    this.operands = operands;
    this.backward = backward;
    this.differentiable =
        type == ElementType.FLOAT && operands.stream().anyMatch(Tensor::isDifferentiable);
    this.origin = null;
  }

  /** A part of a value. */
  Tensor(int id, String name, Shape shape, Split origin) {
    this.graph = origin.whole.graph;
    this.id = id;
    this.name = name;
    this.type = origin.whole.type;
    this.shape = shape;
    this.operands = List.of(origin.whole);
    this.backward = null;
    this.differentiable = origin.whole.differentiable;
    this.origin = origin;
  }

  Tensor(Tensor value, int id, boolean variable) {
    this.graph = value.graph;
    this.id = id;
    this.name = value.name;
    this.type = value.type;
    this.shape = value.shape;
    this.operands = List.of();
    this.backward = null;
    this.differentiable = variable;
    this.origin = null;
  }

  public Shape shape() {
    return shape;
  }

  public ElementType type() {
    return type;
  }

  public Graph graph() {
    return graph;
  }

  String name() {
    return name;
  }

  int id() {
    return id;
  }

  List<Tensor> operands() {
    return operands;
  }

  @Nullable Backward backward() {
    return backward;
  }

  /** What this value is a part of, where it is one. */
  @Nullable Split origin() {
    return origin;
  }

  /** Whether a variable influences this value. */
  public boolean isDifferentiable() {
    return differentiable;
  }

  /** This value as something to differentiate by: gradients arrive here and go no further. */
  public Tensor variable() {
    return graph.leaf(this, true);
  }

  /** This value as a constant of the differentiation. */
  public Tensor stopGradient() {
    return differentiable ? graph.leaf(this, false) : this;
  }

  // Elementwise arithmetic.

  public Tensor add(Tensor other) {
    return binary("Add", other, (operand, g) -> g);
  }

  public Tensor add(float value) {
    return add(graph.constant(value));
  }

  public Tensor sub(Tensor other) {
    return binary("Sub", other, (operand, g) -> operand == 0 ? g : g.negate());
  }

  public Tensor mul(Tensor other) {
    return binary("Mul", other, (operand, g) -> g.mul(operand == 0 ? other : this));
  }

  public Tensor mul(float value) {
    return mul(graph.constant(value));
  }

  public Tensor div(Tensor other) {
    return binary(
        "Div",
        other,
        (operand, g) -> operand == 0 ? g.div(other) : g.mul(this).div(other.mul(other)).negate());
  }

  /** The smaller of both; where they are equal, the gradient goes to this one. */
  public Tensor min(Tensor other) {
    return binary(
        "Min",
        other,
        (operand, g) -> {
          Tensor isOther = other.isLessThan(this);
          Tensor zero = graph.constant(0f);
          return operand == 0 ? isOther.select(zero, g) : isOther.select(g, zero);
        });
  }

  /** The larger of both; where they are equal, the gradient goes to this one. */
  public Tensor max(Tensor other) {
    return binary(
        "Max",
        other,
        (operand, g) -> {
          Tensor isOther = isLessThan(other);
          Tensor zero = graph.constant(0f);
          return operand == 0 ? isOther.select(zero, g) : isOther.select(g, zero);
        });
  }

  /**
   * Values below {@code low} become it, values above {@code high} become that; both have no
   * gradient there.
   */
  public Tensor clip(float low, float high) {
    Tensor[] bounds = {graph.constant(low), graph.constant(high)};
    return unary(
        "Clip",
        List.of(this, bounds[0], bounds[1]),
        g -> isLessThan(bounds[0]).or(bounds[1].isLessThan(this)).select(graph.constant(0f), g));
  }

  public Tensor negate() {
    return unary("Neg", g -> g.negate());
  }

  /** Square. */
  public Tensor square() {
    return mul(this);
  }

  /** The positive part; no gradient passes where it is 0. */
  public Tensor relu() {
    Tensor[] result = new Tensor[1];
    result[0] = unary("Relu", g -> g.mul(result[0].cast(ElementType.BOOL).cast(ElementType.FLOAT)));
    return result[0];
  }

  public Tensor exp() {
    Tensor[] result = new Tensor[1];
    result[0] = unary("Exp", g -> g.mul(result[0]));
    return result[0];
  }

  public Tensor log() {
    return unary("Log", g -> g.div(this));
  }

  public Tensor sqrt() {
    Tensor[] result = new Tensor[1];
    result[0] = unary("Sqrt", g -> g.mul(0.5f).div(result[0]));
    return result[0];
  }

  public Tensor sigmoid() {
    Tensor[] result = new Tensor[1];
    result[0] = unary("Sigmoid", g -> g.mul(result[0]).mul(graph.constant(1f).sub(result[0])));
    return result[0];
  }

  public Tensor tanh() {
    Tensor[] result = new Tensor[1];
    result[0] = unary("Tanh", g -> g.mul(graph.constant(1f).sub(result[0].square())));
    return result[0];
  }

  /** Sine of radians. */
  public Tensor sin() {
    return unary("Sin", g -> g.mul(cos()));
  }

  /** Cosine of radians. */
  public Tensor cos() {
    return unary("Cos", g -> g.mul(sin()).negate());
  }

  // Comparisons and choice.

  public Tensor isLessThan(Tensor other) {
    return graph.operator(
        "Less",
        ElementType.BOOL,
        shape.broadcast(other.shape),
        List.of(this, other),
        List.of(),
        null);
  }

  public Tensor isEqualTo(Tensor other) {
    return graph.operator(
        "Equal",
        ElementType.BOOL,
        shape.broadcast(other.shape),
        List.of(this, other),
        List.of(),
        null);
  }

  /** True where either is. */
  public Tensor or(Tensor other) {
    return graph.operator(
        "Or",
        ElementType.BOOL,
        shape.broadcast(other.shape),
        List.of(this, other),
        List.of(),
        null);
  }

  /** One of two values by this condition, element by element. */
  public Tensor select(Tensor whereTrue, Tensor whereFalse) {
    Tensor condition = this;
    return graph.operator(
        "Where",
        whereTrue.type,
        shape.broadcast(whereTrue.shape).broadcast(whereFalse.shape),
        List.of(condition, whereTrue, whereFalse),
        List.of(),
        (operand, g) -> {
          Tensor zero = graph.constant(0f);
          Tensor part = operand == 1 ? condition.select(g, zero) : condition.select(zero, g);
          return part.sumTo((operand == 1 ? whereTrue : whereFalse).shape);
        });
  }

  /**
   * Conversion without gradient; a float becomes an integer by dropping its fraction, a condition
   * becomes 0 or 1.
   */
  public Tensor cast(ElementType target) {
    return graph.operator(
        "Cast",
        target,
        shape,
        List.of(this),
        List.of(Attributes.integer("to", target.onnx())),
        null);
  }

  // Reductions.

  /** Sum over one axis, which is kept with size 1. */
  public Tensor sum(int axis) {
    return sumOver(List.of(shape.axis(axis)), true);
  }

  /** Sum of all elements: a scalar. */
  public Tensor sum() {
    return shape.rank() == 0 ? this : sumOver(axes(), false);
  }

  private List<Integer> axes() {
    return IntStream.range(0, shape.rank()).boxed().toList();
  }

  /** Mean over one axis of known size, which is kept with size 1. */
  public Tensor mean(int axis) {
    return sum(axis).mul(1f / shape.dimension(axis));
  }

  /** Mean of all elements: a scalar. */
  public Tensor mean() {
    return sum().mul(1f / shape.size());
  }

  /** Largest element along one axis, which is kept with size 1. Without gradient. */
  public Tensor max(int axis) {
    return graph.operator(
        "ReduceMax",
        type,
        shape.with(axis, 1),
        List.of(stopGradient()),
        List.of(Attributes.integers("axes", shape.axis(axis)), Attributes.integer("keepdims", 1)),
        null);
  }

  private Tensor sumOver(List<Integer> axes, boolean keep) {
    List<Long> kept = new ArrayList<>(shape.dimensions());
    axes.forEach(axis -> kept.set(axis, 1L));
    Shape withOnes = new Shape(kept);
    Shape result = keep ? withOnes : Shape.of();
    long[] axisValues = axes.stream().mapToLong(Integer::longValue).toArray();
    return graph.operator(
        "ReduceSum",
        type,
        result,
        List.of(this, graph.constant(axisValues, Shape.of(axisValues.length))),
        List.of(Attributes.integer("keepdims", keep ? 1 : 0)),
        (operand, g) -> (keep ? g : g.reshape(withOnes)).expand(shape));
  }

  /** Adds up what broadcasting spread: the inverse of stretching {@code target} to this shape. */
  private Tensor sumTo(Shape target) {
    if (shape.equals(target)) {
      return this;
    }
    int added = shape.rank() - target.rank();
    List<Integer> axes = new ArrayList<>();
    for (int axis = 0; axis < shape.rank(); axis++) {
      boolean stretched =
          axis < added || (target.dimension(axis - added) == 1 && shape.dimension(axis) != 1);
      if (stretched) {
        axes.add(axis);
      }
    }
    if (shape.rank() == 2 && axes.equals(List.of(0)) && shape.dimension(0) > 0) {
      return columnSums().reshape(target);
    }
    Tensor summed = axes.isEmpty() ? this : sumOver(axes, true);
    return summed.reshape(target);
  }

  /**
   * Sums down the columns of a matrix, {@code [1, m]}: as a product with a row of ones, which takes
   * a tenth of the time of {@code ReduceSum} over the first axis.
   */
  private Tensor columnSums() {
    return gemm(graph.ones(shape.dimension(0)), false, this, false);
  }

  // Distributions over the last axis; ONNX Runtime subtracts the largest element first.

  public Tensor softmax() {
    Tensor[] result = new Tensor[1];
    result[0] =
        unary(
            "Softmax",
            List.of(this),
            g -> {
              Tensor weighted = g.mul(result[0]);
              return weighted.sub(result[0].mul(weighted.sum(-1)));
            },
            Attributes.integer("axis", -1));
    return result[0];
  }

  public Tensor logSoftmax() {
    Tensor[] result = new Tensor[1];
    result[0] =
        unary(
            "LogSoftmax",
            List.of(this),
            g -> g.sub(result[0].exp().mul(g.sum(-1))),
            Attributes.integer("axis", -1));
    return result[0];
  }

  // Products.

  /**
   * Matrix product of {@code [n, k]} with {@code [k, m]}; with more dimensions, which are then the
   * same on both sides, one for each of the leading places.
   */
  public Tensor matMul(Tensor other) {
    return shape.rank() > 2 ? stacked(this, other) : gemm(this, false, other, false);
  }

  private static Tensor stacked(Tensor left, Tensor right) {
    int rank = left.shape.rank();
    Shape result = left.shape.with(-1, right.shape.width());
    boolean fit =
        right.shape.rank() == rank
            && left.shape.width() == right.shape.dimension(-2)
            && right.shape.with(-2, left.shape.dimension(-2)).equals(result);
    if (!fit) {
      throw new IllegalArgumentException("cannot multiply " + left.shape + " with " + right.shape);
    }
    return left.graph.operator(
        "MatMul",
        left.type,
        result,
        List.of(left, right),
        List.of(),
        (operand, g) ->
            operand == 0
                ? stacked(g, right.turned(rank - 2, rank - 1))
                : stacked(left.turned(rank - 2, rank - 1), g));
  }

  /** {@code this [n, k] · weight [k, m] + bias [m]}: one dense layer as one operator. */
  public Tensor affine(Tensor weight, Tensor bias) {
    requireMatrices(this, weight);
    return graph.operator(
        "Gemm",
        type,
        Shape.of(shape.dimension(0), weight.shape.width()),
        List.of(this, weight, bias),
        List.of(),
        (operand, g) -> {
          if (operand == 2) {
            return g.sumTo(bias.shape);
          }
          return operand == 0 ? gemm(g, false, weight, true) : gemm(this, true, g, false);
        });
  }

  /**
   * Inner products of groups of rows with one row each: {@code this [b, m, d]} with {@code single
   * [b, d]} gives {@code [b, m]}. As batched matrix products, also in the gradient, none of which
   * needs a transposition.
   */
  public Tensor innerProducts(Tensor single) {
    long groups = shape.dimension(0);
    long size = shape.dimension(1);
    long width = shape.dimension(2);
    return batched(this, single.reshape(groups, width, 1), Shape.of(groups, size, 1), true)
        .reshape(groups, size);
  }

  private static Tensor batched(Tensor left, Tensor right, Shape result, boolean withGradient) {
    return left.graph.operator(
        "MatMul",
        left.type,
        result,
        List.of(left, right),
        List.of(),
        withGradient
            ? (operand, g) -> {
              Shape row = Shape.of(right.shape.dimension(0), 1, right.shape.dimension(1));
              if (operand == 0) {
                return batched(g, right.reshape(row), left.shape, false);
              }
              Tensor turned = g.reshape(g.shape.dimension(0), 1, g.shape.dimension(1));
              return batched(turned, left, row, false).reshape(right.shape);
            }
            : null);
  }

  private static Tensor gemm(
      Tensor left, boolean leftTransposed, Tensor right, boolean rightTransposed) {
    requireMatrices(left, right);
    long inner = left.shape.dimension(leftTransposed ? 0 : 1);
    if (inner != right.shape.dimension(rightTransposed ? 1 : 0)) {
      throw new IllegalArgumentException("cannot multiply " + left.shape + " with " + right.shape);
    }
    boolean plain = !leftTransposed && !rightTransposed;
    return left.graph.operator(
        plain ? "MatMul" : "Gemm",
        left.type,
        Shape.of(
            left.shape.dimension(leftTransposed ? 1 : 0),
            right.shape.dimension(rightTransposed ? 0 : 1)),
        List.of(left, right),
        plain
            ? List.of()
            : List.of(
                Attributes.integer("transA", leftTransposed ? 1 : 0),
                Attributes.integer("transB", rightTransposed ? 1 : 0)),
        plain
            ? (operand, g) ->
                operand == 0 ? gemm(g, false, right, true) : gemm(left, true, g, false)
            : null);
  }

  private static void requireMatrices(Tensor left, Tensor right) {
    if (left.shape.rank() != 2 || right.shape.rank() != 2) {
      throw new IllegalArgumentException(
          "a product needs two matrices, not " + left.shape + ", " + right.shape);
    }
  }

  // Layout.

  /** The same elements under another shape. At most one dimension may be a symbol. */
  public Tensor reshape(Shape target) {
    if (shape.equals(target)) {
      return this;
    }
    long[] dimensions = target.toArray();
    for (int axis = 0; axis < dimensions.length; axis++) {
      dimensions[axis] = Math.max(dimensions[axis], -1);
    }
    return graph.operator(
        "Reshape",
        type,
        target,
        List.of(this, graph.constant(dimensions, Shape.of(dimensions.length))),
        List.of(),
        (operand, g) -> g.reshape(shape));
  }

  public Tensor reshape(long... dimensions) {
    return reshape(Shape.of(dimensions));
  }

  /**
   * The same elements with the axes in another order.
   *
   * @param order the axis that comes first, the one that comes second, ...
   */
  public Tensor transpose(int... order) {
    if (IntStream.of(order).sorted().boxed().toList().equals(axes())) {
      return permuted(order);
    }
    throw new IllegalArgumentException(
        "the axes of " + shape + " in the order " + Arrays.toString(order));
  }

  private Tensor permuted(int[] order) {
    long[] dimensions = new long[order.length];
    long[] permutation = new long[order.length];
    int[] back = new int[order.length];
    for (int axis = 0; axis < order.length; axis++) {
      dimensions[axis] = shape.dimension(order[axis]);
      permutation[axis] = order[axis];
      back[order[axis]] = axis;
    }
    return graph.operator(
        "Transpose",
        type,
        Shape.of(dimensions),
        List.of(this),
        List.of(Attributes.integers("perm", permutation)),
        (operand, g) -> g.permuted(back));
  }

  /** With two axes in each other's place. */
  private Tensor turned(int one, int other) {
    int[] order = axes().stream().mapToInt(Integer::intValue).toArray();
    order[one] = other;
    order[other] = one;
    return permuted(order);
  }

  /** Repeats along axes of size 1 until the shape is {@code target}, whose sizes are known. */
  public Tensor expand(Shape target) {
    if (shape.equals(target)) {
      return this;
    }
    return graph.operator(
        "Expand",
        type,
        shape.broadcast(target),
        List.of(this, graph.constant(target.toArray(), Shape.of(target.rank()))),
        List.of(),
        (operand, g) -> g.sumTo(shape));
  }

  /** Elements {@code from} (inclusive) to {@code to} (exclusive) of one axis. */
  public Tensor slice(int axis, long from, long to) {
    int positive = shape.axis(axis);
    long size = shape.dimension(positive);
    if (from < 0 || from >= to || to > size) {
      throw new IllegalArgumentException(
          "slice " + from + " to " + to + " of axis " + axis + " of " + shape);
    }
    if (to - from == size) {
      return this;
    }
    return graph.operator(
        "Slice",
        type,
        shape.with(positive, to - from),
        List.of(this, index(from), index(to), index(positive)),
        List.of(),
        (operand, g) -> {
          List<Tensor> parts = new ArrayList<>();
          if (from > 0) {
            parts.add(zeros(shape.with(positive, from)));
          }
          parts.add(g);
          if (to < size) {
            parts.add(zeros(shape.with(positive, size - to)));
          }
          return concat(positive, parts);
        });
  }

  /**
   * This value in equal parts along one axis, as one operator: the gradient joins what arrives at
   * the parts, where that of a {@link #slice} per part would be as large as the whole for each.
   *
   * @param each size of a part along the axis; a symbol where that is one too
   */
  public List<Tensor> split(int axis, int parts, long each) {
    long size = shape.dimension(axis);
    if (parts < 1 || ((size >= 0 || each >= 0) && size != parts * each)) {
      throw new IllegalArgumentException(
          parts + " parts of " + each + " of axis " + axis + " of " + shape);
    }
    return parts == 1 && size == each
        ? List.of(this)
        : graph.split(this, shape.axis(axis), parts, shape.with(axis, each));
  }

  /** The parts one after the other along one axis. */
  public static Tensor concat(int axis, List<Tensor> parts) {
    Tensor first = parts.get(0);
    if (parts.size() == 1) {
      return first;
    }
    int positive = first.shape.axis(axis);
    long size = 0;
    long[] starts = new long[parts.size()];
    for (int part = 0; part < parts.size(); part++) {
      starts[part] = size;
      size += parts.get(part).shape.dimension(positive);
    }
    return first.graph.operator(
        "Concat",
        first.type,
        first.shape.with(positive, size),
        List.copyOf(parts),
        List.of(Attributes.integer("axis", positive)),
        (operand, g) ->
            g.slice(
                positive,
                starts[operand],
                starts[operand] + parts.get(operand).shape.dimension(positive)));
  }

  /**
   * The rows of this matrix {@code [rows, width]} that {@code ids} (INT64, each in {@code [0,
   * rows)}) name: {@code ids}' shape followed by {@code width}.
   *
   * <p>The gradient adds rows in the order of {@code ids} ({@code ScatterND} with reduction {@code
   * add}), which one intra-op thread keeps reproducible.
   */
  public Tensor gatherRows(Tensor ids) {
    List<Long> dimensions = new ArrayList<>(ids.shape.dimensions());
    dimensions.add(shape.width());
    return graph.operator(
        "Gather",
        type,
        new Shape(dimensions),
        List.of(this, ids),
        List.of(Attributes.integer("axis", 0)),
        (operand, g) -> {
          long count = ids.shape.size();
          return graph.operator(
              "ScatterND",
              type,
              shape,
              List.of(zeros(shape), ids.reshape(count, 1), g.reshape(count, shape.width())),
              List.of(Attributes.text("reduction", "add")),
              null);
        });
  }

  /**
   * One element per row of a matrix {@code [n, m]} by {@code index [n, 1]} (INT64, each in {@code
   * [0, m)}).
   */
  public Tensor pick(Tensor index) {
    long width = shape.width();
    return graph.operator(
        "GatherElements",
        type,
        index.shape,
        List.of(this, index),
        List.of(Attributes.integer("axis", 1)),
        (operand, g) -> g.mul(graph.picked(index, width)));
  }

  private Tensor index(long value) {
    return graph.constant(new long[] {value}, Shape.of(1));
  }

  private Tensor zeros(Shape target) {
    return graph.zeros(target);
  }

  private Tensor binary(String operator, Tensor other, Backward backward) {
    return graph.operator(
        operator,
        type,
        shape.broadcast(other.shape),
        List.of(this, other),
        List.of(),
        (operand, g) -> backward.toOperand(operand, g).sumTo((operand == 0 ? this : other).shape));
  }

  private interface Derivative {
    Tensor of(Tensor gradient);
  }

  private Tensor unary(String operator, Derivative derivative) {
    return unary(operator, List.of(this), derivative);
  }

  private Tensor unary(
      String operator, List<Tensor> operands, Derivative derivative, AttributeProto... attributes) {
    return graph.operator(
        operator, type, shape, operands, List.of(attributes), (operand, g) -> derivative.of(g));
  }

  @Override
  public String toString() {
    return name + " " + type + shape;
  }
}
