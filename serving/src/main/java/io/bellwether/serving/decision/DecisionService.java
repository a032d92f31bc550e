package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.deadline.Deadline;
import io.bellwether.serving.deadline.Deadlines;
import io.bellwether.serving.deadline.Punctuality;
import io.bellwether.serving.deadline.Race;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.Assignments;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.Occasion;
import io.bellwether.serving.exposure.Exposures;
import io.bellwether.serving.exposure.ShadowScorer;
import io.bellwether.serving.fallback.FallbackChain;
import io.bellwether.serving.fallback.Reason;
import io.bellwether.serving.log.Stored;
import io.bellwether.serving.policy.RecentRequests;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.redis.RedisLink;
import io.bellwether.serving.scoring.CandidateRows;
import io.bellwether.serving.scoring.ScoringQueue;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.work.Workers;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Walks a request from its bytes to a logged decision: read, assign, recall what Redis has, decide,
 * keep for retries, log. Computation runs on the workers; nothing blocks the event loop, and every
 * wait has a bound. An answer exists only after the decision and its exposure are safe in the log.
 * Thread-safe.
 */
@Singleton
public final class DecisionService {

  /** What the log takes at least of the time that is left. */
  private static final long LOG_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final int RETRY_AFTER_SECONDS = 1;

  private final Preparation preparation;
  private final DecisionRequestReader reader;
  private final Situations situations;
  private final Deadlines deadlines;
  private final RecentRequests recent;
  private final RedisLink redis;
  private final AnswerLog log;
  private final Experiments experiments;
  private final Versions versions;
  private final ShadowScorer shadows;
  private final Clock clock;
  private final DecisionMeters meters;
  private final Workers workers;
  private final Duration keepFor;
  private final DecisionMaker maker;
  private final InProgress inProgress = new InProgress();

  /**
   * A decision on its way to the caller.
   *
   * @param kind how it came about
   * @param logNanos how long the log took, 0 where nothing was made
   */
  public record Decided(Decision decision, Kind kind, long logNanos) {

    /** How a decision came about. */
    public enum Kind {
      /** Just now. */
      MADE,
      /** Before, under the same id. */
      REPLAYED,
      /** For nobody: it is not logged. */
      DRY_RUN
    }
  }

  DecisionService(
      Preparation preparation,
      DecisionRequestReader reader,
      Situations situations,
      Deadlines deadlines,
      RecentRequests recent,
      RedisLink redis,
      AnswerLog log,
      Experiments experiments,
      Versions versions,
      ScoringQueue scoring,
      Punctuality punctuality,
      FallbackChain fallbacks,
      ShadowScorer shadows,
      DecisionMeters meters,
      Workers workers,
      Clock clock,
      ServingConfig config) {
    this.preparation = preparation;
    this.reader = reader;
    this.situations = situations;
    this.deadlines = deadlines;
    this.recent = recent;
    this.redis = redis;
    this.log = log;
    this.experiments = experiments;
    this.versions = versions;
    this.shadows = shadows;
    this.clock = clock;
    this.meters = meters;
    this.workers = workers;
    this.keepFor = config.idempotencyTtl();
    this.maker = new DecisionMaker(versions, scoring::score, punctuality, fallbacks);
  }

  /** Decides; fails with a refusal where there is nothing to answer. */
  public CompletionStage<Decided> decide(Ask ask) {
    return deadlines
        .race(deadlines.earliest(ask.arrivedNanos(), ask.budgetMillis()), new Answering(ask))
        .whenComplete(
            (decided, failure) ->
                meters.finished(
                    ask.arrivedNanos(), decided == null ? null : decided.decision(), failure));
  }

  /** How one request is answered: by its policy in time, or else by a stand-in. */
  private final class Answering implements Race.Runner<Question, Decided> {

    private final Ask ask;

    /** What Redis said of the request's id, once it has. */
    private volatile Recalled recalled = Recalled.UNAVAILABLE;

    Answering(Ask ask) {
      this.ask = ask;
    }

    @Override
    public Question read() {
      preparation.require();
      return question(ask);
    }

    @Override
    public Deadline deadline(Question question) {
      return question.deadline();
    }

    @Override
    public CompletionStage<Decided> byPolicy(Question question, Race<Question, Decided> race) {
      DecisionRequest request = question.request();
      return request.kept()
          ? inProgress.alone(request.decisionId(), () -> recallAndDecide(question, race))
          : recallAndDecide(question, race);
    }

    private CompletionStage<Decided> recallAndDecide(
        Question question, Race<Question, Decided> race) {
      DecisionRequest request = question.request();
      if (!request.wantsHistory() && !request.kept()) {
        // This worker goes on, and waits for no other.
        return make(question, Recalled.NOTHING, race);
      }
      List<String> history = request.wantsHistory() ? List.of(request.historyKey()) : List.of();
      return recall(question, history, question.deadline().recallNanos())
          .thenComposeAsync(found -> decide(question, found, race), workers);
    }

