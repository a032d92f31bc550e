package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.ColumnScaling;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Normalisation;
import io.bellwether.trainer.network.Parameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Actor and critic in plain Java and double precision, one row at a time: slow, obvious, and what
 * both graphs are held against.
 */
public final class PlainNetworks {
  private final NetworkSchema schema;
  private final NetworkConfig config;
  private final Normalisation normalisation;

  public PlainNetworks(NetworkSchema schema, NetworkConfig config, Normalisation normalisation) {
    this.schema = schema;
    this.config = config;
    this.normalisation = normalisation;
  }

  /** The weights of one network in double precision, by name. */
  public static final class Weights {
    private final Map<String, int[]> ranges = new HashMap<>();
    private final double[] values;

    public Weights(Parameters parameters) {
      this.values = new double[parameters.values().length];
      for (int i = 0; i < values.length; i++) {
        values[i] = parameters.values()[i];
      }
      int from = 0;
      for (String name : parameters.layout().names()) {
        int size = parameters.get(name).length;
        ranges.put(name, new int[] {from, from + size});
        from += size;
      }
    }

    /** The vector itself: changing it changes the weights. */
    public double[] values() {
      return values;
    }

    double[] get(String name) {
      int[] range = Objects.requireNonNull(ranges.get(name), name);
      return Arrays.copyOfRange(values, range[0], range[1]);
    }
  }

  public double logit(Weights weights, float[] context, float[] history, float[] item) {
    double[] h = state("actor.state", weights, context, history, false);
    double[] e = item("actor.item", weights, h, item, false);
    double[] query = dense("actor.query", weights, h);
    double product = 0;
    for (int i = 0; i < e.length; i++) {
      product += query[i] * e[i];
    }
    double[] mixed = mixing("actor.mixing", weights, h, e, false);
    return product / Math.sqrt(e.length) + dense("actor.score", weights, mixed)[0];
  }

  /** In units of the signals' scale. */
  public double[] actionValues(Weights weights, float[] context, float[] history, float[] item) {
    double[] h = state("critic.state", weights, context, history, true);
    double[] e = item("critic.item", weights, h, item, true);
    return dense("critic.q", weights, mixing("critic.mixing", weights, h, e, true));
  }

  /** In units of the signals' scale. */
  public double[] stateValues(Weights weights, float[] context, float[] history) {
    return dense("critic.v", weights, state("critic.state", weights, context, history, true));
  }

  private double[] state(
      String name, Weights weights, float[] context, float[] history, boolean normalised) {
    double[] row =
        encode(name + ".context", weights, schema.context(), normalisation.context(), context, 0);
    if (schema.hasHistory()) {
      row = concat(row, history(name + ".history", weights, history));
    }
    double[] first =
        rectify(
            norm(name + ".first.norm", weights, dense(name + ".first", weights, row), normalised));
    return rectify(
        norm(name + ".second.norm", weights, dense(name + ".second", weights, first), normalised));
  }

  private double[] history(String name, Weights weights, float[] history) {
    int width = schema.history().size();
    List<double[]> rows = new ArrayList<>();
    for (int row = 0; row < schema.historyLength(); row++) {
      if (history[row * width] == 1) {
        double[] encoded =
            encode(name, weights, schema.history(), normalisation.history(), history, row * width);
        rows.add(rectify(dense(name, weights, encoded)));
      }
    }
    int encodedWidth = weights.get(name + ".bias").length;
    return new PlainHistory(name, weights)
        .of(config.form(), rows, encodedWidth, schema.historyLength());
  }

  private double[] item(
      String name, Weights weights, double[] h, float[] item, boolean normalised) {
    double[] row = encode(name, weights, schema.item(), normalisation.item(), item, 0);
    double[] hidden =
        norm(name + ".first.norm", weights, dense(name + ".first", weights, row), normalised);
    if (config.conditioned()) {
      double[] scale = dense(name + ".conditioning.scale", weights, h);
      double[] shift = dense(name + ".conditioning.shift", weights, h);
      Arrays.setAll(hidden, i -> hidden[i] * (1 + scale[i]) + shift[i]);
    }
    return dense(name + ".second", weights, rectify(hidden));
  }

  private double[] mixing(
      String name, Weights weights, double[] h, double[] e, boolean normalised) {
    double[] gated = dense(name + ".gate", weights, h);
    double[] product = new double[e.length];
    for (int i = 0; i < e.length; i++) {
      product[i] = gated[i] * e[i];
    }
    double[] fromItem =
        multiply(concat(e, product), weights.get(name + ".item.weight"), config.hidden());
    double[] mixed = dense(name + ".state", weights, gated);
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] += fromItem[i];
    }
    return rectify(norm(name + ".norm", weights, mixed, normalised));
  }

  private static double[] encode(
      String name,
      Weights weights,
      List<Column> columns,
      ColumnScaling scaling,
      float[] raw,
      int from) {
    double[] result = new double[columns.size()];
    for (int column = 0; column < columns.size(); column++) {
      double scaled = (raw[from + column] - scaling.shift()[column]) * scaling.scale()[column];
      result[column] = Math.max(-10, Math.min(10, scaled));
    }
    for (int column = 0; column < columns.size(); column++) {
      if (columns.get(column) instanceof Column.Category category) {
        int id = (int) raw[from + column];
        int known = id >= 0 && id < category.cardinality() ? id : 0;
        double[] table = weights.get(name + "." + category.name() + ".table");
        double[] embedding = new double[category.embeddingWidth()];
        System.arraycopy(table, known * embedding.length, embedding, 0, embedding.length);
        result = concat(result, embedding);
      }
    }
    return result;
  }

  static double[] dense(String name, Weights weights, double[] row) {
    double[] result = weights.get(name + ".bias");
    double[] product = multiply(row, weights.get(name + ".weight"), result.length);
    for (int i = 0; i < result.length; i++) {
      result[i] += product[i];
    }
    return result;
  }

  private static double[] multiply(double[] row, double[] weight, int out) {
    double[] result = new double[out];
    for (int i = 0; i < row.length; i++) {
      for (int j = 0; j < out; j++) {
        result[j] += row[i] * weight[i * out + j];
      }
    }
    return result;
  }

  static double[] norm(String name, Weights weights, double[] row, boolean normalised) {
    if (!normalised) {
      return row;
    }
    double mean = 0;
    for (double value : row) {
      mean += value / row.length;
    }
    double variance = 0;
    for (double value : row) {
      variance += (value - mean) * (value - mean) / row.length;
    }
    double[] scale = weights.get(name + ".scale");
    double[] shift = weights.get(name + ".shift");
    double[] result = new double[row.length];
    for (int i = 0; i < row.length; i++) {
      result[i] = (row[i] - mean) / Math.sqrt(variance + 1e-5) * scale[i] + shift[i];
    }
    return result;
  }

  static double[] rectify(double[] row) {
    double[] result = new double[row.length];
    for (int i = 0; i < row.length; i++) {
      result[i] = Math.max(0, row[i]);
    }
    return result;
  }

  private static double[] concat(double[] left, double[] right) {
    double[] result = new double[left.length + right.length];
    System.arraycopy(left, 0, result, 0, left.length);
    System.arraycopy(right, 0, result, left.length, right.length);
    return result;
  }
}
