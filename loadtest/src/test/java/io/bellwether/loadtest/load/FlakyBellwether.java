package io.bellwether.loadtest.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.bellwether.policy.scoring.CounterRandom;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that speaks Bellwether's API over real sockets and misbehaves: it answers 503 and 429,
 * drops connections before and after it has done the work, cuts answers short, and refuses single
 * outcomes of a batch. It always shows the first candidate. Its memory outlives a {@link #restart}.
 */
final class FlakyBellwether implements AutoCloseable {
  final Map<String, JsonNode> decisions = new ConcurrentHashMap<>();
  final Map<String, JsonNode> outcomes = new ConcurrentHashMap<>();
  final Map<String, AtomicInteger> outcomeArrivals = new ConcurrentHashMap<>();
  final Set<String> problems = ConcurrentHashMap.newKeySet();
  final Set<String> apiKeys = ConcurrentHashMap.newKeySet();
  final Set<String> items = ConcurrentHashMap.newKeySet();
  final AtomicInteger faults = new AtomicInteger();
  final CountDownLatch hundredDecisions = new CountDownLatch(100);

  static {
    // The JDK's server writes head and body apart; without this each answer waits 40 ms for an
    // acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final double faultShare;
  private final int refuseWith;
  private final ObjectMapper json = new ObjectMapper();
  private final AtomicLong requests = new AtomicLong();
  private final ExecutorService workers = Executors.newFixedThreadPool(8);
  private HttpServer server;

  private FlakyBellwether(double faultShare, int refuseWith) throws IOException {
    this.faultShare = faultShare;
    this.refuseWith = refuseWith;
    this.server = listen(0);
  }

  /** Fails {@code faultShare} of the requests. */
  static FlakyBellwether failing(double faultShare) throws IOException {
    return new FlakyBellwether(faultShare, 0);
  }

  /** Answers every decision with {@code status}. */
  static FlakyBellwether refusing(int status) throws IOException {
    return new FlakyBellwether(0, status);
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  JsonNode decision(String id) {
    return Objects.requireNonNull(decisions.get(id), "no decision " + id);
  }

  JsonNode outcome(String id) {
    return Objects.requireNonNull(outcomes.get(id), "no outcome " + id);
  }

  /** Breaks all connections, and listens again on the same port. */
  void restart() throws IOException {
    int port = server.getAddress().getPort();
    server.stop(0);
    server = listen(port);
  }

  private HttpServer listen(int port) throws IOException {
    HttpServer listening =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 64);
    listening.setExecutor(workers);
    listening.createContext(
        "/v1/surfaces/short-video/items", exchange -> misbehave(exchange, this::register));
    listening.createContext("/v1/decisions", exchange -> misbehave(exchange, this::decide));
    listening.createContext("/v1/outcomes", exchange -> misbehave(exchange, this::take));
    listening.start();
    return listening;
  }

  private interface Handler {
    /** Does the work and returns status and body. */
    Reply handle(JsonNode request);
  }

  private record Reply(int status, JsonNode body, boolean replayed) {}

  private void misbehave(HttpExchange exchange, Handler handler) throws IOException {
    try (exchange) {
      JsonNode request = json.readTree(exchange.getRequestBody());
      String apiKey = exchange.getRequestHeaders().getFirst("X-API-Key");
      apiKeys.add(apiKey == null ? "" : apiKey);
      double chance = CounterRandom.uniform(7, 0, requests.incrementAndGet(), 0, 0) / faultShare;
      if (chance < 1) {
        faults.incrementAndGet();
      }
      if (chance < 0.3) {
        reply(exchange, new Reply(503, JsonNodeFactory.instance.objectNode(), false));
      } else if (chance < 0.5) {
        exchange.getResponseHeaders().set("Retry-After", "1");
        reply(exchange, new Reply(429, JsonNodeFactory.instance.objectNode(), false));
      } else if (chance < 0.65) {
        return;
      } else if (chance < 0.8) {
        handler.handle(request);
      } else if (chance < 1) {
        cutShort(exchange, handler.handle(request));
      } else {
        reply(exchange, handler.handle(request));
      }
    }
  }

  private void reply(HttpExchange exchange, Reply reply) throws IOException {
    if (reply.replayed) {
      exchange.getResponseHeaders().set("Idempotency-Replayed", "true");
    }
    byte[] body = json.writeValueAsBytes(reply.body);
    exchange.sendResponseHeaders(reply.status, body.length);
    exchange.getResponseBody().write(body);
  }

  private void cutShort(HttpExchange exchange, Reply reply) throws IOException {
    byte[] body = json.writeValueAsBytes(reply.body);
    exchange.sendResponseHeaders(reply.status, body.length + 10);
    exchange.getResponseBody().write(body);
    exchange.getResponseBody().flush();
  }

  private Reply register(JsonNode request) {
    request.get("items").forEach(item -> items.add(item.get("id").asText()));
    return new Reply(200, JsonNodeFactory.instance.objectNode(), false);
  }

  private Reply decide(JsonNode request) {
    if (refuseWith != 0) {
      return new Reply(
          refuseWith, JsonNodeFactory.instance.objectNode().put("title", "no such thing"), false);
    }
    JsonNode before = decisions.putIfAbsent(request.get("decisionId").asText(), request);
    if (before != null && !before.equals(request)) {
      problems.add(
          "decision " + request.get("decisionId") + " changed: " + before + " / " + request);
    }
    if (before == null) {
      hundredDecisions.countDown();
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("status", "OK");
    body.putArray("slate").addObject().set("candidateId", request.at("/candidates/0/id"));
    body.putObject("policy").put("version", "v1");
    return new Reply(before == null ? 201 : 200, body, before != null);
  }

  private Reply take(JsonNode request) {
    ArrayNode answers = JsonNodeFactory.instance.arrayNode();
    for (JsonNode outcome : request) {
      String id = outcome.get("outcomeId").asText();
      ObjectNode answer = answers.addObject().put("id", id);
      if (CounterRandom.uniform(8, 0, requests.incrementAndGet(), 0, 0) < faultShare / 10) {
        answer.put("status", 503).putObject("problem").put("status", 503);
        continue;
      }
      answer.put("status", 202);
      outcomeArrivals.computeIfAbsent(id, key -> new AtomicInteger()).incrementAndGet();
      JsonNode before = outcomes.putIfAbsent(id, outcome);
      if (before != null && !before.equals(outcome)) {
        problems.add("outcome " + id + " changed: " + before + " / " + outcome);
      }
      if (!decisions.containsKey(outcome.get("decisionId").asText())) {
        problems.add("outcome " + id + " came before its decision");
      }
    }
    return new Reply(207, JsonNodeFactory.instance.objectNode().set("items", answers), false);
  }

  @Override
  public void close() {
    server.stop(0);
    workers.shutdownNow();
  }
}
