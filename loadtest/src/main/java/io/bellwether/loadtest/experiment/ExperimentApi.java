package io.bellwether.loadtest.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A running service's experiments, as any client sees them. Thread-safe. */
final class ExperimentApi {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT).build();
  private final ObjectMapper json = new ObjectMapper();
  private final URI base;

  /**
   * @param base address without the {@code /v1}, of a service that asks for no key
   */
  ExperimentApi(URI base) {
    this.base = base;
  }

  /** Creates an experiment and starts it; returns when every replica knows. */
  void start(JsonNode declaration) throws IOException, InterruptedException {
    post("/v1/experiments", declaration);
    post(
        "/v1/experiments/" + declaration.path("name").asText() + ":start", json.createObjectNode());
  }

  JsonNode state(String name) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(base.resolve("/v1/experiments/" + name)).GET());
  }

  JsonNode results(String name) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(base.resolve("/v1/experiments/" + name + "/results")).GET());
  }

  JsonNode history(String name) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(base.resolve("/v1/experiments/" + name + "/history")).GET());
  }

  private JsonNode post(String path, JsonNode body) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(base.resolve(path))
            .header("Content-Type", "application/json")
            .header("Bellwether-Actor", "bench")
            .POST(BodyPublishers.ofString(body.toString())));
  }

  private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpRequest ready = request.timeout(ANSWER).header("Accept", "application/json").build();
    HttpResponse<String> response = http.send(ready, BodyHandlers.ofString(StandardCharsets.UTF_8));
    if (response.statusCode() >= 300) {
      throw new IOException(
          "%s %s was answered %d: %s"
              .formatted(ready.method(), ready.uri(), response.statusCode(), response.body()));
    }
    return response.body().isBlank() ? json.createObjectNode() : json.readTree(response.body());
  }
}
