package io.bellwether.serving.decision;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Refusals;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.work.Workers;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Decisions as other interfaces ask for them: one, or many in one call. Whatever the interface, a
 * request is the JSON of {@code POST /v1/decisions}, so that it means the same everywhere.
 * Thread-safe.
 */
@Singleton
public final class Decisions {

  /**
   * Of one batch at a time: what is always admitted on two cores, however low the limit has become,
   * so that a batch alone is never turned away by itself.
   */
  private static final int AT_ONCE = 8;

  private final DecisionService service;
  private final Workers workers;

  /**
   * What became of one element of a batch.
   *
   * @param id of the decision; absent where it was refused without one
   * @param status as if it had come alone
   * @param decision absent where it was refused
   * @param problem why it was refused; absent where it was answered
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Item(
      @Nullable String id,
      int status,
      @Nullable DecisionAnswer decision,
      @Nullable Problem problem) {}

  /** What became of a batch, in its order. */
  public record Batch(List<Item> items) {

    public Batch {
      items = List.copyOf(items);
    }
  }

  Decisions(DecisionService service, Workers workers) {
    this.service = service;
    this.workers = workers;
  }

  /** Decides; fails with a refusal where there is nothing to answer. */
  public CompletionStage<DecisionReply> decide(Ask ask) {
    return service.decide(ask).thenApply(DecisionReply::of);
  }

  /**
   * Decides for each element of a body that holds many; fails where it is no batch at all. What the
   * transport says of time holds for the whole; where it says nothing, the time of an element
   * begins when its turn comes.
   *
   * @param batch whose key is not used
   */
  public CompletionStage<Batch> decideAll(Ask batch) {
    return workers
        .admit(() -> CompletableFuture.completedFuture(BatchBody.requests(batch.body().bytes())))
        .thenCompose(requests -> decideAll(batch, requests));
  }

  /** Decides for each of these bodies by itself; never fails. */
  private CompletionStage<Batch> decideAll(Ask batch, List<byte[]> requests) {
    Run run = new Run(batch, requests);
    for (int i = 0; i < AT_ONCE; i++) {
      run.next();
    }
    return run.done;
  }

  private CompletionStage<Item> item(Ask batch, byte[] request) {
    long begins = batch.budgetMillis().isPresent() ? batch.arrivedNanos() : System.nanoTime();
    Ask ask = new Ask(null, () -> request, begins, batch.budgetMillis(), batch.traceId());
    // Composed, so that the batch goes on also where the work throws.
    return CompletableFuture.completedFuture(ask)
        .thenCompose(this::decide)
        .handle(
            (reply, failure) ->
                failure == null
                    ? new Item(reply.answer().decisionId(), reply.status(), reply.answer(), null)
                    : refused(request, Refusals.of(failure).problem()));
  }

  private static Item refused(byte[] request, Problem problem) {
    return new Item(chosenId(request), problem.status(), null, problem);
  }

  private static @Nullable String chosenId(byte[] request) {
    try {
      JsonNode id = JsonBody.parse(request, Limits.STANDARD.bodyBytes()).path("decisionId");
      return id.isTextual() ? id.textValue() : null;
    } catch (ProblemException unreadable) {
      return null;
    }
  }

  /** A batch on its way: as one element is done, the next one begins. */
  private final class Run {
    private final Ask batch;
    private final List<byte[]> requests;
    private final Item[] items;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger left;
    private final CompletableFuture<Batch> done = new CompletableFuture<>();

    Run(Ask batch, List<byte[]> requests) {
      this.batch = batch;
      this.requests = requests;
      items = new Item[requests.size()];
      left = new AtomicInteger(items.length);
    }

    void next() {
      int i = begun.getAndIncrement();
      if (i >= items.length) {
        return;
      }
      var unused =
          item(batch, requests.get(i))
              .thenAccept(
                  item -> {
                    items[i] = item;
                    if (left.decrementAndGet() == 0) {
                      done.complete(new Batch(Arrays.asList(items)));
                    } else {
                      next();
                    }
                  });
    }
  }
}
