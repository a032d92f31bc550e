package io.bellwether.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.ConfigValidationException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ServingConfigTest {

  @Test
  void theDefaults() {
    ServingConfig config = Fixtures.config(Map.of());
    assertEquals("127.0.0.1:9092", config.kafka());
    assertEquals("127.0.0.1:6379", config.redis());
    assertEquals("data/policies", config.store());
    assertEquals(Path.of("surfaces"), config.surfaces());
    assertEquals(ServingConfig.Auth.KEYS, config.auth());
    assertEquals(Optional.empty(), config.apiKeys());
    assertEquals(Optional.empty(), config.adminKeys());
    assertEquals(Optional.empty(), config.subjectKey());
    assertEquals(Optional.empty(), config.formerSubjectKeys());
    assertEquals(List.of("*"), config.corsOrigins());
    assertEquals(8081, config.grpcPort());
    assertEquals(OptionalLong.empty(), config.parentPid());
    assertEquals(0, config.workers());
    assertEquals(256, config.maxInFlight());
    assertEquals(Optional.empty(), config.redisIdentity());
    assertEquals(Duration.ofMillis(100), config.redisTimeout());
    assertEquals(Duration.ofSeconds(3), config.logTimeout());
    assertEquals(32 << 20, config.logBuffer().asLongValue());
    assertEquals(Path.of("data/spool"), config.spool());
    assertEquals(256 << 20, config.spoolBytes().asLongValue());
    assertEquals(ServingConfig.LogFirst.DISK, config.logFirst());
    assertEquals(ServingConfig.Fsync.ALWAYS, config.spoolFsync());
    assertEquals(Duration.ofMillis(250), config.spoolAfter());
    assertEquals(Duration.ofHours(1), config.idempotencyTtl());
    assertEquals(Duration.ofHours(24), config.activationWindow());
    assertEquals(Optional.empty(), config.policyKeys());
    assertEquals(Optional.empty(), config.policySignatures());
    assertEquals(ServingConfig.GraphDevice.AUTO, config.device());
    assertEquals(Duration.ofSeconds(5), config.policyPoll());
    assertEquals(100_000, config.maxItems());
    assertEquals(Duration.ofMillis(500), config.experimentsRefresh());
    assertEquals(Duration.ofSeconds(2), config.experimentsLease());
    assertEquals(Duration.ofSeconds(1), config.rolloutTick());
    assertFalse(config.noop());
  }

  @Test
  void everyKeyCanBeSet() {
    Map<String, String> keys = new HashMap<>();
    keys.put("bellwether.kafka", "k:1");
    keys.put("bellwether.redis", "redis://user:word@r:2");
    keys.put("bellwether.store", "/store");
    keys.put("bellwether.surfaces", "/surfaces");
    keys.put("bellwether.auth", "none");
    keys.put("bellwether.api-keys", "one,two");
    keys.put("bellwether.admin-keys", "three");
    keys.put("bellwether.subject-key", "a secret of sixteen");
    keys.put("bellwether.former-subject-keys", "an older secret,a first secret");
    keys.put("bellwether.cors-origins", "https://a.example,https://b.example");
    keys.put("bellwether.grpc-port", "5");
    keys.put("bellwether.parent-pid", "7");
    keys.put("bellwether.workers", "3");
    keys.put("bellwether.max-in-flight", "4");
    keys.put("bellwether.redis-identity", "of-r");
    keys.put("bellwether.redis-timeout", "5ms");
    keys.put("bellwether.log-timeout", "6s");
    keys.put("bellwether.log-buffer", "1M");
    keys.put("bellwether.spool", "/spool");
    keys.put("bellwether.spool-bytes", "2M");
    keys.put("bellwether.log-first", "kafka");
    keys.put("bellwether.spool-fsync", "never");
    keys.put("bellwether.spool-after", "70ms");
    keys.put("bellwether.idempotency-ttl", "24h");
    keys.put("bellwether.activation-window", "2h");
    keys.put("bellwether.policy-keys", "/keys");
    keys.put("bellwether.policy-signing-key", "/key.pem");
    keys.put("bellwether.policy-signatures", "optional");
    keys.put("bellwether.device", "cuda");
    keys.put("bellwether.policy-poll", "8s");
    keys.put("bellwether.max-items", "9");
    keys.put("bellwether.experiments-refresh", "10ms");
    keys.put("bellwether.experiments-lease", "11s");
    keys.put("bellwether.rollout-tick", "12s");
    keys.put("bellwether.noop", "true");
    ServingConfig config = Fixtures.config(keys);
    assertEquals("k:1", config.kafka());
    assertEquals("redis://user:word@r:2", config.redis());
    assertEquals("/store", config.store());
    assertEquals(Path.of("/surfaces"), config.surfaces());
    assertEquals(ServingConfig.Auth.NONE, config.auth());
    assertEquals(Optional.of(List.of("one", "two")), config.apiKeys());
    assertEquals(Optional.of(List.of("three")), config.adminKeys());
    assertEquals(Optional.of("a secret of sixteen"), config.subjectKey());
    assertEquals(
        Optional.of(List.of("an older secret", "a first secret")), config.formerSubjectKeys());
    assertEquals(List.of("https://a.example", "https://b.example"), config.corsOrigins());
    assertEquals(5, config.grpcPort());
    assertEquals(OptionalLong.of(7), config.parentPid());
    assertEquals(3, config.workers());
    assertEquals(4, config.maxInFlight());
    assertEquals(Optional.of("of-r"), config.redisIdentity());
    assertEquals(Duration.ofMillis(5), config.redisTimeout());
    assertEquals(Duration.ofSeconds(6), config.logTimeout());
    assertEquals(1 << 20, config.logBuffer().asLongValue());
    assertEquals(Path.of("/spool"), config.spool());
    assertEquals(2 << 20, config.spoolBytes().asLongValue());
    assertEquals(ServingConfig.LogFirst.KAFKA, config.logFirst());
    assertEquals(ServingConfig.Fsync.NEVER, config.spoolFsync());
    assertEquals(Duration.ofMillis(70), config.spoolAfter());
    assertEquals(Duration.ofHours(24), config.idempotencyTtl());
    assertEquals(Duration.ofHours(2), config.activationWindow());
    assertEquals(Optional.of(Path.of("/keys")), config.policyKeys());
    assertEquals(Optional.of(Path.of("/key.pem")), config.policySigningKey());
    assertEquals(Optional.of(ServingConfig.Signatures.OPTIONAL), config.policySignatures());
    assertEquals(ServingConfig.GraphDevice.CUDA, config.device());
    assertEquals(Duration.ofSeconds(8), config.policyPoll());
    assertEquals(9, config.maxItems());
    assertEquals(Duration.ofMillis(10), config.experimentsRefresh());
    assertEquals(Duration.ofSeconds(11), config.experimentsLease());
    assertEquals(Duration.ofSeconds(12), config.rolloutTick());
    assertTrue(config.noop());
  }

  @Test
  void anUnknownKeyIsRefused() {
    assertThrows(
        ConfigValidationException.class, () -> Fixtures.config(Map.of("bellwether.kafak", "k:1")));
  }

  @Test
  void secretsAreMasked() {
    String text =
        Fixtures.config(
                Map.of(
                    "bellwether.redis", "redis://:word@r:2",
                    "bellwether.api-keys", "one,two",
                    "bellwether.admin-keys", "three",
                    "bellwether.subject-key", "four",
                    "bellwether.former-subject-keys", "five"))
            .describe();
    assertTrue(text.contains("bellwether.redis=redis://***@r:2"), text);
    for (String secret : List.of("word", "one,two", "three", "four", "five")) {
      assertFalse(text.contains(secret), text);
    }
  }
}
