package io.bellwether.loadtest.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.policy.scoring.CounterRandom;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * JSON over HTTP/1.1 that is repeated until it is answered. Lost connections, timeouts, and
 * statuses that ask to come back (408, 409, 425, 429, 5xx) are tried again, unchanged, until {@link
 * Patience#giveUpAfter}; any other refusal fails at once. Thread-safe.
 */
final class RetryingClient {
  /** 409 is a decision whose first attempt is still being answered. */
  private static final Set<Integer> PASSING = Set.of(408, 409, 425, 429);

  private static final int QUOTED_CHARACTERS = 500;

  private final HttpClient http;
  private final ObjectMapper json = new ObjectMapper();
  private final URI baseUri;
  private final String apiKey;
  private final Patience patience;
  private final TrafficMeter meter;

  RetryingClient(TrafficPlan plan, TrafficMeter meter) {
    this.baseUri = plan.baseUri();
    this.apiKey = plan.apiKey();
    this.patience = plan.patience();
    this.meter = meter;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(patience.requestTimeout())
            .build();
  }

  /** Whether a status says that the same request may succeed later. */
  static boolean isPassing(int status) {
    return status >= 500 || PASSING.contains(status);
  }

  /**
   * Sends {@code body} until it is answered by a 2xx.
   *
   * @param what names the request in messages, such as {@code decision s7-t0-r1}
   */
  Answer send(String what, String method, String path, JsonNode body)
      throws InterruptedException, UndeliveredException {
    HttpRequest request = request(method, path, body);
    long giveUpNanos = System.nanoTime() + patience.giveUpAfter().toNanos();
    for (int attempt = 0; ; attempt++) {
      Duration asked = Duration.ZERO;
      String failure;
      try {
        long sentNanos = System.nanoTime();
        HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
          return answer(response, System.nanoTime() - sentNanos);
        }
        failure = "status " + status + " " + quote(response.body());
        if (!isPassing(status)) {
          throw new UndeliveredException(what + " was refused with " + failure);
        }
        asked = retryAfter(response);
      } catch (IOException e) {
        failure = e.toString();
      }
      Duration pause = pause(what, attempt, asked);
      if (System.nanoTime() + pause.toNanos() > giveUpNanos) {
        throw new UndeliveredException(
            "%s had no answer in %d s and %d attempts; the last failed with %s"
                .formatted(what, patience.giveUpAfter().toSeconds(), attempt + 1, failure));
      }
      meter.retried();
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    }
  }

  private HttpRequest request(String method, String path, JsonNode body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(baseUri.toString().replaceAll("/+$", "") + path))
            .timeout(patience.requestTimeout())
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .method(method, BodyPublishers.ofByteArray(bytes(body)));
    if (!apiKey.isEmpty()) {
      request.header("X-API-Key", apiKey);
    }
    return request.build();
  }

  private byte[] bytes(JsonNode body) {
    try {
      return json.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A JSON tree could not be written.", e);
    }
  }

  /**
   * A broken body is an {@link IOException} like a broken connection, and the request is sent
   * again.
   */
  private Answer answer(HttpResponse<byte[]> response, long nanos) throws IOException {
    boolean replayed =
        response.headers().firstValue("Idempotency-Replayed").orElse("").equals("true");
    return new Answer(response.statusCode(), json.readTree(response.body()), replayed, nanos);
  }

  private static Duration retryAfter(HttpResponse<?> response) {
    String seconds = response.headers().firstValue("Retry-After").orElse("");
    return seconds.matches("[0-9]{1,6}")
        ? Duration.ofSeconds(Long.parseLong(seconds))
        : Duration.ZERO;
  }

  /**
   * Doubles with every attempt and is spread over its upper half, so that clients do not come back
   * all at once.
   */
  Duration pause(String what, int attempt, Duration asked) {
    long longest = patience.longestPause().toNanos();
    long doubled = patience.firstPause().toNanos() << Math.min(attempt, 20);
    long wanted = Math.min(longest, Math.max(doubled, asked.toNanos()));
    double spread = CounterRandom.uniform(what.hashCode(), 0, attempt, 0, 0);
    return Duration.ofNanos((long) (wanted * (0.5 + 0.5 * spread)));
  }

  private static String quote(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    return text.length() <= QUOTED_CHARACTERS ? text : text.substring(0, QUOTED_CHARACTERS) + "...";
  }
}
