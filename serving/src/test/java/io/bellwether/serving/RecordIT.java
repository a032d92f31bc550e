package io.bellwether.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.event.Erasure;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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
 * Dead letters and erasures over HTTP, with a real Kafka and Redis. It shares the running service
 * with {@link ServingIT}, which comes later and ends without Kafka.
 */
@QuarkusTest
@WithTestResource(TestPlatform.class)
@SuppressWarnings("NullAway.Init") // Quarkus and the platform fill the fields
class RecordIT implements TestPlatform.Uses {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
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

  @Test
  void anErasedSubjectIsForgottenWhereverItIsKeptAndGetsAReceipt() throws Exception {
    String anna = "anna söder/1";
    String bo = "bo";
    String explanation = "/v1/decisions/erase-%s?decidedAt=" + Instant.now();
    for (String subject : List.of(anna, bo)) {
      HttpResponse<String> decided = decide("erase-" + subject.charAt(0), subject);
      assertEquals(201, decided.statusCode(), decided.body());
      redis(commands -> commands.set("bellwether:history:feed:" + subject, "x"));
    }
    redis(commands -> commands.set("bellwether:history:shop:" + anna, "x"));
    assertEquals(200, decide("erase-a", anna).statusCode());
    assertEquals(200, send("GET", explanation.formatted("a"), "").statusCode());

    String path = "/v1/subjects/" + java.net.URLEncoder.encode(anna, UTF_8).replace("+", "%20");
    assertEquals(403, send("POST", path + ":erase", "", "secret").statusCode());
    HttpResponse<String> asked = send("POST", path + ":erase", "{'reason':'ticket 7'}");
    assertEquals(202, asked.statusCode(), asked.body());
    String job = asked.headers().firstValue("Location").orElseThrow();
    assertEquals(403, send("GET", job, "", "secret").statusCode());
    assertEquals("PENDING", get(job).path("status").asText());

    // What the streams say when the archive is cleared.
    Erasure erasure = await(() -> erasure(anna));
    assertEquals(job, "/v1/erasures/" + erasure.job());
    say(Erasure.Archived.key(erasure), new Erasure.Archived(2, 5, 0).value());
    JsonNode done =
        await(
            () ->
                Optional.of(get(job))
                    .filter(state -> state.path("status").asText().equals("DONE")));
    JsonNode receipt = done.path("receipt");
    assertEquals("ticket 7", receipt.path("reason").asText());
    assertEquals(1, receipt.path("sequence").asInt());
    assertEquals(64, done.path("digest").asText().length());
    assertEquals(5, receipt.at("/erased/0/count").asInt(), receipt.toString());
    assertEquals(2, receipt.at("/erased/2/count").asInt(), receipt.toString());
    assertEquals(1, receipt.at("/erased/3/count").asInt(), receipt.toString());
    assertTrue(receipt.path("expires").size() > 4, receipt.toString());
    assertFalse(done.toString().contains("anna"), done.toString());

    redis(
        commands -> {
          assertEquals(0, commands.exists("bellwether:history:feed:" + anna));
          assertEquals(0, commands.exists("bellwether:history:shop:" + anna));
          assertEquals(0, commands.exists("bellwether:decision:erase-a"));
          assertEquals(1, commands.exists("bellwether:history:feed:" + bo));
          assertEquals(1, commands.exists("bellwether:decision:erase-b"));
        });
    assertEquals(404, send("GET", explanation.formatted("a"), "").statusCode());
    assertEquals(200, send("GET", explanation.formatted("b"), "").statusCode());
    assertEquals(404, send("GET", "/v1/erasures/" + "0".repeat(26), "").statusCode());
  }

  private HttpResponse<String> decide(String id, String subject) throws Exception {
    return send(
        "POST",
        "/v1/decisions",
        "{'surface':'feed','decisionId':'%s','subject':{'id':'%s'},'candidates':[{'id':'x','features':{}}]}"
            .formatted(id, subject));
  }

  private Optional<Erasure> erasure(String subject) throws Exception {
    List<TopicPartition> one = List.of(new TopicPartition(Topics.ERASURES, 0));
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", platform.kafka()),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(one);
      consumer.seekToBeginning(one);
      for (var record : consumer.poll(Duration.ofSeconds(5))) {
        Optional<Erasure> erasure = Erasure.read(record.key(), record.value());
        if (erasure.filter(e -> e.subject().equals(Erasure.hash(subject))).isPresent()) {
          return erasure;
        }
      }
    }
    return Optional.empty();
  }

  private void say(String key, byte[] value) throws Exception {
    try (Producer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", platform.kafka()),
            new StringSerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(Topics.ERASURES, key, value)).get();
    }
  }

  private void redis(Consumer<RedisCommands<String, String>> work) {
    try (RedisClient redis = RedisClient.create("redis://" + platform.redis())) {
      work.accept(redis.connect().sync());
    }
  }

  private static <T> T await(Callable<Optional<T>> found) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Optional<T> now = found.call();
      if (now.isPresent()) {
        return now.get();
      }
      assertTrue(System.nanoTime() < deadline, "nothing within " + PATIENCE);
      Thread.sleep(50);
    }
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
