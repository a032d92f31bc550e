package io.bellwether.infra.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.infra.platform.PlatformAddress;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.surface.Surface;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * What somebody does is in the next decision that is made for them, long before windows close.
 *
 * @param root of the service
 * @param surface short-video
 */
record OneSubject(URI root, PlatformAddress platform, Surface surface) {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);
  private static final int LIKE = 1;

  /** Likes a video, and looks into the decision after that. */
  void findsItsLikeInTheNextDecision() throws Exception {
    FeatureLayout layout = FeatureLayout.of(surface);
    send(
        "PUT",
        "/v1/surfaces/short-video/items",
        "{'items':[{'id':'v1','features':{'quality':0.3,'author':'ann'}},{'id':'v2'}]}",
        200);
    Decision first = logged(decide("v1"));
    assertNull(first.getRawItems(), "its item is registered");
    send(
        "POST",
        "/v1/outcomes",
        "{'decisionId':'" + first.getDecisionId() + "','signal':'like','value':1}",
        202);
    awaitLike(layout);

    float[] rows = Floats.of(next().getHistory());
    int liked = rows.length - 1;
    while (rows[liked] != 1 && liked > layout.historyWidth()) {
      liked -= layout.historyWidth();
    }
    int row = liked + 1 - layout.historyWidth();
    assertEquals(1, rows[row], "there is a row of a liked item");
    assertArrayEquals(
        Floats.of(first.getItems()),
        Arrays.copyOfRange(rows, row + 2, row + 2 + layout.itemWidth()));
  }

  /** A decision that was made in time; the history has room for what comes before it. */
  private Decision next() throws Exception {
    Decision next = logged(decide("v2"));
    for (int i = 0; i < 3 && next.getDegraded() != null; i++) {
      next = logged(decide("v2"));
    }
    return next;
  }

  private void awaitLike(FeatureLayout layout) throws Exception {
    String key = SubjectHistory.redisKey(surface.name(), "reader");
    RedisClient client = RedisClient.create(platform.redis());
    try (StatefulRedisConnection<String, byte[]> redis =
        client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE))) {
      Instant deadline = Instant.now().plus(PATIENCE);
      while (!isLiked(redis.sync().get(key), layout)) {
        assertTrue(Instant.now().isBefore(deadline), "the job did not tell of it");
        LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      }
      assertTrue(redis.sync().ttl(key) > Duration.ofDays(29).toSeconds());
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }

  private static boolean isLiked(byte @Nullable [] stored, FeatureLayout layout) {
    List<SubjectHistory.Entry> entries =
        stored == null ? List.of() : SubjectHistory.fromBytes(stored, layout).entries();
    return entries.size() == 1 && entries.get(0).signals()[LIKE] == 1;
  }

  private String decide(String item) throws Exception {
    String body =
        send(
            "POST",
            "/v1/decisions",
            "{'surface':'short-video','subject':{'id':'reader'},'candidates':[{'id':'"
                + item
                + "'}]}",
            201);
    return new ObjectMapper().readTree(body).path("decisionId").asText();
  }

  private Decision logged(String decisionId) throws Exception {
    EventCodec<Decision> codec = EventCodec.of(Decision.class);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", platform.kafka()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(Topics.DECISIONS).stream()
              .map(each -> new TopicPartition(each.topic(), each.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Instant deadline = Instant.now().plus(PATIENCE);
      while (Instant.now().isBefore(deadline)) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          Decision decision = codec.decode(record.value());
          if (decision.getDecisionId().equals(decisionId)) {
            return decision;
          }
        }
      }
    }
    throw new AssertionError("decision " + decisionId + " is not in Kafka");
  }

  private String send(String method, String path, String body, int expected) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(root.resolve(path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertEquals(expected, response.statusCode(), response.body());
    return response.body();
  }
}
