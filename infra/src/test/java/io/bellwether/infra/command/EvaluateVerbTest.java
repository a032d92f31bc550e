package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.VersionId;
import io.bellwether.policy.version.VersionState;
import io.bellwether.trainer.job.Baseline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluateVerbTest {
  private static final int DECISIONS = 2000;

  @TempDir Path folder;
  private CommandLineFixture command;
  private ShopLog shop;

  @BeforeEach
  void logDecisions() throws Exception {
    command = new CommandLineFixture(folder.resolve("data"));
    shop = new ShopLog(folder.resolve("data"));
    shop.write(shop.transitions(DECISIONS));
  }

  @Test
  void aVersionThatPassesBecomesTheChallenger() throws Exception {
    VersionId version = publish(2);
    JsonNode report = command.resultOf(ExitCode.DONE, evaluate(version.value()));
    assertEquals("pass", report.get("verdict").textValue());
    assertEquals("logging policy", report.at("/meta/baseline").textValue());
    assertEquals(Optional.of(version), command.store().alias("shop", Alias.CHALLENGER));
    assertEquals(4, command.store().evidence(version).size());
    assertTrue(command.errors().contains(version + " is the challenger of shop"));
    assertEquals(ExitCode.DONE, command.runOnData("promote", version.value(), "--why", "passed"));

    // by its alias now: the champion is no challenger, and judging it again does not make it one
    assertEquals(
        ExitCode.DONE,
        command.runOnData(evaluate("champion", "--surface", "shop")),
        command.errors());
    assertEquals(VersionState.CHAMPION, command.store().state(version));
    assertEquals(Optional.empty(), command.store().alias("shop", Alias.CHALLENGER));
  }

  @Test
  void aVersionThatIsWorseFails() throws Exception {
    VersionId version = publish(-2);
    JsonNode report = command.resultOf(ExitCode.NO, evaluate(version.value()));
    assertEquals("fail", report.get("verdict").textValue());
    assertEquals(Optional.empty(), command.store().alias("shop", Alias.CHALLENGER));
  }

  @Test
  void onlyAComparisonWithTheChampionGivesAVerdict() throws Exception {
    VersionId good = publish(2);
    VersionId bad = publish(-2);
    JsonNode report =
        command.resultOf(ExitCode.DONE, evaluate(good.value(), "--against", bad.value()));
    assertEquals(bad.value(), report.at("/meta/baseline").textValue());
    assertEquals(Optional.empty(), command.store().verdict(good));
    assertEquals(2, command.store().evidence(good).size());
    assertEquals(
        ExitCode.WRONG_INPUT, command.runOnData(evaluate(good.value(), "--against", good.value())));
    assertTrue(command.errors().contains("names the policy itself"), command.errors());
  }

  @Test
  void whatCannotBeMeantIsRefusedBeforeAnythingIsRead() throws Exception {
    VersionId version = publish(2);
    assertEquals(
        ExitCode.WRONG_INPUT, command.runOnData(evaluate(version.value(), "--signals", "clik")));
    assertTrue(command.errors().contains("there is no signal 'clik'"), command.errors());
    assertTrue(command.errors().contains("There are click"), command.errors());
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData("evaluate", "--compare", version.value(), "--validate"));
    assertTrue(command.errors().contains("--compare keeps a report"), command.errors());
    Path table = folder.resolve("chances.csv");
    Files.writeString(table, "item_id,pos1\na,0.5\nb,often\n");
    assertEquals(
        ExitCode.WRONG_INPUT, command.runOnData(evaluate(table.toString(), "--surface", "shop")));
    assertTrue(command.errors().contains("line 3: found 'often'"), command.errors());
    assertEquals(0, command.store().evidence(version).size());
  }

  @Test
  void whatAnEvaluationHasFinishedIsFoundAgain() throws Exception {
    VersionId version = publish(2);
    command.resultOf(ExitCode.DONE, evaluate(version.value(), "--against", "logging"));
    JsonNode again =
        command.resultOf(
            ExitCode.DONE, evaluate(version.value(), "--against", "logging", "--alpha", "0.1"));
    assertTrue(command.errors().contains("the decisions were scored before"), command.errors());
    assertEquals(0.1, again.at("/meta/alpha").doubleValue());
  }

  private static String[] evaluate(String policy, String... more) {
    String[] fixed = {"evaluate", "--model-steps", "0", "--policy", policy};
    String[] all = Arrays.copyOf(fixed, fixed.length + more.length);
    System.arraycopy(more, 0, all, fixed.length, more.length);
    return all;
  }

  /** A ranking by length as a version; the data folder's surface is the latest one's. */
  private VersionId publish(int weight) throws Exception {
    return new Baseline(Clock.systemUTC(), "test")
        .publish(shop.declare(weight), command.store())
        .id();
  }
}
