package io.bellwether.evaluation.support;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.OpenBanditLog;
import io.bellwether.evaluation.interval.ChiSquare;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class SupportGoldenTest {
  private static final List<String> LOGGERS = List.of("random");

  @Test
  void calibrationOfThreeItems() {
    JsonNode golden = Golden.json("misc_expected.json").get("propensity_calibration");
    double[] deviation = Golden.doubles(golden.get("observed"));
    double[] expected = Golden.doubles(golden.get("expected_counts"));
    Arrays.setAll(deviation, item -> deviation[item] - expected[item]);
    QuadraticForm form = QuadraticForm.of(Golden.matrix(golden.get("covariance")), deviation);
    double statistic = golden.get("chi2_score").doubleValue();
    assertEquals(statistic, form.value(), closed(statistic));
    assertEquals(golden.get("df").intValue(), form.rank());
    double pValue = golden.get("p").doubleValue();
    assertEquals(pValue, ChiSquare.survival(form.value(), form.rank()), closed(pValue));
    assertEquals(0, form.outside(), 1e-9);
  }

  @Test
  void distancesOfActionShares() {
    JsonNode golden = Golden.json("misc_expected.json").get("drift");
    double[] reference = Golden.doubles(golden.get("reference"));
    double[] current = Golden.doubles(golden.get("current"));
    double index = golden.get("psi").doubleValue();
    assertEquals(index, ActionShares.stabilityIndex(reference, current), closed(index));
    double distance = golden.get("total_variation").doubleValue();
    assertEquals(distance, ActionShares.totalVariation(reference, current), closed(distance));
  }

  @Test
  void uniformLoggingReducesToPearson() {
    assertUniform("men", 34);
    assertUniform("women", 46);
  }

  private static void assertUniform(String campaign, int items) {
    JsonNode golden =
        results().get(campaign + ":random->bts").get("diagnostics").get("uniform_action_chi2");
    OpenBanditLog log = OpenBanditLog.read(campaign, "random");
    SupportAccumulator sums =
        new SupportAccumulator(
            ActionIndex.of(IntStream.range(0, items).mapToObj(Integer::toString).toList()));
    DecisionVectors vectors = new DecisionVectors();
    for (int row = 0; row < log.size(); row++) {
      double propensity = log.propensity()[row];
      vectors.begin(row, 0, row / 2500);
      for (int item = 0; item < items; item++) {
        vectors.candidate(item, propensity, propensity);
      }
      sums.add(vectors.shown(log.item()[row], propensity));
    }
    Support found = sums.result(LOGGERS);
    Calibration.Tested test = assertInstanceOf(Calibration.Tested.class, found.calibration());
    double statistic = golden.get("stat").doubleValue();
    assertEquals(statistic, test.statistic(), closed(statistic));
    assertEquals(golden.get("df").intValue(), test.degreesOfFreedom());
    assertEquals(golden.get("p").doubleValue(), test.pValue(), 1e-9);
    assertFalse(found.calibrationRefuses());
    assertEquals(0, found.unsupportedMass());
    assertEquals(List.of(), found.findings());
    for (LoggerDay day : found.days()) {
      assertEquals(1, day.meanWeight());
      assertFalse(day.warns(), () -> "chance alone warns of " + day);
    }
  }

  @Test
  void weightsByDayOfTheOpenBanditLogs() throws IOException {
    for (String campaign : List.of("men", "women")) {
      assertDays(campaign, "random", "bts");
      assertDays(campaign, "bts", "random");
    }
  }

  private static void assertDays(String campaign, String logging, String target)
      throws IOException {
    int items = campaign.equals("men") ? 34 : 46;
    JsonNode golden =
        results().get("%s:%s->%s".formatted(campaign, logging, target)).get("by_day_mean_w");
    OpenBanditLog log = OpenBanditLog.read(campaign, logging);
    double[][] probability = OpenBanditLog.target(campaign, target, items);
    LocalDate[] days = days(campaign, logging);
    LoggerDays sums = new LoggerDays(items);
    ActionChances chances = new ActionChances(items);
    for (int row = 0; row < log.size(); row++) {
      int item = log.item()[row];
      double weight = probability[item][log.position()[row]] / log.propensity()[row];
      chances.clear();
      chances.add(item, 1);
      sums.add(0, (int) days[row].toEpochDay(), item, weight, chances);
    }
    List<LoggerDay> found = sums.result(List.of(logging));
    assertEquals(golden.size(), found.size());
    for (LoggerDay day : found) {
      JsonNode expected = golden.get(day.day().toString());
      assertEquals(expected.get("n").longValue(), day.decisions());
      double mean = expected.get("mean_w").doubleValue();
      assertEquals(mean, day.meanWeight(), closed(mean));
      assertTrue(day.meanWeightInterval().orElseThrow().contains(mean));
      boolean learns = logging.equals("bts");
      assertEquals(learns, day.warns(), () -> "thompson sampling went on learning: " + day);
    }
  }

  /** The log's own column: the shared reader has no use for it. */
  private static LocalDate[] days(String campaign, String policy) throws IOException {
    Path file =
        Path.of(System.getProperty("bellwether.shared", "../../shared"))
            .resolve("data/obd/%s/%s/%s.csv.gz".formatted(policy, campaign, campaign));
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .skip(1)
          .map(line -> LocalDate.parse(line.split(",", 3)[1].substring(0, 10)))
          .toArray(LocalDate[]::new);
    }
  }

  @Test
  void overlapOfEightRows() {
    BanditLog log = BanditLog.tiny();
    Support found = Vectors.of(log).result(LOGGERS);
    for (ActionOverlap overlap : found.actions()) {
      int item = Integer.parseInt(overlap.item());
      int[] rows =
          IntStream.range(0, log.size()).filter(row -> log.action()[row] == item).toArray();
      double weight = Arrays.stream(rows).mapToDouble(log::weight).sum();
      double square = Arrays.stream(rows).mapToDouble(log::weight).map(each -> each * each).sum();
      assertEquals(rows.length, overlap.shown());
      assertEquals(weight / rows.length, overlap.meanWeight(), 1e-12);
      assertEquals(weight * weight / square, overlap.effectiveSampleSize(), 1e-12);
      assertEquals(sum(log.logging(), item), overlap.loggingMass(), 1e-12);
      assertEquals(sum(log.target(), item), overlap.targetMass(), 1e-12);
    }
    JsonNode diagnostics = Golden.json("ope_tiny.json").get("diagnostics");
    assertEquals(diagnostics.get("mean_w").doubleValue(), found.days().get(0).meanWeight(), 1e-12);
  }

  private static double sum(double[][] vectors, int item) {
    return Arrays.stream(vectors).mapToDouble(vector -> vector[item]).sum();
  }

  private static JsonNode results() {
    return Golden.json("obd_expected.json").get("results");
  }
}
