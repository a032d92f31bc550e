package io.bellwether.serving.scoring;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringLane;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.work.Workers;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Scores requests, several in one run of a graph where that saves something. A request that meets
 * idle workers is scored at once by its caller. While other tasks wait for a worker, requests to
 * one version gather behind them and are scored together, as many as {@link Scorer#worthGathering}
 * allows: a batch grows with the load, and nobody waits while a worker is idle.
 *
 * <p>Owns the memory in which batches are scored. Thread-safe; its lock is never held while a graph
 * runs.
 */
@Singleton
public final class ScoringQueue {

  private static final Logger LOG = Logger.getLogger(ScoringQueue.class);

  /** More would make one worker's turn too long, whatever they cost to score. */
  private static final int MAX_REQUESTS = 64;

  /** As many as workers that run graphs of as many schemas at a time. */
  private static final int MAX_IDLE_LANES = 32;

  private final Workers workers;
  private final DistributionSummary requestsPerRun;
  private final DistributionSummary candidatesPerRun;

  private final Object lock = new Object();

  /** Who waits for which version's scorer; the one that was served longest ago comes first. */
  private final Map<Scorer, Deque<Waiting>> lines = new LinkedHashMap<>();

  /** Whether a task that will look at the lines has not begun yet. */
  private boolean scheduled;

  private final Deque<ScoringLane> idle = new ArrayDeque<>();
  private boolean stopped;

  /** A request in a line. Confined to the thread that took it out. */
  private static final class Waiting {

    private final Versions.Held held;
    private final float[] context;
    private final float[] history;
    private final CandidateRows items;
    private final long sinceNanos = System.nanoTime();
    private final CompletableFuture<Scored> answer = new CompletableFuture<>();
    private @Nullable Scored scored;
    private @Nullable Throwable failure;

    Waiting(Versions.Held held, float[] context, float[] history, CandidateRows items) {
      this.held = held;
      this.context = context;
      this.history = history;
      this.items = items;
    }

    void tell() {
      if (scored != null) {
        answer.complete(scored);
      } else if (failure != null) {
        answer.completeExceptionally(failure);
      } else {
        answer.cancel(false);
      }
    }
  }

  ScoringQueue(Workers workers, MeterRegistry registry) {
    this.workers = workers;
    requestsPerRun =
        DistributionSummary.builder("bellwether.scoring.requests")
            .description("Requests that were scored in one run of a graph")
            .serviceLevelObjectives(1, 2, 4, 8, 16, 32, MAX_REQUESTS)
            .register(registry);
    candidatesPerRun =
        DistributionSummary.builder("bellwether.scoring.candidates")
            .description("Candidates that were scored in one run of a graph")
            .serviceLevelObjectives(16, 64, 256, 1024, 4096)
            .register(registry);
  }

  /** Last of all: requests in flight still score. */
  void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) {
    synchronized (lock) {
      stopped = true;
      idle.forEach(ScoringLane::close);
      idle.clear();
    }
  }

  /**
   * Scores a request's candidates; to be called on a worker. Completes on a worker, at once where
   * the caller's own had nothing better to do; with a {@link
   * io.bellwether.policy.scoring.ScoringException} where the graph fails or gives a number that is
   * not finite. Who completes or cancels what is returned gives up, and is then not scored if that
   * has not begun. The arrays are read until then and not copied.
   *
   * @param held which version is to score; taken over, and closed whatever happens
   * @param context {@code [contextWidth]}
   * @param history {@code [historyLength * historyWidth]}
   */
  public CompletableFuture<Scored> score(
      Versions.Held held, float[] context, float[] history, CandidateRows items) {
    Waiting request = new Waiting(held, context, history, items);
    if (workers.waiting() == 0 || items.count() >= held.scorer().worthGathering()) {
      run(List.of(request));
    } else {
      enqueue(request);
    }
    return request.answer;
  }

  private void enqueue(Waiting request) {
    boolean first;
    synchronized (lock) {
      lines.computeIfAbsent(request.held.scorer(), scorer -> new ArrayDeque<>()).add(request);
      first = !scheduled;
      scheduled = true;
    }
    if (first) {
      execute(this::drain);
    }
  }

  private void drain() {
    List<Waiting> batch;
    boolean more;
    synchronized (lock) {
      batch = next();
      more = !lines.isEmpty();
      scheduled = more;
    }
    if (more) {
      execute(this::drain);
    }
    run(batch);
  }

  /** Those at the head of the first line; what is left of it goes behind the others. */
  private List<Waiting> next() {
    Iterator<Map.Entry<Scorer, Deque<Waiting>>> first = lines.entrySet().iterator();
    if (!first.hasNext()) {
      return List.of();
    }
    Map.Entry<Scorer, Deque<Waiting>> entry = first.next();
    Scorer scorer = entry.getKey();
    Deque<Waiting> line = entry.getValue();
    first.remove();
    List<Waiting> batch = new ArrayList<>();
    int candidates = 0;
    while (batch.size() < MAX_REQUESTS) {
      Waiting head = line.peek();
      if (head == null) {
        return batch;
      }
      candidates += head.items.count();
      if (!batch.isEmpty() && candidates > scorer.worthGathering()) {
        break;
      }
      batch.add(line.remove());
    }
    if (!line.isEmpty()) {
      lines.put(scorer, line);
    }
    return batch;
  }

  /** Scores requests to one version and tells each what came of it. */
  private void run(List<Waiting> requests) {
    if (requests.isEmpty()) {
      return;
    }
    score(requests);
    requests.forEach(ScoringQueue::letGo);
    // Whoever waited goes on in a task of its own, which another worker may take.
    int last = requests.size() - 1;
    for (int i = 0; i < last; i++) {
      execute(requests.get(i)::tell);
    }
    requests.get(last).tell();
  }

  /** The last to let go of a version closes it, which may fail, and is nobody's who waits. */
  private static void letGo(Waiting request) {
    try {
      request.held.close();
    } catch (RuntimeException e) {
      LOG.errorf(e, "%s could not be closed", request.held.version());
    }
  }

  private void score(List<Waiting> requests) {
    Scorer scorer = requests.get(0).held.scorer();
    @Nullable ScoringLane lane = null;
    try {
      lane = take(scorer.schema());
      long from = System.nanoTime();
      List<Waiting> taken = fill(lane, requests);
      lane.score(scorer);
      int micros = micros(System.nanoTime() - from);
      requestsPerRun.record(taken.size());
      candidatesPerRun.record(lane.batch().candidates());
      for (int i = 0; i < taken.size(); i++) {
        read(lane, i, taken.get(i), micros(from - taken.get(i).sinceNanos), micros);
      }
    } catch (Throwable failure) { // Whatever it is, nobody may wait for ever.
      for (Waiting request : requests) {
        request.failure = request.failure == null ? failure : request.failure;
      }
    } finally {
      if (lane != null) {
        giveBack(lane);
      }
    }
  }

  /** Those who are in the lane's batch now: not who gave up, nor whose rows do not fit. */
  private static List<Waiting> fill(ScoringLane lane, List<Waiting> requests) {
    List<Waiting> taken = new ArrayList<>(requests.size());
    lane.batch().clear();
    for (Waiting request : requests) {
      if (request.answer.isDone()) {
        continue;
      }
      try {
        request.items.addTo(lane.batch(), request.context, request.history);
        taken.add(request);
      } catch (IllegalArgumentException e) {
        request.failure = e;
      }
    }
    return taken;
  }

  private static void read(
      ScoringLane lane, int at, Waiting request, int queueMicros, int scoreMicros) {
    try {
      request.scored = new Scored(lane.logits(at), queueMicros, scoreMicros);
    } catch (RuntimeException e) {
      request.failure = e;
    }
  }

  private ScoringLane take(FeatureSchema schema) {
    synchronized (lock) {
      for (Iterator<ScoringLane> lanes = idle.iterator(); lanes.hasNext(); ) {
        ScoringLane lane = lanes.next();
        if (lane.schema().equals(schema)) {
          lanes.remove();
          return lane;
        }
      }
    }
    return new ScoringLane(schema);
  }

  /** Keeps the lane for the next run; the one that nobody has used for longest makes room. */
  private void giveBack(ScoringLane lane) {
    synchronized (lock) {
      idle.addFirst(lane);
      if (stopped || idle.size() > MAX_IDLE_LANES) {
        idle.removeLast().close();
      }
    }
  }

  /** On a worker, or where they have stopped on this thread, so that nobody waits for ever. */
  private void execute(Runnable task) {
    try {
      workers.execute(task);
    } catch (RejectedExecutionException stopping) {
      task.run();
    }
  }

  private static int micros(long nanos) {
    return (int) Math.min(Integer.MAX_VALUE, nanos / 1000);
  }
}
