package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.job.Baseline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One version from its training on, as somebody follows it with the command. */
class LineageVerbsIT {
  private static final int DECISIONS = 80;

  @TempDir Path folder;

  @Test
  void aVersionIsFollowedComparedCarriedAwayAndMadeAgain() throws Exception {
    Path data = folder.resolve("data");
    CommandLineFixture command = new CommandLineFixture(data);
    ShopLog shop = new ShopLog(data);
    VersionId ranking =
        new Baseline(Clock.systemUTC(), "test").publish(shop.declare(3), command.store()).id();
    List<Transition> transitions = shop.transitions(DECISIONS);
    for (Transition transition : transitions.subList(0, 20)) {
      transition.getDecision().setPolicyVersion(ranking.value());
    }
    shop.write(transitions);
    String version =
        command
            .resultOf(
                ExitCode.DONE,
                "train",
                "--surface",
                "shop",
                "--algorithm",
                "bc",
                "--epochs",
                "1",
                "--held-out",
                "0",
                "--seed",
                "5")
            .get("version")
            .textValue();

    isFollowed(command, version, ranking.value());
    isCompared(command, version, ranking.value());
    isCarried(command, version);
    isMadeAgain(command, version, data);
  }

  private static void isFollowed(CommandLineFixture command, String version, String ranking)
      throws Exception {
    JsonNode lineage = command.resultOf(ExitCode.DONE, "lineage", version);
    assertEquals(DECISIONS, lineage.at("/data/rows").intValue());
    assertEquals(20, lineage.at("/data/madeBy/" + ranking).intValue());
    assertEquals(5, lineage.at("/settings/seed").intValue());
    assertEquals(1.0, lineage.at("/settings/epochs").doubleValue());
    assertTrue(lineage.at("/surface/kept").booleanValue());
    assertEquals(0, lineage.at("/made/decisions").intValue());
    JsonNode teacher = command.resultOf(ExitCode.DONE, "lineage", ranking);
    assertEquals(20, teacher.at("/made/decisions").intValue());
    assertEquals(20, teacher.at("/taught/" + version).intValue());

    String sha256 = lineage.at("/data/files/0/sha256").textValue();
    JsonNode back =
        command.resultOf(ExitCode.DONE, "lineage", "--of-data", sha256.substring(0, 12));
    assertEquals(version, back.at("/uses/0/version").textValue());
    assertEquals(
        ExitCode.DONE,
        command.runOnData("lineage", "--of-data", lineage.at("/data/sha256").textValue()));
    assertEquals(ExitCode.NO, command.runOnData("lineage", "--of-data", "2001-01-01"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("lineage", "--of-experiment", "none"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("lineage"));
  }

  private void isCompared(CommandLineFixture command, String version, String ranking)
      throws Exception {
    Path page = folder.resolve("diff.html");
    JsonNode difference =
        command.resultOf(
            ExitCode.DONE,
            "policies",
            "diff",
            ranking,
            version,
            "--sample",
            "50",
            "--html",
            page.toString());
    assertEquals(50, difference.get("decisions").intValue());
    assertTrue(difference.get("changedSlates").intValue() > 0, difference::toString);
    assertTrue(Files.readString(page).contains("<h2>Positions</h2>"));
  }

  private void isCarried(CommandLineFixture command, String version) throws Exception {
    Path bundle = folder.resolve("shop.bwp");
    JsonNode first =
        command.resultOf(
            ExitCode.DONE, "policies", "export", version, "--bundle", bundle.toString());
    JsonNode again =
        command.resultOf(
            ExitCode.DONE, "policies", "export", version, "--bundle", bundle.toString());
    assertEquals(first.get("sha256"), again.get("sha256"));
    CommandLineFixture elsewhere = new CommandLineFixture(folder.resolve("elsewhere"));
    assertEquals(
        version,
        elsewhere
            .resultOf(ExitCode.DONE, "policies", "import", bundle.toString())
            .get("version")
            .textValue());
    Path graph = folder.resolve("shop.onnx");
    assertEquals(
        ExitCode.DONE,
        command.runOnData("policies", "export", version, "--onnx", graph.toString()));
    assertEquals(
        ExitCode.WRONG_INPUT,
        elsewhere.runOnData("policies", "import", graph.toString()),
        "of which surface?");
    assertEquals(ExitCode.DONE, command.runOnData("policies", "card", version));
    assertTrue(command.output().contains("## Training data"), command.output());
  }

  private static void isMadeAgain(CommandLineFixture command, String version, Path data)
      throws Exception {
    JsonNode equal = command.resultOf(ExitCode.DONE, "reproduce", version);
    assertEquals("equal", equal.get("result").textValue());
    Path archive = data.resolve("archive").toAbsolutePath().normalize();
    Path file = new TransitionArchive(archive).files("shop").get(0);
    byte[] bytes = Files.readAllBytes(file);
    byte[] altered = bytes.clone();
    altered[100] ^= 1;
    Files.write(file, altered);
    JsonNode different = command.resultOf(ExitCode.NO, "reproduce", version);
    assertTrue(
        different.at("/differences/0/what").textValue().startsWith("archive file "),
        different::toString);
    Files.delete(file);
    JsonNode gone = command.resultOf(ExitCode.WRONG_INPUT, "reproduce", version);
    assertEquals("impossible", gone.get("result").textValue());
    assertTrue(command.errors().contains("the data is gone"), command.errors());
  }
}
