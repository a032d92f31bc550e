package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.bellwether.policy.version.VersionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What import, train, evaluate and replay refuse, and what they say then. */
class TrainingVerbsTest {
  @TempDir Path folder;
  private CommandLineFixture command;

  @BeforeEach
  void command() {
    command = new CommandLineFixture(folder.resolve("data"));
  }

  private static Stream<Arguments> wrongInput() {
    return Stream.of(
        arguments("There is no surface shop", "train --surface shop"),
        arguments("There is no transition of surface short-video", "train --surface short-video"),
        arguments("no way to train", "train --surface short-video --algorithm magic"),
        arguments("no form of history", "train --surface short-video --history median"),
        arguments("--held-out 1.0 is no share", "train --surface short-video --held-out 1"),
        arguments("numbers of things", "train --surface short-video --epochs 0"),
        arguments("both given", "train --surface short-video --log x --kafka localhost:1"),
        arguments("'localhost' is no address", "train --surface short-video --kafka localhost"),
        arguments("There is no folder", "train --surface short-video --surfaces none"),
        arguments("Missing required option: '--surface", "train"),
        arguments("alone does not say", "evaluate --policy champion"),
        arguments("There is no champion", "evaluate --policy champion --surface short-video"),
        arguments("'best' is not a version", "evaluate --policy best"),
        arguments("was never published", "evaluate --policy v000000000000"),
        arguments("There is no file", "evaluate --policy none.csv --surface open-bandit"),
        arguments("--alpha 0.7 is out", "evaluate --policy champion --alpha 0.7"),
        arguments("--model-steps -1", "evaluate --policy champion --model-steps -1"),
        arguments("--min-lift NaN is no share", "evaluate --policy x --min-lift NaN"),
        arguments("--largest-weight 0.0 is out", "evaluate --policy x --largest-weight 0"),
        arguments("--repeated 5 is too few", "evaluate --policy champion --repeated 5"),
        arguments("There is no transition in", "replay"),
        arguments("There is no transition of surface x", "replay --surface x"),
        arguments("holds no log of the Open Bandit Dataset", "import open-bandit ."),
        arguments("Say what to import", "import"));
  }

  @ParameterizedTest
  @MethodSource("wrongInput")
  void wrongInputIsOneLineAndWhatToDo(String reason, String line) {
    String[] arguments = line.split(" ", -1);
    int code = line.equals("import") ? command.run(arguments) : command.runOnData(arguments);
    assertEquals(ExitCode.WRONG_INPUT, code, command.errors());
    assertTrue(command.errors().contains(reason), command.errors());
    assertEquals(2, command.errors().lines().count(), command.errors());
  }

  @Test
  void aKafkaThatIsAwayIsReportedAtOnce() {
    assertEquals(ExitCode.UNAVAILABLE, command.runOnData("replay", "--kafka", "127.0.0.1:1"));
    assertTrue(command.errors().contains("No Kafka answers at 127.0.0.1:1"), command.errors());
    assertEquals(2, command.errors().lines().count(), command.errors());
  }

  @Test
  void aVersionForOtherFeaturesIsNotEvaluated() throws Exception {
    VersionId version = command.publishRanking(1);
    Path own = Files.createDirectories(folder.resolve("data/surfaces"));
    String openBandit = Files.readString(Path.of("../examples/surfaces/open-bandit.yaml"));
    Files.writeString(
        own.resolve("short-video.yaml"),
        openBandit.replace("surface: open-bandit", "surface: short-video"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("evaluate", "--policy", version.value()));
    assertTrue(command.errors().contains("made for other features"), command.errors());
  }

  @Test
  void aVersionKnowsItsSurface() throws Exception {
    VersionId version = command.publishRanking(1);
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData("evaluate", "--policy", version.value(), "--surface", "open-bandit"));
    assertTrue(command.errors().contains("not of open-bandit"), command.errors());
  }

  @Test
  void aTableThatIsNoneIsWrongInput() throws Exception {
    Path table = Files.writeString(folder.resolve("table.csv"), "item,chance\n1,1\n");
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData("evaluate", "--policy", table.toString(), "--surface", "open-bandit"));
    assertTrue(command.errors().contains("expected item_id,pos1"), command.errors());
  }

  @Test
  void aTableInAnotherEncodingIsWrongInput() throws Exception {
    Path table =
        Files.write(folder.resolve("table.csv"), "item_id,pos1\ncafé,1\n".getBytes(ISO_8859_1));
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData("evaluate", "--policy", table.toString(), "--surface", "open-bandit"));
    assertTrue(command.errors().contains("not written in UTF-8"), command.errors());
  }
}
