package io.bellwether.infra.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The API of a running service, as a verb uses it: one call, one answer, and every refusal as a
 * {@link CommandFailed} that says what the service said.
 *
 * @param base address without the {@code /v1}
 * @param key sent as {@code X-API-Key}; empty sends none
 */
record ServiceClient(URI base, String key) {
  private static final Duration CONNECT = Duration.ofSeconds(3);

  /** Far longer than a move takes to reach every replica. */
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private static final ObjectMapper JSON = new ObjectMapper();

  JsonNode get(String path) throws InterruptedException {
    return send(request(path).GET().build());
  }

  JsonNode post(String path, JsonNode body) throws InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .header("Bellwether-Actor", actor())
            .POST(BodyPublishers.ofString(body.toString()))
            .build());
  }

  JsonNode patch(String path, JsonNode body) throws InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "application/merge-patch+json")
            .header("Bellwether-Actor", actor())
            .method("PATCH", BodyPublishers.ofString(body.toString()))
            .build());
  }

  /** An id as a segment of a path. */
  static String segment(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String actor() {
    return System.getProperty("user.name", "command").replaceAll("[^\\x21-\\x7e]", "_");
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(ANSWER)
            .header("Accept", "application/json");
    return key.isEmpty() ? request : request.header("X-API-Key", key);
  }

  private JsonNode send(HttpRequest request) throws InterruptedException {
    HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();
    HttpResponse<String> response;
    try {
      response = client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw CommandFailed.unavailable(
          "The service at " + base + " does not answer: " + e,
          "See that it runs; `./bellwether doctor` tells.",
          e);
    }
    JsonNode body = body(response);
    if (response.statusCode() < 300) {
      return body;
    }
    throw refusal(response.statusCode(), body);
  }

  private JsonNode body(HttpResponse<String> response) {
    try {
      return response.body().isBlank() ? JSON.createObjectNode() : JSON.readTree(response.body());
    } catch (JsonProcessingException e) {
      throw CommandFailed.unavailable(
          "What answers at %s is no Bellwether: status %d without JSON."
              .formatted(base, response.statusCode()),
          "Name the service with --url.",
          e);
    }
  }

  private CommandFailed refusal(int status, JsonNode problem) {
    String said = said(status, problem);
    return switch (status) {
      case 400, 404, 413, 415 -> CommandFailed.wrongInput(said, "Mend what it names.");
      case 401, 403 ->
          CommandFailed.wrongInput(
              said,
              "Set BELLWETHER_API_KEYS to one of the service's keys (for people's data"
                  + " BELLWETHER_ADMIN_KEYS to one of bellwether.admin-keys).");
      case 409, 412, 422 ->
          CommandFailed.refused(said, "`./bellwether experiments show NAME` shows the state.");
      default ->
          CommandFailed.unavailable(said, "Try again; its log says more where it goes on.", null);
    };
  }

  /** The problem in words; where it names several mistakes, each in its line. */
  private static String said(int status, JsonNode problem) {
    List<String> lines = new ArrayList<>();
    String detail = problem.path("detail").asText("");
    String title = problem.path("title").asText("status " + status);
    lines.add(detail.isEmpty() ? title : detail);
    for (JsonNode error : problem.path("errors")) {
      lines.add("  " + error.path("pointer").asText("") + " " + error.path("detail").asText(""));
    }
    return String.join(System.lineSeparator(), lines);
  }
}
