package io.bellwether.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** A log of single choices with full probability vectors, as the golden files hold them. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BanditLog(
    int[] action, double[] reward, double[][] logging, double[][] target, double[][] predictions) {
  public static final String REWARD = "reward";

  public static BanditLog tiny() {
    JsonNode data = Golden.json("ope_tiny.json").get("data");
    return new BanditLog(
        Arrays.stream(Golden.doubles(data.get("action"))).mapToInt(value -> (int) value).toArray(),
        Golden.doubles(data.get("reward")),
        Golden.matrix(data.get("pi_b")),
        Golden.matrix(data.get("pi_e")),
        Golden.matrix(data.get("q_hat")));
  }

  /** Six hundred rows with five actions; target vectors are normalised after reading, as there. */
  public static BanditLog synthetic() {
    Golden.Table csv = Golden.csv("ope_synthetic.csv");
    double[][] target = vectors(csv, "pi_e_", 5);
    for (double[] vector : target) {
      double sum = Arrays.stream(vector).sum();
      Arrays.setAll(vector, index -> vector[index] / sum);
    }
    return new BanditLog(
        Arrays.stream(csv.column("action")).mapToInt(value -> (int) value).toArray(),
        csv.column("reward"),
        vectors(csv, "pi_b_", 5),
        target,
        vectors(csv, "q_hat_", 5));
  }

  private static double[][] vectors(Golden.Table csv, String prefix, int width) {
    double[][] rows = new double[csv.column(prefix + 0).length][width];
    for (int row = 0; row < rows.length; row++) {
      for (int column = 0; column < width; column++) {
        rows[row][column] = csv.column(prefix + column)[row];
      }
    }
    return rows;
  }

  public int size() {
    return action.length;
  }

  public double weight(int row) {
    return target[row][action[row]] / logging[row][action[row]];
  }

  public double prediction(int row) {
    return predictions[row][action[row]];
  }

  public double direct(int row) {
    return IntStream.range(0, target[row].length)
        .mapToDouble(item -> target[row][item] * predictions[row][item])
        .sum();
  }

  /** Columns with one unit per row. */
  public LoggedDecisions log() {
    return columns().build();
  }

  /** Columns with units of {@code size} neighbouring rows. */
  public LoggedDecisions logWithUnitsOf(int size) {
    return columns()
        .decisions(
            IntStream.range(0, size()).toArray(),
            new int[size()],
            IntStream.range(0, size()).mapToLong(row -> row / size).toArray())
        .build();
  }

  public LoggedDecisions.Builder columns() {
    return LoggedDecisions.builder()
        .decisions(
            IntStream.range(0, size()).toArray(),
            new int[size()],
            IntStream.range(0, size()).mapToLong(row -> row).toArray())
        .logging(column(row -> logging[row][action[row]]))
        .target(column(row -> target[row][action[row]]))
        .signal(
            REWARD,
            LoggedDecisions.Signal.modelled(
                reward.clone(), column(this::prediction), column(this::direct)));
  }

  public double[] column(IntToDoubleFunction value) {
    return IntStream.range(0, size()).mapToDouble(value).toArray();
  }
}
