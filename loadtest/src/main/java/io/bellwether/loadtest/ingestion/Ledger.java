package io.bellwether.loadtest.ingestion;

import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a job in this JVM said last about each decision: a digest, so that ten million of them fit.
 * Thread-safe. Operators find it by the name of their run, since Flink copies what it is given.
 */
final class Ledger {

  private static final Map<String, Ledger> OPEN = new ConcurrentHashMap<>();

  private final String run;
  private final AtomicLongArray digests;
  private final AtomicLong transitions = new AtomicLong();
  private final CountDownLatch readers = new CountDownLatch(RecordSource.READERS);

  private Ledger(String run, int decisions) {
    this.run = run;
    digests = new AtomicLongArray(decisions);
  }

  /** Begins a run. */
  static Ledger open(String run, long decisions) {
    Ledger ledger = new Ledger(run, Math.toIntExact(decisions));
    OPEN.put(run, ledger);
    return ledger;
  }

  static Ledger of(String run) {
    return Objects.requireNonNull(OPEN.get(run), run);
  }

  /** Forgets the run. */
  void close() {
    OPEN.remove(run);
  }

  void add(Transition transition) {
    digests.set(
        Math.toIntExact(EventBytes.number(transition.getDecision().getDecisionId())),
        digest(transition));
    transitions.incrementAndGet();
  }

  /** 0 where nothing was said. */
  long digest(long decision) {
    return digests.get(Math.toIntExact(decision));
  }

  /** Transitions, restated ones each time. */
  long transitions() {
    return transitions.get();
  }

  void readerEnded() {
    readers.countDown();
  }

  void awaitReaders() throws InterruptedException {
    readers.await();
  }

  /** Of all that a transition says about what came of a decision, and its place in its session. */
  static long digest(Transition transition) {
    long digest = transition.getDecision().getDecisionId().hashCode();
    for (SignalValue signal : transition.getSignals()) {
      digest = 31 * digest + signal.getSignal().hashCode();
      digest = 31 * digest + signal.getPosition();
      digest = 31 * digest + Double.hashCode(signal.getValue());
      digest = 31 * digest + signal.getOutcomes();
    }
    int rest =
        Arrays.deepHashCode(
            new Object[] {
              transition.getOutcomeCount(),
              transition.getOutsideWindow(),
              transition.getSessionId(),
              transition.getStep(),
              transition.getNextDecisionId(),
              transition.getTerminated(),
              transition.getTruncated()
            });
    return 31 * digest + rest | 1L << 63;
  }
}
