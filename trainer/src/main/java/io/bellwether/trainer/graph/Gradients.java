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
      Tensor gradient = gradients[id];
      if (gradient != null) {
        passOn(graph.tensors().get(id), gradient, gradients);
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
      Tensor part = backward.toOperand(operand, gradient);
      Tensor known = gradients[input.id()];
      gradients[input.id()] = known == null ? part : known.add(part);
    }
  }

  private static Tensor zeros(Tensor variable) {
    return variable.graph().constant(new float[(int) variable.shape().size()], variable.shape());
  }
}
