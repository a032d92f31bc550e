package io.bellwether.evaluation;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * Ten thousand rows of the Open Bandit Dataset, where it is at hand: {@code data/obd} below the
 * system property {@code bellwether.shared}, by default {@code ../../shared}.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OpenBanditLog(int[] item, int[] position, double[] click, double[] propensity) {
  public static final String CLICK = "click";

  /**
   * A campaign ({@code men}, {@code women}) under a logging policy ({@code random}, {@code bts}).
   */
  public static OpenBanditLog read(String campaign, String policy) {
    Path file =
        Path.of(System.getProperty("bellwether.shared", "../../shared"))
            .resolve("data/obd/%s/%s/%s.csv.gz".formatted(policy, campaign, campaign));
    assumeTrue(Files.exists(file), () -> "the Open Bandit Dataset is not at " + file);
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      List<String[]> rows = reader.lines().skip(1).map(line -> line.split(",", 7)).toList();
      return new OpenBanditLog(
          rows.stream().mapToInt(row -> Integer.parseInt(row[2])).toArray(),
          rows.stream().mapToInt(row -> Integer.parseInt(row[3]) - 1).toArray(),
          rows.stream().mapToDouble(row -> Double.parseDouble(row[4])).toArray(),
          rows.stream().mapToDouble(row -> Double.parseDouble(row[5])).toArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int size() {
    return item.length;
  }

  /**
   * Target probabilities by item and position: uniform for {@code random}, else the stored file.
   */
  public static double[][] target(String campaign, String policy, int items) {
    double[][] probability = new double[items][3];
    if (policy.equals("random")) {
      Arrays.stream(probability).forEach(row -> Arrays.fill(row, 1.0 / items));
      return probability;
    }
    Golden.Table csv = Golden.csv("obd_bts_%s_action_dist.csv".formatted(campaign));
    for (int item = 0; item < items; item++) {
      for (int position = 0; position < 3; position++) {
        probability[item][position] = csv.column("pos" + (position + 1))[item];
      }
    }
    return probability;
  }

  /** Columns with the smoothed two-fold click model of the golden file's meta block. */
  public LoggedDecisions log(double[][] target) {
    double[][][] models = {clickRates(target.length, 1), clickRates(target.length, 0)};
    double[] direct = new double[size()];
    double[] prediction = new double[size()];
    for (int row = 0; row < size(); row++) {
      double[][] model = models[row % 2];
      prediction[row] = model[item[row]][position[row]];
      for (int each = 0; each < target.length; each++) {
        direct[row] += target[each][position[row]] * model[each][position[row]];
      }
    }
    double[] targetOfItem =
        IntStream.range(0, size()).mapToDouble(row -> target[item[row]][position[row]]).toArray();
    return LoggedDecisions.builder()
        .decisions(
            IntStream.range(0, size()).toArray(),
            new int[size()],
            IntStream.range(0, size()).mapToLong(row -> row).toArray())
        .logging(propensity)
        .target(targetOfItem)
        .signal(CLICK, LoggedDecisions.Signal.modelled(click, prediction, direct))
        .build();
  }

  /** (clicks + 50·rate) / (n + 50) by item and position, from the rows of one fold. */
  private double[][] clickRates(int items, int fold) {
    double[][] clicks = new double[items][3];
    double[][] shown = new double[items][3];
    double total = 0;
    double rows = 0;
    for (int row = fold; row < size(); row += 2) {
      clicks[item[row]][position[row]] += click[row];
      shown[item[row]][position[row]]++;
      total += click[row];
      rows++;
    }
    double rate = total / rows;
    double[][] model = new double[items][3];
    for (int each = 0; each < items; each++) {
      for (int at = 0; at < 3; at++) {
        model[each][at] = (clicks[each][at] + 50 * rate) / (shown[each][at] + 50);
      }
    }
    return model;
  }
}
