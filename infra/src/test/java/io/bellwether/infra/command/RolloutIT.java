package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.infra.demo.RolloutSystem;
import io.bellwether.infra.local.Installation;
import io.bellwether.loadtest.experiment.BenchmarkExtent;
import io.bellwether.loadtest.experiment.ExperimentBenchmark;
import io.bellwether.loadtest.experiment.ExperimentResult;
import io.bellwether.loadtest.experiment.LiveResult;
import io.bellwether.loadtest.experiment.PlantedOutcome;
import io.bellwether.loadtest.experiment.SystemUnderTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole system with simulated people, in which a better policy reaches everybody and four bad
 * ones take themselves back, without a hand; then a hand, by the command.
 */
class RolloutIT {
  /** Few people: on a busy machine many would keep the streams from the numbers. */
  private static final BenchmarkExtent EXTENT =
      new BenchmarkExtent(20, 10, 1, new BenchmarkExtent.Live(6, Duration.ofMinutes(10)));

  @TempDir private Path folder;

  @Test
  void aBetterPolicyReachesEverybodyAndWorseOnesTakeThemselvesBack() throws Exception {
    Installation installation =
        new Installation(
            Path.of("..").toRealPath(),
            Path.of(System.getProperty("java.home"), "bin", "java"),
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    assumeTrue(
        Files.exists(installation.servingJar()), "Serving is not built: run mvn package first.");
    RolloutSystem systems = new RolloutSystem(installation, folder, Clock.systemUTC(), line -> {});

    ExperimentResult result =
        new ExperimentBenchmark(EXTENT, 1)
            .run(
                (round, use) -> systems.with(round, system -> useAndCommand(system, use)),
                Clock.systemUTC(),
                System.out::println);

    LiveResult live = result.live().get(0);
    assertAll(
        live.outcomes().stream().map(each -> () -> assertTrue(each.isRight(), each.toString())));
    assertAll(
        live.outcomes().stream().map(each -> () -> assertEquals(0, each.after(), each.toString())));
    PlantedOutcome better = live.outcomes().get(0);
    assertEquals(List.of(100, 1_000, 5_000, 10_000), better.shares());
    assertTrue(live.ages() > 0, "nobody saw numbers while the better policy was rolled out");
  }

  private LiveResult useAndCommand(SystemUnderTest system, SystemUnderTest.Use use)
      throws Exception {
    LiveResult result = use.apply(system);
    commandsWork(system);
    return result;
  }

  private void commandsWork(SystemUnderTest system) throws Exception {
    CommandLineFixture command = new CommandLineFixture(folder);
    String url = system.url().toString();
    JsonNode all = command.resultOf(ExitCode.DONE, "experiments", "--url", url);
    assertEquals(5, all.path("items").size());
    assertEquals(ExitCode.DONE, command.run("experiments", "results", "better-r1", "--url", url));
    assertTrue(command.output().contains("treatment"), command.output());
    assertEquals(ExitCode.DONE, command.run("experiments", "power", "worse-r1", "--url", url));
    assertTrue(command.output().contains("units per variant"), command.output());
    assertEquals(ExitCode.DONE, command.run("experiments", "show", "worse-r1", "--url", url));
    assertTrue(command.output().contains("ROLLBACK"), command.output());
    assertEquals(
        ExitCode.NO,
        command.run("experiments", "stop", "worse-r1", "--why", "again", "--url", url));
    assertTrue(command.errors().contains("ROLLED_BACK"), command.errors());

    Path declaration = folder.resolve("flag.yaml");
    Files.writeString(
        declaration,
        """
        name: greeting
        surface: short-video
        layer: words
        variants:
          - { name: plain, weight: 5000, payload: Hello }
          - { name: warm, weight: 5000, payload: Good to see you }
        """);
    assertEquals(
        ExitCode.DONE,
        command.run("experiments", "validate", declaration.toString(), "--url", url),
        command.errors());
    assertEquals(
        ExitCode.DONE,
        command.run("experiments", "create", declaration.toString(), "--start", "--url", url),
        command.errors());
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.run("experiments", "create", declaration.toString(), "--url", url));
    assertTrue(command.errors().contains("greeting"), command.errors());
    assertEquals(
        ExitCode.DONE, command.run("experiments", "assign", "greeting", "u1", "u2", "--url", url));
    assertTrue(
        command.output().lines().allMatch(line -> line.matches("u[12] +(plain|warm)")),
        command.output());
    JsonNode stopped =
        command.resultOf(
            ExitCode.DONE,
            "experiments",
            "stop-all",
            "short-video",
            "--why",
            "enough",
            "--url",
            url);
    // On a slow machine a rollout that has reached everybody still runs, and is stopped as well.
    assertTrue(
        stopped.path("items").findValuesAsText("name").contains("greeting"), stopped.toString());
  }
}
