package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;

/**
 * A diagonal linear recurrence over the encoded rows, each of its channels by itself; the answer is
 * its output after the newest row.
 *
 * <pre>
 * λ_k = exp(-exp(α_k) + i ω_k)                                   {@value #POLES} poles per channel
 * y   = Σ_j K_j u_j + D u_0                                      u_j: the row that is j older
 * K_j = Σ_k Re(C_k λ_k^j) (1 - |λ_k|)
 * </pre>
 *
 * <p>A row's weight depends on its age alone, so the recurrence is one weighted sum, and an
 * exported graph has its weights as constants once it is loaded. Gaps in time are columns of a row
 * and not its age. The last factor makes a slow pole a mean over its past.
 *
 * <p>Source: Gu et al., "On the Parameterization and Initialization of Diagonal State Space
 * Models", 2022 (S4D). Different here: poles of the discrete recurrence are trained themselves,
 * with first decays between one row and the whole history.
 */
final class StateSpaceHistory implements HistoryEncoder {
  private static final int POLES = 32;

  /** Poles start on the right side of the circle: slower than a change with every other row. */
  private static final double FASTEST = Math.PI / 2;

  private final HistoryRow row;
  private final int length;
  private final String decay;
  private final String frequency;
  private final String real;
  private final String imaginary;
  private final String direct;

  StateSpaceHistory(String name, HistoryRow row, int length) {
    this.row = row;
    this.length = length;
    decay = name + ".pole.decay";
    frequency = name + ".pole.frequency";
    real = name + ".output.real";
    imaginary = name + ".output.imaginary";
    direct = name + ".output.direct";
  }

  @Override
  public int width() {
    return row.width();
  }

  @Override
  public void declare(ParameterLayout.Builder layout) {
    Shape poles = Shape.of(width(), POLES);
    double half = Math.log(length) / 2;
    row.declare(layout);
    layout.uniform(decay, poles, -half, half);
    layout.uniform(frequency, poles, FASTEST);
    layout.uniform(real, poles, Math.sqrt(6.0 / POLES));
    layout.uniform(imaginary, poles, Math.sqrt(6.0 / POLES));
    layout.constant(direct, Shape.of(width()), 1);
  }

  @Override
  public Tensor apply(Weights weights, Tensor raw) {
    long states = raw.shape().dimension(0);
    Tensor rows = row.apply(weights, raw).reshape(Shape.of(states, length, width()));
    Tensor valid = rows.mul(raw.slice(2, 0, 1));
    return valid.mul(weightsByRow(weights, raw.graph())).sum(1).reshape(states, width());
  }

  /** {@code [L, width]}, the newest row last. */
  private Tensor weightsByRow(Weights weights, Graph graph) {
    float[] ages = new float[length];
    float[] newest = new float[length];
    for (int i = 0; i < length; i++) {
      ages[i] = length - 1 - i;
    }
    newest[length - 1] = 1;
    Tensor age = graph.constant(ages, Shape.of(length, 1, 1));
    Tensor rate = weights.get(decay).exp();
    Tensor gain = rate.negate().exp().negate().add(1);
    Tensor angle = age.mul(weights.get(frequency));
    Tensor wave =
        angle
            .cos()
            .mul(weights.get(real).mul(gain))
            .sub(angle.sin().mul(weights.get(imaginary).mul(gain)));
    Tensor past = age.mul(rate).negate().exp().mul(wave).sum(-1).reshape(length, width());
    return past.add(graph.constant(newest, Shape.of(length, 1)).mul(weights.get(direct)));
  }
}
