package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.imports.ImportReport;
import io.bellwether.trainer.imports.OpenBanditImport;
import io.bellwether.trainer.job.Training;
import io.bellwether.trainer.job.TrainingMethod;
import io.bellwether.trainer.job.TrainingRequest;
import io.bellwether.trainer.replay.Replay;
import io.bellwether.trainer.replay.ReplayResult;
import io.bellwether.trainer.report.EvidenceFiling;
import io.bellwether.trainer.report.ReportJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole path on the real sample of the Open Bandit Dataset, from its files to a version with a
 * report; skipped where the sample is not there.
 */
class OpenBanditPathIT {

  private static final Path DATA =
      Path.of(System.getProperty("bellwether.shared", "../../shared")).resolve("data/obd");

  @TempDir private static Path folder;
  private static Surface surface;
  private static ImportReport imported;

  @BeforeAll
  static void importTheSample() throws Exception {
    assumeTrue(Files.isDirectory(DATA), "the Open Bandit sample is not at " + DATA.normalize());
    surface = new SurfaceReader().read(Path.of("../examples/surfaces/open-bandit.yaml"));
    imported = new OpenBanditImport(surface, line -> {}).run(DATA, folder);
  }

  @Test
  void everyLineOfTheSampleIsImported() {
    assertEquals(
        List.of("bts-men", "bts-women", "random-men", "random-women"),
        imported.logs().stream().map(ImportReport.Log::name).toList());
    assertEquals(40_000, imported.rows());
    assertEquals(0, imported.rejected());
    assertEquals(
        List.of(69L, 46L, 46L, 46L),
        imported.logs().stream().map(ImportReport.Log::outcomes).toList());
    assertEquals(0.000165, imported.logs().get(0).minPropensity());
    assertEquals(1e-6, imported.logs().get(1).minPropensity());
    assertEquals(34, imported.logs().get(2).meanInversePropensity(), 1e-9);
    assertEquals(46, imported.logs().get(3).meanInversePropensity(), 1e-9);
  }

  @ParameterizedTest
  @CsvSource({"men", "women"})
  void thompsonSamplingOnTheUniformLogAgreesWithTheGoldenValues(String campaign)
      throws IOException {
    JsonNode report = evaluateThompsonSampling(campaign, 0);
    JsonNode golden = golden(campaign + ":random->bts");
    for (String estimator : List.of("ips", "snips")) {
      JsonNode expected = golden.at("/estimators/" + estimator);
      JsonNode found = target(report, estimator);
      assertRatioOfOne(found.get("value"), expected.get("value"));
      assertRatioOfOne(found.get("se"), expected.get("se"));
    }
    assertRatioOfOne(report.at("/logged/click/mean"), golden.get("logging_mean_reward"));
    JsonNode weights = report.at("/diagnostics/targetWeights/0");
    assertRatioOfOne(weights.get("effectiveSampleSize"), golden.at("/diagnostics/ess"));
    assertRatioOfOne(weights.get("mean"), golden.at("/diagnostics/mean_w"));
    JsonNode counts = golden.at("/weight_histogram").get("counts_in_[10^j,10^(j+1))");
    for (int bin = 0; bin < counts.size(); bin++) {
      // weights of exactly 1e-3 and so on aside, bins agree; the first holds what lies below
      assertEquals(counts.get(bin).longValue(), weights.get("histogram").get(bin + 1).longValue());
    }
    assertEquals(10_000, report.at("/meta/data/decisions").intValue());
    assertEquals("not-enough-evidence", report.get("verdict").textValue());
  }

  @Test
  void theRewardModelKeepsDoublyRobustValuesNearTheWeightedOnes() throws IOException {
    JsonNode report = evaluateThompsonSampling("men", 50);
    double weighted = target(report, "snips").get("value").doubleValue();
    double robust = target(report, "sndr").get("value").doubleValue();
    double error = target(report, "sndr").get("se").doubleValue();
    assertTrue(Math.abs(weighted - robust) < error, weighted + " and " + robust);
    assertEquals("sndr", report.at("/meta/primary").textValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"behaviour-cloning", "constrained-actor-critic"})
  void theLogBecomesAVersionWithAReportAndAVerdict(String word) throws IOException {
    TrainingMethod method = TrainingMethod.of(word);
    PolicyStore store = new PolicyStore(folder.resolve("store-" + word), Clock.systemUTC());
    ArchiveSource log = archive("random-men");
    TrainingRequest request =
        TrainingRequest.of(surface, log, method, folder.resolve("run-" + word))
            .withEpochs(1)
            .withBatchSize(128)
            .withParallelism(2)
            .withHeldOutShare(0.5);
    VersionId version =
        new Training(store, Clock.systemUTC(), "test", line -> {}).run(request).id();
    EvaluationRecord record =
        new Gate(
                store,
                new OfflineEvaluation(Clock.systemUTC(), "test", line -> {}),
                new EvidenceFiling(store, "test"),
                "test")
            .judge(
                version,
                EvaluationRequest.of(surface, log)
                    .withSubjects(Subjects.notSeenBy(store.manifest(version)))
                    .withModelSteps(20));
    assertEquals(word, store.manifest(version).algorithm());
    assertEquals(
        10_000, store.manifest(version).data().rows() + record.report().size().decisions());
    // some twenty clicks show nothing either way
    assertEquals(Optional.of(GateVerdict.NOT_ENOUGH_EVIDENCE), store.verdict(version));
    assertEquals(4, store.evidence(version).size());
  }

  @Test
  void importedDecisionsAreSkippedByReplay() throws IOException {
    PolicyStore store = new PolicyStore(folder.resolve("store"), Clock.systemUTC());
    try (Replay replay = Replay.with(store)) {
      archive("random-women").forEach(replay::add);
      ReplayResult result = replay.result();
      assertEquals(0, result.checked());
      assertEquals(List.of(10_000L), List.copyOf(result.skipped().values()));
    }
  }

  private static ArchiveSource archive(String log) {
    return new ArchiveSource(folder.resolve(log), surface.name());
  }

  private static JsonNode evaluateThompsonSampling(String campaign, int modelSteps)
      throws IOException {
    Path table = Path.of("src/test/resources/golden/obd_bts_" + campaign + "_action_dist.csv");
    EvaluationRequest request =
        EvaluationRequest.of(surface, archive("random-" + campaign)).withModelSteps(modelSteps);
    try (TableTarget target = TableTarget.read(table)) {
      EvaluationRecord record =
          new OfflineEvaluation(Clock.systemUTC(), "test", line -> {}).evaluate(request, target);
      return new ObjectMapper().readTree(ReportJson.report(record));
    }
  }

  private static JsonNode target(JsonNode report, String estimator) {
    return StreamSupport.stream(report.get("estimates").spliterator(), false)
        .filter(each -> each.get("policy").textValue().equals("target"))
        .filter(each -> each.get("estimator").textValue().equals(estimator))
        .findFirst()
        .orElseThrow();
  }

  private static void assertRatioOfOne(JsonNode found, JsonNode expected) {
    assertEquals(1, found.doubleValue() / expected.doubleValue(), 1e-9);
  }

  private static JsonNode golden(String name) throws IOException {
    return new ObjectMapper()
        .readTree(Path.of("src/test/resources/golden/obd_expected.json").toFile())
        .get("results")
        .get(name);
  }
}
