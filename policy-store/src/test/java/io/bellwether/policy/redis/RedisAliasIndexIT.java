package io.bellwether.policy.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasConflictException;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.Drafts;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

class RedisAliasIndexIT {

  private static final String FEED = "home-feed";
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration NEVER = Duration.ofHours(1);
  private static final Duration OFTEN = Duration.ofMillis(50);

  @TempDir Path root;
  private int port;
  private RedisServer redis;
  private RedisAliasIndex index;
  private PolicyStore store;
  private final BlockingQueue<AliasMove> told = new LinkedBlockingQueue<>();

  @BeforeEach
  void startRedis() throws IOException {
    port = freePort();
    redis = redisServer();
    redis.start();
    index = new RedisAliasIndex(address(), TIMEOUT);
    store = new PolicyStore(root, Clock.systemUTC(), index::record);
  }

  @AfterEach
  void stopRedis() throws IOException {
    index.close();
    redis.stop();
  }

  @Test
  void movesEnterOnlyIfTheyAreNewer() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    AliasMove first = move(Alias.CHAMPION, null, one);
    AliasMove second = move(Alias.CHAMPION, one, two);
    assertEquals(Optional.of(second), index.latestMove(FEED, Alias.CHAMPION));
    assertFalse(index.record(first));
    assertFalse(index.record(second));
    assertEquals(Optional.of(second), index.latestMove(FEED, Alias.CHAMPION));
    assertEquals(Optional.empty(), index.latestMove(FEED, Alias.SHADOW));
  }

  @Test
  void anEmptiedIndexIsRebuiltTheSame() {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    VersionId push = Drafts.publishPassed(store, "push", 3);
    move(Alias.CHAMPION, null, one);
    move(Alias.CHAMPION, one, two);
    move(Alias.SHADOW, null, one);
    move(Alias.SHADOW, one, null);
    store.move(new MoveRequest("push", Alias.CHALLENGER, null, push, "operator", "test", null));
    Set<AliasMove> before = new HashSet<>(index.latestMoves());
    assertEquals(3, before.size());

    flushAll();
    assertEquals(List.of(), index.latestMoves());
    assertEquals(3, index.rebuild(store));
    assertEquals(before, new HashSet<>(index.latestMoves()));
    assertEquals(0, index.rebuild(store));
  }

  @Test
  void anIndexThatIsAheadOfARestoredStoreIsRebuiltByTheWatcher() throws Exception {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    AliasMove move = move(Alias.CHAMPION, null, one);
    AliasMove lost =
        new AliasMove(
            2, FEED, Alias.CHAMPION, one, null, false, "operator", "not in the copy", move.at());
    index.record(lost);
    try (PolicyWatcher watcher = new PolicyWatcher(store, index, OFTEN, told::add)) {
      watcher.start();
      assertEquals(move, next());
    }
    // The watcher has finished its last look, and each look ends with mending the index.
    assertEquals(Optional.of(move), index.latestMove(FEED, Alias.CHAMPION));
  }

  @Test
  void ofEightMoversOneWinsAndTheIndexKnowsIt() throws Exception {
    VersionId start = Drafts.publishPassed(store, FEED, 100);
    move(Alias.CHAMPION, null, start);
    List<Callable<Optional<AliasMove>>> movers = new ArrayList<>();
    CountDownLatch go = new CountDownLatch(8);
    for (int i = 0; i < 8; i++) {
      VersionId version = Drafts.publishPassed(store, FEED, i);
      movers.add(
          () -> {
            go.countDown();
            go.await();
            try {
              return Optional.of(move(Alias.CHAMPION, start, version));
            } catch (AliasConflictException e) {
              return Optional.empty();
            }
          });
    }
    ExecutorService executor = Executors.newFixedThreadPool(8);
    try {
      List<AliasMove> won = new ArrayList<>();
      for (Future<Optional<AliasMove>> mover : executor.invokeAll(movers)) {
        mover.get().ifPresent(won::add);
      }
      assertEquals(1, won.size());
      assertEquals(Optional.of(won.get(0)), index.latestMove(FEED, Alias.CHAMPION));
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void movesRecordedByManyThreadsInAnyOrderEndWithTheNewest() throws Exception {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    move(Alias.CHAMPION, null, one);
    for (int i = 0; i < 20; i++) {
      move(Alias.CHAMPION, i % 2 == 0 ? one : two, i % 2 == 0 ? two : one);
    }
    List<AliasMove> history = store.history(FEED, Alias.CHAMPION);
    flushAll();
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      history.stream()
          .sorted(Comparator.comparing(move -> Integer.reverse((int) move.sequence())))
          .forEach(move -> tasks.add(() -> index.record(move)));
      for (Future<Boolean> task : executor.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      executor.shutdownNow();
    }
    assertEquals(
        Optional.of(history.get(history.size() - 1)), index.latestMove(FEED, Alias.CHAMPION));
  }

  @Test
  void aWatcherIsToldAtTheStartAndAtOnceWhenAnAliasMoves() throws Exception {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    move(Alias.CHAMPION, null, one);
    try (RedisAliasIndex other = new RedisAliasIndex(address(), TIMEOUT);
        PolicyWatcher watcher =
            new PolicyWatcher(new PolicyStore(root, Clock.systemUTC()), other, NEVER, told::add)) {
      watcher.start();
      assertEquals(one, next().to());
      move(Alias.CHAMPION, one, two);
      assertEquals(two, next().to());
      store.rollback(FEED, Alias.CHAMPION, "operator", "worse");
      assertEquals(one, next().to());
    }
  }

  @Test
  void aMoveThatRedisNeverHeardOfIsFoundOnTheDiskAndMended() throws Exception {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    PolicyStore silent = new PolicyStore(root, Clock.systemUTC());
    try (PolicyWatcher watcher = new PolicyWatcher(silent, index, OFTEN, told::add)) {
      watcher.start();
      AliasMove move =
          silent.move(new MoveRequest(FEED, Alias.CHAMPION, null, one, "operator", "test", null));
      assertEquals(move, next());
    }
    // The watcher has finished its last look, and each look ends with mending the index.
    assertEquals(one, index.latestMove(FEED, Alias.CHAMPION).orElseThrow().to());
  }

  @Test
  void withRedisGoneMovesAreFoundOnTheDiskAndAfterItsReturnInRedis() throws Exception {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    try (PolicyWatcher watcher = new PolicyWatcher(store, index, OFTEN, told::add)) {
      watcher.start();
      move(Alias.CHAMPION, null, one);
      assertEquals(one, next().to());
      redis.stop();
      move(Alias.CHAMPION, one, two);
      assertEquals(two, next().to());
      redis = redisServer();
      redis.start();
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () -> {
            while (!latestInRedis().equals(Optional.of(two))) {
              Thread.onSpinWait();
            }
          });
    }
  }

  @Test
  void aMessageThatTheStoreDoesNotBearOutIsNotFollowed() throws Exception {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    AliasMove first = move(Alias.CHAMPION, null, one);
    try (PolicyWatcher watcher = new PolicyWatcher(store, index, NEVER, told::add)) {
      watcher.start();
      assertEquals(first, next());
      index.record(
          new AliasMove(
              99,
              FEED,
              Alias.CHAMPION,
              one,
              two,
              false,
              "somebody",
              "of another store",
              first.at()));
      index.record(
          new AliasMove(
              7, "nowhere", Alias.SHADOW, null, two, false, "somebody", "no policy", first.at()));
      AliasMove second = move(Alias.CHAMPION, one, two);
      publish("not a move");
      publish(new String(second.toBytes(), UTF_8));
      assertEquals(second, next());
    }
  }

  @Test
  void anIndexOfAnotherStoreWithTheSameNumbersIsRebuiltByTheWatcher() throws Exception {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    AliasMove move = move(Alias.CHAMPION, null, one);
    flushAll();
    AliasMove other =
        new AliasMove(1, FEED, Alias.CHAMPION, null, one, false, "else", "elsewhere", move.at());
    AliasMove left =
        new AliasMove(3, "gone", Alias.CHAMPION, null, one, false, "else", "elsewhere", move.at());
    index.record(other);
    index.record(left);
    inRedis(redis -> redis.hset("{bellwether:aliases}:moves", "push/shadow", "not a move"));
    try (PolicyWatcher watcher = new PolicyWatcher(store, index, OFTEN, told::add)) {
      watcher.start();
      assertEquals(move, next());
    }
    assertEquals(List.of(move), index.latestMoves());
  }

  @Test
  void whileRedisFlapsNoMoveIsMissedAndAfterwardsTheIndexIsWhole() throws Exception {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    try (PolicyWatcher watcher = new PolicyWatcher(store, index, OFTEN, told::add)) {
      watcher.start();
      VersionId now = null;
      for (int i = 0; i < 6; i++) {
        if (i % 2 == 0) {
          redis.stop();
        } else {
          redis = redisServer();
          redis.start();
        }
        VersionId next = one.equals(now) ? two : one;
        move(Alias.CHAMPION, now, next);
        now = next;
        assertEquals(next, next().to());
      }
      VersionId last = now;
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () -> {
            while (!latestInRedis().equals(Optional.ofNullable(last))) {
              Thread.onSpinWait();
            }
          });
    }
    assertEquals(Set.copyOf(store.latestMoves()), Set.copyOf(index.latestMoves()));
  }

  @Test
  void callsEndSoonWhileRedisIsAway() throws IOException {
    redis.stop();
    try (RedisAliasIndex lost = new RedisAliasIndex(address(), Duration.ofMillis(500))) {
      assertTimeoutPreemptively(
          TIMEOUT, () -> assertThrows(RedisException.class, lost::latestMoves));
    }
  }

  @Test
  void aListenerThatFailsIsToldAgain() throws Exception {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    move(Alias.CHAMPION, null, one);
    AtomicInteger calls = new AtomicInteger();
    try (PolicyWatcher watcher =
        new PolicyWatcher(
            store,
            null,
            OFTEN,
            move -> {
              if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("cannot load it yet");
              }
              told.add(move);
            })) {
      watcher.start();
      assertEquals(one, next().to());
      assertTrue(calls.get() >= 3);
    }
  }

  private AliasMove next() throws InterruptedException {
    AliasMove move = told.poll(10, TimeUnit.SECONDS);
    assertNotNull(move, "no move within 10 s");
    return move;
  }

  private Optional<VersionId> latestInRedis() {
    try {
      return index.latestMove(FEED, Alias.CHAMPION).flatMap(AliasMove::version);
    } catch (RedisException e) {
      return Optional.empty();
    }
  }

  private AliasMove move(Alias alias, @Nullable VersionId expected, @Nullable VersionId version) {
    return store.move(new MoveRequest(FEED, alias, expected, version, "operator", "test", null));
  }

  private void flushAll() {
    inRedis(RedisCommands::flushall);
  }

  private void publish(String message) {
    inRedis(redis -> redis.publish("bellwether:aliases", message));
  }

  private void inRedis(Consumer<RedisCommands<String, String>> command) {
    RedisClient client = RedisClient.create(address());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      command.accept(connection.sync());
    } finally {
      client.shutdown(Duration.ZERO, TIMEOUT);
    }
  }

  private String address() {
    return "redis://127.0.0.1:" + port;
  }

  private RedisServer redisServer() throws IOException {
    return RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
