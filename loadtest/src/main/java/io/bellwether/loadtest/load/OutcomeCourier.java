package io.bellwether.loadtest.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Outcomes on their way: each waits for its time, travels in a batch with others, and is sent again
 * until it is accepted. Holds at most {@link Delivery#maxPending}. Thread-safe; {@link #deliver} is
 * run by one thread or several.
 */
final class OutcomeCourier {
  /**
   * How long a batch that is not full waits for more; saves requests and is short beside the
   * delays.
   */
  private static final Duration LINGER = Duration.ofMillis(30);

  private final RetryingClient client;
  private final Delivery delivery;
  private final Patience patience;
  private final TrafficMeter meter;
  private final DelayQueue<Parcel> waiting = new DelayQueue<>();
  private final Semaphore room;

  OutcomeCourier(RetryingClient client, TrafficPlan plan, TrafficMeter meter) {
    this.client = client;
    this.delivery = plan.delivery();
    this.patience = plan.patience();
    this.meter = meter;
    this.room = new Semaphore(delivery.maxPending());
  }

  /** Takes an outcome to be sent after {@code delay}; waits while there is no room. */
  void take(Outcome outcome, Duration delay) throws InterruptedException {
    room.acquire();
    waiting.add(Parcel.first(outcome, false, delay));
  }

  /** Takes a second copy of an outcome, which is not counted among the distinct ones. */
  void takeCopy(Outcome outcome, Duration delay) throws InterruptedException {
    room.acquire();
    waiting.add(Parcel.first(outcome, true, delay));
  }

  /** Outcomes and copies taken and not yet accepted. */
  int pending() {
    return delivery.maxPending() - room.availablePermits();
  }

  /** Whether everything was accepted within {@code time}. */
  boolean awaitEmpty(Duration time) throws InterruptedException {
    if (!room.tryAcquire(delivery.maxPending(), time.toMillis(), TimeUnit.MILLISECONDS)) {
      return false;
    }
    room.release(delivery.maxPending());
    return true;
  }

  /** Sends batches until interrupted. */
  void deliver() throws InterruptedException, UndeliveredException {
    while (true) {
      send(nextBatch());
    }
  }

  private List<Parcel> nextBatch() throws InterruptedException {
    List<Parcel> batch = new ArrayList<>();
    batch.add(waiting.take());
    long closesNanos = System.nanoTime() + LINGER.toNanos();
    while (batch.size() < delivery.maxBatch()) {
      Parcel next = waiting.poll(closesNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        return batch;
      }
      batch.add(next);
    }
    return batch;
  }

  private void send(List<Parcel> batch) throws InterruptedException, UndeliveredException {
    ArrayNode body = JsonNodeFactory.instance.arrayNode();
    batch.forEach(parcel -> body.add(parcel.outcome.toJson()));
    String what =
        "a batch of " + batch.size() + " outcomes from " + batch.get(0).outcome.id() + " on";
    Answer answer = client.send(what, "POST", "/v1/outcomes", body);
    meter.outcomesAnswered(answer);

    JsonNode items = answer.body().path("items");
    if (answer.status() == 207 && items.size() != batch.size()) {
      throw new UndeliveredException(what + " got " + items.size() + " answers: " + answer.body());
    }
    for (int i = 0; i < batch.size(); i++) {
      settle(batch.get(i), items.path(i));
    }
  }

  /** An item of the answer has a {@code problem} if and only if its outcome was not accepted. */
  private void settle(Parcel parcel, JsonNode item) throws UndeliveredException {
    JsonNode problem = item.path("problem");
    if (problem.isMissingNode() || problem.isNull()) {
      accepted(parcel);
      return;
    }
    int status = problem.path("status").asInt(item.path("status").asInt());
    if (!RetryingClient.isPassing(status) || parcel.isOlderThan(patience.giveUpAfter())) {
      throw new UndeliveredException("outcome " + parcel.outcome.id() + " was refused: " + item);
    }
    meter.retried();
    waiting.add(parcel.again(client.pause(parcel.outcome.id(), parcel.attempt, Duration.ZERO)));
  }

  private void accepted(Parcel parcel) {
    if (parcel.copy) {
      meter.duplicateAccepted();
    } else {
      meter.outcomeAccepted(parcel.outcome.signal().wireName());
    }
    room.release();
  }

  /** An outcome, and when it is to be sent. */
  private static final class Parcel implements Delayed {
    private final Outcome outcome;
    private final boolean copy;
    private final int attempt;
    private final long firstDueNanos;
    private final long dueNanos;

    private Parcel(Outcome outcome, boolean copy, int attempt, long firstDueNanos, long dueNanos) {
      this.outcome = outcome;
      this.copy = copy;
      this.attempt = attempt;
      this.firstDueNanos = firstDueNanos;
      this.dueNanos = dueNanos;
    }

    static Parcel first(Outcome outcome, boolean copy, Duration delay) {
      long due = System.nanoTime() + delay.toNanos();
      return new Parcel(outcome, copy, 0, due, due);
    }

    Parcel again(Duration pause) {
      return new Parcel(
          outcome, copy, attempt + 1, firstDueNanos, System.nanoTime() + pause.toNanos());
    }

    boolean isOlderThan(Duration age) {
      return System.nanoTime() - firstDueNanos > age.toNanos();
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(dueNanos - ((Parcel) other).dueNanos, 0);
    }
  }
}
