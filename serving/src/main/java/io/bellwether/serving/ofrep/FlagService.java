package io.bellwether.serving.ofrep;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.experiment.Assigned.ToVariant;
import io.bellwether.serving.experiment.Assignments;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.exposure.Deferred;
import io.bellwether.serving.exposure.ExposureLog;
import io.bellwether.serving.exposure.Exposures;
import io.bellwether.serving.log.DecisionLog;
import io.bellwether.serving.log.Stored;
import io.bellwether.serving.problem.FlagFailure;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.pseudonym.Pseudonyms;
import io.bellwether.serving.work.Workers;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates flags and logs who met which variant, before anything is answered. A flag that is asked
 * for alone is about to be used, so that its subject is exposed at once. Of all flags of a page
 * most will never be looked at: their decisions wait until they are activated. Thread-safe.
 */
@Singleton
final class FlagService {

  private static final int RETRY_AFTER_SECONDS = 1;

  private final Experiments experiments;
  private final FlagEvaluator evaluator;
  private final DecisionLog decisions;
  private final ExposureLog exposures;
  private final Deferred deferred;
  private final FlagMeters meters;
  private final Workers workers;
  private final Pseudonyms pseudonyms;
  private final Clock clock;
  private final Duration activationWindow;
  private final Duration logTimeout;

  /** A request that was read: who asks, and when it came. */
  private record Asked(EvaluationContext context, Instant at, long nanos) {

    static Asked at(Clock clock, Pseudonyms pseudonyms, byte[] body) {
      long nanos = System.nanoTime();
      return new Asked(
          EvaluationContext.read(body).keptAs(pseudonyms),
          clock.instant().truncatedTo(ChronoUnit.MICROS),
          nanos);
    }

    /** The record of a flag's value for whoever asks. */
    Decision decision(Evaluation evaluation, ToVariant assigned, boolean waits) {
      String subject = context.targetingKey();
      return FlagDecision.of(
          evaluation, assigned, subject == null ? evaluation.decisionId() : subject, at, waits);
    }

