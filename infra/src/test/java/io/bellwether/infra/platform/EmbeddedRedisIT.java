package io.bellwether.infra.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRedisIT {
  @TempDir Path folder;

  private EmbeddedRedis start() throws Exception {
    KeptPorts ports = KeptPorts.in(folder.resolve("ports.properties"));
    return EmbeddedRedis.start(folder.resolve("redis"), folder.resolve("logs"), ports);
  }

  @Test
  void aRestartOnTheSameFolderKeepsDataAndAddress() throws Exception {
    String address;
    try (EmbeddedRedis redis = start()) {
      address = redis.uri();
      assertEquals("OK", ask(redis, commands -> commands.set("champion", "v1")));
    }
    try (EmbeddedRedis redis = start()) {
      assertEquals(address, redis.uri());
      assertEquals("v1", ask(redis, commands -> commands.get("champion")));
    }
  }

  @Test
  void aServerLeftOverFromAnEarlierStartIsEndedFirst() throws Exception {
    EmbeddedRedis leftOver = start();
    ask(leftOver, commands -> commands.set("champion", "v1"));
    ProcessHandle old = ProcessHandle.of(leftOver.pid()).orElseThrow();
    try (EmbeddedRedis redis = start()) {
      assertFalse(old.isAlive());
      assertEquals("v1", ask(redis, commands -> commands.get("champion")));
    }
  }

  @Test
  void aClosedServerHasEnded() throws Exception {
    EmbeddedRedis redis = start();
    ProcessHandle server = ProcessHandle.of(redis.pid()).orElseThrow();
    redis.close();
    server.onExit().get(10, TimeUnit.SECONDS);
    assertTrue(redis.awaitEnd());
    assertTrue(Files.exists(folder.resolve("logs/redis.log")));
  }

  private static String ask(
      EmbeddedRedis redis, Function<RedisCommands<String, String>, String> question) {
    RedisClient client = RedisClient.create(redis.uri());
    try (var connection = client.connect()) {
      return question.apply(connection.sync());
    } finally {
      client.shutdown();
    }
  }
}
