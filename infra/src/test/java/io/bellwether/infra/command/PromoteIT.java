package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.infra.local.LocalSystem;
import io.bellwether.infra.local.RunningSystem;
import io.bellwether.infra.platform.EmbeddedRedis;
import io.bellwether.infra.platform.KeptPorts;
import io.bellwether.infra.process.FolderLock;
import io.bellwether.policy.redis.RedisAliasIndex;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.VersionId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moves are told to the system that runs on the data folder, through a real Redis. */
class PromoteIT {
  private static final String NAME = "short-video";

  @TempDir Path folder;
  private Path data;
  private CommandLineFixture command;

  @BeforeEach
  void command() {
    data = folder.resolve("data");
    command = new CommandLineFixture(data);
  }

  @Test
  void aRunningSystemHearsOfEachMove() throws Exception {
    VersionId version = command.publishRanking(1);
    try (EmbeddedRedis redis = redis();
        FolderLock running = FolderLock.take(data, LocalSystem.LOCK, Duration.ZERO).orElseThrow();
        RedisAliasIndex index = new RedisAliasIndex(redis.uri(), Duration.ofSeconds(2))) {
      say(redis.uri());
      assertEquals(ExitCode.DONE, promote(version), command.errors());
      assertTrue(command.errors().contains("Told serving"), command.errors());
      assertEquals(
          Optional.of(version), index.latestMove(NAME, Alias.CHAMPION).orElseThrow().version());
      assertEquals(ExitCode.DONE, command.runOnData("rollback", NAME, "--why", "a test"));
      assertEquals(
          Optional.empty(), index.latestMove(NAME, Alias.CHAMPION).orElseThrow().version());
    }
  }

  @Test
  void withoutRedisTheMoveStandsAndTheUserIsTold() throws Exception {
    VersionId version = command.publishRanking(1);
    String gone;
    try (EmbeddedRedis redis = redis()) {
      gone = redis.uri();
    }
    try (FolderLock running =
        FolderLock.take(data, LocalSystem.LOCK, Duration.ZERO).orElseThrow()) {
      say(gone);
      assertEquals(ExitCode.DONE, promote(version), command.errors());
      assertTrue(command.errors().contains("Redis does not answer"), command.errors());
    }
    assertEquals(Optional.of(version), command.store().alias(NAME, Alias.CHAMPION));
  }

  @Test
  void aSystemThatWasKilledIsNotAsked() throws Exception {
    VersionId version = command.publishRanking(1);
    say("redis://127.0.0.1:1");
    assertEquals(ExitCode.DONE, promote(version), command.errors());
    assertFalse(command.errors().contains("Redis"), command.errors());
  }

  private int promote(VersionId version) {
    return command.runOnData(
        "promote", version.value(), "--why", "a test", "--override", "nothing to judge it by");
  }

  private EmbeddedRedis redis() throws Exception {
    KeptPorts ports = KeptPorts.in(folder.resolve("ports.properties"));
    return EmbeddedRedis.start(folder.resolve("redis"), folder.resolve("logs"), ports);
  }

  private void say(String redis) throws Exception {
    new ObjectMapper()
        .writeValue(
            data.resolve("running.json").toFile(),
            new RunningSystem(1, "http://127.0.0.1:1", "127.0.0.1:1", redis, data.toString()));
  }
}
