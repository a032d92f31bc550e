package io.bellwether.serving.ofrep;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.openfeature.sdk.ErrorCode;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.ImmutableContext;
import io.bellwether.serving.FlagClients;
import io.bellwether.serving.TestPlatform;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.Experiments;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * What is left of flags while Kafka is away. Its name sorts after the other tests of the running
 * service, which need Kafka.
 */
@QuarkusTest
@WithTestResource(TestPlatform.class)
@SuppressWarnings("NullAway.Init") // Quarkus and the platform fill the fields
class FlagsWithoutKafkaIT implements TestPlatform.Uses {

  private static final By ME = By.of("test", "to be measured");

  /** Of 64 KiB ({@link TestPlatform}), with some hundred bytes each. */
  private static final int MORE_THAN_THE_SPOOL_TAKES = 1000;

  @TestHTTPResource("/")
  URI root;

  @Inject Experiments experiments;

  private final ObjectMapper mapper = new ObjectMapper();
  private TestPlatform platform;

  @Override
  public void platform(TestPlatform injected) {
    platform = injected;
  }

  /** Values are logged in the spool, and once that is full, nowhere. */
  @Test
  void aValueThatCannotBeLoggedIsAFailureThatEveryProviderReads() throws Exception {
    experiments
        .create(
            json(
                "{'name':'outage','surface':'shop','variants':"
                    + "[{'name':'a','payload':'a'},{'name':'b','payload':'b'}]}"),
            ME)
        .thenCompose(made -> experiments.start("outage", ME))
        .toCompletableFuture()
        .get();
    platform.stopKafka();
    HttpRequest request =
        HttpRequest.newBuilder(root.resolve("/ofrep/v1/evaluate/flags/outage"))
            .header("X-API-Key", "secret")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(json("{'context':{'targetingKey':'u'}}")))
            .build();
    HttpClient client = HttpClient.newHttpClient();
    int spooled = 0;
    while (client.send(request, BodyHandlers.ofString()).statusCode() == 200) {
      spooled++;
      assertTrue(spooled < MORE_THAN_THE_SPOOL_TAKES);
    }
    assertTrue(spooled > 0, "nothing was answered without Kafka");
    try (FlagClients clients = new FlagClients(root)) {
      var java = clients.java("secret").client();
      // At once, since each of them waits for Kafka in vain.
      CompletableFuture<HttpResponse<String>> plain =
          client.sendAsync(request, BodyHandlers.ofString());
      CompletableFuture<FlagEvaluationDetails<String>> evaluated =
          CompletableFuture.supplyAsync(
              () -> java.getStringDetails("outage", "none", new ImmutableContext("u")));
      Future<String> node = clients.javaScriptSoon("failed", "secret");

      assertEquals(500, plain.get().statusCode(), plain.get().body());
      JsonNode failure = mapper.readTree(plain.get().body());
      assertEquals("outage", failure.path("key").asText());
      assertEquals("GENERAL", failure.path("errorCode").asText());
      assertTrue(failure.path("errorDetails").asText().contains("Kafka"), failure.toString());
      assertEquals("none", evaluated.get().getValue());
      assertEquals(ErrorCode.GENERAL, evaluated.get().getErrorCode());
      assertTrue(evaluated.get().getErrorMessage().contains("500"));

      JsonNode seen = mapper.readTree(unwrapped(node));
      assertEquals("GENERAL", seen.path("errorCode").asText());
      assertTrue(seen.path("errorMessage").asText().contains("Kafka"), seen.toString());
    }
  }

  /** What the thread threw is the test's own failure, or its reason to be skipped. */
  private static String unwrapped(Future<String> result) throws Exception {
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException thrown ? thrown : e;
    }
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(UTF_8);
  }
}
