package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SurfacesVerbTest {
  private static final Path EXAMPLES = Path.of("../examples/surfaces");

  @TempDir Path folder;
  private CommandLineFixture command;

  @BeforeEach
  void command() {
    command = new CommandLineFixture(folder.resolve("data"));
  }

  @Test
  void theExamplesAreListedWithTheirPromises() throws Exception {
    JsonNode surfaces = command.resultOf(ExitCode.DONE, "surfaces", "list").get("surfaces");
    assertEquals("open-bandit", surfaces.at("/0/name").textValue());
    assertEquals("short-video", surfaces.at("/1/name").textValue());
    assertTrue(command.output().contains("promises "), command.output());
  }

  @Test
  void theDataFoldersSurfaceComesBeforeTheExample() throws Exception {
    Path own = Files.createDirectories(folder.resolve("data/surfaces"));
    String example = Files.readString(EXAMPLES.resolve("open-bandit.yaml"));
    Files.writeString(own.resolve("mine.yaml"), example.replace("max: 100", "max: 90"));
    JsonNode surfaces = command.resultOf(ExitCode.DONE, "surfaces", "list").get("surfaces");
    assertEquals(2, surfaces.size());
    assertEquals(90, surfaces.at("/0/maxCandidates").intValue());
    assertEquals(own.toString(), surfaces.at("/0/folder").textValue());
  }

  @Test
  void everyMistakeInAFileIsNamedWithItsLine() throws Exception {
    Path file = folder.resolve("shop.yaml");
    String example = Files.readString(EXAMPLES.resolve("open-bandit.yaml"));
    Files.writeString(
        file, example.replace("max: 100", "max: many").replace("type: flag", "type: flags"));
    Path json = folder.resolve("out.json");
    int code =
        command.run(
            "surfaces",
            "validate",
            EXAMPLES.resolve("short-video.yaml").toString(),
            file.toString(),
            "--json",
            json.toString());
    assertEquals(ExitCode.NO, code);
    assertTrue(command.output().contains("short-video.yaml: surface short-video"));
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertEquals(false, result.get("valid").booleanValue());
    assertEquals(0, result.at("/files/0/problems").size());
    assertEquals(2, result.at("/files/1/problems").size());
    assertEquals(4, result.at("/files/1/problems/0/line").intValue());
  }

  @Test
  void aFileThatIsNotThereIsWrongInput() {
    assertEquals(ExitCode.WRONG_INPUT, command.run("surfaces", "validate", "none.yaml"));
    assertEquals(ExitCode.WRONG_INPUT, command.run("surfaces", "validate"));
    assertEquals(ExitCode.WRONG_INPUT, command.run("surfaces"));
    assertTrue(command.errors().contains("list, validate or schema"), command.errors());
  }

  @Test
  void theSchemaIsTheOneThatShips() throws Exception {
    assertEquals(ExitCode.DONE, command.run("surfaces", "schema"));
    assertEquals(Files.readString(EXAMPLES.resolve("surface.schema.json")), command.output());
  }
}
