package io.bellwether.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.serving.rollout.Population;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Experiments over HTTP, moved by people and by the controller, on numbers that come through Kafka.
 * It shares the running service with {@link ServingIT}, which comes later and ends without Kafka.
 */
@QuarkusTest
@WithTestResource(TestPlatform.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init") // Quarkus and the platform fill the fields
class ExperimentsIT implements TestPlatform.Uses {

  private static final String VARIANTS =
      "'variants':[{'name':'control','policy':'uniform'},{'name':'treatment','policy':'as-given'}]";
  private static final String DECLARATION = "{'name':'order','surface':'feed'," + VARIANTS + "}";
  private static final String WHY = "{'reason':'a test'}";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TestHTTPResource("/")
  URI root;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper mapper = new ObjectMapper();
  private final EventCodec<VariantNumbers> codec = EventCodec.of(VariantNumbers.class);
  private TestPlatform platform;

  @Override
  public void platform(TestPlatform injected) {
    platform = injected;
  }

  @Test
  @Order(1)
  void theOnlyReplicaLeads() throws Exception {
    await("leading", () -> get("/q/metrics").body().contains("bellwether_rollout_leader 1.0"));
    assertTrue(get("/q/health/ready").body().contains("\"numbers\": \"following\""));
  }

  @Test
  @Order(2)
  void anExperimentIsDeclaredAndStarted() throws Exception {
    assertEquals(200, post("/v1/experiments:validate", DECLARATION).statusCode());
    HttpResponse<String> created = post("/v1/experiments", DECLARATION);
    assertEquals(201, created.statusCode(), created.body());
    assertEquals("/v1/experiments/order", header(created, "Location"));
    assertEquals("\"1\"", header(created, "ETag"));
    assertEquals("DRAFT", read(created).path("status").asText());
    assertProblem(post("/v1/experiments", DECLARATION), 400, "invalid-request");
    HttpResponse<String> edited =
        send("PATCH", "/v1/experiments/order", "{'owner':'anna'}", Map.of("If-Match", "\"1\""));
    assertEquals(200, edited.statusCode(), edited.body());
    assertEquals("anna", read(edited).at("/declaration/owner").asText());
    assertEquals(200, post("/v1/experiments/order:validate", "").statusCode());
    HttpResponse<String> started = post("/v1/experiments/order:start", "");
    assertEquals(200, started.statusCode(), started.body());
    JsonNode state = read(get("/v1/experiments/order"));
    assertEquals("RUNNING", state.path("status").asText());
    assertEquals(5000, state.at("/phases/0/shares/treatment").asInt());
    assertEquals("as-given", state.at("/phases/0/versions/treatment").asText());
  }

  @ParameterizedTest
  @Order(3)
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST  | /v1/experiments                      | {'name':'x','surface':'nope','variants':[]}       | 400 | invalid-request
          POST  | /v1/experiments                      | {'nome':'x'}                                      | 400 | unknown-field
          POST  | /v1/experiments:stop-all             | {'surface':'nope','reason':'r'}                   | 404 | not-found
          POST  | /v1/experiments:stop-all             | {'surface':'feed'}                                | 400 | invalid-request
          GET   | /v1/experiments/none                 | ''                                                | 404 | not-found
          GET   | /v1/experiments/none/results         | ''                                                | 404 | not-found
          GET   | /v1/experiments/none/history         | ''                                                | 404 | not-found
          GET   | /v1/experiments/none/assignments/u   | ''                                                | 404 | not-found
          GET   | /v1/experiments?pageSize=0           | ''                                                | 400 | value-out-of-range
          GET   | /v1/experiments/order/results?method=LUCK | ''                                           | 400 | invalid-request
          GET   | /v1/experiments/order/results?look=noon   | ''                                           | 400 | invalid-request
          GET   | /v1/experiments/order/power?effect=0 | ''                                                | 400 | value-out-of-range
          GET   | /v1/experiments/order/assignments/%FF | ''                                               | 400 | invalid-request
          PATCH | /v1/experiments/order                | {}                                                | 428 | precondition-required
          POST  | /v1/experiments/order:start          | {}                                                | 409 | state-conflict
          POST  | /v1/experiments/order:archive        | {'reason':'r'}                                    | 409 | state-conflict
          POST  | /v1/experiments/order:pause          | {}                                                | 400 | invalid-request
          POST  | /v1/experiments/order:ramp           | {'percent':101,'reason':'r'}                      | 400 | value-out-of-range
          POST  | /v1/experiments/order:conclude       | {'winner':'nobody','reason':'r'}                  | 400 | invalid-request
          POST  | /v1/experiments/order:conclude       | {'winner':'treatment','reason':'r'}               | 422 | evaluation-not-passed
          POST  | /v1/experiments/order:clone          | {'name':'order'}                                  | 400 | invalid-request
          POST  | /v1/experiments/order/assignments:batch | {'subjectIds':[]}                              | 400 | invalid-request
          """)
  void badInputGetsItsOwnProblem(String method, String path, String body, int status, String slug)
      throws Exception {
    assertProblem(send(method, path, body, Map.of()), status, slug);
  }

  @Test
  @Order(4)
  void whoHasSeenAnotherStateMovesNothing() throws Exception {
    Map<String, String> old = Map.of("If-Match", "\"1\"");
    assertProblem(send("POST", "/v1/experiments/order:pause", WHY, old), 412, "etag-mismatch");
    assertProblem(
        send("POST", "/v1/experiments/order:pause", WHY, Map.of("Bellwether-Actor", "controller")),
        400,
        "invalid-request");
  }

  @Test
  @Order(5)
  void anAssignmentIsToldByteForByte() throws Exception {
    JsonNode one = read(get("/v1/experiments/order/assignments/k%C3%A4vij%C3%A4%2F+1"));
    assertEquals("kävijä/+1", one.path("subjectId").asText());
    assertTrue(one.path("assigned").asBoolean(), one.toString());
    HttpResponse<String> batch =
        post(
            "/v1/experiments/order/assignments:batch",
            "{'subjectIds':['kävijä/+1',' '],'context':{'country':'fi'}}");
    assertEquals(207, batch.statusCode(), batch.body());
    JsonNode items = read(batch).path("items");
    assertEquals(one, items.at("/0/assignment"));
    assertEquals(400, items.at("/1/status").asInt());
  }

  @Test
  @Order(6)
  void harmThatTheNumbersShowIsTakenBackByItself() throws Exception {
    Instant running = Instant.now();
    try (Producer<String, byte[]> producer = producer()) {
      count(producer, 400);
      await("read", () -> results().at("/units/treatment").asInt() == 400);
      JsonNode results = results();
      assertEquals("WORSE", results.at("/metrics/0/status").asText(), results.toString());
      assertTrue(results.path("numbersAgeSeconds").asDouble() < 10);
      assertTrue(get("/v1/experiments/order/power").body().contains("\"perVariant\""));
      await(
          "rolled back",
          () -> {
            count(producer, 400 + (int) (System.nanoTime() % 100));
            return read(get("/v1/experiments/order")).path("status").asText().equals("ROLLED_BACK");
          });
    }
    JsonNode history = read(get("/v1/experiments/order/history")).path("items");
    JsonNode last = history.get(history.size() - 1);
    assertEquals("ROLLBACK", last.path("kind").asText());
    assertEquals("controller", last.path("who").asText());
    assertEquals("ROLL_BACK", last.at("/evidence/gate/verdict").asText());
    JsonNode stored =
        read(get("/v1/experiments/order/results?look=" + Instant.now().plusSeconds(60)));
    assertEquals(last.at("/evidence/metrics"), stored.path("metrics"));
    assertProblem(
        get("/v1/experiments/order/results?look=" + running.minusSeconds(60)), 404, "not-found");
    assertTrue(
        get("/q/metrics").body().contains("bellwether_rollout_moves_total{kind=\"rollback\"}"));
  }

  @Test
  @Order(7)
  void experimentsAreClonedListedAndStoppedAtOnce() throws Exception {
    HttpResponse<String> cloned = post("/v1/experiments/order:clone", "{'name':'again'}");
    assertEquals(201, cloned.statusCode(), cloned.body());
    assertEquals(200, post("/v1/experiments/again:start", "{'reason':'once more'}").statusCode());
    JsonNode first = read(get("/v1/experiments?surface=feed&pageSize=1"));
    assertEquals("again", first.at("/items/0/declaration/name").asText());
    JsonNode second =
        read(
            get(
                "/v1/experiments?surface=feed&pageSize=1&pageToken="
                    + first.path("nextPageToken").asText()));
    assertEquals("order", second.at("/items/0/declaration/name").asText());
    assertTrue(second.path("nextPageToken").isMissingNode());
    HttpResponse<String> stopped =
        send(
            "POST",
            "/v1/experiments:stop-all",
            "{'surface':'feed','reason':'an incident'}",
            Map.of("Bellwether-Actor", "anna"));
    assertEquals(200, stopped.statusCode(), stopped.body());
    assertEquals(1, read(stopped).path("items").size());
    JsonNode history = read(get("/v1/experiments/again/history")).path("items");
    assertEquals("anna", history.get(history.size() - 1).path("who").asText());
    for (String name : List.of("order", "again")) {
      assertEquals(200, post("/v1/experiments/" + name + ":archive", WHY).statusCode());
    }
  }

  /** What the streams job would have counted by now: the treatment halves what is watched. */
  private void count(Producer<String, byte[]> producer, int units) throws Exception {
    Instant moment = Instant.now();
    for (Population each :
        List.of(
            new Population("order", 1, "control"),
            new Population("order", 1, "treatment").watching(50))) {
      VariantNumbers numbers = each.grow(units).counted(moment);
      producer
          .send(
              new ProducerRecord<>(
                  Topics.EXPERIMENT_METRICS,
                  "order/1/" + numbers.getVariant() + "/" + numbers.getSlice(),
                  codec.encode(numbers)))
          .get();
    }
  }

  private Producer<String, byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", platform.kafka()),
        new StringSerializer(),
        new ByteArraySerializer());
  }

  private JsonNode results() throws Exception {
    return read(get("/v1/experiments/order/results"));
  }

  private void assertProblem(HttpResponse<String> response, int status, String slug)
      throws Exception {
    assertEquals(status, response.statusCode(), response.body());
    assertEquals(
        "urn:bellwether:problem:" + slug, read(response).path("type").asText(), response.body());
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      assertTrue(System.nanoTime() < deadline, "not " + what + " within " + PATIENCE);
      Thread.sleep(100);
    }
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElseThrow();
  }

  private JsonNode read(HttpResponse<String> response) throws Exception {
    return mapper.readTree(response.body());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", path, "", Map.of());
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return send("POST", path, body, Map.of());
  }

  private HttpResponse<String> send(
      String method, String path, String body, Map<String, String> headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(root.resolve(path))
            .header("X-API-Key", "secret")
            .header("Content-Type", "application/json");
    headers.forEach(request::setHeader);
    // As browsers and curl do it: no body, and no word about its length.
    BodyPublisher published =
        body.isEmpty()
            ? BodyPublishers.noBody()
            : BodyPublishers.ofString(body.replace('\'', '"'), UTF_8);
    return client.send(request.method(method, published).build(), BodyHandlers.ofString(UTF_8));
  }
}