    private CompletionStage<Decided> decide(
        Question question, Recalled found, Race<Question, Decided> race) {
      recalled = found;
      Optional<byte[]> earlier = earlier(question.request(), found);
      if (earlier.isPresent()) {
        return race.take() ? replay(question, earlier.get()) : race.answer();
      }
      return mayBeDecided(question.request(), found)
          ? race.answer() // A stand-in asks Redis once more.
          : make(question, found, race);
    }

    @Override
    public CompletionStage<Decided> byStandIn(Question question) {
      DecisionRequest request = question.request();
      if (!mayBeDecided(request, recalled)) {
        return standIn(question, recalled);
      }
      return recall(question, List.of(), question.deadline().endNanos() - LOG_NANOS)
          .thenCompose(found -> standIn(question, found));
    }

    private CompletionStage<Decided> standIn(Question question, Recalled found) {
      DecisionRequest request = question.request();
      Optional<byte[]> earlier = earlier(request, found);
      if (earlier.isPresent()) {
        return replay(question, earlier.get());
      }
      if (mayBeDecided(request, found)) {
        throw ProblemException.retryAfter(
            Slug.UNAVAILABLE,
            RETRY_AFTER_SECONDS,
            "Redis did not say in time whether decision '%s' was made before; ask again."
                .formatted(request.decisionId()));
      }
      Situation situation = situations.withoutWaiting(question);
      return keepAndWrite(question, maker.decideWithout(situation, Reason.DEADLINE_EXCEEDED), true);
    }
  }

  private Optional<byte[]> earlier(DecisionRequest request, Recalled recalled) {
    return recalled.get(request.decisionKey()).or(() -> log.remembered(request));
  }

  /**
   * Whether the log may hold a decision of this id that was told to the client, since a Redis that
   * is there has not said yet that there is none. Another answer would contradict it, for instance
   * where a replica was killed and its successor, just started, is slow. A Redis that is known to
   * be away is not waited for.
   */
  private boolean mayBeDecided(DecisionRequest request, Recalled recalled) {
    return request.kept() && !recalled.available() && redis.connected();
  }

  private Question question(Ask ask) {
    StageClock stages = new StageClock(ask.arrivedNanos());
    long from = System.nanoTime();
    DecisionRequest request = reader.read(ask.key(), ask.body().bytes());
    stages.read(from);
    Assignments assignments = experiments.assignments();
    Occasion occasion = occasion(request);
    Assigned assigned = assign(assignments, request.surface(), occasion);
    Deadline deadline =
        Deadline.of(ask.arrivedNanos(), request.surface().surface().deadline())
            .within(ask.budgetMillis())
            .within(request.budgetMillis());
    return Question.of(request, occasion, assignments, assigned, deadline, stages, ask.traceId());
  }

  /** One round trip: what more is wanted, and the decision if it was made before. */
  private CompletionStage<Recalled> recall(Question question, List<String> more, long byNanos) {
    DecisionRequest request = question.request();
    List<String> keys = new ArrayList<>(more);
    if (request.kept()) {
      keys.add(request.decisionKey());
    }
    long from = System.nanoTime();
    return deadlines
        .by(byNanos, redis.read(keys))
        .handle(
            (values, failure) -> {
              question.clock().recalled(from);
              if (failure != null) {
                meters.redisUnavailable();
                return Recalled.UNAVAILABLE;
              }
              return new Recalled(true, values);
            });
  }

  private CompletionStage<Decided> make(
      Question question, Recalled recalled, Race<Question, Decided> race) {
    if (race.lost()) {
      return race.answer();
    }
    Situation situation = situations.of(question, recalled);
    CandidateRows items = situation.considered().items();
    recent.offer(
        situation.surface(),
        question.request().context(),
        situation.history(),
        items.count(),
        items::copy);
    return maker
        .decide(situation)
        .thenCompose(
            made ->
                race.take() ? keepAndWrite(question, made, recalled.available()) : race.answer());
  }

  /** From here on the request is this decision's, and nothing waits for a worker. */
  private CompletionStage<Decided> keepAndWrite(
      Question question, DecisionMaker.Made made, boolean redisAnswers) {
    DecisionRequest request = question.request();
    if (request.dryRun()) {
      return CompletableFuture.completedFuture(
          new Decided(made.decision(), Decided.Kind.DRY_RUN, 0));
    }
    Logged logged = log.of(made.decision(), made.items(), exposures(question, made));
    if (!request.kept()) {
      return write(question, logged);
    }
    if (!redisAnswers) {
      return keepHere(question, logged);
    }
    return deadlines
        .by(
            question.deadline().endNanos() - LOG_NANOS,
            redis.writeOnce(request.decisionKey(), log.encode(logged), keepFor))
        .handle(
            (first, away) -> {
              if (away != null) {
                return keepHere(question, logged);
              }
              return first ? write(question, logged) : replayOfAnother(question);
            })
        .thenCompose(decided -> decided);
  }

