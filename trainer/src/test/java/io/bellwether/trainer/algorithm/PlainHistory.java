package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.network.HistoryForm;
import java.util.Arrays;
import java.util.List;

/**
 * Encoders of histories in plain Java and double precision, from their formulas: padding is not
 * masked here, it is not there.
 */
final class PlainHistory {
  private static final int POLES = 32;
  private static final int HEADS = 4;

  private final String name;
  private final PlainNetworks.Weights weights;

  PlainHistory(String name, PlainNetworks.Weights weights) {
    this.name = name;
    this.weights = weights;
  }

  /**
   * One row for all.
   *
   * @param rows the encoded valid rows, oldest first
   * @param width of one of them
   * @param length most rows that there could be
   */
  double[] of(HistoryForm form, List<double[]> rows, int width, int length) {
    if (rows.isEmpty()) {
      return new double[width];
    }
    return switch (form) {
      case MEAN -> mean(rows, width);
      case GRU -> gru(rows, width);
      case STATE_SPACE -> stateSpace(rows, width);
      case ATTENTION -> attention(rows, width, length);
    };
  }

  private static double[] mean(List<double[]> rows, int width) {
    double[] mean = new double[width];
    for (double[] row : rows) {
      for (int i = 0; i < width; i++) {
        mean[i] += row[i] / rows.size();
      }
    }
    return mean;
  }

  private double[] gru(List<double[]> rows, int width) {
    double[] state = new double[width];
    for (double[] row : rows) {
      double[] rowGates = dense(".gru.row.gates", row);
      double[] stateGates = dense(".gru.state.gates", state);
      double[] rowProposal = dense(".gru.row.proposal", row);
      double[] stateProposal = dense(".gru.state.proposal", state);
      double[] next = new double[width];
      for (int i = 0; i < width; i++) {
        double written = sigmoid(rowGates[i] + stateGates[i]);
        double reset = sigmoid(rowGates[width + i] + stateGates[width + i]);
        double proposal = Math.tanh(rowProposal[i] + reset * stateProposal[i]);
        next[i] = (1 - written) * state[i] + written * proposal;
      }
      state = next;
    }
    return state;
  }

  /** The recurrence itself, step by step, in complex numbers. */
  private double[] stateSpace(List<double[]> rows, int width) {
    double[] decay = weights.get(name + ".pole.decay");
    double[] frequency = weights.get(name + ".pole.frequency");
    double[] real = weights.get(name + ".output.real");
    double[] imaginary = weights.get(name + ".output.imaginary");
    double[] direct = weights.get(name + ".output.direct");
    double[] result = new double[width];
    for (int channel = 0; channel < width; channel++) {
      for (int k = channel * POLES; k < (channel + 1) * POLES; k++) {
        double radius = Math.exp(-Math.exp(decay[k]));
        double poleReal = radius * Math.cos(frequency[k]);
        double poleImaginary = radius * Math.sin(frequency[k]);
        double stateReal = 0;
        double stateImaginary = 0;
        for (double[] row : rows) {
          double turned = poleReal * stateReal - poleImaginary * stateImaginary;
          stateImaginary = poleReal * stateImaginary + poleImaginary * stateReal;
          stateReal = turned + (1 - radius) * row[channel];
        }
        result[channel] += real[k] * stateReal - imaginary[k] * stateImaginary;
      }
      result[channel] += direct[channel] * rows.get(rows.size() - 1)[channel];
    }
    return result;
  }

  private double[] attention(List<double[]> rows, int width, int length) {
    double[] places = weights.get(name + ".places");
    double[][] x = new double[rows.size()][];
    for (int i = 0; i < x.length; i++) {
      int place = length - x.length + i;
      x[i] = sum(rows.get(i), Arrays.copyOfRange(places, place * width, (place + 1) * width));
    }
    for (String layer : List.of(".attention0", ".attention1")) {
      x = layer(layer, x, width);
    }
    return norm(".norm", x[x.length - 1]);
  }

  private double[][] layer(String layer, double[][] x, int width) {
    int perHead = width / HEADS;
    double[][] result = new double[x.length][];
    for (int i = 0; i < x.length; i++) {
      double[] query = dense(layer + ".query", norm(layer + ".before", x[i]));
      double[] heads = new double[width];
      for (int from = 0; from < width; from += perHead) {
        double[] shares = new double[x.length];
        double total = 0;
        for (int j = 0; j < x.length; j++) {
          double[] key = dense(layer + ".key", norm(layer + ".before", x[j]));
          double score = 0;
          for (int d = from; d < from + perHead; d++) {
            score += query[d] * key[d];
          }
          shares[j] = Math.exp(score / Math.sqrt(perHead));
          total += shares[j];
        }
        for (int j = 0; j < x.length; j++) {
          double[] value = dense(layer + ".value", norm(layer + ".before", x[j]));
          for (int d = from; d < from + perHead; d++) {
            heads[d] += shares[j] / total * value[d];
          }
        }
      }
      double[] attended = sum(x[i], dense(layer + ".joined", heads));
      double[] inner = dense(layer + ".wide", norm(layer + ".between", attended));
      result[i] = sum(attended, dense(layer + ".narrow", PlainNetworks.rectify(inner)));
    }
    return result;
  }

  private double[] dense(String part, double[] row) {
    return PlainNetworks.dense(name + part, weights, row);
  }

  private double[] norm(String part, double[] row) {
    return PlainNetworks.norm(name + part, weights, row, true);
  }

  private static double[] sum(double[] left, double[] right) {
    double[] result = left.clone();
    Arrays.setAll(result, i -> left[i] + right[i]);
    return result;
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }
}
