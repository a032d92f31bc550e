package io.bellwether.loadtest.serving;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The few calls that a benchmark makes beside its load. Thread-safe. */
final class ServiceApi {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final URI base;
  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  ServiceApi(URI base) {
    this.base = base;
  }

  /** Registers items, an array of {@code {id, features}} as JSON. */
  void register(String surface, String items) throws IOException, InterruptedException {
    send("PUT", "/v1/surfaces/" + surface + "/items", items);
  }

  /** The version that answers by default now. */
  String serving(String surface) throws IOException, InterruptedException {
    return send("GET", "/v1/policies/" + surface, null).path("serving").asText();
  }

  /** Makes a version the champion, although nothing says that it is better. */
  void promote(String surface, String version, String expected)
      throws IOException, InterruptedException {
    String body =
        json.createObjectNode()
            .put("alias", "champion")
            .put("expected", expected)
            .put("reason", "swap storm")
            .put("override", "weights are random: only time is measured")
            .toString();
    send("POST", "/v1/policies/" + surface + "/versions/" + version + ":promote", body);
  }

  /** What the service says of a surface's retrieval; empty where it says nothing. */
  Optional<JsonNode> retrieval(String surface) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = answer("GET", "/v1/surfaces/" + surface + "/retrieval", null);
    return response.statusCode() == 200
        ? Optional.of(json.readTree(response.body()))
        : Optional.empty();
  }

  private JsonNode send(String method, String path, @Nullable String body)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response = answer(method, path, body);
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          "%s %s was answered %d: %s"
              .formatted(method, path, response.statusCode(), new String(response.body(), UTF_8)));
    }
    return json.readTree(response.body());
  }

  private HttpResponse<byte[]> answer(String method, String path, @Nullable String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }
}
