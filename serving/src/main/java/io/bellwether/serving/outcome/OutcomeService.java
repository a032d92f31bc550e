package io.bellwether.serving.outcome;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.serving.exposure.Deferred;
import io.bellwether.serving.log.Event;
import io.bellwether.serving.log.EventLog;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.work.Workers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Takes outcomes: each one is checked by itself, the good ones go to Kafka keyed by their decision,
 * and an outcome counts as accepted once it is there, or in the spool. An outcome of a deferred
 * decision activates it: what something came of was shown. Thread-safe.
 */
@Singleton
public final class OutcomeService {

  private static final String TYPE = "io.bellwether.outcome.observed.v1";
  private static final int ACCEPTED = 202;

  private final OutcomeReader reader;
  private final EventLog log;
  private final Deferred deferred;
  private final Workers workers;
  private final MeterRegistry registry;
  private final EventCodec<Outcome> codec = EventCodec.of(Outcome.class);

  /** What became of one outcome that came alone. */
  public record Receipt(String outcomeId, String status) {}

  /**
   * What became of one element of a batch.
   *
   * @param id of the outcome, the caller's or a new one; absent where it was refused without one
   * @param status as if it had come alone
   * @param problem why it was refused; absent where it was accepted
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Item(@Nullable String id, int status, @Nullable Problem problem) {}

  /** What became of a batch, in its order. */
  public record Batch(List<Item> items) {}

  OutcomeService(
      OutcomeReader reader,
      EventLog log,
      Deferred deferred,
      Workers workers,
      MeterRegistry registry) {
    this.reader = reader;
    this.log = log;
    this.deferred = deferred;
    this.workers = workers;
    this.registry = registry;
  }

  /**
   * Takes a body that holds one outcome (gives a {@link Receipt}) or an array (a {@link Batch}).
   */
  public CompletionStage<Object> take(byte[] body) {
    return workers.admit(
        () -> {
          JsonNode node = JsonBody.parse(body, Limits.STANDARD.batchBodyBytes());
          if (node.isArray()) {
            return takeAll(node, "#").thenApply(batch -> batch);
          }
          checkSingle(body);
          return takeOne(node).thenApply(receipt -> receipt);
        });
  }

  /** Takes a body that holds an array, or an object with an array {@code outcomes}. */
  public CompletionStage<Batch> takeBatch(byte[] body) {
    return workers.admit(
        () -> {
          JsonNode node = JsonBody.parse(body, Limits.STANDARD.batchBodyBytes());
          if (!node.isObject()) {
            return takeAll(node, "#");
          }
          JsonFields request = JsonFields.ofRequest(node).only(Set.of("outcomes"));
          request.check();
          return takeAll(request.get("outcomes"), "#/outcomes");
        });
  }

  private static void checkSingle(byte[] body) {
    if (body.length > Limits.STANDARD.bodyBytes()) {
      throw ProblemException.of(
          Slug.PAYLOAD_TOO_LARGE,
          "The body has %d bytes, at most %d are accepted for one outcome."
              .formatted(body.length, Limits.STANDARD.bodyBytes()));
    }
  }

  private CompletionStage<Receipt> takeOne(JsonNode node) {
    List<Violation> violations = new ArrayList<>();
    Outcome outcome = reader.read(node, "#", violations);
    if (!violations.isEmpty()) {
      count("rejected");
      throw new ProblemException(Problem.of(violations));
    }
    return send(outcome)
        .thenCombine(
            deferred.observed(List.of(outcome.getDecisionId())),
            (id, activated) -> new Receipt(id, "ACCEPTED"));
  }

  private CompletableFuture<Batch> takeAll(JsonNode array, String pointer) {
    if (!array.isArray() || array.isEmpty() || array.size() > Limits.STANDARD.outcomesPerBatch()) {
      throw new ProblemException(
          Problem.at(
              Slug.INVALID_REQUEST,
              pointer,
              "is %s, must be an array of 1 to %d outcomes"
                  .formatted(JsonFields.found(array), Limits.STANDARD.outcomesPerBatch())));
    }
    List<CompletableFuture<Item>> items = new ArrayList<>();
    Set<String> observed = new HashSet<>();
    @Nullable Throwable away = null;
    for (int i = 0; i < array.size(); i++) {
      CompletableFuture<Item> item = takeElement(array.get(i), pointer + "/" + i, away, observed);
      items.add(item);
      away = away == null ? serverFailure(item) : away;
    }
    CompletableFuture<Void> activated = deferred.observed(observed).toCompletableFuture();
    return CompletableFuture.allOf(items.toArray(CompletableFuture[]::new))
        .thenCombine(
            activated.handle((done, failure) -> Optional.ofNullable(failure)), batch(items));
  }

  /** An outcome of which it could not be logged that it activates its decision is to come again. */
  private static BiFunction<Void, Optional<Throwable>, Batch> batch(
      List<CompletableFuture<Item>> items) {
    return (all, failure) ->
        new Batch(
            items.stream()
                .map(CompletableFuture::join)
                .map(
                    item ->
                        failure.isPresent() && item.status() == ACCEPTED
                            ? item(String.valueOf(item.id()), failure.get())
                            : item)
                .toList());
  }

  /**
   * @param away why Kafka refused an earlier element at once; the others are then not tried, since
   *     each could wait for as long
   * @param observed takes the decision of an outcome that is sent
   */
  private CompletableFuture<Item> takeElement(
      JsonNode node, String pointer, @Nullable Throwable away, Set<String> observed) {
    List<Violation> violations = new ArrayList<>();
    Outcome outcome = reader.read(node, pointer, violations);
    if (!violations.isEmpty()) {
      count("rejected");
      Problem problem = Problem.of(violations);
      String id = node.path("outcomeId").isTextual() ? node.path("outcomeId").textValue() : null;
      return CompletableFuture.completedFuture(new Item(id, problem.status(), problem));
    }
    if (away != null) {
      count("failed");
      return CompletableFuture.completedFuture(item(outcome.getOutcomeId(), away));
    }
    observed.add(outcome.getDecisionId());
    return send(outcome).handle((id, failure) -> item(outcome.getOutcomeId(), failure));
  }

  private static Item item(String id, @Nullable Throwable failure) {
    if (failure == null) {
      return new Item(id, ACCEPTED, null);
    }
    Problem problem =
        ProblemMapper.unwrapped(failure) instanceof ProblemException refusal
            ? refusal.problem()
            : Problem.of(Slug.INTERNAL, "The outcome was not logged.");
    return new Item(id, problem.status(), problem);
  }

  private static @Nullable Throwable serverFailure(CompletableFuture<Item> item) {
    if (!item.isDone()) {
      return null;
    }
    Problem problem = item.join().problem();
    return problem != null && problem.status() >= 500 ? new ProblemException(problem) : null;
  }

  private CompletableFuture<String> send(Outcome outcome) {
    return log.record(
            new Event(
                Topics.OUTCOMES,
                outcome.getDecisionId(),
                outcome.getOutcomeId(),
                TYPE,
                Instant.EPOCH.plus(outcome.getOccurredAtMicros(), ChronoUnit.MICROS),
                Event.AVRO,
                codec.encode(outcome)))
        .thenApply(stored -> outcome.getOutcomeId())
        .whenComplete((id, failure) -> count(failure == null ? "accepted" : "failed"));
  }

  private void count(String result) {
    Counter.builder("bellwether.outcomes")
        .description("Outcomes that were sent to the service")
        .tag("result", result)
        .register(registry)
        .increment();
  }
}
