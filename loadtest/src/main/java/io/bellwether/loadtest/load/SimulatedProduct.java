package io.bellwether.loadtest.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.loadtest.people.Catalogue;
import io.bellwether.loadtest.people.Response;
import io.bellwether.loadtest.people.Session;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.Signal;
import io.bellwether.policy.scoring.CounterRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A product with simulated people that uses a running Bellwether like any client.
 *
 * <p>It registers its videos, then plays sessions, many at once: each step asks for a decision,
 * shows the chosen video to the person, and reports what they did as outcomes that arrive later,
 * out of order, some much later and some twice. Ids depend on session, step and run only, so that
 * whatever is tried again is the same request. Which video a person is shown is Bellwether's
 * choice; how they respond to it is the world's and repeatable.
 *
 * <p>One object makes one run, by one call of {@link #run}; {@link #stop} may be called from any
 * thread.
 */
public final class SimulatedProduct {
  /** The surface that the product's videos are shown on. */
  public static final String SURFACE = "short-video";

  private static final int COURIERS = 2;
  private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(1);
  private static final Duration BETWEEN_CHECKS = Duration.ofMillis(50);

  /** Tags of {@link CounterRandom} that the world does not use. */
  private static final int LATE = 70;

  private static final int HOLD_UP = 71;
  private static final int TWICE = 72;
  private static final int COPY_HOLD_UP = 73;

  private final ShortVideoWorld world;
  private final TrafficPlan plan;
  private final Clock clock;
  private final TrafficMeter meter = new TrafficMeter();
  private final RetryingClient client;
  private final OutcomeCourier courier;
  private final ObjectMapper json = new ObjectMapper();
  private final AtomicLong nextSession;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;

  /** Makes a run that has not started; {@code clock} dates the outcomes. */
  public SimulatedProduct(ShortVideoWorld world, TrafficPlan plan, Clock clock) {
    this.world = world;
    this.plan = plan;
    this.clock = clock;
    this.client = new RetryingClient(plan, meter);
    this.courier = new OutcomeCourier(client, plan, meter);
    this.nextSession = new AtomicLong(plan.firstSession());
  }

  /**
   * Starts no more sessions; {@link #run} returns when those that run are finished and all outcomes
   * accepted.
   */
  public void stop() {
    stopped = true;
  }

  /**
   * Plays the plan, and returns when every session is finished and every outcome accepted.
   *
   * <p>An interrupt ends the run at once, with outcomes undelivered; {@link #stop} ends it without
   * loss.
   *
   * @param progress is told about once a second, by the calling thread
   * @throws UndeliveredException if something was refused, or not accepted within {@link
   *     Patience#giveUpAfter}
   */
  public TrafficReport run(Consumer<TrafficReport> progress)
      throws InterruptedException, UndeliveredException {
    registerVideos();
    Duration lastStart = meter.elapsed().plus(plan.stopAfter());
    ExecutorService workers = Executors.newFixedThreadPool(plan.concurrency() + COURIERS);
    CountDownLatch playing = new CountDownLatch(plan.concurrency());
    try {
      for (int i = 0; i < COURIERS; i++) {
        workers.execute(() -> guard(courier::deliver));
      }
      for (int i = 0; i < plan.concurrency(); i++) {
        workers.execute(
            () -> {
              guard(() -> playSessions(lastStart));
              playing.countDown();
            });
      }
      awaitEnd(playing, progress);
    } finally {
      stopped = true;
      workers.shutdownNow();
      workers.awaitTermination(plan.patience().requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }
    return meter.report(courier.pending());
  }

  private void registerVideos() throws InterruptedException, UndeliveredException {
    ObjectNode body = json.createObjectNode();
    ArrayNode items = body.putArray("items");
    for (int item = 0; item < Catalogue.ITEMS; item++) {
      ObjectNode entry = items.addObject();
      entry.put("id", Catalogue.id(item));
      entry.set("features", json.valueToTree(world.catalogue().features(item)));
    }
    client.send("the catalogue", "PUT", "/v1/surfaces/" + SURFACE + "/items", body);
  }

  private void awaitEnd(CountDownLatch playing, Consumer<TrafficReport> progress)
      throws InterruptedException, UndeliveredException {
    Duration nextReport = BETWEEN_REPORTS;
    while (!ended(playing)) {
      rethrowFailure();
      if (meter.elapsed().compareTo(nextReport) >= 0) {
        progress.accept(meter.report(courier.pending()));
        nextReport = meter.elapsed().plus(BETWEEN_REPORTS);
      }
    }
  }

  private void rethrowFailure() throws UndeliveredException {
    Throwable cause = failure.get();
    if (cause instanceof UndeliveredException) {
      throw new UndeliveredException("The run ended early: " + cause.getMessage(), cause);
    }
    if (cause != null) {
      throw new IllegalStateException("The simulated product failed.", cause);
    }
  }

  private boolean ended(CountDownLatch playing) throws InterruptedException {
    return playing.await(BETWEEN_CHECKS.toMillis(), TimeUnit.MILLISECONDS)
        && failure.get() == null
        && courier.awaitEmpty(BETWEEN_CHECKS);
  }

  /** What a worker thread does. */
  private interface Work {
    void run() throws InterruptedException, UndeliveredException;
  }

  /** Runs until done or interrupted; the first failure of any worker ends the run. */
  private void guard(Work work) {
    try {
      work.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (UndeliveredException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      stopped = true;
    }
  }

  private void playSessions(Duration lastStart) throws InterruptedException, UndeliveredException {
    while (!stopped && meter.elapsed().compareTo(lastStart) < 0) {
      long number = nextSession.getAndIncrement();
      if (number - plan.firstSession() >= plan.maxSessions()) {
        return;
      }
      play(world.start(number));
      meter.sessionFinished();
    }
  }

  private void play(Session session) throws InterruptedException, UndeliveredException {
    while (!session.isOver()) {
      int step = session.step();
      String decisionId = "s%d-t%d-r%s".formatted(session.number(), step, plan.run());
      Shown shown = decide(decisionId, session);
      Response response = session.show(Catalogue.numberOf(shown.itemId()));
      meter.watched(response.value(Signal.WATCH_SECONDS));
      Instant shownAt = clock.instant();
      for (Signal signal : Signal.values()) {
        if (!signal.isFlag() || response.has(signal)) {
          report(decisionId, session.number(), step, response, signal, shownAt);
        }
      }
    }
  }

  private Shown decide(String decisionId, Session session)
      throws InterruptedException, UndeliveredException {
    ObjectNode body = json.createObjectNode();
    body.put("decisionId", decisionId);
    body.put("surface", SURFACE);
    body.putObject("subject").put("id", session.person().id());
    body.set("context", json.valueToTree(session.visible().features()));
    ArrayNode candidates = body.putArray("candidates");
    Set<String> offered = new LinkedHashSet<>();
    for (int item : session.candidates()) {
      offered.add(Catalogue.id(item));
    }
    offered.forEach(id -> candidates.addObject().put("id", id));
    Answer answer = client.send("decision " + decisionId, "POST", "/v1/decisions", body);
    Shown shown = Shown.of(decisionId, answer);
    if (!offered.contains(shown.itemId())) {
      throw new UndeliveredException(
          "decision %s shows %s, which is none of its candidates %s"
              .formatted(decisionId, shown.itemId(), offered));
    }
    meter.decisionAnswered(shown, answer);
    return shown;
  }

  private void report(
      String decisionId, long session, int step, Response response, Signal signal, Instant shownAt)
      throws InterruptedException {
    Delivery delivery = plan.delivery();
    Duration delay = seconds(response.delaySeconds(signal) / delivery.timeFactor());
    Outcome outcome =
        new Outcome(
            decisionId,
            Catalogue.id(response.item()),
            signal,
            response.value(signal),
            shownAt.plus(delay));
    Chance chance = new Chance(session, step, signal);
    Duration heldUp =
        chance.of(LATE) < delivery.lateShare()
            ? chance.upTo(delivery.maxHoldUp(), HOLD_UP)
            : Duration.ZERO;
    courier.take(outcome, delay.plus(heldUp));
    if (chance.of(TWICE) < delivery.twiceShare()) {
      courier.takeCopy(outcome, delay.plus(chance.upTo(delivery.maxHoldUp(), COPY_HOLD_UP)));
    }
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** What happens to one outcome on its way. */
  private record Chance(long session, int step, Signal signal) {
    double of(int tag) {
      return CounterRandom.uniform(ShortVideoWorld.WORLD_SEED, tag, session, step, signal.index());
    }

    Duration upTo(Duration max, int tag) {
      return Duration.ofNanos((long) (max.toNanos() * of(tag)));
    }
  }
}
