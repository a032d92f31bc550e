package io.bellwether.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/**
 * Dead letters over HTTP, with a real Kafka. It shares the running service with {@link ServingIT},
 * which comes later and ends without Kafka.
 */
@QuarkusTest
@WithTestResource(TestPlatform.class)
@SuppressWarnings("NullAway.Init") // Quarkus and the platform fill the fields
class DeadLettersIT implements TestPlatform.Uses {

  private static final byte[] GARBAGE = "a plaintext message".getBytes(UTF_8);

  @TestHTTPResource("/")
  URI root;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper mapper = new ObjectMapper();
  private final EventCodec<Outcome> codec = EventCodec.of(Outcome.class);
  private TestPlatform platform;

  @Override
  public void platform(TestPlatform injected) {
    platform = injected;
  }

  @Test
  void refusedEventsAreBrowsedFixedAndReplayedOnce() throws Exception {
    byte[] late = codec.encode(outcome("letters-late", Double.NaN));
    String garbage = refuse("undecodable", 0, GARBAGE);
    String first = refuse("value-out-of-range", 0, late);
    String second = refuse("outside-lookback", 1, codec.encode(outcome("letters-old", 1)));

    // Whose key has no such scope sees nothing, however the path is spelled.
    for (String path :
        List.of(
            "/v1/dead-letters", "/v1;a=b/dead-letters", "/v1/dead%2Dletters", "/v1/subjects/a")) {
      int status = send("GET", path, "", "secret").statusCode();
      assertTrue(status == 403 || status == 404 || status == 405, path + " gives " + status);
    }
    assertEquals(403, send("GET", "/v1/dead-letters", "", "secret").statusCode());
    assertEquals(403, send("POST", "/v1/dead-letters/0-0:replay", "", "other").statusCode());

    // Pages of one letter each come to all of them, and end.
    List<String> seen = new ArrayList<>();
    String path = "/v1/dead-letters?pageSize=1";
    JsonNode page = get(path);
    while (page.has("nextPageToken")) {
      page.path("items").forEach(item -> seen.add(item.path("id").asText()));
      page = get(path + "&pageToken=" + page.path("nextPageToken").asText());
    }
    page.path("items").forEach(item -> seen.add(item.path("id").asText()));
    assertTrue(seen.containsAll(List.of(garbage, first, second)), seen.toString());
    JsonNode ranged = get("/v1/dead-letters?reason=value-out-of-range&after=2026-01-01T00:00:00Z");
    assertEquals(first, ranged.at("/items/0/id").asText(), ranged.toString());
    assertEquals(1, ranged.path("items").size());
    assertEquals("OPEN", ranged.at("/items/0/status").asText());

    // The original bytes, and what they say.
    JsonNode letter = get("/v1/dead-letters/" + first);
    assertArrayEquals(late, letter.path("value").binaryValue());
    assertEquals("NaN", letter.at("/event/value").asText());
    assertEquals("2026-11-30T10:00:00Z", letter.path("firstSeen").asText());

    // What would only be refused again is not sent, and neither is what comes with it.
    HttpResponse<String> refused =
        send("POST", "/v1/dead-letters:replay", "{'ids':['" + second + "','" + garbage + "']}");
    assertEquals(409, refused.statusCode(), refused.body());

    String fix = "{'event':{'value':3},'why':'the app sent 0/0'}";
    HttpResponse<String> fixed = send("PATCH", "/v1/dead-letters/" + first, fix);
    assertEquals(200, fixed.statusCode(), fixed.body());
    assertArrayEquals(late, mapper.readTree(fixed.body()).path("value").binaryValue());
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> replayed =
          send("POST", "/v1/dead-letters:replay", "{'ids':['" + first + "','" + second + "']}");
      assertEquals(200, replayed.statusCode(), replayed.body());
      assertTrue(replayed.body().contains("REPLAYED"), replayed.body());
    }
    HttpResponse<String> again = send("POST", "/v1/dead-letters/" + first + ":replay", "");
    assertEquals(200, again.statusCode(), again.body());
    assertEquals(409, send("PATCH", "/v1/dead-letters/" + first, fix).statusCode());

    List<Outcome> sent =
        outcomes().stream().filter(o -> o.getOutcomeId().startsWith("letters-")).toList();
    assertEquals(
        List.of(outcome("letters-late", 3), outcome("letters-old", 1)),
        sent.stream().sorted(java.util.Comparator.comparing(Outcome::getOutcomeId)).toList());
    assertEquals(404, send("GET", "/v1/dead-letters/0-99999", "").statusCode());
    assertEquals(404, send("GET", "/v1/dead-letters/77-0", "").statusCode());
    assertEquals(400, send("GET", "/v1/dead-letters/x", "").statusCode());
  }

  /** What the streams job does with an event that it refuses; the letter's id. */
  private String refuse(String reason, int partition, byte[] value) throws Exception {
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(Topics.DEAD_LETTERS, partition, "d-1", value);
    Map.of(
            "x-error", reason,
            "x-detail", "a test",
            "x-topic", Topics.OUTCOMES,
            "x-partition", "1",
            "x-offset", "17",
            "x-first-seen", "2026-11-30T10:00:00Z")
        .forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
    try (Producer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", platform.kafka()),
            new StringSerializer(),
            new ByteArraySerializer())) {
      return partition + "-" + producer.send(record).get().offset();
    }
  }

  private List<Outcome> outcomes() throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", platform.kafka(), "isolation.level", "read_committed"),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, consumer.partitionsFor(Topics.OUTCOMES).size())
              .mapToObj(p -> new TopicPartition(Topics.OUTCOMES, p))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        for (var record : consumer.poll(Duration.ofMillis(100))) {
          outcomes.add(codec.decode(record.value()));
        }
      }
    }
    return outcomes;
  }

  private static Outcome outcome(String id, double value) {
    long now = Instant.parse("2026-11-30T10:00:00Z").toEpochMilli() * 1000;
    return new Outcome(id, "d-" + id, null, "like", value, now, now, Map.of());
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> response = send("GET", path, "");
    assertEquals(200, response.statusCode(), response.body());
    return mapper.readTree(response.body());
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return send(method, path, body, "admin");
  }

  private HttpResponse<String> send(String method, String path, String body, String key)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(root.resolve(path))
            .header("X-API-Key", key)
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"'), UTF_8))
            .build();
    return client.send(request, BodyHandlers.ofString(UTF_8));
  }
}
