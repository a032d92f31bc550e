package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.imports.OpenBanditImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On the real sample of the Open Bandit Dataset; skipped where it is not there. */
class OpenBanditPathIT {

  private static final Path SHARED =
      Path.of(System.getProperty("bellwether.shared", "../../shared"));

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"men", "women"})
  void thompsonSamplingOnTheUniformLogAgreesWithTheGoldenValues(String campaign) throws Exception {
    JsonNode report = evaluateThompsonSampling(campaign, 0);
    JsonNode golden = golden(campaign + ":random->bts");
    for (String estimator : new String[] {"ips", "snips"}) {
      JsonNode expected = golden.at("/estimators/" + estimator);
      JsonNode found = estimate(report, "target", estimator);
      assertEquals(1, found.get("value").doubleValue() / expected.get("value").doubleValue(), 1e-9);
      assertEquals(1, found.get("se").doubleValue() / expected.get("se").doubleValue(), 1e-9);
    }
    assertEquals(
        golden.get("logging_mean_reward").doubleValue(),
        report.at("/logged/click/mean").doubleValue(),
        1e-15);
    JsonNode weights = report.at("/diagnostics/targetWeights/0");
    assertEquals(
        1,
        weights.get("effectiveSampleSize").doubleValue()
            / golden.at("/diagnostics/ess").doubleValue(),
        1e-9);
    assertEquals(10_000, report.at("/meta/data/decisions").intValue());
    assertEquals("not-enough-evidence", report.get("verdict").textValue());
  }

  @Test
  void theRewardModelBringsDoublyRobustValuesNearTheWeightedOnes() throws Exception {
    JsonNode report = evaluateThompsonSampling("men", 100);
    double weighted = estimate(report, "target", "snips").get("value").doubleValue();
    double robust = estimate(report, "target", "sndr").get("value").doubleValue();
    double error = estimate(report, "target", "sndr").get("se").doubleValue();
    assertTrue(Math.abs(weighted - robust) < error, weighted + " and " + robust);
    assertEquals("sndr", report.at("/meta/primary").textValue());
  }

  private JsonNode evaluateThompsonSampling(String campaign, int modelSteps) throws Exception {
    Path data = SHARED.resolve("data/obd");
    assumeTrue(Files.isDirectory(data), "the Open Bandit sample is not at " + data.normalize());
    Surface surface = new SurfaceReader().read(Path.of("../examples/surfaces/open-bandit.yaml"));
    new OpenBanditImport(surface, line -> {}).run(data, folder);
    EvaluationRequest request =
        EvaluationRequest.of(
                surface, new ArchiveSource(folder.resolve("random-" + campaign), surface.name()))
            .withModelSteps(modelSteps);
    Path table = Path.of("src/test/resources/golden/obd_bts_" + campaign + "_action_dist.csv");
    try (TableTarget target = TableTarget.read(table)) {
      EvaluationRecord record =
          new OfflineEvaluation(Clock.systemUTC(), "test", line -> {}).evaluate(request, target);
      Files.write(folder.resolve("report.html"), ReportPage.of(record));
      return new ObjectMapper().readTree(ReportJson.report(record));
    }
  }

  private static JsonNode estimate(JsonNode report, String policy, String estimator) {
    return StreamSupport.stream(report.get("estimates").spliterator(), false)
        .filter(each -> each.get("policy").textValue().equals(policy))
        .filter(each -> each.get("estimator").textValue().equals(estimator))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode golden(String name) throws IOException {
    return new ObjectMapper()
        .readTree(Path.of("src/test/resources/golden/obd_expected.json").toFile())
        .get("results")
        .get(name);
  }
}
