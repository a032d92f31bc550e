package io.bellwether.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.Masked;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.policy.scoring.SlateSampler;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.rule.TracedRules;
import io.bellwether.serving.work.Workers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The service as a whole, over HTTP, with a real Kafka and a real Redis. Outages come last. */
@QuarkusTest
@WithTestResource(TestPlatform.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init") // Quarkus and the platform fill the fields
class ServingIT implements TestPlatform.Uses {

  /** The same media type in other words, which leave the short way of decisions. */
  private static final Map<String, String> UNUSUAL =
      Map.of("Content-Type", "application/json; charset=utf-8");

  private static final String THREE =
      "'candidates':[{'id':'a','features':{'age_hours':1}},{'id':'b','features':{'age_hours':2}},"
          + "{'id':'c','features':{'age_hours':3}}]";
  private static final String OUTCOME = "{'decisionId':'d3','signal':'like','value':1}";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TestHTTPResource("/")
  URI root;

  @Inject Experiments experiments;
  @Inject Workers workers;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper mapper = new ObjectMapper();
  private final EventCodec<Decision> decisions = EventCodec.of(Decision.class);
  private final EventCodec<Exposure> exposures = EventCodec.of(Exposure.class);
  private final EventCodec<Outcome> outcomes = EventCodec.of(Outcome.class);
  private TestPlatform platform;

  @Override
  public void platform(TestPlatform injected) {
    platform = injected;
  }

  @Test
  @Order(1)
  void theServiceBecomesReady() throws Exception {
    await("ready", () -> get("/q/health/ready").statusCode() == 200);
    assertEquals(200, get("/q/health/live").statusCode());
  }

  @ParameterizedTest
  @Order(2)
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /v1/decisions      | {'surface':                                                         | 400 | invalid-request
          /v1/decisions      | {'surface':'nope'}                                                  | 400 | invalid-request
          /v1/decisions      | {'surface':['feed']}                                                | 400 | invalid-request
          /v1/decisions      | {'surface':'feed','context':{'hour':'seven'}}                       | 400 | invalid-request
          /v1/decisions      | {'surface':'feed','context':{'hour':NaN}}                           | 400 | invalid-request
          /v1/decisions      | {'surface':'feed','context':{'hour':1e400}}                         | 400 | value-out-of-range
          /v1/decisions      | {'surface':'feed','context':{'taste':[[1],2]}}                      | 400 | invalid-request
          /v1/decisions      | {'surface':'feed','candidates':[]}                                  | 400 | invalid-request
          /v1/decisions      | {'surface':'feed','candidates':[{'id':'a','features':{}},{'id':'a','features':{}}]} | 400 | invalid-request
          /v1/decisions      | {'surface':'feed','candidates':[{'id':'unknown'}]}                  | 400 | invalid-request
          /v1/decisions      | {'surface':'feed','decisionId':'no spaces'}                         | 400 | invalid-request
          /v1/decisions      | {'surface':'feed','subject':{'id':' '}}                             | 400 | invalid-request
          /v1/decisions      | {'surface':'feed','color':1}                                        | 400 | unknown-field
          /v1/decisions      | {'a':{'b':{'c':{'d':{'e':{'f':{'g':{'h':1}}}}}}}}                   | 400 | invalid-request
          /v1/outcomes       | {'decisionId':'d','signal':'like','value':NaN}                      | 400 | invalid-request
          /v1/outcomes       | {'decisionId':'d','signal':'love','value':1}                        | 400 | invalid-request
          /v1/outcomes       | {'decisionId':'d','signal':'like','value':3}                        | 400 | value-out-of-range
          /v1/outcomes       | {'decisionId':'d','signal':'like','value':1,'occurredAt':'2020-01-01T00:00:00Z'} | 400 | value-out-of-range
          /v1/outcomes       | {'signal':'like','value':1}                                         | 400 | invalid-request
          /v1/outcomes:batch | {'decisionId':'d','signal':'like','value':1}                        | 400 | unknown-field
          /v1/outcomes:batch | []                                                                  | 400 | invalid-request
          /v1/nothing        | {}                                                                  | 404 | not-found
          /v1/surfaces       | {}                                                                  | 405 | method-not-allowed
          /v1/policies/feed/versions/v000000000000:promote | {'alias':'champion','reason':'x'}      | 404 | not-found
          """)
  void badInputGetsItsOwnProblem(String path, String body, int status, String slug)
      throws Exception {
    assertProblem(post(path, body), status, slug);
  }

  @Test
  @Order(3)
  void anUnusualRequestIsAnsweredAsAUsualOne() throws Exception {
    byte[] body = json(of("both-ways", "u"));
    HttpResponse<String> usual = send("POST", "/v1/decisions", body, Map.of());
    HttpResponse<String> unusual = send("POST", "/v1/decisions", body, UNUSUAL);
    assertEquals(201, usual.statusCode(), usual.body());
    assertEquals(200, unusual.statusCode(), unusual.body());
    assertEquals(usual.body(), unusual.body());
    assertEquals(
        unusual.headers().firstValue("Content-Type"), usual.headers().firstValue("Content-Type"));
    for (String wrong : List.of("", "{", "{'surface':'nowhere'}", "{'surface':7}")) {
      HttpResponse<String> one = send("POST", "/v1/decisions", json(wrong), Map.of());
      HttpResponse<String> other = send("POST", "/v1/decisions", json(wrong), UNUSUAL);
      assertProblem(one, 400, "invalid-request");
      assertEquals(
          mapper.readTree(other.body()).path("detail"), mapper.readTree(one.body()).path("detail"));
    }
  }

  @Test
  @Order(3)
  void sizesTypesAndCallersAreChecked() throws Exception {
    byte[] tenMegabytes = new byte[10_000_000];
    Arrays.fill(tenMegabytes, (byte) ' ');
    assertProblem(send("POST", "/v1/decisions", tenMegabytes, Map.of()), 413, "payload-too-large");
    byte[] twoMegabytes = Arrays.copyOf(tenMegabytes, 2_000_000);
    assertProblem(send("POST", "/v1/decisions", twoMegabytes, Map.of()), 413, "payload-too-large");
    assertProblem(chunked("/v1/decisions", tenMegabytes), 413, "payload-too-large");
    assertEquals(202, chunked("/v1/outcomes", json(OUTCOME)).statusCode());
    assertProblem(
        send("POST", "/v1/decisions", new byte[0], Map.of("Content-Type", "text/plain")),
        415,
        "unsupported-media-type");
    assertProblem(
        send("POST", "/v1/decisions", "{}".getBytes(UTF_8), Map.of("X-API-Key", "wrong")),
        401,
        "unauthenticated");
    assertProblem(
        send("GET", "/v1/limits", new byte[0], Map.of("Accept", "text/html")),
        406,
        "not-acceptable");
    assertEquals(
        200,
        send(
                "GET",
                "/v1/limits",
                new byte[0],
                Map.of("X-API-Key", "", "Authorization", "Bearer other"))
            .statusCode());
  }

  @ParameterizedTest
  @Order(3)
  @ValueSource(
      strings = {
        "/v1/decisions",
        "/v1/outcomes",
        "/v1/policies/feed/versions/v000000000000:promote",
        "/v1/nothing"
      })
  void aBodyOfUndeclaredLengthIsBounded(String path) throws Exception {
    assertProblem(chunked(path, new byte[20_000_000]), 413, "payload-too-large");
  }

  @Test
  @Order(3)
  void aClientThatOffersHttp2GoesOnInHttp1WithinTheSameBounds() throws Exception {
    HttpClient http2 = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    for (int times = 0; times < 3; times++) {
      HttpResponse<String> limits = offering(http2, "GET", "/v1/limits", List.of());
      assertEquals(200, limits.statusCode(), limits.body());
      assertEquals(HttpClient.Version.HTTP_1_1, limits.version());
      assertProblem(
          offering(http2, "POST", "/v1/decisions/none:activate", List.of()), 404, "not-found");
      assertEquals(
          202, offering(http2, "POST", "/v1/outcomes", List.of(json(OUTCOME))).statusCode());
    }
    List<byte[]> twentyMegabytes = Collections.nCopies(200, new byte[100_000]);
    assertProblem(
        offering(http2, "POST", "/v1/decisions", twentyMegabytes), 413, "payload-too-large");
  }

  /** Of no declared length. */
  private HttpResponse<String> offering(
      HttpClient http2, String method, String path, List<byte[]> body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(root.resolve(path))
            .timeout(PATIENCE)
            .header("X-API-Key", "secret")
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArrays(body))
            .build();
    return http2.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  @Order(3)
  void pathsOfWhatIsTurnedAwayAreNoLabels() throws Exception {
    Map<String, String> wrong = Map.of("X-API-Key", "wrong");
    assertProblem(send("GET", "/v1/stranger", new byte[0], wrong), 401, "unauthenticated");
    await("counted", () -> get("/q/metrics").body().contains("uri=\"/{turned-away}\""));
    assertFalse(get("/q/metrics").body().contains("stranger"));
  }

  @Test
  @Order(3)
  void aRequestWithoutAHostGetsAProblemToo() throws Exception {
    try (Socket socket = new Socket(root.getHost(), root.getPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      String request = "GET /v1/limits HTTP/1.1\r\nX-API-Key: secret\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(UTF_8));
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
      assertTrue(answer.contains("application/problem+json"), answer);
    }
  }

  @Test
  @Order(4)
  void withoutAPolicyTheLoggedDecisionIsTheAnswerAndUniform() throws Exception {
    HttpResponse<String> response =
        post(
            "/v1/decisions",
            "{'surface':'feed','subject':{'id':'kävijä-🦊'},'context':{'hour':7}," + THREE + "}");
    assertEquals(201, response.statusCode());
    JsonNode answer = mapper.readTree(response.body());
    Decision logged = decisions(answer.path("decisionId").asText()).get(0);
    assertEquals("uniform", answer.at("/policy/version").asText());
    assertEquals("OK", answer.path("status").asText());
    assertEquals("kävijä-🦊", logged.getSubjectId());
    assertEquals("{\"hour\":7}", logged.getRawContext());
    assertArrayEquals(new float[3], Floats.of(logged.getLogits()));
    assertEquals(1.0 / 3, answer.at("/slate/0/propensity").doubleValue());
    assertEquals("/v1/decisions/" + logged.getDecisionId(), location(response));
    assertReproducible(answer, logged);
  }

  @Test
  @Order(4)
  void whatChanceAloneChoseIsExplainedSo() throws Exception {
    JsonNode answer = decide("{'surface':'feed'," + THREE + "}");
    awaitForwarded();
    JsonNode told =
        mapper.readTree(get("/v1/decisions/" + answer.path("decisionId").asText()).body());
    assertTrue(told.path("explored").asBoolean());
    assertEquals("no graph of uniform is loaded", told.path("values").asText());
  }

  @Test
  @Order(5)
  void aChampionIsTakenUpAndDecides() throws Exception {
    crown(0.5f, 0f, 0f);
    JsonNode answer = decide("{'surface':'feed'," + THREE + "}");
    Decision logged = decisions(answer.path("decisionId").asText()).get(0);
    assertArrayEquals(new float[] {0.5f, 1f, 1.5f}, Floats.of(logged.getLogits()));
    assertReproducible(answer, logged);
    JsonNode policies = mapper.readTree(get("/v1/policies/feed").body());
    assertEquals(logged.getPolicyVersion(), policies.path("serving").asText());
    assertTrue(
        get("/q/metrics").body().contains("bellwether_policy_info{"), "metrics name the version");
  }

  @Test
  @Order(5)
  void aSlateKeepsTheRulesOfItsRequestAndItsLogTellsThem() throws Exception {
    String four =
        THREE.replace("'age_hours':1}", "'age_hours':1,'fresh':true}").replace("]", ",")
            + "{'id':'d','features':{'fresh':true}}],'options':{'topK':2}";
    JsonNode answer =
        decide(
            "{'surface':'feed',%s,'rules':{'masks':[{'candidateId':'c','reason':'sold-out'}],"
                    .formatted(four)
                + "'pins':[{'candidateId':'b','position':1},{'candidateId':'c2','position':0}],"
                + "'atLeast':[{'feature':'fresh','n':1}]}}");
    Decision logged = decisions(answer.path("decisionId").asText()).get(0);
    assertEquals(List.of("a", "b", "d"), logged.getCandidateIds());
    assertEquals("b", answer.at("/slate/1/candidateId").asText());
    assertEquals(1, answer.at("/slate/1/propensity").doubleValue());
    assertEquals(List.of(new Masked("c", "sold-out")), logged.getRules().getMasked());
    assertEquals(List.of("pin c2 at 0: no candidate"), logged.getRules().getRelaxed());
    MixedWeights weights =
        MixedWeights.of(
            Floats.of(logged.getLogits()),
            Exploration.asUsed(logged.getTemperature(), logged.getUniform()));
    Slate again =
        new SlateSampler().sample(weights, TracedRules.of(logged.getRules()), logged.getSeed(), 2);
    int first = logged.getSlate().get(0).getCandidate();
    assertEquals(first, again.candidates()[0]);
    assertEquals(
        weights.weight(first) / (weights.weight(0) + weights.weight(2)),
        logged.getSlate().get(0).getPropensity(),
        1e-12);
    assertProblem(
        post("/v1/decisions", "{'surface':'feed'," + THREE + ",'rules':{'pins':[{}]}}"),
        400,
        "invalid-request");
  }

  @Test
  @Order(6)
  void theSameRequestGetsTheSameAnswer() throws Exception {
    String body = "{'surface':'feed','decisionId':'again','subject':{'id':'u'}," + THREE + "}";
    HttpResponse<String> first = post("/v1/decisions", body);
    HttpResponse<String> second = post("/v1/decisions", body);
    assertEquals(201, first.statusCode());
    assertEquals(200, second.statusCode());
    assertEquals(first.body(), second.body());
    assertEquals("true", second.headers().firstValue("Idempotency-Replayed").orElseThrow());
    List<Decision> logged = decisions("again");
    assertEquals(2, logged.size());
    assertEquals(logged.get(0), logged.get(1));
    assertProblem(post("/v1/decisions", body + " "), 422, "idempotency-key-reused");
    Map<String, String> key = Map.of("Idempotency-Key", "again");
    byte[] withoutId = json("{'surface':'feed'," + THREE + "}");
    assertProblem(send("POST", "/v1/decisions", withoutId, key), 422, "idempotency-key-reused");
  }

  @Test
  @Order(7)
  void aDryRunLeavesNothingBehind() throws Exception {
    String body =
        "{'surface':'feed','decisionId':'dry','options':{'dryRun':true,'topK':1}," + THREE + "}";
    HttpResponse<String> response = post("/v1/decisions", body);
    assertEquals(200, response.statusCode());
    assertEquals(1, mapper.readTree(response.body()).path("slate").size());
    decide("{'surface':'feed'," + THREE + "}");
    assertEquals(List.of(), decisions("dry"));
  }

  @Test
  @Order(7)
  void whileEveryWorkerIsInASlowGraphAStandInAnswersAndSaysSo() throws Exception {
    String body = "{'surface':'feed','decisionId':'busy','subject':{'id':'u'}," + THREE + "}";
    CountDownLatch graphs = new CountDownLatch(1);
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      workers.execute(() -> waitFor(graphs));
    }
    HttpResponse<String> response =
        send("POST", "/v1/decisions", json(body), Map.of("Bellwether-Deadline-Ms", "1000"));
    graphs.countDown();
    assertEquals(201, response.statusCode(), response.body());
    assertEquals(
        "DEADLINE_EXCEEDED", response.headers().firstValue("Bellwether-Degraded").orElseThrow());
    JsonNode answer = mapper.readTree(response.body());
    assertEquals("DEGRADED", answer.path("status").asText());
    assertEquals("AS_GIVEN", answer.at("/degraded/fallback").asText());
    assertFalse(answer.at("/degraded/learnable").asBoolean());
    Decision logged = decisions("busy").get(0);
    assertEquals("as-given", logged.getPolicyVersion());
    assertEquals("DETERMINISTIC", logged.getPropensityKind());
    for (int position = 0; position < 3; position++) {
      assertEquals(position, logged.getSlate().get(position).getCandidate());
      assertEquals(1, logged.getSlate().get(position).getPropensity());
    }
    HttpResponse<String> again = post("/v1/decisions", body);
    assertEquals("true", again.headers().firstValue("Idempotency-Replayed").orElseThrow());
    assertEquals(response.body(), again.body());
    assertEquals(List.of(logged, logged), decisions("busy"));
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Order(8)
  void registeredItemsCanBeNamedAtOnce() throws Exception {
    HttpResponse<String> registered =
        send(
            "PUT",
            "/v1/surfaces/shop/items",
            json("{'items':[{'id':'käsine/1','features':{'age_hours':4}},{'id':'y'}]}"),
            Map.of());
    assertEquals(200, registered.statusCode(), registered.body());
    JsonNode answer = decide("{'surface':'shop'}");
    Decision logged = decisions(answer.path("decisionId").asText()).get(0);
    assertEquals(Set.of("käsine/1", "y"), Set.copyOf(logged.getCandidateIds()));
    JsonNode named = decide("{'surface':'shop','candidates':[{'id':'käsine/1'}]}");
    assertEquals("käsine/1", named.at("/slate/0/candidateId").asText());
    assertEquals(1.0, named.at("/slate/0/propensity").doubleValue());
    assertProblem(
        send(
            "PUT",
            "/v1/surfaces/shop/items",
            json("{'items':[{'id':'z'},{'id':'w','features':{'colour':1}}]}"),
            Map.of()),
        400,
        "unknown-field");
    assertProblem(
        post("/v1/decisions", "{'surface':'shop','candidates':[{'id':'z'}]}"),
        400,
        "invalid-request");
  }

  @Test
  @Order(9)
  void outcomesAreLoggedUnderTheirDecision() throws Exception {
    HttpResponse<String> one =
        post("/v1/outcomes", "{'decisionId':'d9','itemId':'ä','signal':'like','value':1}");
    assertEquals(202, one.statusCode());
    String id = mapper.readTree(one.body()).path("outcomeId").asText();
    HttpResponse<String> many =
        post(
            "/v1/outcomes",
            "[{'outcomeId':'o-2','decisionId':'d9','signal':'watch_seconds','value':2.5},"
                + "{'outcomeId':'o-3','decisionId':'d9','signal':'like','value':2},"
                + "{'outcomeId':'o-4','decisionId':'never-made','signal':'like','value':0}]");
    assertEquals(207, many.statusCode());
    List<Integer> statuses = new ArrayList<>();
    mapper.readTree(many.body()).path("items").forEach(i -> statuses.add(i.path("status").asInt()));
    assertEquals(List.of(202, 400, 202), statuses);
    List<String> logged = new ArrayList<>();
    for (byte[] bytes : records(Topics.OUTCOMES, "d9")) {
      logged.add(outcomes.decode(bytes).getOutcomeId());
    }
    assertEquals(List.of(id, "o-2"), logged);
    assertEquals(1, records(Topics.OUTCOMES, "never-made").size());
  }

  @Test
  @Order(9)
  void aDecisionCanBeExplainedAfterwards() throws Exception {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    HttpResponse<String> made =
        send(
            "POST",
            "/v1/decisions",
            json("{'surface':'feed','subject':{'id':'u'}," + THREE + "}"),
            Map.of("traceparent", "00-" + trace + "-00f067aa0ba902b7-01"));
    assertTrue(
        made.headers()
            .firstValue("Server-Timing")
            .orElseThrow()
            .matches("queue;dur=[0-9.]+, read;.*, total;dur=[0-9.]+"));
    JsonNode answer = mapper.readTree(made.body());
    String id = answer.path("decisionId").asText();
    assertEquals(
        202,
        post("/v1/outcomes", "{'decisionId':'" + id + "','itemId':'a','signal':'like','value':1}")
            .statusCode());
    awaitForwarded();
    JsonNode told = mapper.readTree(get("/v1/decisions/" + id).body());
    assertEquals(answer.path("policy"), told.path("policy"));
    assertEquals(answer.at("/exploration/explored"), told.path("explored"));
    assertEquals(3, told.path("candidates").size());
    for (JsonNode position : answer.path("slate")) {
      JsonNode shown = told.path("slate").path(position.path("position").asInt());
      assertEquals(position.path("candidateId"), shown.path("candidateId"));
      assertEquals(position.path("propensity"), shown.path("propensity"));
    }
    assertEquals("like", told.at("/outcomes/0/signal").asText());
    assertTrue(told.path("outcomesComplete").asBoolean());
    assertEquals(
        told.at("/policy/version").asText() + " predicts no signal", told.path("values").asText());
    assertEquals(trace, told.path("traceId").asText());
    assertTrue(
        get("/q/metrics").body().contains("trace_id=\"" + trace + "\""),
        "the histogram names the trace");
    JsonNode again = mapper.readTree(get("/v1/decisions/again").body());
    assertEquals("again", again.path("decisionId").asText());
    assertProblem(get("/v1/decisions/01BX5ZZKBKACTAV9WEVGEMMVRZ"), 404, "not-found");
    assertProblem(get("/v1/decisions/never-made"), 404, "not-found");
    assertProblem(get("/v1/decisions/never-made?decidedAt=soon"), 400, "invalid-request");
  }

  @Test
  @Order(10)
  void swappingChampionsUnderLoadDropsNothing() throws Exception {
    Map<String, float[]> logitsOf = new HashMap<>();
    logitsOf.put(crown(10f, 0f, 0f).value(), new float[] {10, 20, 30});
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong worstNanos = new AtomicLong();
    ExecutorService callers = Executors.newFixedThreadPool(4);
    Callable<List<String>> caller =
        () -> {
          List<String> answers = new ArrayList<>();
          while (!stop.get()) {
            long from = System.nanoTime();
            HttpResponse<String> response =
                post("/v1/decisions", "{'surface':'feed','options':{'dryRun':true}," + THREE + "}");
            worstNanos.accumulateAndGet(System.nanoTime() - from, Math::max);
            assertEquals(200, response.statusCode(), response.body());
            answers.add(response.body());
          }
          return answers;
        };
    List<Future<List<String>>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(callers.submit(caller));
    }
    for (int swap = 1; swap <= 10; swap++) {
      float weight = 10 + swap;
      logitsOf.put(crown(weight, 0f, 0f).value(), new float[] {weight, 2 * weight, 3 * weight});
    }
    stop.set(true);
    Set<String> versions = new TreeSet<>();
    for (Future<List<String>> each : all) {
      for (String body : each.get()) {
        JsonNode answer = mapper.readTree(body);
        assertEquals("OK", answer.path("status").asText());
        versions.add(answer.at("/policy/version").asText());
        float[] logits = logitsOf.get(answer.at("/policy/version").asText());
        assertNotNull(logits, body);
        for (JsonNode place : answer.path("slate")) {
          int candidate = place.path("candidateId").asText().charAt(0) - 'a';
          assertEquals(logits[candidate], place.path("score").floatValue());
        }
      }
    }
    callers.shutdown();
    assertTrue(versions.size() >= 5, "versions seen: " + versions);
    assertTrue(worstNanos.get() < Duration.ofSeconds(2).toNanos(), worstNanos + " ns");
  }

  @Test
  @Order(11)
  void aCorruptOrForeignVersionIsRefusedAndTheLastGoodOneStays() throws Exception {
    VersionId good = crown(2f, 0f, 0f);
    PolicyStore store = new PolicyStore(platform.store(), Clock.systemUTC());
    VersionId bad = publish(0f, 7f, 7f);
    corrupt(bad);
    LinearPolicy.crown(store, "feed", bad);
    await("refused", () -> get("/v1/policies/feed").body().contains("\"refused\":\"" + bad));
    assertEquals(
        good.value(), decide("{'surface':'feed'," + THREE + "}").at("/policy/version").asText());
    assertTrue(
        get("/q/metrics")
            .body()
            .contains("bellwether_policy_load_failures_total{surface=\"feed\"}"));

    FeatureSchema schema = TestPlatform.schema();
    FeatureSchema foreign =
        new FeatureSchema(
            "another",
            schema.contextWidth(),
            schema.historyLength(),
            schema.historyWidth(),
            schema.itemWidth(),
            List.of());
    VersionId other = LinearPolicy.publish(store, "feed", foreign, 1f, 1f, 1f);
    LinearPolicy.crown(store, "feed", other);
    await("refused", () -> get("/v1/policies/feed").body().contains("\"refused\":\"" + other));
    assertEquals(
        good.value(), decide("{'surface':'feed'," + THREE + "}").at("/policy/version").asText());
  }

  @Test
  @Order(12)
  void aVersionIsPromotedThroughTheApi() throws Exception {
    PolicyStore store = new PolicyStore(platform.store(), Clock.systemUTC());
    VersionId version = LinearPolicy.publish(store, "shop", TestPlatform.schema(), 3f, 0f, 0f);
    String path = "/v1/policies/shop/versions/" + version + ":promote";
    assertProblem(
        send("POST", path, "{}".getBytes(UTF_8), Map.of("X-API-Key", "secret")), 403, "forbidden");
    assertProblem(
        post(path, "{'alias':'champion','expected':'v000000000000','reason':'r'}"),
        409,
        "state-conflict");
    HttpResponse<String> moved = post(path, "{'alias':'champion','expected':null,'reason':'r'}");
    assertEquals(200, moved.statusCode(), moved.body());
    await("served", () -> get("/v1/policies/shop").body().contains("\"serving\":\"" + version));
    JsonNode versions = mapper.readTree(get("/v1/policies/shop/versions").body());
    assertEquals("CHAMPION", versions.at("/items/0/state").asText());
    assertEquals("pass", versions.at("/items/0/verdict").asText());
  }

  @Test
  @Order(13)
  void releasesAreHeldApprovedAndTakenBackThroughTheApi() throws Exception {
    PolicyStore store = new PolicyStore(platform.store(), Clock.systemUTC());
    VersionId before = store.alias("shop", Alias.CHAMPION).orElseThrow();
    VersionId next = LinearPolicy.publish(store, "shop", TestPlatform.schema(), 5f, 0f, 0f);
    assertReleased("/v1/policies/shop:pin", "ann", "{'version':'" + before + "','reason':'r'}");
    store.releases().requireApproval("shop", Set.of(Alias.CHAMPION), "ann", "a rule of ours");
    HttpResponse<String> proposed =
        as(
            "ann",
            "/v1/policies/shop/versions/" + next + ":promote",
            "{'alias':'champion','expected':'" + before + "','reason':'r'}");
    assertEquals(202, proposed.statusCode(), proposed.body());
    String approve =
        "/v1/releases/" + mapper.readTree(proposed.body()).path("proposal").asLong() + ":approve";
    assertEquals(1, mapper.readTree(get("/v1/releases/proposals").body()).path("items").size());
    assertProblem(as("ann", approve, "{'reason':'r'}"), 422, "evaluation-not-passed");
    Instant then = assertReleased(approve, "bob", "{'reason':'r'}");
    JsonNode shop = mapper.readTree(get("/v1/policies/shop").body());
    assertEquals(next.value(), shop.at("/aliases/champion").asText());
    assertEquals(before.value(), shop.path("serving").asText());
    assertEquals(before.value(), shop.path("pinned").asText());

    assertReleased("/v1/policies/shop:unpin", "ann", "{'reason':'r'}");
    await("served", () -> get("/v1/policies/shop").body().contains("\"serving\":\"" + next));
    assertReleased("/v1/policies/shop:freeze", "ann", "{'reason':'r'}");
    assertProblem(as("ann", "/v1/policies/shop:rollback", "{'reason':'r'}"), 409, "state-conflict");
    assertReleased("/v1/policies/shop:unfreeze", "ann", "{'reason':'r'}");
    assertReleased("/v1/policies/shop:rollback", "ann", "{'reason':'r'}");
    await("served", () -> get("/v1/policies/shop").body().contains("\"serving\":\"" + before));
    JsonNode standing = mapper.readTree(get("/v1/policies/shop/standing?at=" + then).body());
    assertEquals(next.value(), standing.at("/aliases/champion").asText());
    JsonNode log = mapper.readTree(get("/v1/releases?policy=shop&pageSize=1000").body());
    JsonNode last = log.path("items").get(log.path("items").size() - 1);
    assertEquals("moved", last.path("kind").asText());
    assertTrue(last.path("rollback").asBoolean());
    assertTrue(log.path("broken").isMissingNode(), log::toString);
    assertProblem(
        as("ann", "/v1/policies/shop:pin", "{'version':'latest','reason':' '}"),
        400,
        "invalid-request");
  }

  /** Asks as somebody, expects that it was done, and tells when. */
  private Instant assertReleased(String path, String who, String body) throws Exception {
    HttpResponse<String> done = as(who, path, body);
    assertEquals(200, done.statusCode(), done.body());
    return Instant.parse(mapper.readTree(done.body()).path("at").asText());
  }

  private HttpResponse<String> as(String who, String path, String body) throws Exception {
    return send("POST", path, json(body), Map.of("Bellwether-Actor", who));
  }

  @Test
  @Order(13)
  void theContractIsPublished() throws Exception {
    String document = get("/openapi").body();
    for (String path :
        List.of(
            "/v1/decisions:",
            "/v1/decisions/{id}:activate:",
            "/v1/outcomes:",
            "/v1/outcomes:batch:",
            "/v1/surfaces:",
            "/v1/surfaces/{surface}:",
            "/v1/surfaces/{surface}/items:",
            "/v1/policies:",
            "/v1/policies/{name}:",
            "/v1/policies/{name}/versions:",
            "/v1/policies/{name}/versions/{version}:promote:",
            "/v1/limits:")) {
      assertTrue(document.contains("  " + path), path);
    }
    assertEquals(document, get("/q/openapi").body());
    String metrics = get("/q/metrics").body();
    assertTrue(metrics.contains("bellwether_decisions_total{"));
    assertTrue(metrics.contains("bellwether_decision_duration_seconds_bucket{"));
    assertTrue(metrics.contains("bellwether_explored_total{"));
    assertTrue(metrics.contains("bellwether_propensity_bucket{"));
    assertTrue(metrics.contains("bellwether_outcomes_total{"));
    JsonNode surfaces = mapper.readTree(get("/v1/surfaces").body());
    assertEquals("feed", surfaces.at("/items/0/surface").asText());
  }

  @Test
  @Order(14)
  void bothVariantsAnswerWithTheirVersionsAndEveryDecisionHasItsExposure() throws Exception {
    VersionId control = crown(1f, 0f, 0f);
    VersionId treatment = publish(-1f, 0f, 0f);
    start("better", "'overrides':{'tester':'treatment'}", treatment);
    Map<String, String> variants = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      JsonNode answer = decide(of("x" + i, "u" + i));
      String variant = answer.at("/experiment/variant").asText();
      String expected = variant.equals("control") ? control.value() : treatment.value();
      assertEquals(expected, answer.at("/policy/version").asText());
      assertEquals(0.5, answer.at("/experiment/assignmentProbability").doubleValue());
      assertEquals(1, answer.at("/experiment/version").intValue());
      assertEquals("OK", answer.path("status").asText());
      variants.put("x" + i, variant);
    }
    assertEquals(Set.of("control", "treatment"), Set.copyOf(variants.values()));
    String again = of("x3", "u3");
    assertEquals(200, post("/v1/decisions", again).statusCode());
    Map<String, Decision> made = new HashMap<>();
    for (byte[] bytes : records(Topics.DECISIONS, variants::containsKey)) {
      Decision decision = decisions.decode(bytes);
      made.put(decision.getDecisionId(), decision);
    }
    Map<String, List<Exposure>> exposures = exposures("better");
    assertEquals(variants.keySet(), exposures.keySet());
    for (Map.Entry<String, List<Exposure>> each : exposures.entrySet()) {
      String id = each.getKey();
      Exposure exposure = each.getValue().get(0);
      Decision logged = requireNonNull(made.get(id));
      assertEquals(variants.get(id), exposure.getVariant());
      assertEquals(logged.getAssignment().getVariant(), exposure.getVariant());
      assertEquals(logged.getAssignment().getBucket(), exposure.getBucket());
      assertEquals(logged.getPolicyVersion(), exposure.getPolicyVersion());
      assertEquals(id.replace('x', 'u'), exposure.getUnit());
      assertEquals(logged.getDecidedAtMicros(), exposure.getExposedAtMicros());
      assertTrue(exposure.getDecisionMicros() > 0);
      assertEquals(id.equals("x3") ? 2 : 1, each.getValue().size(), id);
    }
    List<Exposure> twice = requireNonNull(exposures.get("x3"));
    assertEquals(twice.get(0), twice.get(1));
  }

  @Test
  @Order(15)
  void whoIsForcedIsFlaggedWhoIsNobodyIsLeftOutAndWhoOnlyAsksIsNotExposed() throws Exception {
    JsonNode forced = decide(of("f1", "tester"));
    assertEquals("treatment", forced.at("/experiment/variant").asText());
    Exposure exposure = exposures("better", "f1").get(0);
    assertTrue(exposure.getForced());
    assertEquals(-1, exposure.getBucket());
    for (String nobody : List.of("anonymous", "00000000-0000-0000-0000-000000000000")) {
      assertTrue(decide(of("n-" + nobody, nobody)).path("experiment").isMissingNode());
    }
    assertTrue(decide("{'surface':'feed'," + THREE + "}").path("experiment").isMissingNode());
    String dry = of("f2", "u2").replace("{'surface'", "{'options':{'dryRun':true},'surface'");
    JsonNode asked = mapper.readTree(post("/v1/decisions", dry).body());
    assertEquals("better", asked.at("/experiment/name").asText());
    assertFalse(exposures("better").containsKey("f2"));
    String metrics = get("/q/metrics").body();
    assertTrue(metrics.contains("bellwether_units_missing_total{surface=\"feed\"} 3.0"), metrics);
    assertTrue(
        metrics.contains(
            "bellwether_experiment_decisions_total{degraded=\"none\",experiment=\"better\""));
  }

  @Test
  @Order(16)
  void afterAnAcknowledgedRollBackNoDecisionComesFromTheOldVariant() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong acknowledgedNanos = new AtomicLong(Long.MAX_VALUE);
    ExecutorService callers = Executors.newFixedThreadPool(4);
    CountDownLatch exposed = new CountDownLatch(4);
    List<Future<int[]>> all = new ArrayList<>();
    for (int caller = 0; caller < 4; caller++) {
      String prefix = "r" + caller + "-";
      all.add(
          callers.submit(
              () -> {
                int[] beforeAndAfter = new int[2];
                for (int i = 0; !stop.get(); i++) {
                  boolean after = System.nanoTime() > acknowledgedNanos.get();
                  JsonNode answer = decide(of(prefix + i, prefix + i));
                  assertEquals("OK", answer.path("status").asText());
                  if (after) {
                    assertTrue(answer.path("experiment").isMissingNode(), answer::toString);
                    beforeAndAfter[1]++;
                  } else if (!answer.path("experiment").isMissingNode()
                      && beforeAndAfter[0]++ == 0) {
                    exposed.countDown();
                  }
                }
                return beforeAndAfter;
              }));
    }
    assertTrue(exposed.await(20, TimeUnit.SECONDS), "each caller is in the experiment");
    end("better");
    acknowledgedNanos.set(System.nanoTime());
    for (int i = 0; i < 50; i++) {
      decide(of("after-" + i, "u" + i));
    }
    stop.set(true);
    for (Future<int[]> each : all) {
      int[] beforeAndAfter = each.get();
      assertTrue(beforeAndAfter[0] > 0 && beforeAndAfter[1] > 0, Arrays.toString(beforeAndAfter));
    }
    callers.shutdown();
  }

  @Test
  @Order(17)
  void aBrokenVariantIsAnsweredByTheChampionAndStillExposed() throws Exception {
    VersionId control = champion();
    VersionId broken = publish(0f, 3f, 4f);
    corrupt(broken);
    start("broken", "'layer':'broken'", broken);
    Map<String, Boolean> treated = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      JsonNode answer = decide(of("b" + i, "u" + i));
      boolean broke = answer.at("/experiment/variant").asText().equals("treatment");
      assertEquals(control.value(), answer.at("/policy/version").asText());
      assertEquals(broke ? "MODEL_UNAVAILABLE" : "", answer.at("/degraded/reason").asText());
      assertEquals(broke ? "CHAMPION" : "", answer.at("/degraded/fallback").asText());
      treated.put("b" + i, broke);
    }
    assertEquals(Set.of(true, false), Set.copyOf(treated.values()));
    Map<String, List<Exposure>> exposures = exposures("broken");
    assertEquals(treated.keySet(), exposures.keySet());
    for (List<Exposure> each : exposures.values()) {
      Exposure exposure = each.get(0);
      boolean broke = requireNonNull(treated.get(exposure.getDecisionId()));
      assertEquals(broke ? "treatment" : "control", exposure.getVariant());
      assertEquals(broke ? "MODEL_UNAVAILABLE" : null, exposure.getDegraded());
      assertEquals(control.value(), exposure.getPolicyVersion());
    }
    end("broken");
  }

  @Test
  @Order(18)
  void twoVersionsDraftASlateAndAShadowScoresWhatIsShown() throws Exception {
    VersionId control = champion();
    VersionId treatment = publish(-1f, 0f, 0f);
    start("draft", "'kind':'INTERLEAVING'", treatment);
    start("watched", "'kind':'SHADOW'", treatment);
    JsonNode answer = decide(of("i1", "u1"));
    assertEquals("interleaved", answer.at("/experiment/variant").asText());
    assertEquals(control + "+" + treatment, answer.at("/policy/version").asText());
    Decision logged = decisions("i1").get(0);
    assertFalse(logged.getLearnable());
    List<Integer> teams = exposures("draft", "i1").get(0).getTeams();
    assertEquals(3, teams.size());
    assertEquals(teams.get(0) == 0 ? "c" : "a", answer.at("/slate/0/candidateId").asText());
    assertEquals(1, teams.get(0) + teams.get(1));
    end("draft");

    JsonNode watched = decide(of("s1", "u1"));
    assertTrue(watched.path("experiment").isMissingNode());
    await("scored", () -> exposures("watched").containsKey("s1"));
    for (Exposure shadow : exposures("watched", "s1")) {
      assertEquals(ExposureKind.SHADOW, shadow.getKind());
      boolean same = shadow.getPolicyVersion().equals(control.value());
      assertEquals(same ? 1 : 0, shadow.getAgreement(), same ? 0 : 0.67);
      assertEquals(same ? 0 : 1, shadow.getDistance(), same ? 0 : 0.5);
      assertEquals(null, shadow.getDegraded());
    }
    end("watched");
  }

  @Test
  @Order(19)
  void aDeferredDecisionExposesNobodyBeforeItIsActivated() throws Exception {
    start("later", "'layer':'later'", publish(-1f, 0f, 0f));
    for (String id : List.of("p1", "p2", "p3")) {
      String body = of(id, "u").replace("{'surface'", "{'activation':'DEFERRED','surface'");
      JsonNode answer = decide(body);
      assertEquals("DEFERRED", answer.at("/activation/state").asText());
      assertEquals("later", answer.at("/experiment/name").asText());
    }
    assertFalse(decisions("p1").get(0).getLearnable());
    assertEquals(Set.of(), exposures("later").keySet());
    assertEquals(204, post("/v1/decisions/p1:activate", "").statusCode());
    assertEquals(204, post("/v1/decisions/p1:activate", "").statusCode());
    assertEquals(
        202, post("/v1/outcomes", "{'decisionId':'p2','signal':'like','value':1}").statusCode());
    Map<String, List<Exposure>> exposures = exposures("later");
    assertEquals(Set.of("p1", "p2"), exposures.keySet());
    Exposure activated = requireNonNull(exposures.get("p1")).get(0);
    assertTrue(activated.getExposedAtMicros() > activated.getDecidedAtMicros());
    assertEquals(
        activated.getExposureId(), requireNonNull(exposures.get("p1")).get(1).getExposureId());
    assertProblem(post("/v1/decisions/never:activate", ""), 404, "not-found");
    closeWindow("p3");
    assertProblem(post("/v1/decisions/p3:activate", ""), 409, "activation-window-closed");
    assertEquals(
        202, post("/v1/outcomes", "{'decisionId':'p3','signal':'like','value':1}").statusCode());
    assertFalse(exposures("later").containsKey("p3"));
    end("later");
  }

  @Test
  @Order(20)
  void anIdOfWhichALateRedisSaysNothingIsNotDecidedAnew() throws Exception {
    String body =
        of("late-redis", "u").replace("{'surface'", "{'options':{'deadlineMs':1000},'surface'");
    JsonNode first = decide(body);
    platform.pauseRedis(PATIENCE);
    assertProblem(post("/v1/decisions", body), 503, "unavailable");
    // Whoever names no decision cannot ask for an earlier one.
    String unnamed = body.replace("'decisionId':'late-redis',", "");
    assertEquals("DEGRADED", decide(unnamed).path("status").asText());
    platform.resumeRedis();
    await("there again", () -> post("/v1/decisions", body).statusCode() == 200);
    assertEquals(first, mapper.readTree(post("/v1/decisions", body).body()));
  }

  @Test
  @Order(21)
  void withoutRedisDecisionsGoOnAndSaySo() throws Exception {
    String body = "{'surface':'feed','subject':{'id':'u'}," + THREE + "}";
    assertEquals("OK", decide(body).path("status").asText());
    platform.stopRedis();
    await("degraded", () -> "DEGRADED".equals(decide(body).path("status").asText()));
    HttpResponse<String> response = post("/v1/decisions", body);
    assertEquals(201, response.statusCode());
    assertEquals(
        "FEATURES_UNAVAILABLE", response.headers().firstValue("Bellwether-Degraded").orElseThrow());
    String id = mapper.readTree(response.body()).path("decisionId").asText();
    assertEquals("FEATURES_UNAVAILABLE", decisions(id).get(0).getDegraded().getReason());
    assertProblem(post("/v1/decisions/p3:activate", ""), 503, "unavailable");
    assertProblem(
        post("/v1/decisions", body.replace("{'surface'", "{'activation':'DEFERRED','surface'")),
        503,
        "unavailable");
    assertEquals(202, post("/v1/outcomes", OUTCOME).statusCode());
    platform.startRedis();
    await("recovered", () -> "OK".equals(decide(body).path("status").asText()));
  }

  @Test
  @Order(30)
  void withoutKafkaWhatIsAnsweredIsKeptOnThisMachine() throws Exception {
    awaitForwarded();
    platform.stopKafka();
    HttpResponse<String> made = post("/v1/decisions", "{'surface':'feed'," + THREE + "}");
    assertEquals(201, made.statusCode(), made.body());
    assertEquals("OK", mapper.readTree(made.body()).path("status").asText());
    assertEquals(
        202, post("/v1/outcomes", "{'decisionId':'d','signal':'like','value':1}").statusCode());
    HttpResponse<String> batch = post("/v1/outcomes", "[" + OUTCOME + "," + OUTCOME + "]");
    assertEquals(207, batch.statusCode());
    for (JsonNode item : mapper.readTree(batch.body()).path("items")) {
      assertEquals(202, item.path("status").asInt());
    }
    assertEquals(4, spooled());
    assertEquals(200, get("/q/health/ready").statusCode());
    String id = mapper.readTree(made.body()).path("decisionId").asText();
    assertProblem(get("/v1/decisions/" + id), 503, "unavailable");
  }

  /**
   * Starts an experiment of the feed with the champion as control and a treatment, half each, and
   * waits until it assigns.
   *
   * @param more of the declaration
   */
  private void start(String name, String more, VersionId treatment) throws Exception {
    String declaration =
        "{'name':'%s','surface':'feed','variants':[{'name':'control','policy':'champion'},"
                .formatted(name)
            + "{'name':'treatment','policy':'%s'}],%s}".formatted(treatment, more);
    experiments.create(json(declaration), By.of("test", "a test")).toCompletableFuture().get();
    experiments.start(name, By.of("test", "a test")).toCompletableFuture().get();
  }

  /** Rolls an experiment back, and waits until that is acknowledged. */
  private void end(String name) throws Exception {
    experiments.rollback(name, By.of("test", "a test")).toCompletableFuture().get();
  }

  /** As if all windows of a deferred decision were over. */
  private void closeWindow(String decisionId) {
    RedisClient redis = RedisClient.create("redis://" + platform.redis());
    try (StatefulRedisConnection<byte[], byte[]> connection =
        redis.connect(ByteArrayCodec.INSTANCE)) {
      byte[] key = ("bellwether:deferred:" + decisionId).getBytes(UTF_8);
      byte[] value = connection.sync().get(key);
      Arrays.fill(value, Integer.BYTES, Integer.BYTES + Long.BYTES, (byte) 0);
      connection.sync().set(key, value);
    } finally {
      redis.shutdown();
    }
  }

  /** A request of three candidates for a subject. */
  private static String of(String id, String subject) {
    return "{'surface':'feed','decisionId':'%s','subject':{'id':'%s'},%s}"
        .formatted(id, subject, THREE);
  }

  private VersionId champion() {
    PolicyStore store = new PolicyStore(platform.store(), Clock.systemUTC());
    return store.alias("feed", Alias.CHAMPION).orElseThrow();
  }

  private VersionId publish(float... weights) {
    PolicyStore store = new PolicyStore(platform.store(), Clock.systemUTC());
    return LinearPolicy.publish(store, "feed", TestPlatform.schema(), weights);
  }

  /** Flips a bit of a version's graph. */
  private void corrupt(VersionId version) throws Exception {
    PolicyStore store = new PolicyStore(platform.store(), Clock.systemUTC());
    PolicyFile graph = store.manifest(version).files().get(0);
    Path object =
        platform
            .store()
            .resolve("objects/" + graph.sha256().substring(0, 2) + "/" + graph.sha256());
    object.toFile().setWritable(true);
    byte[] bytes = Files.readAllBytes(object);
    bytes[bytes.length / 2] ^= 1;
    Files.write(object, bytes);
  }

  /** Publishes a linear policy for the feed, makes it champion, and waits until it answers. */
  private VersionId crown(float... weights) throws Exception {
    PolicyStore store = new PolicyStore(platform.store(), Clock.systemUTC());
    VersionId version = publish(weights);
    LinearPolicy.crown(store, "feed", version);
    await("served", () -> get("/v1/policies/feed").body().contains("\"serving\":\"" + version));
    return version;
  }

  private static void assertReproducible(JsonNode answer, Decision logged) {
    assertEquals(DecisionSeed.seedOf(logged.getDecisionId()), logged.getSeed());
    MixedWeights weights =
        MixedWeights.of(
            Floats.of(logged.getLogits()),
            new Exploration(logged.getTemperature(), logged.getUniform(), 1e-9));
    Slate slate = new SlateSampler().sample(weights, logged.getSeed(), logged.getSlate().size());
    assertEquals(slate.size(), answer.path("slate").size());
    for (int position = 0; position < slate.size(); position++) {
      Placement placement = logged.getSlate().get(position);
      JsonNode place = answer.path("slate").get(position);
      assertEquals(slate.candidates()[position], placement.getCandidate());
      assertEquals(slate.propensities()[position], placement.getPropensity());
      assertEquals(placement.getItemId(), place.path("candidateId").asText());
      assertEquals(placement.getPropensity(), place.path("propensity").doubleValue());
      assertEquals(position, place.path("position").asInt());
    }
  }

  private JsonNode decide(String body) throws Exception {
    HttpResponse<String> response = post("/v1/decisions", body);
    assertEquals(201, response.statusCode(), response.body());
    return mapper.readTree(response.body());
  }

  private void assertProblem(HttpResponse<String> response, int status, String slug)
      throws Exception {
    assertEquals(status, response.statusCode(), response.body());
    assertEquals(
        "application/problem+json", response.headers().firstValue("Content-Type").orElse("none"));
    JsonNode problem = mapper.readTree(response.body());
    assertEquals("urn:bellwether:problem:" + slug, problem.path("type").asText(), response.body());
    assertEquals(status, problem.path("status").asInt());
    assertFalse(problem.path("detail").asText().isBlank());
    assertTrue(problem.path("traceId").asText().matches("[0-9a-f]{32}"));
  }

  private static String location(HttpResponse<String> response) {
    return URI.create(response.headers().firstValue("Location").orElseThrow()).getPath();
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return send("POST", path, json(body), Map.of());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", path, new byte[0], Map.of());
  }

  private static byte[] json(String body) {
    return body.replace('\'', '"').getBytes(UTF_8);
  }

  private HttpResponse<String> send(
      String method, String path, byte[] body, Map<String, String> headers) throws Exception {
    return send(method, path, HttpRequest.BodyPublishers.ofByteArray(body), headers);
  }

  private HttpResponse<String> chunked(String path, byte[] body) throws Exception {
    return send("POST", path, HttpRequest.BodyPublishers.ofByteArrays(List.of(body)), Map.of());
  }

  private HttpResponse<String> send(
      String method, String path, HttpRequest.BodyPublisher body, Map<String, String> headers)
      throws Exception {
    Map<String, String> all = new HashMap<>();
    // Of the scope admin: here it moves policies as well as it asks for decisions.
    all.put("X-API-Key", "admin");
    all.put("Content-Type", "application/json");
    all.putAll(headers);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(root.resolve(path))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(PATIENCE)
            .method(method, body);
    all.forEach(
        (name, value) -> {
          if (!value.isEmpty()) {
            request.header(name, value);
          }
        });
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private List<Decision> decisions(String id) throws Exception {
    List<Decision> found = new ArrayList<>();
    for (byte[] bytes : records(Topics.DECISIONS, id)) {
      found.add(decisions.decode(bytes));
    }
    return found;
  }

  /** An experiment's exposures by decision, in the order of the log. */
  private Map<String, List<Exposure>> exposures(String experiment) throws Exception {
    Map<String, List<Exposure>> found = new HashMap<>();
    for (byte[] bytes : records(Topics.EXPOSURES, key -> true)) {
      Exposure exposure = exposures.decode(bytes);
      if (exposure.getExperiment().equals(experiment)) {
        found.computeIfAbsent(exposure.getDecisionId(), id -> new ArrayList<>()).add(exposure);
      }
    }
    return found;
  }

  private List<Exposure> exposures(String experiment, String decisionId) throws Exception {
    return exposures(experiment).getOrDefault(decisionId, List.of());
  }

  private List<byte[]> records(String topic, String key) throws Exception {
    return records(topic, key::equals);
  }

  /** What was answered is in Kafka, and not only on its way there. */
  private void awaitForwarded() throws Exception {
    await("forwarded", () -> spooled() == 0);
  }

  private double spooled() throws Exception {
    return get("/q/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("bellwether_spool_events "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  /** The values of all records with such a key, from the beginning of a topic to its end now. */
  private List<byte[]> records(String topic, Predicate<String> keys) throws Exception {
    awaitForwarded();
    Map<String, Object> settings = Map.of("bootstrap.servers", platform.kafka());
    List<byte[]> values = new ArrayList<>();
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          if (keys.test(record.key())) {
            values.add(record.value());
          }
        }
      }
    }
    return values;
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      assertTrue(System.nanoTime() < deadline, "not " + what + " within " + PATIENCE);
      Thread.onSpinWait();
    }
  }
}
