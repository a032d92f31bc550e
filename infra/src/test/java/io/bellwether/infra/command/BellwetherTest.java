package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.infra.local.Installation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BellwetherTest {
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

  /** Its own home, where nothing is built. */
  @TempDir Path home;

  private CommandLine command() {
    Terminal terminal =
        new Terminal(
            new PrintStream(output, true, StandardCharsets.UTF_8),
            new PrintStream(errors, true, StandardCharsets.UTF_8),
            Clock.systemUTC());
    return Bellwether.commandLine(new Installation(home, Path.of("java"), ""), terminal);
  }

  private int run(String... arguments) {
    return command().execute(arguments);
  }

  private String output() {
    return output.toString(StandardCharsets.UTF_8);
  }

  private String errors() {
    return errors.toString(StandardCharsets.UTF_8);
  }

  /** Every verb, and every verb below one. */
  private Stream<CommandLine> verbs() {
    return command().getSubcommands().values().stream()
        .flatMap(verb -> Stream.concat(Stream.of(verb), verb.getSubcommands().values().stream()));
  }

  @TestFactory
  Stream<DynamicTest> theHelpOfEveryVerbShowsAnExampleOfIt() {
    return verbs()
        .map(
            verb ->
                dynamicTest(
                    verb.getCommandSpec().qualifiedName(),
                    () -> {
                      String name = verb.getCommandSpec().qualifiedName();
                      String help = verb.getUsageMessage();
                      int examples = help.indexOf("Examples:");
                      assertTrue(examples > 0, help);
                      assertTrue(help.indexOf(name, examples) > 0, help);
                      String[] words = (name + " --help").split(" ", -1);
                      assertEquals(ExitCode.DONE, run(Arrays.copyOfRange(words, 1, words.length)));
                    }));
  }

  @TestFactory
  Stream<DynamicTest> noLineOfAHelpIsLongerThanATerminal() {
    return Stream.concat(Stream.of(command()), verbs())
        .map(
            verb ->
                dynamicTest(
                    verb.getCommandSpec().qualifiedName(),
                    () ->
                        verb.getUsageMessage()
                            .lines()
                            .forEach(line -> assertTrue(line.length() <= 80, line))));
  }

  @Test
  void theHelpExplainsTheExitCodes() {
    assertEquals(ExitCode.DONE, run("--help"));
    assertTrue(output().contains("3   something outside is down"), output());
  }

  @Test
  void aMissingVerbIsWrongUsage() {
    assertEquals(ExitCode.WRONG_INPUT, run());
    assertTrue(errors().startsWith("bellwether: Say what to do"), errors());
  }

  @Test
  void anUnknownVerbIsWrongUsageAndASimilarOneIsNamed() {
    assertEquals(ExitCode.WRONG_INPUT, run("doctr"));
    assertTrue(errors().contains("Did you mean"), errors());
    assertTrue(errors().contains("doctor"), errors());
  }

  @Test
  void anUnknownOptionIsWrongUsageAndTheHelpIsNamed() {
    assertEquals(ExitCode.WRONG_INPUT, run("up", "--prt", "1"));
    assertTrue(errors().contains("`./bellwether up --help`"), errors());
  }

  @Test
  void anOptionOfTheWrongTypeIsWrongUsage() {
    assertEquals(ExitCode.WRONG_INPUT, run("up", "--port", "http"));
    assertEquals(ExitCode.WRONG_INPUT, run("up", "--port", "65536"));
  }

  @Test
  void aFolderOfSurfacesThatIsNotThereIsWrongInput() {
    assertEquals(ExitCode.WRONG_INPUT, run("up", "--surfaces", home.resolve("none").toString()));
  }

  @Test
  void startingWithoutServingBuiltSaysWhatToDoAndShowsNoStackTrace() {
    int code = run("up", "--data", home.resolve("data").toString(), "--surfaces", home.toString());
    assertEquals(ExitCode.UNAVAILABLE, code);
    assertTrue(errors().startsWith("bellwether up: Serving is not built"), errors());
    assertEquals(2, errors().lines().count(), errors());
  }

  @Test
  void stoppingWhatDoesNotRunIsNoError() {
    assertEquals(ExitCode.DONE, run("down", "--data", home.resolve("data").toString()));
    assertTrue(output().startsWith("Nothing runs on"), output());
    assertFalse(Files.exists(home.resolve("data")));
  }

  @Test
  void theDoctorSaysNoWhenSomethingMustBeChanged() throws Exception {
    Path json = home.resolve("out.json");
    int code = run("doctor", "--data", home.resolve("data").toString(), "--json", json.toString());
    assertEquals(ExitCode.NO, code);
    var result = new ObjectMapper().readTree(json.toFile());
    assertFalse(result.get("healthy").asBoolean());
    assertTrue(output().contains("NO       serving"), output());
    assertTrue(output().contains("ok       onnx runtime"), output());
  }

  @Test
  void aJsonFileThatCannotBeWrittenIsReported() {
    assertEquals(
        ExitCode.UNAVAILABLE, run("version", "--json", home.resolve("no/out.json").toString()));
    assertTrue(errors().contains("could not be written"), errors());
  }

  @Test
  void versionsOfWhatDecidesAboutResultsAreShown() throws Exception {
    Path json = home.resolve("versions.json");
    assertEquals(ExitCode.DONE, run("version", "--json", json.toString()));
    var versions = new ObjectMapper().readTree(json.toFile());
    assertTrue(versions.has("bellwether") && versions.has("java") && versions.has("onnxruntime"));
    assertTrue(output().contains(versions.get("kafka").asText()), output());
  }
}
