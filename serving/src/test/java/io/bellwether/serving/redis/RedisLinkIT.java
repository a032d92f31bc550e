package io.bellwether.serving.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.Fixtures;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a real Redis can do to those who rely on it. */
class RedisLinkIT {

  private static final String ABSENT = "absent";
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();

  private SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RealRedis redis = new RealRedis();
  private RedisLink link = link(Map.of());

  @AfterEach
  void everythingStops() {
    link.stop(new ShutdownEvent());
    redis.close();
  }

  @Test
  void aWriteThatTimedOutAndHappensLaterIsWrittenOnce() throws Exception {
    open(redis.address());
    redis.freeze();
    String late = failure(() -> link.writeOnce("decision", bytes("first"), HOUR));
    assertTrue(late.contains("timed out"), late);
    redis.thaw();
    await(() -> link.connected() && !value("decision").equals(ABSENT));
    assertFalse(write("decision", "second"));
    assertEquals("first", value("decision"));
  }

  @Test
  void whileRedisIsFrozenCommandsFailAtOnceAndAfterwardsTheyWork() {
    open(redis.address());
    assertTrue(write("k", "v"));
    redis.freeze();
    await(() -> !works() && !link.connected());
    for (int i = 0; i < 10_000; i++) {
      assertTrue(link.read(List.of("k")).toCompletableFuture().isCompletedExceptionally());
    }
    assertTrue(breaker() > 0);
    redis.thaw();
    await(this::works);
    assertEquals(0, breaker());
    assertEquals("v", value("k"));
  }

  @Test
  void anAddressThatSwallowsEverythingIsLeftAndComesBack() throws Exception {
    try (Wire wire = new Wire(redis.port())) {
      open(wire.address());
      assertTrue(write("k", "v"));
      wire.swallow(true);
      await(() -> !works() && !link.connected());
      wire.swallow(false);
      long healed = System.nanoTime();
      await(this::works);
      assertTrue(System.nanoTime() - healed < Duration.ofSeconds(2).toNanos());
    }
  }

  @Test
  void aSilentListenerOnThePortOfRedisBlocksNobody() throws Exception {
    open(redis.address());
    redis.stop();
    await(() -> !link.connected());
    try (ServerSocket silent =
        new ServerSocket(redis.port(), 50, InetAddress.getLoopbackAddress())) {
      assertTrue(silent.accept().isConnected());
      for (int i = 0; i < 1000; i++) {
        assertTrue(link.read(List.of("k")).toCompletableFuture().isCompletedExceptionally());
      }
      assertNull(ManagementFactory.getThreadMXBean().findDeadlockedThreads());
    }
    redis.start();
    await(this::works);
  }

  @Test
  void anotherStoreAtTheSameAddressIsNotUsed() {
    RealRedis other = new RealRedis();
    try (Wire wire = new Wire(other.port())) {
      open(wire.address());
      assertTrue(write("k", "of the other"));
      link.stop(new ShutdownEvent());

      link = link(Map.of("bellwether.redis", wire.address()));
      wire.lead(redis.port());
      link.start(new StartupEvent());
      await(this::works);
      assertTrue(write("k", "of ours"));
      wire.lead(other.port());
      await(() -> wrongStore() == 1);
      assertFalse(link.connected());
      wire.lead(redis.port());
      await(this::works);
      assertEquals("of ours", value("k"));
      assertEquals(0, wrongStore());
    } finally {
      other.close();
    }
  }

  @Test
  void theStoreMayBeNamedAndAnEmptyOneIsGivenTheName() {
    open(redis.address());
    assertNotEquals(ABSENT, value(StoreIdentity.KEY));
    link.stop(new ShutdownEvent());
    link =
        link(
            Map.of("bellwether.redis", redis.address(), "bellwether.redis-identity", "production"));
    link.start(new StartupEvent());
    await(() -> wrongStore() == 1);
    redis.stop();
    redis.start();
    await(this::works);
    assertEquals("production", value(StoreIdentity.KEY));
  }

  private RedisLink link(Map<String, String> settings) {
    registry = new SimpleMeterRegistry();
    return new RedisLink(Fixtures.config(settings), registry);
  }

  private void open(String address) {
    link = link(Map.of("bellwether.redis", address, "bellwether.redis-timeout", "50ms"));
    link.start(new StartupEvent());
    await(this::works);
  }

  private boolean works() {
    try {
      link.read(List.of("k")).toCompletableFuture().join();
      return true;
    } catch (CompletionException e) {
      return false;
    }
  }

  private boolean write(String key, String value) {
    return link.writeOnce(key, bytes(value), HOUR).toCompletableFuture().join();
  }

  private String value(String key) {
    byte[] value = link.read(List.of(key)).toCompletableFuture().join().get(key);
    return value == null ? ABSENT : new String(value, UTF_8);
  }

  private static String failure(Supplier<CompletionStage<Boolean>> call) {
    return assertThrows(CompletionException.class, () -> call.get().toCompletableFuture().join())
        .toString();
  }

  private double breaker() {
    return registry.get("bellwether.breaker").tag("dependency", "redis").gauge().value();
  }

  private double wrongStore() {
    return registry.get("bellwether.redis.wrong.store").gauge().value();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static void await(BooleanSupplier fact) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!fact.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "it never became so");
      LockSupport.parkNanos(2_000_000);
    }
  }
}
