package io.bellwether.ingestion.recall;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.lettuce.core.KeyValue;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The histories in Redis, written only where they are older. Owns its connection; waits. */
public final class HistoryStore implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Sets a key that is still as it was read; an empty text stands for a key that was not there. */
  private static final byte[] SET_IF_UNCHANGED =
      ("local now = redis.call('GET', KEYS[1]) or ''"
              + " if now ~= ARGV[1] then return 0 end"
              + " redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])"
              + " return 1")
          .getBytes(StandardCharsets.UTF_8);

  private final RedisClient client;
  private final StatefulRedisConnection<byte[], byte[]> connection;

  /**
   * @param uri as Lettuce writes it, for instance {@code redis://127.0.0.1:6379}
   */
  public HistoryStore(String uri) {
    client = RedisClient.create(RedisURI.create(uri));
    try {
      connection = client.connect(ByteArrayCodec.INSTANCE);
    } catch (RuntimeException e) {
      shutDown();
      throw e;
    }
  }

  /**
   * Writes those of some histories that are newer than what is there, or longer and as new.
   * Whatever somebody else writes meanwhile stays.
   *
   * @param histories by key
   * @return how many were written
   * @throws IOException where Redis does not answer in time
   */
  int writeNewer(Map<String, SubjectHistory> histories, FeatureLayout layout, Duration ttl)
      throws IOException {
    List<String> keys = List.copyOf(histories.keySet());
    byte[][] names = keys.stream().map(HistoryStore::bytes).toArray(byte[][]::new);
    RedisFuture<List<KeyValue<byte[], byte[]>>> known = connection.async().mget(names);
    await(List.of(known));
    List<KeyValue<byte[], byte[]>> values = known.toCompletableFuture().join();
    List<RedisFuture<?>> writes = new ArrayList<>();
    List<RedisFuture<Long>> answers = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      SubjectHistory history = histories.getOrDefault(keys.get(i), SubjectHistory.EMPTY);
      byte @Nullable [] before = values.get(i).getValueOrElse(null);
      if (before == null || isNewer(history, SubjectHistory.fromBytes(before, layout))) {
        RedisFuture<Long> write =
            connection
                .async()
                .eval(
                    SET_IF_UNCHANGED,
                    ScriptOutputType.INTEGER,
                    new byte[][] {names[i]},
                    before == null ? new byte[0] : before,
                    history.toBytes(layout),
                    bytes(Long.toString(ttl.toSeconds())));
        writes.add(write);
        answers.add(write);
      }
    }
    await(writes);
    int written = 0;
    for (RedisFuture<Long> answer : answers) {
      written += answer.toCompletableFuture().join().intValue();
    }
    return written;
  }

  /** Whether a history tells more of the present, or as much of it and more of the past. */
  static boolean isNewer(SubjectHistory history, SubjectHistory before) {
    long newest = newest(history);
    long newestBefore = newest(before);
    return newest > newestBefore
        || (newest == newestBefore && history.entries().size() > before.entries().size());
  }

  private static long newest(SubjectHistory history) {
    List<SubjectHistory.Entry> entries = history.entries();
    return entries.isEmpty() ? Long.MIN_VALUE : entries.get(entries.size() - 1).decidedAtMicros();
  }

  private static void await(List<? extends RedisFuture<?>> futures) throws IOException {
    if (!LettuceFutures.awaitAll(TIMEOUT, futures.toArray(RedisFuture[]::new))) {
      throw new IOException("Redis did not answer within " + TIMEOUT.toSeconds() + " s");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    connection.close();
    shutDown();
  }

  private void shutDown() {
    client.shutdown(0, TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }
}
