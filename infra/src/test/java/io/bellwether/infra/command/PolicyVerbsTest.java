package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.VersionId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs policies, promote and rollback on a real store. */
class PolicyVerbsTest {
  private static final String NAME = "short-video";

  @TempDir Path folder;
  private CommandLineFixture command;

  @BeforeEach
  void command() {
    command = new CommandLineFixture(folder.resolve("data"));
  }

  @Test
  void anEmptyStoreHasNoVersion() throws Exception {
    JsonNode result = command.resultOf(ExitCode.DONE, "policies");
    assertEquals(0, result.get("policies").size());
    assertTrue(command.output().startsWith("No version yet in"), command.output());
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("policies", NAME));
    assertTrue(command.errors().contains("Train one first."), command.errors());
  }

  @Test
  void versionsAreListedWithTheirState() throws Exception {
    VersionId first = command.publishRanking(1);
    VersionId second = command.publishRanking(2);
    judge(second, "pass");
    JsonNode versions =
        command.resultOf(ExitCode.DONE, "policies", NAME).at("/policies/0/versions");
    assertEquals(first.value(), versions.at("/0/id").textValue());
    assertEquals("candidate", versions.at("/0/state").textValue());
    assertTrue(versions.at("/0/verdict").isNull());
    assertEquals(2, versions.at("/1/sequence").intValue());
    assertEquals("gated", versions.at("/1/state").textValue());
    assertEquals("pass", versions.at("/1/verdict").textValue());
    assertEquals("declared-ranking", versions.at("/1/algorithm").textValue());
    assertTrue(command.output().contains(second + "  declared-ranking"), command.output());
  }

  @Test
  void aVersionWithoutAPassIsRefusedUntilAReasonIsGiven() throws Exception {
    VersionId version = command.publishRanking(1);
    assertEquals(ExitCode.NO, command.runOnData("promote", version.value(), "--why", "first"));
    assertTrue(command.errors().contains("--override"), command.errors());
    assertEquals(2, command.errors().lines().count(), command.errors());
    assertEquals(Optional.empty(), command.store().alias(NAME, Alias.CHAMPION));

    JsonNode move =
        command.resultOf(
            ExitCode.DONE,
            "promote",
            version.value(),
            "--why",
            "first",
            "--override",
            "no log yet",
            "--who",
            "ann");
    assertEquals(version.value(), move.get("to").textValue());
    assertEquals("ann", move.get("who").textValue());
    assertEquals(Optional.of(version), command.store().alias(NAME, Alias.CHAMPION));

    JsonNode shown = command.resultOf(ExitCode.DONE, "policies", "show", version.value());
    assertEquals("champion", shown.get("state").textValue());
    assertEquals("override", shown.at("/evidence/0/kind").textValue());
    assertEquals(NAME, shown.at("/manifest/name").textValue());
    assertTrue(command.output().contains("by ann: no log yet"), command.output());
  }

  @Test
  void promotingRemindsOfWhatOnlyPeopleCanSay() throws Exception {
    VersionId version = command.publishRanking(1);
    judge(version, "pass");
    assertEquals(ExitCode.DONE, command.runOnData("promote", version.value(), "--why", "passed"));
    assertTrue(command.errors().contains("still says TODO in 10 fields"), command.errors());
  }

  @Test
  void aBlankReasonIsWrongUsage() throws Exception {
    VersionId version = command.publishRanking(1);
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("promote", version.value()));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("promote", version.value(), "--why", " "));
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData("promote", version.value(), "--why", "x", "--override", ""));
  }

  @Test
  void promotingTheChampionAgainMovesNothing() throws Exception {
    VersionId version = command.publishRanking(1);
    judge(version, "pass");
    assertEquals(ExitCode.DONE, command.runOnData("promote", version.value(), "--why", "passed"));
    assertEquals(NAME + " champion 1: none -> " + version, command.output().strip());
    assertEquals(ExitCode.DONE, command.runOnData("promote", version.value(), "--why", "again"));
    assertTrue(command.output().contains("is " + version + " already"), command.output());
    assertEquals(1, command.store().history(NAME, Alias.CHAMPION).size());
  }

  @Test
  void aRollbackGoesBackAsFarAsThereAreMoves() throws Exception {
    VersionId first = command.publishRanking(1);
    VersionId second = command.publishRanking(2);
    for (VersionId version : new VersionId[] {first, second}) {
      judge(version, "pass");
      command.resultOf(ExitCode.DONE, "promote", version.value(), "--why", "passed");
    }
    JsonNode move = command.resultOf(ExitCode.DONE, "rollback", NAME, "--why", "complaints");
    assertEquals(first.value(), move.get("to").textValue());
    assertEquals(ExitCode.DONE, command.runOnData("rollback", NAME, "--why", "more"));
    assertEquals(Optional.empty(), command.store().alias(NAME, Alias.CHAMPION));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("rollback", NAME, "--why", "too much"));
    assertTrue(command.errors().contains("is left to take back"), command.errors());

    JsonNode history = command.resultOf(ExitCode.DONE, "policies", "history", NAME);
    assertEquals(4, history.get("moves").size());
    assertTrue(history.at("/moves/2/rollback").booleanValue());
    assertTrue(command.output().contains("taken back"), command.output());
  }

  @Test
  void aVersionThatFailedItsGateNeedsAReasonToo() throws Exception {
    VersionId version = command.publishRanking(1);
    judge(version, "pass");
    judge(version, "fail");
    assertEquals(ExitCode.NO, command.runOnData("promote", version.value(), "--why", "passed"));
    assertTrue(command.errors().contains("its verdict is fail"), command.errors());
  }

  @Test
  void whatDoesNotExistIsWrongInput() throws Exception {
    command.publishRanking(1);
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("promote", "v000000000000", "--why", "x"));
    assertTrue(command.errors().contains("was never published"), command.errors());
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("promote", "latest", "--why", "x"));
    assertTrue(command.errors().contains("'latest' is not a version"), command.errors());
    assertEquals(
        ExitCode.WRONG_INPUT, command.runOnData("rollback", NAME, "--alias", "best", "--why", "x"));
    assertTrue(command.errors().contains("expected champion, challenger"), command.errors());
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("rollback", "feed", "--why", "x"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("policies", "history", "feed"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("policies", "show", "v000000000000"));
  }

  @Test
  void aDamagedVersionIsReportedWithoutAStackTrace() throws Exception {
    VersionId version = command.publishRanking(1);
    String sha256 = command.store().version(version).manifest().sha256();
    Path manifest =
        folder.resolve("data/store/objects").resolve(sha256.substring(0, 2)).resolve(sha256);
    Files.delete(manifest);
    Files.writeString(manifest, "{}");
    assertEquals(ExitCode.UNAVAILABLE, command.runOnData("policies", "show", version.value()));
    assertEquals(2, command.errors().lines().count(), command.errors());
  }

  private void judge(VersionId version, String verdict) {
    byte[] json = ("{\"verdict\":\"" + verdict + "\"}").getBytes(StandardCharsets.UTF_8);
    command.store().attach(version, EvidenceKind.VERDICT, json, "test");
  }
}
