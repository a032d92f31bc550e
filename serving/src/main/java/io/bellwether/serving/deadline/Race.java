package io.bellwether.serving.deadline;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request, for whose answer its policy and the clock compete. The policy takes the answer when
 * it has a slate and before it logs it; where it has not by the time that the {@link Deadline}
 * sets, a stand-in takes it, on a thread of {@link Deadlines}. Whoever takes it first gives it, and
 * what the other may still find is dropped, so that one request is logged once. Thread-safe.
 *
 * @param <Q> a request that was read
 * @param <T> an answer
 */
public final class Race<Q, T> {

  private final Runner<Q, T> runner;
  private final Alarms alarms;
  private final AtomicReference<Taker> taker = new AtomicReference<>(Taker.NOBODY);
  private final AtomicReference<@Nullable Q> question = new AtomicReference<>();
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private volatile Deadline deadline;
  private volatile Alarms.@Nullable Alarm alarm;

  /** Who gives the answer. */
  private enum Taker {
    NOBODY,
    POLICY,
    STAND_IN
  }

  /**
   * How a request is answered. May be called by a worker and by a thread of {@link Deadlines} at
   * the same time.
   *
   * @param <Q> a request that was read
   * @param <T> an answer
   */
  public interface Runner<Q, T> {

    /**
     * Reads the request. Where no worker came to it in time the clock's thread reads it too, and
     * what either of them read first counts for both.
     */
    Q read();

    /** How long the request has: no longer than was assumed before it was read. */
    Deadline deadline(Q question);

    /**
     * Answers by the policy. {@link Race#take} comes before anything that others can see; where it
     * says no, {@link Race#answer} is what to return. Once it has said yes nothing may wait for a
     * worker, who may be busy for longer than the deadline.
     */
    CompletionStage<T> byPolicy(Q question, Race<Q, T> race);

    /** Answers in the policy's place; fast, and without waiting for a worker. */
    CompletionStage<T> byStandIn(Q question);
  }

  Race(Runner<Q, T> runner, Deadline earliest, Alarms alarms) {
    this.runner = runner;
    this.deadline = earliest;
    this.alarms = alarms;
  }

  /**
   * Whether the policy is the one who answers. Once it is, it stays so; once it is not, what the
   * caller has comes too late.
   */
  public boolean take() {
    return take(Taker.POLICY);
  }

  /** Whether a stand-in answers, so that the policy need not go on. */
  public boolean lost() {
    return taker.get() == Taker.STAND_IN;
  }

  /** The answer, by whomever. */
  public CompletionStage<T> answer() {
    return answer;
  }

  /** When the answer must have left, as far as that is known yet. */
  public Deadline deadline() {
    return deadline;
  }

  /** The policy's part, on a worker. */
  CompletionStage<T> byPolicy() {
    if (lost()) {
      return answer;
    }
    Q read = question();
    expect(runner.deadline(read));
    return runner.byPolicy(read, this);
  }

  /** The policy's part is over. */
  void policyEnded(@Nullable T value, @Nullable Throwable failure) {
    end(Taker.POLICY, value, failure);
  }

  /** Sets the clock, unless there is an answer already. */
  void arm() {
    ringAt(deadline.standInNanos());
  }

  private void expect(Deadline known) {
    boolean sooner = known.standInNanos() - deadline.standInNanos() < 0;
    deadline = known;
    if (sooner) {
      ringAt(known.standInNanos());
    }
  }

  private void ringAt(long nanos) {
    Alarms.Alarm before = alarm;
    if (before != null) {
      before.cancel();
    }
    if (taker.get() != Taker.NOBODY) {
      return;
    }
    Alarms.Alarm set = alarms.at(nanos, this::ring);
    alarm = set;
    if (taker.get() != Taker.NOBODY) {
      set.cancel();
    }
  }

  /** The clock's part. A request that nobody has read yet may turn out to have longer. */
  private void ring() {
    if (taker.get() != Taker.NOBODY) {
      return;
    }
    CompletableFuture.completedStage(this)
        .thenCompose(Race::standIn)
        .whenComplete((value, failure) -> endStandIn(value, failure));
  }

  private CompletionStage<@Nullable T> standIn() {
    Q read = question();
    Deadline known = runner.deadline(read);
    deadline = known;
    if (known.policyLeftNanos(alarms.nanos()) > 0) {
      ringAt(known.standInNanos());
      return CompletableFuture.completedFuture(null);
    }
    if (!take(Taker.STAND_IN)) {
      return CompletableFuture.completedFuture(null);
    }
    return runner.byStandIn(read).thenApply(given -> given);
  }

  private void endStandIn(@Nullable T value, @Nullable Throwable failure) {
    if (value != null || failure != null) {
      end(Taker.STAND_IN, value, failure);
    }
  }

  private Q question() {
    Q known = question.get();
    if (known != null) {
      return known;
    }
    Q read = runner.read();
    Q first = question.compareAndExchange(null, read);
    return first == null ? read : first;
  }

  private boolean take(Taker by) {
    if (taker.get() == by) {
      return true;
    }
    if (!taker.compareAndSet(Taker.NOBODY, by)) {
      return false;
    }
    Alarms.Alarm set = alarm;
    if (set != null) {
      set.cancel();
    }
    return true;
  }

  private void end(Taker by, @Nullable T value, @Nullable Throwable failure) {
    if (!take(by)) {
      return;
    }
    if (failure != null) {
      answer.completeExceptionally(failure);
    } else {
      answer.complete(value);
    }
  }
}
