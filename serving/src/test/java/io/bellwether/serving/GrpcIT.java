package io.bellwether.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The gRPC interface and batches of the running service, beside REST. */
@QuarkusTest
@WithTestResource(TestPlatform.class)
@SuppressWarnings("NullAway.Init") // Quarkus and the platform fill the fields
class GrpcIT implements TestPlatform.Uses {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TestHTTPResource("/")
  URI root;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper mapper = new ObjectMapper();
  private TestPlatform platform;

  @Override
  public void platform(TestPlatform injected) {
    platform = injected;
  }

  @BeforeEach
  void waitUntilItIsHealthy() {
    ManagedChannel channel = NettyChannelBuilder.forTarget(platform.grpc()).usePlaintext().build();
    try {
      HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(channel);
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (health.check(HealthCheckRequest.getDefaultInstance()).getStatus()
          != ServingStatus.SERVING) {
        assertTrue(System.nanoTime() < end, "healthy in time");
        Thread.onSpinWait();
      }
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void aClientFromTheRegistryGetsWhatRestGives() throws Exception {
    JsonNode seen =
        mapper.readTree(
            NodeProject.of(
                    "grpc-js",
                    Path.of("..", "examples", "grpc", "js"),
                    Path.of("src", "main", "proto", "bellwether", "v1"),
                    Path.of("src", "test", "js", "grpc"))
                .node("acceptance.mjs", platform.grpc(), "secret"));

    JsonNode rest =
        mapper.readTree(
            post(
                    "/v1/decisions",
                    "{'surface':'feed','decisionId':'grpc-dry','subject':{'id':'kävijä-🦊'},"
                        + "'context':{'country':'fi','hour':7,'taste':[0.25,-1.5]},'candidates':["
                        + "{'id':'item/1','features':{'age_hours':1,'fresh':true}},"
                        + "{'id':'item/2','features':{'age_hours':2,'fresh':false}},"
                        + "{'id':'item/3','features':{'age_hours':3,'fresh':false}}],"
                        + "'options':{'dryRun':true,'topK':2}}")
                .body());
    assertEquals(2, rest.path("slate").size(), rest.toString());
    for (int i = 0; i < 2; i++) {
      JsonNode place = seen.at("/dry/slate/" + i);
      assertEquals(rest.at("/slate/" + i + "/candidateId"), place.path("candidateId"));
      assertEquals(
          rest.at("/slate/" + i + "/propensity").doubleValue(),
          place.path("propensity").doubleValue());
      assertEquals(
          rest.at("/slate/" + i + "/score").floatValue(), place.path("score").floatValue());
    }
    assertEquals(rest.at("/policy/version"), seen.at("/dry/policy/version"));

    assertEquals("OK", seen.at("/first/status").asText());
    assertEquals(3, seen.at("/first/slate").size());
    assertEquals(seen.path("first"), seen.path("again"));
    assertEquals("true", seen.at("/metadata/idempotency-replayed").asText());
    assertCode(Status.Code.ALREADY_EXISTS, seen.path("reused"));
    assertCode(Status.Code.INVALID_ARGUMENT, seen.path("unknownSurface"));
    assertTrue(
        seen.at("/unknownSurface/details").asText().startsWith("#/surface is \"nope\""),
        seen.path("unknownSurface").toString());
    assertCode(Status.Code.INVALID_ARGUMENT, seen.path("empty"));
    assertCode(Status.Code.UNAUTHENTICATED, seen.path("stranger"));

    assertEquals(List.of(201, 400, 200), statuses(seen.path("batch")));
    assertEquals("grpc-3", seen.at("/batch/0/decision/decisionId").asText());
    assertEquals("x", seen.at("/batch/1/id").asText());
    assertEquals("#/surface", seen.at("/batch/1/problem/errors/0/pointer").asText());
    assertEquals(seen.path("first"), seen.at("/batch/2/decision"));

    assertEquals("grpc-o1", seen.at("/receipt/outcomeId").asText());
    assertEquals("ACCEPTED", seen.at("/receipt/status").asText());
    assertEquals(List.of(202, 400), statuses(seen.path("outcomes")));
    assertEquals("#/outcomes/1/value", seen.at("/outcomes/1/problem/errors/0/pointer").asText());
    assertCode(Status.Code.NOT_FOUND, seen.path("unknownActivation"));
    assertTrue(seen.path("activated").isObject(), seen.toString());
  }

  @Test
  void aBatchKeepsItsOrderAndItsElementsAreAnsweredAsIfTheyCameAlone() throws Exception {
    String alone = decision("batch-0");
    assertEquals(201, post("/v1/decisions", alone).statusCode());
    List<String> requests = new ArrayList<>();
    IntStream.range(0, 100).mapToObj(i -> decision("batch-" + i)).forEach(requests::add);
    requests.set(7, "{'surface':'feed','decisionId':'batch-7','color':1}");
    requests.set(8, "8");
    HttpResponse<String> response =
        post("/v1/decisions:batch", "{'decisions':[" + String.join(",", requests) + "]}");

    assertEquals(207, response.statusCode(), response.body());
    JsonNode items = mapper.readTree(response.body()).path("items");
    assertEquals(100, items.size());
    for (int i = 0; i < items.size(); i++) {
      JsonNode item = items.get(i);
      assertEquals(i == 0 ? 200 : i == 7 || i == 8 ? 400 : 201, item.path("status").intValue());
      assertEquals(i == 8 ? "" : "batch-" + i, item.path("id").asText());
      assertEquals(
          i == 7 || i == 8 ? 0 : 1, item.at("/decision/slate").size(), () -> item.toString());
    }
    assertEquals("urn:bellwether:problem:unknown-field", items.get(7).at("/problem/type").asText());
    assertEquals(400, post("/v1/decisions:batch", "[" + "{},".repeat(100) + "{}]").statusCode());
    assertEquals(400, post("/v1/decisions:batch", "[{]").statusCode());
  }

  private static String decision(String id) {
    return "{'surface':'feed','decisionId':'"
        + id
        + "','options':{'topK':1},'candidates':[{'id':'a','features':{'age_hours':1}},"
        + "{'id':'b','features':{}}]}";
  }

  private static List<Integer> statuses(JsonNode items) {
    List<Integer> statuses = new ArrayList<>();
    items.forEach(item -> statuses.add(item.path("status").intValue()));
    return statuses;
  }

  private static void assertCode(Status.Code code, JsonNode refusal) {
    assertEquals(code.value(), refusal.path("code").intValue(), refusal.toString());
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(root.resolve(path))
            .timeout(PATIENCE)
            .header("X-API-Key", "secret")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body.replace('\'', '"').getBytes(UTF_8)))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