  /** Of several decisions that are made under one id while Redis is away, the first one counts. */
  private CompletionStage<Decided> keepHere(Question question, Logged logged) {
    return log.remember(logged)
        .map(earlier -> replay(question, earlier))
        .orElseGet(() -> write(question, logged));
  }

  private static List<Exposure> exposures(Question question, DecisionMaker.Made made) {
    if (!(question.assigned() instanceof Assigned.ToVariant variant)) {
      return List.of();
    }
    // Without the waits, for which no variant is to blame more than another.
    long micros = question.clock().decidingMicros();
    List<Exposure> exposures = new ArrayList<>(2);
    exposures.add(Exposures.shown(made.decision(), variant, micros, made.teams()));
    comparison(question, variant)
        .ifPresent(
            group -> exposures.add(Exposures.shown(made.decision(), group, micros, List.of())));
    return exposures;
  }

  private Occasion occasion(DecisionRequest request) {
    return new Occasion(
        request.anonymous() ? null : request.subjectId(),
        request.decisionId(),
        request.sent(),
        clock.instant().truncatedTo(ChronoUnit.MICROS));
  }

  /**
   * The request's variant. Nobody is assigned to an experiment before all its versions were looked
   * for: until then one of its variants would be shown by the champion more often than the others.
   */
  private Assigned assign(Assignments assignments, DeclaredSurface surface, Occasion occasion) {
    Assigned assigned = assignments.assign(surface, occasion);
    if (assigned instanceof Assigned.ToVariant variant
        && !versions.settled(surface, variant.phase().versions().values())) {
      return new Assigned.None(Assigned.Reason.NOT_STARTED);
    }
    if (assigned instanceof Assigned.None none && none.reason() == Assigned.Reason.NO_UNIT) {
      meters.withoutUnit(surface);
    }
    return assigned;
  }

  /** The group that a subject of another experiment is in when a holdout is read. */
  private static Optional<Assigned.ToVariant> comparison(
      Question question, Assigned.ToVariant assigned) {
    return assigned.forced()
        ? Optional.empty()
        : question
            .assignments()
            .comparison(question.request().surface(), question.occasion())
            .filter(group -> !group.state().name().equals(assigned.state().name()));
  }

  private CompletionStage<Decided> write(Question question, Logged logged) {
    DeclaredSurface surface = question.request().surface();
    long from = System.nanoTime();
    return log.write(logged, surface, question.deadline().endNanos())
        .thenApply(
            stored -> {
              Decision decision = logged.decision();
              if (stored == Stored.UNLOGGED) {
                decision.setDegraded(Reason.LOG_UNAVAILABLE.mark());
              } else {
                shadows.offer(surface, question.occasion(), decision);
              }
              return new Decided(decision, Decided.Kind.MADE, System.nanoTime() - from);
            });
  }

  /** Another replica has just decided under the same id. */
  private CompletionStage<Decided> replayOfAnother(Question question) {
    String key = question.request().decisionKey();
    return deadlines
        .by(question.deadline().endNanos(), redis.read(List.of(key)))
        .exceptionally(away -> Map.of())
        .thenCompose(
            values -> {
              byte[] bytes = values.get(key);
              if (bytes == null) {
                throw ProblemException.retryAfter(
                    Slug.REQUEST_IN_PROGRESS, 1, "The decision was made elsewhere; ask again.");
              }
              return replay(question, bytes);
            });
  }

  /** Sends the very same bytes again (whoever reads them drops the second copy) and answers. */
  private CompletionStage<Decided> replay(Question question, byte[] bytes) {
    DecisionRequest request = question.request();
    Logged logged = decoded(request, bytes);
    if (!request.digest().equals(logged.decision().getRequestDigest())) {
      return CompletableFuture.failedFuture(
          ProblemException.of(
              Slug.IDEMPOTENCY_KEY_REUSED,
              "Id '%s' was used for a request with another body; choose another id."
                  .formatted(request.decisionId())));
    }
    return log.write(logged, request.surface(), question.deadline().endNanos())
        .thenApply(
            stored -> {
              if (stored == Stored.UNLOGGED) {
                logged.decision().setDegraded(Reason.LOG_UNAVAILABLE.mark());
              }
              return new Decided(logged.decision(), Decided.Kind.REPLAYED, 0);
            });
  }

  private Logged decoded(DecisionRequest request, byte[] bytes) {
    try {
      return log.decode(bytes);
    } catch (UndecodableEventException e) {
      throw new IllegalStateException("what Redis keeps under " + request.decisionKey(), e);
    }
  }
}