    Exposure exposure(Decision decision, ToVariant assigned) {
      long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - nanos);
      return Exposures.shown(decision, assigned, micros, List.of());
    }
  }

  FlagService(
      Experiments experiments,
      FlagEvaluator evaluator,
      DecisionLog decisions,
      ExposureLog exposures,
      Deferred deferred,
      FlagMeters meters,
      Workers workers,
      Pseudonyms pseudonyms,
      Clock clock,
      ServingConfig config) {
    this.experiments = experiments;
    this.evaluator = evaluator;
    this.decisions = decisions;
    this.exposures = exposures;
    this.deferred = deferred;
    this.meters = meters;
    this.workers = workers;
    this.pseudonyms = pseudonyms;
    this.clock = clock;
    activationWindow = config.activationWindow();
    logTimeout = config.logTimeout();
  }

  /** One flag's value for the context in a body; the subject is exposed to it. */
  CompletionStage<FlagAnswer> one(String key, byte[] body) {
    return workers
        .admit(
            () -> {
              Asked asked = Asked.at(clock, pseudonyms, body);
              Evaluation evaluation =
                  evaluator.evaluate(assignments(), key, asked.context(), asked.at());
              return show(asked, evaluation);
            })
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                meters.refused(failure);
              }
            });
  }

  /**
   * The values of all flags for the context in a body.
   *
   * @param known header {@code If-None-Match}
   */
  CompletionStage<BulkAnswer> all(byte[] body, @Nullable String known) {
    return workers
        .admit(() -> evaluateAll(Asked.at(clock, pseudonyms, body), known))
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                meters.refused(failure);
              }
            });
  }

  private Assignments assignments() {
    Assignments assignments = experiments.assignments();
    if (assignments.stale() && assignments.flags().isEmpty()) {
      throw ProblemException.retryAfter(
          Slug.UNAVAILABLE,
          RETRY_AFTER_SECONDS,
          "The service has not read its experiments yet; send the same request again.");
    }
    return assignments;
  }

  private CompletionStage<BulkAnswer> evaluateAll(Asked asked, @Nullable String known) {
    BulkTag tag = new BulkTag(asked.context().targetingKey(), asked.at(), activationWindow);
    List<Evaluation> evaluations = new ArrayList<>();
    List<ProblemException> refusals = new ArrayList<>();
    List<Object> failures = new ArrayList<>();
    Assignments assignments = assignments();
    for (ExperimentState flag : assignments.flags()) {
      try {
        Evaluation evaluation = evaluator.evaluate(assignments, flag, asked.context(), asked.at());
        evaluations.add(evaluation);
        tag.add(evaluation);
      } catch (ProblemException e) {
        FlagFailure failure = FlagFailure.ofFlag(flag.name(), e.problem());
        meters.refused(e);
        refusals.add(e);
        failures.add(failure);
        tag.add(failure);
      }
    }
    if (evaluations.isEmpty() && !refusals.isEmpty()) {
      throw refusals.get(0);
    }
    String text = tag.text();
    return BulkTag.matches(known, text)
        ? CompletableFuture.completedFuture(new BulkAnswer.Unchanged(text))
        : logAll(asked, evaluations, failures, text);
  }

  private CompletionStage<BulkAnswer> logAll(
      Asked asked, List<Evaluation> evaluations, List<Object> failures, String tag) {
    List<CompletableFuture<FlagAnswer>> answers = new ArrayList<>();
    for (Evaluation evaluation : evaluations) {
      CompletableFuture<FlagAnswer> answer = offer(asked, evaluation).toCompletableFuture();
      answers.add(answer);
      if (answer.isCompletedExceptionally()) {
        break; // Nothing can be logged, and the answer needs all of them.
      }
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              List<Object> flags = new ArrayList<>();
              boolean worthKeeping = true;
              for (CompletableFuture<FlagAnswer> answer : answers) {
                flags.add(answer.join());
                worthKeeping &= !answer.join().degraded();
              }
              flags.addAll(failures);
              return new BulkAnswer.Flags(
                  flags, worthKeeping ? Optional.of(tag) : Optional.empty());
            });
  }

  /** A value that may be looked at later; whoever is shown it has to say so. */
  private CompletionStage<FlagAnswer> offer(Asked asked, Evaluation evaluation) {
    Optional<ToVariant> assigned = evaluation.assigned();
    if (assigned.isEmpty() || evaluation.flag().state().declaration().autoActivateBulk()) {
      return show(asked, evaluation);
    }
    Decision decision = asked.decision(evaluation, assigned.get(), true);
    return deferred
        .keep(decision, List.of(asked.exposure(decision, assigned.get())))
        .handle((kept, failure) -> failure == null)
        .thenComposeAsync(
            kept ->
                kept
                    ? write(decision).thenApply(logged -> evaluation.answer())
                    // Nobody could be exposed to it later: an outcome of it would count for nobody.
                    : CompletableFuture.completedFuture(evaluation.answerWithoutDecision()),
            workers)
        .whenComplete((answer, failure) -> counted(evaluation, answer));
  }

  /** A value that is about to be used. */
  private CompletionStage<FlagAnswer> show(Asked asked, Evaluation evaluation) {
    return evaluation
        .assigned()
        .map(variant -> expose(asked, evaluation, variant))
        .orElseGet(() -> CompletableFuture.completedFuture(evaluation.answer()))
        .whenComplete((answer, failure) -> counted(evaluation, answer));
  }

  private CompletableFuture<FlagAnswer> expose(
      Asked asked, Evaluation evaluation, ToVariant assigned) {
    Decision decision = asked.decision(evaluation, assigned, false);
    return exposures
        .write(
            List.of(asked.exposure(decision, assigned)),
            decisions.event(decision, decisions.encode(decision)),
            evaluation.surface().surface(),
            asked.nanos() + logTimeout.toNanos())
        .thenApply(
            stored ->
                stored == Stored.UNLOGGED
                    ? evaluation.answerWithoutDecision()
                    : evaluation.answer());
  }

  private CompletableFuture<Decision> write(Decision decision) {
    return decisions.write(decision, decisions.encode(decision));
  }

  private void counted(Evaluation evaluation, @Nullable FlagAnswer answer) {
    if (answer != null) {
      meters.answered(evaluation.surface().name(), answer.degraded());
    }
  }
}
