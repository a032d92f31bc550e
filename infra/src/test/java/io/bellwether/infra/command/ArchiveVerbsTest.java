package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.archive.Declarations;
import io.bellwether.ingestion.archive.TransitionArchive;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveVerbsTest {

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
  void compactionIsSeenInTheStatusAndVerified() throws Exception {
    JsonNode before = command.resultOf(ExitCode.DONE, "archive", "status").at("/days/0");
    assertEquals(1, before.get("unlisted").intValue());

    JsonNode compacted = command.resultOf(ExitCode.DONE, "archive", "compact").at("/days/0");
    assertEquals(before.get("rows").longValue(), compacted.get("rows").longValue());

    JsonNode after = command.resultOf(ExitCode.DONE, "archive", "status").at("/days/0");
    assertEquals(true, after.get("compacted").booleanValue());
    assertEquals(1, after.get("replaced").intValue());
    assertEquals(
        true, command.resultOf(ExitCode.DONE, "archive", "verify").get("whole").booleanValue());
    assertEquals(ExitCode.DONE, command.runOnData("archive", "compact"));
    assertTrue(command.output().contains("Everything is compacted."), command.output());
  }

  @Test
  void anAlteredByteIsNamed() throws Exception {
    assertEquals(ExitCode.DONE, command.runOnData("archive", "verify", "--record"));
    Path file = new TransitionArchive(data.resolve("archive")).files("shop").get(0);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);

    JsonNode found = command.resultOf(ExitCode.NO, "archive", "verify");
    assertEquals(file.toString(), found.at("/problems/0/file").textValue());
    assertTrue(found.at("/problems/0/what").textValue().startsWith("was altered"));
  }

  @Test
  void oldDaysAreToldBeforeTheyGo() throws Exception {
    JsonNode told =
        command.resultOf(ExitCode.DONE, "archive", "expire", "--older-than", "1d", "--dry-run");
    assertTrue(told.get("days").size() > 0);
    assertEquals(ExitCode.DONE, command.runOnData("archive", "expire", "--older-than", "1d"));
    assertEquals(0, new TransitionArchive(data.resolve("archive")).files("shop").size());
  }

  @Test
  void wrongUseIsSaid() {
    assertEquals(
        ExitCode.WRONG_INPUT, command.runOnData("archive", "expire", "--older-than", "soon"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("archive", "expire"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("archive", "status", "--surface", "no"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("archive", "status", "--log", "none"));
    assertEquals(ExitCode.WRONG_INPUT, command.run("archive"));
  }

  @Test
  void aChangeThatTheLogCannotFollowIsRefused() throws Exception {
    Path surfaces = data.resolve("surfaces");
    Path file;
    try (var files = Files.list(surfaces)) {
      file = files.findFirst().orElseThrow();
    }
    new Declarations(data.resolve("archive")).keepFolder(surfaces);
    Path changed = folder.resolve("changed.yaml");
    Files.writeString(changed, Files.readString(file).replace("name: mood", "name: weather"));
    String archive = data.resolve("archive").toString();
    assertEquals(
        ExitCode.DONE,
        command.run("surfaces", "validate", changed.toString(), "--against", archive));
    assertTrue(command.output().contains("context.mood: is dropped"), command.output());

    Files.writeString(
        changed,
        Files.readString(file).replace("name: mood, type: number", "name: mood, type: category"));
    for (String against : new String[] {archive, file.toString()}) {
      assertEquals(
          ExitCode.NO,
          command.run("surfaces", "validate", changed.toString(), "--against", against));
      assertTrue(command.output().contains("NO  context.mood: was a number"), command.output());
    }
  }
}
