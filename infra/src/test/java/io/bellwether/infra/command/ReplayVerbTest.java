package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.event.Transition;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayVerbTest {
  @TempDir Path folder;
  private CommandLineFixture command;
  private ShopLog shop;

  @BeforeEach
  void command() throws Exception {
    command = new CommandLineFixture(folder.resolve("data"));
    shop = new ShopLog(folder.resolve("data"));
  }

  @Test
  void decisionsThatComeOutAsLoggedAreDone() throws Exception {
    List<Transition> transitions = shop.transitions(20);
    transitions.get(0).getDecision().setSurface("feed");
    shop.write(transitions);
    JsonNode all = command.resultOf(ExitCode.DONE, "replay");
    assertEquals(20, all.get("checked").intValue());
    assertEquals(20, all.get("equal").intValue());
    JsonNode some = command.resultOf(ExitCode.DONE, "replay", "--surface", "shop");
    assertEquals(19, some.get("checked").intValue());
  }

  @Test
  void aDecisionThatDiffersIsNamedAndTheAnswerIsNo() throws Exception {
    List<Transition> transitions = shop.transitions(20);
    transitions.get(7).getDecision().getSlate().get(0).setPropensity(0.25);
    shop.write(transitions);
    JsonNode result = command.resultOf(ExitCode.NO, "replay");
    assertEquals(19, result.get("equal").intValue());
    assertTrue(result.at("/differences/0").textValue().startsWith("decision-7: position 0"));
    assertTrue(command.output().contains("DIFFERS   decision-7"), command.output());
  }
}
