package io.bellwether.loadtest.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.policy.scoring.CounterRandom;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A product that asks for decisions at chance moments, whether or not earlier ones were answered,
 * and reports outcomes of what it was told. What fails in passing is sent again, unchanged, until
 * it is taken or given up. Owns its threads. Thread-safe.
 */
final class ChaosTraffic implements AutoCloseable {

  private static final int TAG = 92;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration GIVE_UP = Duration.ofSeconds(60);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1000;
  private static final double MORE_OUTCOMES = 0.4;
  private static final int MAX_OUTCOMES = 3;
  private static final double LONGEST_DELAY_SECONDS = 2;

  private final URI url;
  private final String champion;
  private final double perSecond;
  private final long seed;
  private final Ledger ledger;
  private final Clock clock;
  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(1))
          .build();
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
  private final AtomicLong number = new AtomicLong();
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicReference<@Nullable String> unexpected = new AtomicReference<>();
  private volatile Duration clockIsAhead = Duration.ZERO;
  private volatile boolean stopped;

  /**
   * @param champion version that has to answer
   * @param perSecond decisions, on average
   * @param clock dates outcomes
   */
  ChaosTraffic(URI url, String champion, double perSecond, long seed, Ledger ledger, Clock clock) {
    this.url = url;
    this.champion = champion;
    this.perSecond = perSecond;
    this.seed = seed;
    this.ledger = ledger;
    this.clock = clock;
  }

  void start() {
    scheduleNext(System.nanoTime());
  }

  /** Lets the product's clock be wrong by so much. */
  void clockIsAhead(Duration by) {
    clockIsAhead = by;
  }

  /** Decisions and outcomes that are neither taken nor given up. */
  int pending() {
    return pending.get();
  }

  /** An answer that no fault explains, as words. */
  @Nullable String unexpected() {
    return unexpected.get();
  }

  /** Asks for nothing more; what is under way goes on. */
  void stop() {
    stopped = true;
  }

  /** Times are those of the plan and not of the last request, so that a slow one holds up none. */
  private void scheduleNext(long plannedNanos) {
    if (stopped) {
      return;
    }
    long i = number.getAndIncrement();
    double uniform = CounterRandom.uniform(seed, TAG, i, 0, 0);
    long next = plannedNanos + (long) (-Math.log1p(-uniform) / perSecond * 1e9);
    after(
        Math.max(0, next - System.nanoTime()),
        () -> {
          scheduleNext(next);
          decide(i);
        });
  }

  private void decide(long i) {
    String id = "c" + seed + "-" + i;
    ledger.asked(id);
    send(
        "/v1/decisions",
        ChaosSurface.request(id, seed, i),
        new Receiver() {
          @Override
          public void answered(Attempt attempt, JsonNode body) {
            ledger.answered(attempt, good(attempt, body));
          }

          @Override
          public void unanswered() {
            ledger.unanswered();
          }

          @Override
          public void taken(JsonNode body) {
            shown(i, id, body);
          }
        });
  }

  private static boolean good(Attempt attempt, JsonNode body) {
    return attempt.ok()
        && !body.has("degraded")
        && attempt.nanos() <= ChaosSurface.DEADLINE.toNanos();
  }

  private void shown(long i, String id, JsonNode body) {
    List<String> slate = new ArrayList<>();
    body.path("slate").forEach(each -> slate.add(each.path("candidateId").asText()));
    ledger.accepted(id, slate);
    String version = body.path("policy").path("version").asText();
    if (!body.has("degraded") && !version.equals(champion)) {
      ledger.answeredByAWrongVersion();
    }
    int outcomes = 0;
    do {
      double when = LONGEST_DELAY_SECONDS * CounterRandom.uniform(seed, TAG, i, 1, outcomes);
      report(id, outcomes, slate.get(0), (long) (1e9 * when));
      outcomes++;
    } while (outcomes < MAX_OUTCOMES
        && CounterRandom.uniform(seed, TAG, i, 2, outcomes) < MORE_OUTCOMES);
  }

  private void report(String decisionId, int which, String item, long inNanos) {
    pending.incrementAndGet();
    after(
        inNanos,
        () -> {
          ObjectNode body = json.createObjectNode();
          body.put("outcomeId", decisionId + "-o" + which);
          body.put("decisionId", decisionId);
          body.put("itemId", item);
          body.put("signal", ChaosSurface.SIGNAL);
          body.put("value", 1);
          body.put("occurredAt", clock.instant().plus(clockIsAhead).toString());
          ledger.outcomeSent(decisionId);
          send(
              "/v1/outcomes",
              body,
              new Receiver() {
                @Override
                public void answered(Attempt attempt, JsonNode answer) {}

                @Override
                public void unanswered() {}

                @Override
                public void taken(JsonNode answer) {
                  ledger.outcomeAccepted(decisionId);
                }
              });
          pending.decrementAndGet();
        });
  }

  /** Hears what becomes of a request. */
  private interface Receiver {
    /** Each answer to each attempt. */
    void answered(Attempt attempt, JsonNode body);

    /** An attempt that got none. */
    void unanswered();

    /** The answer that was good. */
    void taken(JsonNode body);
  }

  private void send(String path, ObjectNode body, Receiver receiver) {
    pending.incrementAndGet();
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve(path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    attempt(request, receiver, 0, System.nanoTime() + GIVE_UP.toNanos());
  }

  private void attempt(HttpRequest request, Receiver receiver, int tries, long giveUpNanos) {
    long sent = System.nanoTime();
    var unused =
        http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
            .handle((response, failure) -> read(response, sent))
            .thenAccept(answer -> settle(answer, request, receiver, tries, giveUpNanos))
            .exceptionally(
                bug -> {
                  unexpected.compareAndSet(null, String.valueOf(bug));
                  pending.decrementAndGet();
                  return null;
                });
  }

  /**
   * @param attempt absent where there was no answer
   */
  private record Answer(@Nullable Attempt attempt, JsonNode body) {}

  private Answer read(@Nullable HttpResponse<byte[]> response, long sent) {
    if (response == null) {
      return new Answer(null, json.missingNode());
    }
    try {
      JsonNode body = json.readTree(response.body());
      return new Answer(
          new Attempt(sent, System.nanoTime() - sent, response.statusCode(), body.has("degraded")),
          body);
    } catch (IOException torn) {
      return new Answer(null, json.missingNode());
    }
  }

  private void settle(
      Answer answer, HttpRequest request, Receiver receiver, int tries, long giveUpNanos) {
    Attempt attempt = answer.attempt;
    if (attempt == null) {
      receiver.unanswered();
    } else {
      receiver.answered(attempt, answer.body);
      if (attempt.status() / 100 == 2) {
        receiver.taken(answer.body);
        pending.decrementAndGet();
        return;
      }
      if (!passing(attempt.status())) {
        unexpected.compareAndSet(null, attempt.status() + " " + answer.body);
        pending.decrementAndGet();
        return;
      }
    }
    long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(tries, 10));
    if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause) > giveUpNanos) {
      pending.decrementAndGet();
      return;
    }
    ledger.retried();
    after(
        TimeUnit.MILLISECONDS.toNanos(pause),
        () -> attempt(request, receiver, tries + 1, giveUpNanos));
  }

  /** 409 is a decision whose first attempt is still being answered. */
  private static boolean passing(int status) {
    return status == 409 || status == 429 || status >= 500;
  }

  private void after(long nanos, Runnable task) {
    try {
      var unused = threads.schedule(task, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closed) {
      pending.set(0); // Whoever closes waits for nothing.
    }
  }

  @Override
  public void close() {
    stopped = true;
    threads.shutdownNow();
  }
}
