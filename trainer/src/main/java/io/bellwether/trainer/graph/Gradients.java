package io.bellwether.trainer.graph;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reverse-mode differentiation: appends to a graph the operators that compute the gradient of a
 * scalar.
 *
 * <p>Operands are created before the operators that use them, so walking the values backwards in
 * order of creation visits every use of a value before the value itself; contributions are added in
 * that fixed order.
 */
public final class Gradients {

  private Gradients() {}

  /**
   * Gradients of the scalar {@code loss} by each variable, in order; a variable that it does not
   * use has zeros.
   */
  public static List<Tensor> of(Tensor loss, List<Tensor> variables) {
    if (loss.shape().rank() != 0) {
      throw new IllegalArgumentException("only a scalar has gradients, not " + loss.shape());
    }
    Graph graph = loss.graph();
    @Nullable Tensor[] gradients = new @Nullable Tensor[loss.id() + 1];
    gradients[loss.id()] = graph.constant(1f);
    for (int id = loss.id(); id >= 0; id--) {
      Tensor value = graph.tensors().get(id);
      Tensor.Split split = value.origin();
      Tensor gradient = gradients[id];
      if (split != null) {
        // The first part comes last: what arrives at the others is known by then.
        if (value == split.parts().get(0)) {
          join(split, gradients);
        }
      } else if (gradient != null) {
        passOn(value, gradient, gradients);
      }
    }
    List<Tensor> result = new ArrayList<>();
    for (Tensor variable : variables) {
      Tensor gradient = variable.id() < gradients.length ? gradients[variable.id()] : null;
      result.add(gradient == null ? zeros(variable) : gradient);
    }
    return result;
  }

  private static void passOn(Tensor output, Tensor gradient, @Nullable Tensor[] gradients) {
    Backward backward = output.backward();
    for (int operand = 0; operand < output.operands().size(); operand++) {
      Tensor input = output.operands().get(operand);
      if (!input.isDifferentiable()) {
        continue;
      }
      if (backward == null) {
        throw new IllegalStateException(
            "no gradient passes through " + output + "; stop it before");
      }
      add(input, backward.toOperand(operand, gradient), gradients);
    }
  }

  private static void join(Tensor.Split split, @Nullable Tensor[] gradients) {
    List<Tensor> parts = split.parts();
    boolean used = parts.stream().anyMatch(part -> gradients[part.id()] != null);
    if (!used || !split.whole().isDifferentiable()) {
      return;
    }
    List<Tensor> joined = new ArrayList<>();
    for (Tensor part : parts) {
      Tensor gradient = gradients[part.id()];
      joined.add(gradient == null ? part.graph().zeros(part.shape()) : gradient);
    }
    add(split.whole(), Tensor.concat(split.axis(), joined), gradients);
  }

  private static void add(Tensor input, Tensor part, @Nullable Tensor[] gradients) {
    Tensor known = gradients[input.id()];
    gradients[input.id()] = known == null ? part : known.add(part);
  }

  private static Tensor zeros(Tensor variable) {
    return variable.graph().constant(new float[(int) variable.shape().size()], variable.shape());
  }
}
