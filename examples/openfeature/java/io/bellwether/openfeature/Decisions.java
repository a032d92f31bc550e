package io.bellwether.openfeature;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Which decisions gave a subject its flags, and what came of them. Thread-safe. */
final class Decisions {

  private static final Logger LOG = Logger.getLogger(Decisions.class.getName());

  /** Subjects that are remembered; the one that asked longest ago is forgotten first. */
  private static final int MOST_SUBJECTS = 10_000;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final ObjectMapper mapper = new ObjectMapper();
  private final URI service;
  private final String apiKey;
  private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();

  /** By subject: the latest decision of each flag. */
  private final Map<String, Map<String, String>> bySubject =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Map<String, String>> eldest) {
          return size() > MOST_SUBJECTS;
        }
      };

  Decisions(URI service, String apiKey) {
    this.service = service;
    this.apiKey = apiKey;
  }

  synchronized void remember(String subject, String flag, String decisionId) {
    bySubject.computeIfAbsent(subject, any -> new HashMap<>()).put(flag, decisionId);
  }

  private synchronized Collection<String> of(String subject, Object flag) {
    Map<String, String> flags = bySubject.getOrDefault(subject, Map.of());
    if (flag == null) {
      return List.copyOf(flags.values());
    }
    String decisionId = flags.get(flag.toString());
    return decisionId == null ? List.of() : List.of(decisionId);
  }

  void track(String signal, String subject, Number value, Map<String, Object> details) {
    Map<String, Object> properties = new HashMap<>(details);
    properties.remove("value");
    Object flag = properties.remove("flag");
    properties.values().removeIf(v -> v == null || v instanceof Map || v instanceof List);
    properties.replaceAll((name, v) -> v instanceof Boolean || v instanceof Number ? v : "" + v);
    List<Map<String, Object>> outcomes = new ArrayList<>();
    for (String decisionId : of(subject, flag)) {
      outcomes.add(
          Map.of(
              // A name of its own, so that sending it twice counts once.
              "outcomeId", UUID.randomUUID().toString(),
              "decisionId", decisionId,
              "signal", signal,
              "value", value,
              "properties", properties));
    }
    if (!outcomes.isEmpty()) {
      post(outcomes);
    }
  }

  void flush() {
    CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new)).join();
  }

  private void post(List<Map<String, Object>> outcomes) {
    HttpRequest request;
    try {
      request =
          HttpRequest.newBuilder(URI.create(service + "/v1/outcomes"))
              .timeout(TIMEOUT)
              .header("X-API-Key", apiKey)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(mapper.writeValueAsString(outcomes)))
              .build();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of scalars are always JSON", e);
    }
    CompletableFuture<Void> sent =
        client
            .sendAsync(request, BodyHandlers.ofString())
            .handle(
                (response, failure) -> {
                  report(response, failure);
                  return null;
                });
    pending.add(sent);
    sent.whenComplete((done, failure) -> pending.remove(sent));
  }

  private static void report(HttpResponse<String> response, Throwable failure) {
    if (failure != null) {
      LOG.log(Level.WARNING, "outcomes were not reported", failure);
    } else if (response.statusCode() >= 300 || response.body().contains("\"problem\"")) {
      LOG.log(Level.WARNING, "Bellwether refused outcomes: {0}", response.body());
    }
  }
}
