package io.bellwether.serving.decision;

import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The decisions that are being made under ids that clients chose, each at most once at a time.
 * Bounded by the requests in progress. Thread-safe.
 */
final class InProgress {

  private static final int RETRY_AFTER_SECONDS = 1;

  private final Set<String> ids = ConcurrentHashMap.newKeySet();

  /**
   * Does the work of an id, or fails as {@code request-in-progress} while other work of it runs.
   */
  <T> CompletionStage<T> alone(String id, Supplier<CompletionStage<T>> work) {
    if (!ids.add(id)) {
      return CompletableFuture.failedFuture(
          ProblemException.retryAfter(
              Slug.REQUEST_IN_PROGRESS,
              RETRY_AFTER_SECONDS,
              "Decision '" + id + "' is being made; ask again for its answer."));
    }
    // Composed, so that the id is given free also where the work throws.
    return CompletableFuture.completedFuture(id)
        .thenCompose(taken -> work.get())
        .whenComplete((done, failure) -> ids.remove(id));
  }
}
