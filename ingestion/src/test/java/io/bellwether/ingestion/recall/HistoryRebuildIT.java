package io.bellwether.ingestion.recall;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.TestKafka;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/** Histories from the archive, in a real Redis. */
class HistoryRebuildIT {

  private static final FeatureLayout LAYOUT = RecordedSubjects.LAYOUT;
  private static final Duration TTL = Duration.ofDays(30);

  @TempDir Path folder;
  private RedisServer redis;
  private String uri = "";
  private RedisClient client;
  private StatefulRedisConnection<String, byte[]> connection;

  @BeforeEach
  void start() throws Exception {
    int port = TestKafka.freePort();
    redis = RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
    redis.start();
    uri = "redis://127.0.0.1:" + port;
    client = RedisClient.create(RedisURI.create(uri));
    connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
  }

  @AfterEach
  void stop() throws Exception {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    redis.stop();
  }

  @Test
  void theArchiveGivesTheHistoriesOfTheJobAndNothingNewerIsOverwritten() throws Exception {
    RecordedSubjects all = RecordedSubjects.seenAfter(Duration.ZERO);
    Path archive = folder.resolve("archive");
    all.archive(archive);
    Map<String, byte[]> expected = all.latest();
    String newer = SubjectHistory.redisKey("clips", "s0");
    String older = SubjectHistory.redisKey("clips", "s1");
    connection.sync().set(newer, history(RecordedSubjects.BEGIN + 9_000_000_000_000L));
    connection.sync().set(older, history(RecordedSubjects.BEGIN));
    expected.put(newer, history(RecordedSubjects.BEGIN + 9_000_000_000_000L));

    HistoryRebuild.Rebuilt first = rebuild(archive, RecordedSubjects.BEGIN / 1000);

    assertEquals(new HistoryRebuild.Rebuilt(1, 0, 12, 11), first);
    assertEquals(expected.size(), connection.sync().dbsize());
    expected.forEach((key, bytes) -> assertArrayEquals(bytes, connection.sync().get(key), key));
    assertTrue(connection.sync().ttl(older) > TTL.toSeconds() - 60);
    assertEquals(0, rebuild(archive, RecordedSubjects.BEGIN / 1000).written());
    long muchLater = RecordedSubjects.BEGIN / 1000 + 2 * TTL.toMillis();
    assertEquals(0, rebuild(archive, muchLater).subjects(), "they are forgotten");
  }

  @Test
  void itGoesOnWhereItWasCutOff() throws Exception {
    RecordedSubjects all = RecordedSubjects.seenAfter(Duration.ZERO);
    Path archive = folder.resolve("archive");
    all.archive(archive);
    Files.writeString(folder.resolve("progress"), "1/3\n");

    HistoryRebuild.Rebuilt second = rebuild(archive, RecordedSubjects.BEGIN / 1000);

    assertEquals(1, second.resumedAt());
    assertTrue(second.written() > 0 && second.written() < 12, second::toString);
    assertEquals(second.written(), connection.sync().dbsize());
    assertFalse(Files.exists(folder.resolve("progress")));
  }

  private HistoryRebuild.Rebuilt rebuild(Path archive, long nowMillis) throws Exception {
    Clock clock = Clock.fixed(Instant.ofEpochMilli(nowMillis), ZoneOffset.UTC);
    HistoryRebuild.Settings settings =
        new HistoryRebuild.Settings(archive, folder.resolve("progress"), TTL, 10_000);
    try (HistoryStore store = new HistoryStore(uri)) {
      return new HistoryRebuild(RecordedSubjects.SURFACE, settings, clock).run(store);
    }
  }

  private static byte[] history(long atMicros) {
    return new SubjectHistory(
            List.of(new SubjectHistory.Entry(atMicros, "", ItemReference.of("i0"), new float[2])))
        .toBytes(LAYOUT);
  }
}
