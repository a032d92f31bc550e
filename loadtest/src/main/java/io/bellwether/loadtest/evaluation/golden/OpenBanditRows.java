package io.bellwether.loadtest.evaluation.golden;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.loadtest.evaluation.synthetic.Choices;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * One campaign of the Open Bandit Dataset as one policy logged it. The arrays are not copied.
 *
 * @param position from 0 on; a decision is one position here
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record OpenBanditRows(int[] item, int[] position, double[] click, double[] propensity) {
  private static final int POSITIONS = 3;

  static OpenBanditRows read(Path data, String campaign, String policy) {
    Path file = data.resolve(Path.of(policy, campaign, campaign + ".csv.gz"));
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      List<String[]> rows = reader.lines().skip(1).map(line -> line.split(",", 7)).toList();
      return new OpenBanditRows(
          rows.stream().mapToInt(row -> Integer.parseInt(row[2])).toArray(),
          rows.stream().mapToInt(row -> Integer.parseInt(row[3]) - 1).toArray(),
          rows.stream().mapToDouble(row -> Double.parseDouble(row[4])).toArray(),
          rows.stream().mapToDouble(row -> Double.parseDouble(row[5])).toArray());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /**
   * With the smoothed click model of the golden file's meta block, fitted on the other half.
   *
   * @param target chances by item and position
   */
  LoggedDecisions.Builder columns(double[][] target) {
    double[][][] models = {clickRates(target.length, 1), clickRates(target.length, 0)};
    int rows = item.length;
    double[] chance = new double[rows];
    double[] prediction = new double[rows];
    double[] direct = new double[rows];
    for (int row = 0; row < rows; row++) {
      double[][] model = models[row % 2];
      chance[row] = target[item[row]][position[row]];
      prediction[row] = model[item[row]][position[row]];
      for (int each = 0; each < target.length; each++) {
        direct[row] += target[each][position[row]] * model[each][position[row]];
      }
    }
    return LoggedDecisions.builder()
        .decisions(
            IntStream.range(0, rows).toArray(),
            new int[rows],
            IntStream.range(0, rows).asLongStream().toArray())
        .logging(propensity)
        .target(chance)
        .signal(Choices.REWARD, LoggedDecisions.Signal.modelled(click, prediction, direct));
  }

  /** (clicks + 50·rate) / (n + 50) by item and position, from every other row. */
  private double[][] clickRates(int items, int firstRow) {
    double[][] clicks = new double[items][POSITIONS];
    double[][] shown = new double[items][POSITIONS];
    double total = 0;
    double rows = 0;
    for (int row = firstRow; row < item.length; row += 2) {
      clicks[item[row]][position[row]] += click[row];
      shown[item[row]][position[row]]++;
      total += click[row];
      rows++;
    }
    double rate = total / rows;
    double[][] model = new double[items][POSITIONS];
    for (int each = 0; each < items; each++) {
      for (int at = 0; at < POSITIONS; at++) {
        model[each][at] = (clicks[each][at] + 50 * rate) / (shown[each][at] + 50);
      }
    }
    return model;
  }
}
