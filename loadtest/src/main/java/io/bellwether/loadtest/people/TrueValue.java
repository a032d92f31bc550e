package io.bellwether.loadtest.people;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The true value of a policy, by letting it decide for a range of simulated sessions.
 *
 * <p>Sessions run side by side in batches, one step at a time, so that a policy scores many
 * decisions in one call. Each session's result depends on that session alone and the sums are made
 * in its order: threads and batch size change nothing, as long as the policy's rows do not depend
 * on each other. Immutable and thread-safe.
 */
public final class TrueValue {
  private static final double PROBABILITY_TOLERANCE = 1e-6;

  /** How long one step of a batch may take at most once its thread was interrupted. */
  private static final long LAST_STEP_SECONDS = 60;

  private final ShortVideoWorld world;
  private final int threads;
  private final int sessionsPerBatch;

  public TrueValue(ShortVideoWorld world, int threads, int sessionsPerBatch) {
    if (threads < 1 || sessionsPerBatch < 1) {
      throw new IllegalArgumentException(
          "At least one thread and one session per batch; found "
              + threads
              + " and "
              + sessionsPerBatch);
    }
    this.world = world;
    this.threads = threads;
    this.sessionsPerBatch = sessionsPerBatch;
  }

  /**
   * Measures {@code policy}.
   *
   * @param sessions number of sessions from {@code firstSession} on; at least 2, as fewer have no
   *     interval
   * @param discount in [0, 1], for {@link PolicyValue#discounted}
   */
  public PolicyValue of(SimulatedPolicy policy, long firstSession, int sessions, double discount)
      throws InterruptedException {
    if (sessions < 2 || !(discount >= 0 && discount <= 1)) {
      throw new IllegalArgumentException(
          "At least two sessions and a discount from 0 to 1; found "
              + sessions
              + " and "
              + discount);
    }
    Totals totals = new Totals(firstSession, sessions, discount);
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> batches = new ArrayList<>();
      for (int from = 0; from < sessions; from += sessionsPerBatch) {
        int first = from;
        int last = Math.min(sessions, from + sessionsPerBatch);
        batches.add(workers.submit(() -> play(policy, first, last, totals)));
      }
      for (Future<?> batch : batches) {
        batch.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "The policy failed while its value was measured.", e.getCause());
    } finally {
      workers.shutdownNow();
      // Its caller may close the policy's graph next, under nobody who still scores with it.
      workers.awaitTermination(LAST_STEP_SECONDS, TimeUnit.SECONDS);
    }
    return totals.value();
  }

  private void play(SimulatedPolicy policy, int from, int to, Totals totals) {
    List<Session> running = new ArrayList<>();
    for (int index = from; index < to; index++) {
      running.add(world.start(totals.firstSession + index));
    }
    while (!running.isEmpty() && !Thread.currentThread().isInterrupted()) {
      DecisionBatch batch = DecisionBatch.of(running);
      double[] probabilities = new double[batch.size()];
      policy.fill(batch, probabilities);
      for (int row = 0; row < batch.rows(); row++) {
        int offset = batch.offset(row);
        int count = batch.offset(row + 1) - offset;
        checkSum(probabilities, offset, count);
        Session session = running.get(row);
        int step = session.step();
        int position = session.sample(probabilities, offset, count);
        totals.add(session.number(), step, session.show(batch.item(offset + position)));
      }
      running.removeIf(Session::isOver);
    }
  }

  private static void checkSum(double[] probabilities, int offset, int count) {
    double sum = 0;
    for (int place = offset; place < offset + count; place++) {
      sum += probabilities[place];
    }
    if (!(Math.abs(sum - 1) <= PROBABILITY_TOLERANCE)) {
      throw new IllegalStateException(
          "Probabilities of one decision sum to " + sum + " and not to 1.");
    }
  }

  /**
   * Sums per session. Threads write to different sessions only, and are joined before anything is
   * read.
   */
  private static final class Totals {
    private static final List<Signal> SIGNALS = List.of(Signal.values());

    private final long firstSession;
    private final double discount;
    private final double[] lengths;
    private final double[][] plain;
    private final double[][] discounted;

    Totals(long firstSession, int sessions, double discount) {
      this.firstSession = firstSession;
      this.discount = discount;
      this.lengths = new double[sessions];
      this.plain = new double[Signal.COUNT][sessions];
      this.discounted = new double[Signal.COUNT][sessions];
    }

    void add(long session, int step, Response response) {
      int index = (int) (session - firstSession);
      double weight = StrictMath.pow(discount, step);
      for (Signal signal : SIGNALS) {
        double expected = response.expected(signal);
        plain[signal.index()][index] += expected;
        discounted[signal.index()][index] += weight * expected;
      }
      lengths[index]++;
    }

    PolicyValue value() {
      return new PolicyValue(firstSession, lengths, plain, discounted);
    }
  }
}
