package io.bellwether.loadtest.ingestion;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.ItemReference;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.scoring.CounterRandom;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * What the histories of subjects take in a real Redis: fifty recent signals each, every one of a
 * slate of its own, and as the job writes them, with their expiry.
 */
final class HistoryMemory {

  private static final int ENTRIES = 50;
  private static final int ITEMS = 100_000;
  private static final int BATCH = 500;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  static final String YAML =
      """
      surface: feed
      slate: { size: 6, candidates: { max: 500 } }
      context:
        - { name: hour, type: number }
      history: { signals: [like], last: 50 }
      item:
        - { name: age_hours, type: number, min: 0 }
      signals:
        - { name: like, type: flag, window: 30s }
      objective: { maximize: like, discount: 0.9 }
      """;

  private static final Duration TTL = Duration.ofDays(90);

  private HistoryMemory() {}

  /**
   * @param subjects that Redis held
   * @param bytes that they took, keys and all, with registered items
   * @param inlineBytes the same with items of one number each that are not registered
   */
  record Used(int subjects, long bytes, long inlineBytes) {
    double gibPerMillion() {
      return (double) bytes / subjects * 1e6 / (1L << 30);
    }

    double bytesPerSubject() {
      return (double) bytes / subjects;
    }

    double inlineBytesPerSubject() {
      return (double) inlineBytes / subjects;
    }
  }

  /** One item that was shown. */
  private interface Shown {
    SubjectHistory.Entry entry(long atMicros, int subject, int i);
  }

  static Used measure(String redis, int subjects, long seed) throws Exception {
    Surface surface = surface();
    FeatureLayout layout = FeatureLayout.of(surface);
    Shown registered =
        (at, subject, i) -> {
          int item = (int) (CounterRandom.uniform(seed, 1, subject, i, 0) * ITEMS);
          return new SubjectHistory.Entry(
              at, "", ItemReference.of("item-" + item), new float[] {i % 2});
        };
    Shown inline =
        (at, subject, i) -> {
          float[] item = new float[layout.itemWidth()];
          item[0] = (float) CounterRandom.uniform(seed, 1, subject, i, 0);
          return new SubjectHistory.Entry(at, "", item, new float[] {i % 2});
        };
    RedisClient client = RedisClient.create(RedisURI.create(redis));
    try (StatefulRedisConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE)) {
      long before = usedMemory(connection);
      fill(connection, "user-", subjects, subject -> history(layout, subject, seed, registered));
      long between = usedMemory(connection);
      fill(connection, "else-", subjects, subject -> history(layout, subject, seed, inline));
      return new Used(subjects, between - before, usedMemory(connection) - between);
    } finally {
      client.shutdown(0, 2, TimeUnit.SECONDS);
    }
  }

  private static void fill(
      StatefulRedisConnection<byte[], byte[]> connection,
      String prefix,
      int subjects,
      IntFunction<byte[]> history) {
    SetArgs expiring = SetArgs.Builder.ex(TTL);
    List<RedisFuture<?>> batch = new ArrayList<>();
    for (int subject = 0; subject < subjects; subject++) {
      byte[] key = SubjectHistory.redisKey("feed", prefix + subject).getBytes(UTF_8);
      batch.add(connection.async().set(key, history.apply(subject), expiring));
      if (batch.size() == BATCH || subject == subjects - 1) {
        if (!LettuceFutures.awaitAll(
            TIMEOUT.toMillis(), TimeUnit.MILLISECONDS, batch.toArray(RedisFuture[]::new))) {
          throw new IllegalStateException("Redis did not take the histories in time");
        }
        batch.clear();
      }
    }
  }

  private static byte[] history(FeatureLayout layout, int subject, long seed, Shown shown) {
    List<SubjectHistory.Entry> entries = new ArrayList<>();
    long at = 1_760_000_000_000_000L;
    for (int i = 0; i < ENTRIES; i++) {
      at += 1 + (long) (CounterRandom.uniform(seed, 0, subject, i, 0) * 3_600_000_000L);
      entries.add(shown.entry(at, subject, i));
    }
    return new SubjectHistory(entries).toBytes(layout);
  }

  private static long usedMemory(StatefulRedisConnection<byte[], byte[]> connection) {
    return connection
        .sync()
        .info("memory")
        .lines()
        .filter(line -> line.startsWith("used_memory:"))
        .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length()).strip()))
        .findFirst()
        .orElseThrow();
  }

  private static Surface surface() {
    try {
      return new SurfaceReader().parse("feed.yaml", YAML.getBytes(UTF_8));
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException("the surface of the benchmark is wrong", e);
    }
  }
}
