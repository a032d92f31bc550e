package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.VersionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole path on the real sample of the Open Bandit Dataset, as a user takes it; skipped where
 * the sample is not there.
 */
class OpenBanditCommandIT {
  private static final Path SAMPLE =
      Path.of(System.getProperty("bellwether.shared", "../../shared")).resolve("data/obd");
  private static final Path TABLE =
      Path.of("src/test/resources/golden/obd_bts_men_action_dist.csv");

  /** Of Bernoulli Thompson sampling on the uniform log of the men's campaign. */
  private static final double GOLDEN_IPS = 0.004533560000000009;

  private static final double GOLDEN_SNIPS = 0.004604232164349611;

  @TempDir private static Path folder;
  private static CommandLineFixture command;
  private static String log;

  @BeforeAll
  static void importTheSample() throws Exception {
    assumeTrue(Files.isDirectory(SAMPLE), "the Open Bandit sample is not at " + SAMPLE.normalize());
    command = new CommandLineFixture(folder.resolve("data"));
    JsonNode imported = command.resultOf(ExitCode.DONE, "import", "open-bandit", SAMPLE.toString());
    assertEquals(40_000, imported.get("rows").intValue());
    assertEquals(0, imported.get("rejected").intValue());
    JsonNode men = imported.at("/logs/2");
    assertEquals("random-men", men.get("name").textValue());
    assertEquals(34, men.get("meanInversePropensity").doubleValue(), 1e-9);
    assertTrue(men.get("rejects").isNull());
    log = men.get("folder").textValue();
    assertTrue(log.startsWith(folder.resolve("data/imports/open-bandit").toString()), log);
  }

  @Test
  void aVersionIsTrainedJudgedPromotedAndReplayed() throws Exception {
    JsonNode trained =
        command.resultOf(
            ExitCode.DONE,
            "train",
            "--surface",
            "open-bandit",
            "--log",
            log,
            "--epochs",
            "0.5",
            "--batch-size",
            "128");
    VersionId version = new VersionId(trained.get("version").textValue());
    assertEquals(version.value(), command.output().strip());
    assertEquals("constrained-actor-critic", trained.get("algorithm").textValue());

    Path page = folder.resolve("report.html");
    JsonNode report =
        command.resultOf(
            ExitCode.NO,
            "evaluate",
            "--policy",
            version.value(),
            "--log",
            log,
            "--model-steps",
            "20",
            "--html",
            page.toString());
    // some twenty clicks show nothing either way
    assertEquals("not-enough-evidence", report.get("verdict").textValue());
    assertEquals(
        10_000,
        trained.get("rows").intValue() + report.at("/meta/data/decisions").intValue(),
        "judged by whom it has not seen");
    assertTrue(Files.readString(page).startsWith("<!doctype html>"));

    JsonNode listed = command.resultOf(ExitCode.DONE, "policies", "open-bandit");
    assertEquals("not-enough-evidence", listed.at("/policies/0/versions/0/verdict").textValue());

    assertEquals(ExitCode.NO, command.runOnData("promote", version.value(), "--why", "a test"));
    assertEquals(
        ExitCode.DONE,
        command.runOnData(
            "promote", version.value(), "--why", "a test", "--override", "the log is small"));
    assertEquals(Optional.of(version), command.store().alias("open-bandit", Alias.CHAMPION));

    JsonNode replayed = command.resultOf(ExitCode.DONE, "replay", "--log", log);
    assertEquals(0, replayed.get("checked").intValue());
    assertTrue(command.output().contains("10000 imported"), command.output());
  }

  @Test
  void thompsonSamplingHasTheGoldenValues() throws Exception {
    JsonNode report =
        command.resultOf(
            ExitCode.NO,
            "evaluate",
            "--policy",
            TABLE.toString(),
            "--surface",
            "open-bandit",
            "--against",
            "logging",
            "--log",
            log,
            "--model-steps",
            "0");
    assertEquals(1, target(report, "ips") / GOLDEN_IPS, 1e-9);
    assertEquals(1, target(report, "snips") / GOLDEN_SNIPS, 1e-9);
  }

  private static double target(JsonNode report, String estimator) {
    return StreamSupport.stream(report.get("estimates").spliterator(), false)
        .filter(each -> each.get("policy").textValue().equals("target"))
        .filter(each -> each.get("estimator").textValue().equals(estimator))
        .findFirst()
        .orElseThrow()
        .get("value")
        .doubleValue();
  }
}
