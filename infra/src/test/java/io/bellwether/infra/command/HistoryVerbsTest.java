package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryVerbsTest {

  @TempDir Path folder;
  private Path data = Path.of("");
  private CommandLineFixture command = new CommandLineFixture(data);

  @BeforeEach
  void log() throws Exception {
    data = folder.resolve("data");
    command = new CommandLineFixture(data);
    ShopLog log = new ShopLog(data);
    log.write(log.transitions(40));
  }

  @Test
  void aSurfaceWithoutHistoriesIsRefused() {
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("history", "check", "--surface", "shop"));
    assertTrue(command.errors().contains("keeps no histories"), command.errors());
  }

  @Test
  void decisionsOfAnotherLayoutAreCountedAndNotCompared() throws Exception {
    Path file = data.resolve("surfaces/shop.yaml");
    Files.writeString(
        file, Files.readString(file).replace("signals: [], last: 0", "signals: [click], last: 3"));

    JsonNode found =
        command.resultOf(ExitCode.DONE, "history", "check", "--surface", "shop").get("agreement");

    assertEquals(40, found.get("decisions").intValue());
    assertEquals(40, found.get("unreadable").intValue());
  }

  @Test
  void wrongUseIsSaid() {
    assertEquals(ExitCode.WRONG_INPUT, command.run("history"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("history", "check"));
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData("history", "rebuild", "--surface", "shop", "--rate", "0"));
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData("history", "check", "--surface", "shop", "--at-most", "2"));
  }
}
