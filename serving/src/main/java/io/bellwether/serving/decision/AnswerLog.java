package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.serving.deadline.Deadlines;
import io.bellwether.serving.exposure.Deferred;
import io.bellwether.serving.exposure.ExposureLog;
import io.bellwether.serving.exposure.Frames;
import io.bellwether.serving.log.DecisionLog;
import io.bellwether.serving.log.Event;
import io.bellwether.serving.log.Stored;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.scoring.CandidateRows;
import io.bellwether.serving.subject.Forgotten;
import io.bellwether.serving.surface.DeclaredSurface;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/**
 * A decision's record together with its exposures: on their way to Kafka, and as Redis keeps them
 * for retries, which send both again. Thread-safe.
 */
@Singleton
final class AnswerLog {

  /** Avro's single-object encoding begins with it: a decision alone. */
  private static final byte SINGLE_OBJECT = (byte) 0xC3;

  /** Some thousand decisions: retries come within seconds. */
  private static final long REMEMBERED_BYTES = 16 << 20;

  private final DecisionLog decisions;
  private final ExposureLog exposures;
  private final Deferred deferred;
  private final Deadlines deadlines;
  private final Remembered remembered = new Remembered(REMEMBERED_BYTES);

  AnswerLog(DecisionLog decisions, ExposureLog exposures, Deferred deferred, Deadlines deadlines) {
    this.decisions = decisions;
    this.exposures = exposures;
    this.deferred = deferred;
    this.deadlines = deadlines;
  }

  /** What is logged of a decision, whose features are completed from its candidates. */
  Logged of(Decision decision, CandidateRows items, List<Exposure> shown) {
    return new Logged(decision, decisions.encode(decision, items.bytes(), items::writeTo), shown);
  }

  /** What Redis is to keep. */
  byte[] encode(Logged logged) {
    return logged.exposures().isEmpty()
        ? logged.bytes()
        : Frames.join(
            logged.bytes(),
            logged.exposures().stream().map(exposures::encode).toArray(byte[][]::new));
  }

  /**
   * Keeps a decision here that Redis could not keep for retries; gives the one that is kept already
   * under its id, if any, which is then the one to answer with.
   */
  Optional<byte[]> remember(Logged logged) {
    return remembered.put(logged.decision().getDecisionId(), encode(logged));
  }

  /** A request's decision that Redis could not keep, if this replica made it lately. */
  Optional<byte[]> remembered(DecisionRequest request) {
    return request.kept() ? remembered.get(request.decisionId()) : Optional.empty();
  }

  /** Forgets what was decided for a subject that is erased. */
  void forget(@Observes Forgotten forgotten) {
    remembered.removeIf(
        kept -> {
          try {
            return forgotten.covers(decode(kept).decision());
          } catch (UndecodableEventException e) {
            throw new IllegalStateException("what was remembered", e);
          }
        });
  }

  /** Reads what Redis kept. */
  Logged decode(byte[] kept) throws UndecodableEventException {
    List<byte[]> frames = kept[0] == SINGLE_OBJECT ? List.of(kept) : Frames.split(kept);
    List<Exposure> shown = new ArrayList<>();
    for (byte[] bytes : frames.subList(1, frames.size())) {
      shown.add(exposures.decode(bytes));
    }
    return new Logged(decisions.decode(frames.get(0)), frames.get(0), shown);
  }

  /**
   * Makes a decision and its exposures safe, all of them or none; completes with where they are.
   * That is nowhere, and counted, only on a surface that answers then all the same; on others it
   * fails as {@code unavailable}. Of a deferred decision the exposures are kept until it is
   * activated.
   *
   * @param byNanos {@link System#nanoTime} by which the answer has to leave
   */
  CompletionStage<Stored> write(Logged logged, DeclaredSurface surface, long byNanos) {
    return logged.deferred()
        ? deadlines
            .by(byNanos, deferred.keep(logged.decision(), logged.exposures()))
            .exceptionallyCompose(AnswerLog::notKept)
            .thenCompose(kept -> store(logged, List.of(), surface, byNanos))
        : store(logged, logged.exposures(), surface, byNanos);
  }

  private static CompletionStage<Void> notKept(Throwable failure) {
    return CompletableFuture.failedFuture(
        ProblemMapper.unwrapped(failure) instanceof TimeoutException
            ? ProblemException.retryAfter(
                Slug.UNAVAILABLE,
                1,
                "Redis did not keep the decision for its activation in time; send the same request"
                    + " again.")
            : failure);
  }

  private CompletionStage<Stored> store(
      Logged logged, List<Exposure> shown, DeclaredSurface surface, long byNanos) {
    Event decision = decisions.event(logged.decision(), logged.bytes());
    return exposures
        .write(shown, decision, surface.surface(), byNanos)
        .whenComplete(
            (stored, failure) -> {
              if (failure != null) {
                remember(logged); // It may be stored all the same, and a retry comes soon.
              }
            });
  }
}
