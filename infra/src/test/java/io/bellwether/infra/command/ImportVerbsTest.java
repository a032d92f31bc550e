package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportVerbsTest {
  private static final Path EXAMPLE = Path.of("../examples/imports");

  @TempDir Path folder;
  private CommandLineFixture command;

  @BeforeEach
  void command() {
    command = new CommandLineFixture(folder.resolve("data"));
  }

  @Test
  void aDryRunSaysWhatWouldBeRejectedAndWritesNothing() throws Exception {
    Path log = folder.resolve("clicks.csv");
    List<String> lines = Files.readAllLines(EXAMPLE.resolve("shop/clicks.csv"));
    Files.write(
        log,
        List.of(
            lines.get(0),
            lines.get(1),
            lines.get(2).replace("0.25", "-0.25"),
            lines.get(1).replace("tea cup", "tea cap")));
    JsonNode result = csv(log, "--dry-run");
    assertEquals(1, result.get("decisions").intValue());
    assertEquals(2, result.get("rejected").intValue());
    assertEquals(1, result.at("/propensities/notPositive").intValue());
    assertTrue(command.output().contains("clicks.csv line 3: propensity is -0.25"));
    assertTrue(command.output().contains("'cap', which is not in the file of items"));
    assertFalse(Files.exists(folder.resolve("data/imports")));
  }

  @Test
  void whatIsImportedCanBeExportedAndImportedAgain() throws Exception {
    JsonNode first = csv(EXAMPLE.resolve("shop/clicks.csv"));
    assertEquals(3, first.get("decisions").intValue());
    Path archive = Path.of(first.get("folder").textValue());
    Path retyped = folder.resolve("shop.yaml");
    Files.writeString(
        retyped,
        Files.readString(EXAMPLE.resolve("shop.yaml"))
            .replaceFirst("name: price, type: number[^}]*", "name: price, type: category "));
    assertEquals(
        ExitCode.NO,
        command.run("surfaces", "validate", retyped.toString(), "--against", archive.toString()));
    Path exported = folder.resolve("out.jsonl.gz");
    JsonNode export =
        command.resultOf(
            ExitCode.DONE,
            "export",
            "jsonl",
            exported.toString(),
            "--surface",
            "shop",
            "--surfaces",
            EXAMPLE.toString(),
            "--log",
            archive.toString());
    assertEquals(3, export.get("decisions").intValue());
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.run(
            "export",
            "parquet",
            folder.resolve("nowhere/out.parquet").toString(),
            "--surface",
            "shop",
            "--surfaces",
            EXAMPLE.toString(),
            "--log",
            archive.toString()));
    assertTrue(command.errors().contains("There is no folder"), command.errors());
    JsonNode again =
        command.resultOf(
            ExitCode.DONE,
            "import",
            "jsonl",
            exported.toString(),
            "--mapping",
            export.get("mapping").textValue(),
            "--surface",
            "shop",
            "--surfaces",
            EXAMPLE.toString());
    assertEquals(first.get("signals"), again.get("signals"));
    assertEquals(first.get("propensities"), again.get("propensities"));
  }

  @Test
  void mistakesAreWrongInputAndNameTheirLine() throws Exception {
    Path mapping = Files.writeString(folder.resolve("m.yaml"), "time: { column: at, unit: weeks }");
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.run(
            "import",
            "csv",
            EXAMPLE.resolve("shop/clicks.csv").toString(),
            "--mapping",
            mapping.toString(),
            "--surface",
            "shop",
            "--surfaces",
            EXAMPLE.toString()));
    assertTrue(command.errors().contains("line 1: time.unit: found 'weeks'"), command.errors());
    assertEquals(ExitCode.WRONG_INPUT, command.run("import"));
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.run("import", "vw-text", "x.vw", "--surface", "shop", "--first", "yesterday"));
    assertTrue(command.errors().contains("'yesterday' is no time"), command.errors());
    assertEquals(ExitCode.WRONG_INPUT, command.run("export"));
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.run("export", "jsonl", folder + "/x", "--surface", "short-video"));
    assertTrue(command.errors().contains("There is no decision of surface short-video"));
  }

  private JsonNode csv(Path log, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "import",
                "csv",
                log.toString(),
                "--mapping",
                EXAMPLE.resolve("shop/mapping.yaml").toString(),
                "--surface",
                "shop",
                "--surfaces",
                EXAMPLE.toString()));
    arguments.addAll(List.of(more));
    return command.resultOf(ExitCode.DONE, arguments.toArray(String[]::new));
  }
}
