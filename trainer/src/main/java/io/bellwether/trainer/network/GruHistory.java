package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.List;

/**
 * A gated recurrent unit over the encoded rows, oldest first, unrolled; the answer is its state
 * after the newest.
 *
 * <pre>
 * u, r = sigmoid(x A + h B)              how much is written, and how much of h a proposal sees
 * n    = tanh(x C + r ∘ (h D))
 * h'   = h + valid · u ∘ (n - h)         from h = 0; padding writes nothing
 * </pre>
 *
 * <p>Source: Cho et al., "Learning Phrase Representations using RNN Encoder–Decoder", 2014, with
 * the reset after the product as cuDNN and ONNX ({@code linear_before_reset}) have it; {@code u} is
 * one less the paper's update gate. The products with {@code h} stay out of the 8-bit form: what
 * rounding adds there would be carried from row to row.
 */
final class GruHistory implements HistoryEncoder {
  /** First weights within {@code ±1/√in}, as is usual for recurrent layers. */
  private static final double GAIN = Math.sqrt(1.0 / 6);

  private final HistoryRow row;
  private final Dense rowGates;
  private final Dense rowProposal;
  private final Dense stateGates;
  private final Dense stateProposal;

  GruHistory(String name, HistoryRow row) {
    int width = row.width();
    this.row = row;
    rowGates = new Dense(name + ".gru.row.gates", width, 2 * width, GAIN);
    rowProposal = new Dense(name + ".gru.row.proposal", width, width, GAIN);
    stateGates = new Dense(name + ".gru.state.gates", width, 2 * width, GAIN);
    stateProposal = new Dense(name + ".gru.state.proposal", width, width, GAIN);
  }

  @Override
  public int width() {
    return row.width();
  }

  @Override
  public void declare(ParameterLayout.Builder layout) {
    row.declare(layout);
    rowGates.declare(layout);
    rowProposal.declare(layout);
    stateGates.declare(layout);
    stateProposal.declare(layout);
  }

  @Override
  public Tensor apply(Weights weights, Tensor raw) {
    long states = raw.shape().dimension(0);
    int length = (int) raw.shape().dimension(1);
    Tensor rows = row.apply(weights, raw.transpose(1, 0, 2));
    List<Tensor> gates = rowGates.apply(weights, rows).split(0, length, states);
    List<Tensor> proposals = rowProposal.apply(weights, rows).split(0, length, states);
    List<Tensor> valid = raw.slice(2, 0, 1).reshape(states, length).split(1, length, 1);
    Tensor state = valid.get(0).mul(raw.graph().constant(new float[width()], Shape.of(1, width())));
    for (int i = 0; i < length; i++) {
      List<Tensor> gate =
          gates.get(i).add(stateGates.apply(weights, state)).sigmoid().split(1, 2, width());
      Tensor seen = gate.get(1).mul(stateProposal.apply(weights, state));
      Tensor proposal = proposals.get(i).add(seen).tanh();
      Tensor written = gate.get(0).mul(valid.get(i));
      state = state.add(written.mul(proposal.sub(state)));
    }
    return state;
  }
}
