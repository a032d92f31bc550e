package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Attention among the encoded rows, whose places are learned and counted from the newest; the
 * answer is what stands at the newest row's place after {@value #LAYERS} layers, normalised.
 *
 * <pre>
 * x' = x + Σ_heads softmax(q kᵀ / √d + mask) v · O      q, k, v of norm(x); padding is masked
 * x" = x' + relu(norm(x') · A) · B
 * </pre>
 *
 * <p>Source: Vaswani et al., "Attention Is All You Need", 2017, with the norm in front of each part
 * (Xiong et al., 2020). The last layer asks for the newest row only.
 */
final class AttentionHistory implements HistoryEncoder {
  private static final int LAYERS = 2;
  private static final int HEADS = 4;

  /** What masked rows are behind in every softmax: enough that they have a share of exactly 0. */
  private static final float MASKED = 1e9f;

  /** Variance {@code 1 / in}: for layers in front of no rectifier. */
  private static final double GAIN = Math.sqrt(0.5);

  private static final double FIRST_PLACES = 0.1;

  private final HistoryRow row;
  private final int length;
  private final String places;
  private final List<Layer> layers;
  private final LayerNorm norm;

  private AttentionHistory(String name, HistoryRow row, int length) {
    this.row = row;
    this.length = length;
    places = name + ".places";
    layers =
        IntStream.range(0, LAYERS)
            .mapToObj(layer -> Layer.of(name + ".attention" + layer, row.width()))
            .toList();
    norm = new LayerNorm(name + ".norm", row.width());
  }

  /** At least as wide as asked for: every head has the same width. */
  static AttentionHistory of(String name, Encoding encoding, int width, int length) {
    int perHead = (width + HEADS - 1) / HEADS;
    return new AttentionHistory(name, HistoryRow.of(name, encoding, HEADS * perHead), length);
  }

  @Override
  public int width() {
    return row.width();
  }

  @Override
  public void declare(ParameterLayout.Builder layout) {
    row.declare(layout);
    layout.uniform(places, Shape.of(length, width()), FIRST_PLACES);
    layers.forEach(layer -> layer.declare(layout));
    norm.declare(layout);
  }

  @Override
  public Tensor apply(Weights weights, Tensor raw) {
    long states = raw.shape().dimension(0);
    long all = HistoryRow.count(raw);
    Tensor valid = raw.slice(2, 0, 1);
    Tensor mask = valid.add(-1).mul(MASKED).reshape(states, 1, 1, length);
    Tensor rows =
        row.apply(weights, raw)
            .reshape(states, length, width())
            .add(weights.get(places))
            .reshape(all, width());
    for (Layer layer : layers.subList(0, LAYERS - 1)) {
      rows = layer.apply(weights, rows, mask, length);
    }
    Tensor newest = layers.get(LAYERS - 1).apply(weights, rows, mask, 1);
    Tensor any = valid.max(1).reshape(states, 1);
    return norm.apply(weights, newest).mul(any);
  }

  /** One layer. */
  private record Layer(
      LayerNorm before,
      Dense query,
      Dense key,
      Dense value,
      Dense joined,
      LayerNorm between,
      Dense wide,
      Dense narrow) {

    static Layer of(String name, int width) {
      return new Layer(
          new LayerNorm(name + ".before", width),
          new Dense(name + ".query", width, width, GAIN),
          new Dense(name + ".key", width, width, GAIN),
          new Dense(name + ".value", width, width, GAIN),
          new Dense(name + ".joined", width, width, GAIN),
          new LayerNorm(name + ".between", width),
          Dense.hidden(name + ".wide", width, 2 * width),
          new Dense(name + ".narrow", 2 * width, width, GAIN));
    }

    void declare(ParameterLayout.Builder layout) {
      before.declare(layout);
      query.declare(layout);
      key.declare(layout);
      value.declare(layout);
      joined.declare(layout);
      between.declare(layout);
      wide.declare(layout);
      narrow.declare(layout);
    }

    /**
     * Of rows {@code [r * L, width]} the last {@code asked} of each state: {@code [r * asked,
     * width]}.
     *
     * @param mask {@code [r, 1, 1, L]}, 0 for a valid row and far below for padding
     */
    Tensor apply(Weights weights, Tensor rows, Tensor mask, long asked) {
      long states = mask.shape().dimension(0);
      long length = mask.shape().width();
      Tensor normed = before.apply(weights, rows);
      Tensor queries =
          perHead(query.apply(weights, last(normed, states, length, asked)), asked, mask);
      Tensor keys = perHead(key.apply(weights, normed), length, mask).transpose(0, 1, 3, 2);
      Tensor values = perHead(value.apply(weights, normed), length, mask);
      float scale = (float) (1 / Math.sqrt((double) queries.shape().width()));
      Tensor shares = queries.matMul(keys).mul(scale).add(mask).softmax();
      Tensor asking = last(rows, states, length, asked);
      Tensor heads = shares.matMul(values).transpose(0, 2, 1, 3).reshape(asking.shape());
      Tensor attended = asking.add(joined.apply(weights, heads));
      Tensor inner = wide.apply(weights, between.apply(weights, attended)).relu();
      return attended.add(narrow.apply(weights, inner));
    }

    private Tensor perHead(Tensor rows, long count, Tensor mask) {
      long width = rows.shape().width();
      return rows.reshape(mask.shape().dimension(0), count, HEADS, width / HEADS)
          .transpose(0, 2, 1, 3);
    }

    private static Tensor last(Tensor rows, long states, long length, long asked) {
      if (asked == length) {
        return rows;
      }
      long width = rows.shape().width();
      return rows.reshape(states, length, width)
          .slice(1, length - asked, length)
          .reshape(states, width);
    }
  }
}
