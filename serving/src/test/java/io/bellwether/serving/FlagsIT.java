package io.bellwether.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.ErrorCode;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.MutableContext;
import dev.openfeature.sdk.MutableTrackingEventDetails;
import dev.openfeature.sdk.Value;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.serving.FlagClients.JavaClient;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.work.Workers;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Experiments as flags, over HTTP and through the public OpenFeature providers. It shares the
 * running service with {@link ServingIT}, which comes later and ends without Kafka.
 */
@QuarkusTest
@WithTestResource(TestPlatform.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init") // Quarkus, the platform and the first test fill the fields
class FlagsIT implements TestPlatform.Uses {

  private static final String ONE = "/ofrep/v1/evaluate/flags/";
  private static final String ALL = "/ofrep/v1/evaluate/flags";
  private static final String SOMEBODY = "{'context':{'targetingKey':'somebody','country':'fi'}}";
  private static final By ME = By.of("test", "to be measured");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int PEOPLE = 2000;

  /** Four standard deviations of a fair coin that is thrown 2,000 times. */
  private static final int CHANCE = 90;

  @TestHTTPResource("/")
  URI root;

  @Inject Experiments experiments;
  @Inject Workers workers;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper mapper = new ObjectMapper();
  private TestPlatform platform;
  private FlagClients clients;
  private Map<String, String> split;

  @Override
  public void platform(TestPlatform injected) {
    platform = injected;
  }

  @BeforeAll
  void flagsAreDeclared() throws Exception {
    clients = new FlagClients(root);
    List<CompletionStage<?>> moves = new ArrayList<>();
    for (String flag :
        List.of(
            "'name':'cta','overrides':{'tester':'go'},'variants':[{'name':'buy','payload':'Buy'},{'name':'go','payload':'Go!'}]",
            "'name':'limit','variants':[{'name':'low','payload':1.0},{'name':'high','payload':2.5}]",
            "'name':'retries','variants':[{'name':'one','payload':1},{'name':'two','payload':2}]",
            "'name':'theme','variants':[{'name':'light','payload':{'hue':1}},{'name':'dark','payload':{'hue':2}}]",
            "'name':'quiet','variants':[{'name':'off','payload':false},{'name':'on','payload':true}]",
            "'name':'banner','autoActivateBulk':true,'variants':[{'name':'off','payload':false},{'name':'on','payload':true}]",
            "'name':'finns','targeting':[{'attribute':'country','in':['fi']}],'variants':[{'name':'en','payload':'hi'},{'name':'fi','payload':'moi'}]")) {
      byte[] declaration = json("{'surface':'shop'," + flag + "}");
      String name = mapper.readTree(declaration).path("name").asText();
      moves.add(
          experiments.create(declaration, ME).thenCompose(made -> experiments.start(name, ME)));
    }
    for (CompletionStage<?> move : moves) {
      move.toCompletableFuture().get();
    }
    await("assigned", () -> flag("cta", SOMEBODY).path("reason").asText().equals("SPLIT"));
  }

  @AfterAll
  void clientsAreClosed() throws Exception {
    List<CompletionStage<?>> moves = new ArrayList<>();
    for (String name : List.of("cta", "limit", "retries", "theme", "banner", "finns")) {
      moves.add(experiments.stop(name, ME));
    }
    for (CompletionStage<?> move : moves) {
      move.toCompletableFuture().get();
    }
    clients.close();
  }

  @Test
  @Order(1)
  void aValueStaysAsItWasDeclared() throws Exception {
    assertTrue(post(ONE + "limit", SOMEBODY).body().matches(".*\"value\":(1\\.0|2\\.5),.*"));
    assertTrue(post(ONE + "retries", SOMEBODY).body().matches(".*\"value\":[12],.*"));
    assertTrue(flag("theme", SOMEBODY).path("value").path("hue").isInt());
    assertTrue(flag("quiet", SOMEBODY).path("value").isBoolean());
  }

  @Test
  @Order(1)
  void theMetadataNamesTheDecisionThatWasLoggedAndExposed() throws Exception {
    JsonNode flag =
        flag("cta", "{'context':{'targetingKey':'ü','country':'fi','hour':null,'deep':{'a':[1]}}}");
    JsonNode metadata = flag.path("metadata");
    String id = metadata.path("decisionId").asText();
    assertEquals("cta", metadata.path("experiment").asText());
    assertTrue(metadata.path("experimentVersion").isIntegralNumber());
    assertEquals("shop", metadata.path("policy").asText());
    assertEquals(flag.path("variant").asText(), metadata.path("policyVersion").asText());
    assertEquals(0.5, metadata.path("propensity").doubleValue());
    assertFalse(metadata.path("degraded").asBoolean(true));
    metadata.forEach(value -> assertTrue(value.isValueNode(), value.toString()));

    Decision decision = decisionsOf("ü").get(0);
    assertEquals(id, decision.getDecisionId());
    assertEquals("FLAG", decision.getMode());
    assertEquals("ACTIVE", decision.getActivation());
    assertEquals(List.of("buy", "go"), decision.getCandidateIds());
    assertEquals(flag.path("variant").asText(), decision.getSlate().get(0).getItemId());
    assertEquals(0.5, decision.getSlate().get(0).getPropensity());
    assertEquals("EXACT", decision.getPropensityKind());
    assertFalse(decision.getLearnable());
    assertEquals("{\"country\":\"fi\"}", decision.getRawContext());
    assertEquals(0, decision.getItems().remaining());
    assertEquals("cta", decision.getAssignment().getExperiment());
    assertEquals(bucket("cta", "ü"), decision.getAssignment().getBucket());

    List<Exposure> exposures = exposuresOf("ü");
    assertEquals(1, exposures.size());
    assertEquals(id, exposures.get(0).getDecisionId());
    assertEquals(flag.path("variant").asText(), exposures.get(0).getVariant());
  }

  @Test
  @Order(1)
  void theReasonSaysHowTheValueCameAbout() throws Exception {
    assertEquals("SPLIT", flag("cta", SOMEBODY).path("reason").asText());
    JsonNode forced = flag("cta", "{'context':{'targetingKey':'tester'}}");
    assertEquals("TARGETING_MATCH", forced.path("reason").asText());
    assertEquals("Go!", forced.path("value").asText());
    assertEquals("SPLIT", flag("finns", SOMEBODY).path("reason").asText());
    JsonNode outside = flag("finns", "{'context':{'targetingKey':'somebody','country':'se'}}");
    assertEquals("STATIC", outside.path("reason").asText());
    assertEquals("hi", outside.path("value").asText());
    assertTrue(outside.at("/metadata/decisionId").isMissingNode());
    assertEquals(
        "STATIC", flag("cta", "{'context':{'targetingKey':'anonymous'}}").path("reason").asText());
  }

  @ParameterizedTest
  @Order(2)
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          POST | flags/cta     | {'context':                          | 400 | PARSE_ERROR
          POST | flags/cta     | []                                   | 400 | PARSE_ERROR
          POST | flags/cta     | {}                                   | 400 | TARGETING_KEY_MISSING
          POST | flags/cta     | {'context':{}}                       | 400 | TARGETING_KEY_MISSING
          POST | flags/cta     | {'context':{'targetingKey':' '}}     | 400 | TARGETING_KEY_MISSING
          POST | flags/cta     | {'context':{'targetingKey':1}}       | 400 | INVALID_CONTEXT
          POST | flags/cta     | {'context':{'targetingKey':'u','hour':99}} | 400 | INVALID_CONTEXT
          POST | flags/cta     | {'context':[]}                       | 400 | INVALID_CONTEXT
          POST | flags/nope    | {'context':{'targetingKey':'u'}}     | 404 | FLAG_NOT_FOUND
          POST | flags/n%20o   | {'context':{'targetingKey':'u'}}     | 404 | FLAG_NOT_FOUND
          POST | flags/a/b     | {}                                   | 404 | FLAG_NOT_FOUND
          GET  | flags/cta     | ``                                   | 405 | GENERAL
          POST | flags         | {'context':                          | 400 | PARSE_ERROR
          POST | flags         | {'context':{}}                       | 400 | TARGETING_KEY_MISSING
          GET  | configuration | ``                                   | 404 | FLAG_NOT_FOUND
          """)
  void whateverIsRefusedHasTheShapeOfAFailure(
      String method, String path, String body, int status, String code) throws Exception {
    assertFailure(send(method, "/ofrep/v1/evaluate/" + path, body, Map.of()), status, code);
  }

  @Test
  @Order(2)
  void callersTypesAndSizesAreRefusedInThatShapeToo() throws Exception {
    HttpResponse<String> stranger = send("POST", ONE + "cta", SOMEBODY, Map.of("X-API-Key", "no"));
    assertFailure(stranger, 401, "GENERAL");
    assertEquals("cta", mapper.readTree(stranger.body()).path("key").asText());
    assertFailure(
        send("POST", ONE + "cta", SOMEBODY, Map.of("Content-Type", "text/plain")),
        415,
        "PARSE_ERROR");
    assertFailure(
        send("POST", ONE + "cta", SOMEBODY, Map.of("Accept", "text/html")), 406, "GENERAL");
    assertFailure(post(ALL, " ".repeat(9_000_000)), 413, "PARSE_ERROR");
    assertFailure(post(ALL, " ".repeat(2_000_000)), 413, "PARSE_ERROR");
    assertEquals(
        200,
        send(
                "POST",
                ONE + "ct%61",
                SOMEBODY,
                Map.of("X-API-Key", "", "Authorization", "Bearer other"))
            .statusCode());
  }

  @Test
  @Order(3)
  void pagesOfOtherOriginsMayCall() throws Exception {
    Map<String, String> asks =
        Map.of(
            "X-API-Key", "",
            "Origin", "https://shop.example",
            "Access-Control-Request-Method", "POST",
            "Access-Control-Request-Headers", "content-type,x-api-key,if-none-match");
    for (String path : List.of(ALL, ONE + "cta", "/v1/outcomes", "/v1/decisions/d:activate")) {
      HttpResponse<String> allowed = send("OPTIONS", path, "", asks);
      assertEquals(204, allowed.statusCode(), path);
      assertEquals("*", header(allowed, "Access-Control-Allow-Origin"));
      assertEquals("POST", header(allowed, "Access-Control-Allow-Methods"));
      assertEquals(
          "Content-Type, Authorization, X-API-Key, If-None-Match",
          header(allowed, "Access-Control-Allow-Headers"));
    }
    assertEquals(401, send("OPTIONS", "/v1/policies", "", asks).statusCode());
    Map<String, String> page = Map.of("Origin", "https://shop.example");
    for (String path : List.of(ALL, ONE + "nope")) {
      HttpResponse<String> answer = send("POST", path, SOMEBODY, page);
      assertEquals("*", header(answer, "Access-Control-Allow-Origin"));
      assertEquals("ETag, Retry-After", header(answer, "Access-Control-Expose-Headers"));
    }
    HttpResponse<String> refused =
        send("POST", ALL, SOMEBODY, Map.of("Origin", "https://a.example", "X-API-Key", "no"));
    assertEquals("*", header(refused, "Access-Control-Allow-Origin"));
  }

  @Test
  @Order(4)
  void aBulkAnswerExposesOnlyToWhatIsActivated() throws Exception {
    String body = "{'context':{'targetingKey':'page','country':'fi','hour':7}}";
    HttpResponse<String> first = post(ALL, body);
    assertEquals(200, first.statusCode(), first.body());
    String tag = header(first, "ETag");
    assertTrue(tag.matches("\"[0-9a-f]{32}\""), tag);
    Map<String, String> ids = decisionIds(first.body());
    assertEquals(
        Set.of("banner", "cta", "finns", "limit", "quiet", "retries", "theme"), ids.keySet());

    Map<String, String> known = Map.of("If-None-Match", tag);
    String reordered =
        "{'context':{'scrolled':true,'hour':7,'country':'fi','targetingKey':'page'}}";
    HttpResponse<String> unchanged = send("POST", ALL, reordered, known);
    assertEquals(304, unchanged.statusCode());
    assertEquals("", unchanged.body());
    assertEquals(tag, header(unchanged, "ETag"));
    for (String other :
        List.of(
            "{'context':{'targetingKey':'page','country':'fi','hour':8}}",
            "{'context':{'targetingKey':'page2','country':'fi','hour':7}}")) {
      assertEquals(200, send("POST", ALL, other, known).statusCode());
    }

    Map<String, String> activation = new TreeMap<>();
    decisionsOf("page").stream()
        .filter(decision -> ids.containsValue(decision.getDecisionId()))
        .forEach(
            decision ->
                activation.put(decision.getAssignment().getExperiment(), decision.getActivation()));
    assertEquals(ids.keySet(), activation.keySet());
    assertEquals("ACTIVE", activation.remove("banner"));
    assertEquals(Set.of("DEFERRED"), Set.copyOf(activation.values()));
    // One for each of two answers; the one of 304 made none.
    assertEquals(2 * ids.size(), decisionsOf("page").size());

    String seen = requireNonNull(ids.get("cta"));
    assertEquals(204, activate(seen).statusCode());
    assertEquals(204, activate(seen).statusCode());
    String outcome = "{'decisionId':'" + ids.get("theme") + "','signal':'like','value':1}";
    assertEquals(202, post("/v1/outcomes", outcome).statusCode());
    Set<String> exposed = new TreeSet<>();
    exposuresOf("page").stream()
        .filter(exposure -> ids.containsValue(exposure.getDecisionId()))
        .forEach(exposure -> exposed.add(exposure.getExperiment()));
    assertEquals(Set.of("banner", "cta", "theme"), exposed);
  }

  @Test
  @Order(5)
  void theJavaProviderSplitsByThePublishedRule() throws Exception {
    JavaClient java = clients.java("secret");
    split = new TreeMap<>();
    ExecutorService callers = Executors.newFixedThreadPool(16);
    List<Future<FlagEvaluationDetails<String>>> all = new ArrayList<>();
    for (int i = 0; i < PEOPLE; i++) {
      ImmutableContext person = new ImmutableContext("person-" + i);
      all.add(callers.submit(() -> java.client().getStringDetails("cta", "none", person)));
    }
    for (int i = 0; i < PEOPLE; i++) {
      FlagEvaluationDetails<String> details = all.get(i).get();
      assertNull(details.getErrorCode(), details.getErrorMessage());
      assertEquals("SPLIT", details.getReason());
      split.put("person-" + i, details.getVariant());
    }
    callers.shutdown();
    Map<String, String> published = new TreeMap<>();
    for (String person : split.keySet()) {
      published.put(person, bucket("cta", person) < 5000 ? "buy" : "go");
    }
    assertEquals(published, split);
    long treated = split.values().stream().filter("go"::equals).count();
    assertEquals(PEOPLE / 2.0, (double) treated, CHANCE);
    String again =
        java.client()
            .getStringDetails("cta", "none", new ImmutableContext("person-7"))
            .getVariant();
    assertEquals(split.get("person-7"), again);
  }

  @Test
  @Order(6)
  void theJavaProviderReadsEveryAnswer() throws Exception {
    Client java = clients.java("secret").client();
    MutableContext context = new MutableContext("somebody");
    context.add("visits", 3).add("deep", new MutableContext().add("list", List.of(new Value(1))));
    assertTrue(Set.of(1.0, 2.5).contains(java.getDoubleValue("limit", 0.0, context)));
    assertTrue(Set.of(1, 2).contains(java.getIntegerValue("retries", 0, context)));
    Value theme = java.getObjectValue("theme", new Value(), context);
    assertTrue(Set.of(1, 2).contains(theme.asStructure().getValue("hue").asInteger()));
    assertEquals(ErrorCode.TYPE_MISMATCH, failure(java, "limit", context));
    assertEquals(ErrorCode.FLAG_NOT_FOUND, failure(java, "nope", context));
    assertEquals(ErrorCode.INVALID_CONTEXT, failure(java, "cta", new ImmutableContext()));
    FlagEvaluationDetails<String> stranger =
        clients.java("wrong").client().getStringDetails("cta", "none", context);
    assertEquals(ErrorCode.GENERAL, stranger.getErrorCode());
    assertTrue(stranger.getErrorMessage().contains("authorization"), stranger.getErrorMessage());
  }

  @Test
  @Order(7)
  void whatTheJavaProviderTracksJoinsItsDecision() throws Exception {
    JavaClient java = clients.java("secret");
    ImmutableContext context = new ImmutableContext("tracked-java");
    String id =
        java.client()
            .getStringDetails("cta", "none", context)
            .getFlagMetadata()
            .getString("decisionId");
    java.client()
        .track("like", context, new MutableTrackingEventDetails(1).add("page", "checkout"));
    java.flush();
    Outcome outcome = outcomesOf(id).get(0);
    assertEquals("like", outcome.getSignal());
    assertEquals(1.0, outcome.getValue());
    assertEquals(Map.of("page", "checkout"), outcome.getProperties());
    assertEquals(1, exposuresOf("tracked-java").size());
  }

  @Test
  @Order(8)
  void theJavaScriptProvidersSeeTheSame() throws Exception {
    JsonNode seen = mapper.readTree(clients.javaScript("flags", "secret"));
    Map<String, String> variants = new TreeMap<>();
    seen.path("split").properties().forEach(e -> variants.put(e.getKey(), e.getValue().asText()));
    assertEquals(Set.of(), differences(split, variants));
    assertEquals("SPLIT", seen.at("/tracked/reason").asText());
    assertTrue(Set.of(1.0, 2.5).contains(seen.at("/number/value").asDouble()));
    assertTrue(Set.of(1, 2).contains(seen.at("/whole/value").asInt()));
    assertTrue(Set.of(1, 2).contains(seen.at("/object/value/hue").asInt()));
    assertEquals("SPLIT", seen.at("/flag/reason").asText());
    assertEquals("FLAG_NOT_FOUND", seen.at("/unknown/errorCode").asText());
    assertEquals("TARGETING_KEY_MISSING", seen.at("/nobody/errorCode").asText());
    assertEquals("INVALID_CONTEXT", seen.at("/badContext/errorCode").asText());
    assertTrue(seen.at("/badContext/errorMessage").asText().contains("hour"));
    assertEquals("GENERAL", seen.at("/unauthenticated/errorCode").asText());

    JsonNode web = seen.path("web");
    assertEquals("SPLIT", web.at("/seen/reason").asText());
    assertEquals(web.at("/seen"), web.at("/again"));
    assertEquals(web.at("/seen"), web.at("/unchanged"));
    List<Integer> statuses = new ArrayList<>();
    web.path("statuses").forEach(status -> statuses.add(status.asInt()));
    statuses.subList(1, 3).sort(null);
    assertEquals(List.of(200, 204, 207, 304), statuses);

    assertTracked("tracked-js", seen.at("/tracked/flagMetadata/decisionId").asText(), "cta");
    assertTracked("tracked-web", web.at("/seen/flagMetadata/decisionId").asText(), "banner", "cta");
  }

  /** What only one of them has: of thousands of people, those who are worth a message. */
  private static Set<Map.Entry<String, String>> differences(
      Map<String, String> some, Map<String, String> others) {
    Set<Map.Entry<String, String>> all = new HashSet<>(some.entrySet());
    all.addAll(others.entrySet());
    all.removeIf(each -> some.entrySet().contains(each) && others.entrySet().contains(each));
    return all;
  }

  /** The outcome names the decision, and of each flag that was looked at there is an exposure. */
  private void assertTracked(String subject, String decisionId, String... looked) throws Exception {
    assertEquals(1, outcomesOf(decisionId).size());
    Set<String> flags = new TreeSet<>();
    for (Exposure exposure : exposuresOf(subject)) {
      flags.add(exposure.getExperiment());
    }
    assertTrue(flags.containsAll(List.of(looked)), subject + ": " + flags);
    if (subject.endsWith("web")) {
      assertEquals(Set.of(looked), flags);
    }
  }

  @Test
  @Order(9)
  void aFullServiceAsksToComeBackAndTheProvidersWait() throws Exception {
    Client java = clients.java("secret").client();
    CompletableFuture<Void> busy = new CompletableFuture<>();
    List<CompletionStage<Void>> all =
        IntStream.range(0, 256).mapToObj(i -> workers.admit(() -> busy)).toList();
    try {
      HttpResponse<String> refused = post(ONE + "cta", SOMEBODY);
      assertFailure(refused, 429, "GENERAL");
      assertEquals("1", header(refused, "Retry-After"));
      ImmutableContext context = new ImmutableContext("somebody");
      FlagEvaluationDetails<String> first = java.getStringDetails("cta", "none", context);
      FlagEvaluationDetails<String> second = java.getStringDetails("cta", "none", context);
      assertEquals("none", first.getValue());
      assertTrue(first.getErrorMessage().contains("retry after"), first.getErrorMessage());
      assertTrue(second.getErrorMessage().contains("Please wait"), second.getErrorMessage());
      JsonNode seen = mapper.readTree(clients.javaScript("refused", "secret"));
      assertTrue(seen.at("/first/errorMessage").asText().contains("rate limit"), seen.toString());
      assertTrue(seen.at("/second/errorMessage").asText().contains("paused"), seen.toString());
    } finally {
      busy.complete(null);
      for (CompletionStage<Void> each : all) {
        // a busy machine takes fewer at a time, and has refused the others
        each.handle((done, refused) -> done).toCompletableFuture().get();
      }
    }
    assertEquals(200, post(ONE + "cta", SOMEBODY).statusCode());
  }

  @Test
  @Order(10)
  void aStoppedFlagGivesTheControlAndAShippedOneTheWinner() throws Exception {
    String tag = header(post(ALL, SOMEBODY), "ETag");
    experiments.stop("quiet", ME).toCompletableFuture().get();
    JsonNode stopped = flag("quiet", "{}");
    assertEquals("DISABLED", stopped.path("reason").asText());
    assertEquals("off", stopped.path("variant").asText());
    assertFalse(stopped.path("value").booleanValue());
    assertTrue(stopped.at("/metadata/decisionId").isMissingNode());
    HttpResponse<String> changed = send("POST", ALL, SOMEBODY, Map.of("If-None-Match", tag));
    assertEquals(200, changed.statusCode());
    assertNotEquals(tag, header(changed, "ETag"));
    HttpResponse<String> nobody = post(ALL, "{}");
    assertEquals(200, nobody.statusCode());
    Map<String, String> codes = new HashMap<>();
    for (JsonNode flag : mapper.readTree(nobody.body()).path("flags")) {
      codes.put(flag.path("key").asText(), flag.path("errorCode").asText());
    }
    assertEquals("", codes.get("quiet"));
    assertEquals("TARGETING_KEY_MISSING", codes.get("cta"));

    experiments.conclude("quiet", "on", ME).toCompletableFuture().get();
    await("shipped", () -> flag("quiet", "{}").path("value").booleanValue());
    assertEquals("STATIC", flag("quiet", "{}").path("reason").asText());
  }

  @Test
  @Order(11)
  void withoutRedisValuesComeAndNothingPretendsToBeCounted() throws Exception {
    String tag = header(post(ALL, SOMEBODY), "ETag");
    platform.stopRedis();
    try {
      HttpResponse<String> answer = post(ALL, SOMEBODY);
      assertEquals(200, answer.statusCode(), answer.body());
      assertEquals("none", header(answer, "ETag"));
      for (JsonNode flag : mapper.readTree(answer.body()).path("flags")) {
        if (flag.path("key").asText().equals("cta")) {
          assertTrue(flag.path("value").isTextual());
          assertTrue(flag.at("/metadata/degraded").booleanValue(), flag.toString());
          assertTrue(flag.at("/metadata/decisionId").isMissingNode());
        }
      }
      assertEquals("SPLIT", flag("cta", SOMEBODY).path("reason").asText());
    } finally {
      platform.startRedis();
    }
    await("recovered", () -> tag.equals(header(post(ALL, SOMEBODY), "ETag")));
  }

  private static ErrorCode failure(
      Client java, String key, dev.openfeature.sdk.EvaluationContext of) {
    return java.getStringDetails(key, "none", of).getErrorCode();
  }

  /** The published rule, written down again. */
  private static int bucket(String salt, String unit) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest((salt + ":" + unit).getBytes(UTF_8));
    return new BigInteger(1, hash, 0, 8).mod(BigInteger.valueOf(10_000)).intValue();
  }

  private Map<String, String> decisionIds(String bulk) throws Exception {
    Map<String, String> ids = new TreeMap<>();
    for (JsonNode flag : mapper.readTree(bulk).path("flags")) {
      ids.put(flag.path("key").asText(), flag.at("/metadata/decisionId").asText());
    }
    return ids;
  }

  private JsonNode flag(String key, String body) throws Exception {
    HttpResponse<String> response = post(ONE + key, body);
    assertEquals(200, response.statusCode(), response.body());
    return mapper.readTree(response.body());
  }

  private void assertFailure(HttpResponse<String> response, int status, String code)
      throws Exception {
    assertEquals(status, response.statusCode(), response.body());
    assertEquals("application/json", header(response, "Content-Type").replaceAll(";.*", ""));
    JsonNode failure = mapper.readTree(response.body());
    assertEquals(code, failure.path("errorCode").asText(), response.body());
    assertTrue(failure.path("key").isTextual(), response.body());
    assertFalse(failure.path("errorDetails").asText().isBlank(), response.body());
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("none");
  }

  private HttpResponse<String> activate(String decisionId) throws Exception {
    return post("/v1/decisions/" + decisionId + ":activate", "");
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return send("POST", path, body, Map.of());
  }

  private static byte[] json(String body) {
    return body.replace('\'', '"').getBytes(UTF_8);
  }

  private HttpResponse<String> send(
      String method, String path, String body, Map<String, String> headers) throws Exception {
    Map<String, String> all = new HashMap<>();
    all.put("X-API-Key", "secret");
    all.put("Content-Type", "application/json");
    all.putAll(headers);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(root.resolve(path))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(PATIENCE)
            .method(method, BodyPublishers.ofByteArray(json(body)));
    all.forEach(
        (name, value) -> {
          if (!value.isEmpty()) {
            request.header(name, value);
          }
        });
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private List<Decision> decisionsOf(String subject) throws Exception {
    return events(Topics.DECISIONS, Decision.class).stream()
        .filter(decision -> decision.getSubjectId().equals(subject))
        .toList();
  }

  private List<Exposure> exposuresOf(String subject) throws Exception {
    return events(Topics.EXPOSURES, Exposure.class).stream()
        .filter(exposure -> exposure.getSubjectId().equals(subject))
        .toList();
  }

  private List<Outcome> outcomesOf(String decisionId) throws Exception {
    return events(Topics.OUTCOMES, Outcome.class).stream()
        .filter(outcome -> outcome.getDecisionId().equals(decisionId))
        .toList();
  }

  /** What was answered is in Kafka, and not only on its way there. */
  private boolean everythingIsForwarded() throws Exception {
    HttpRequest metrics = HttpRequest.newBuilder(root.resolve("/q/metrics")).build();
    return HttpClient.newHttpClient()
        .send(metrics, HttpResponse.BodyHandlers.ofString())
        .body()
        .contains("bellwether_spool_events 0.0");
  }

  /** All events of a topic, from its beginning to its end now. */
  private <T extends SpecificRecordBase> List<T> events(String topic, Class<T> type)
      throws Exception {
    await("forwarded", this::everythingIsForwarded);
    EventCodec<T> codec = EventCodec.of(type);
    List<T> events = new ArrayList<>();
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", platform.kafka()),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (var record : consumer.poll(Duration.ofMillis(200))) {
          events.add(codec.decode(record.value()));
        }
      }
    }
    return events;
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      assertTrue(System.nanoTime() < deadline, "not " + what + " within " + PATIENCE);
      Thread.onSpinWait();
    }
  }
}
