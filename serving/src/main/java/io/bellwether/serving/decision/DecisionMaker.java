package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.serving.deadline.Punctuality;
import io.bellwether.serving.experiment.Arm;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.Variant;
import io.bellwether.serving.fallback.FallbackChain;
import io.bellwether.serving.fallback.Reason;
import io.bellwether.serving.fallback.StandIn;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.problem.ProblemMapper;
import io.bellwether.serving.scoring.CandidateRows;
import io.bellwether.serving.scoring.Scored;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Computes a decision from a situation: has it scored, draws, and writes down what it did. Touches
 * nothing outside but the open versions. Thread-safe; nothing waits.
 */
final class DecisionMaker {

  /** A position that counts for neither team. */
  private static final int NO_TEAM = -1;

  private static final Logger LOG = Logger.getLogger(DecisionMaker.class);
  private static final long BETWEEN_LINES_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Versions versions;
  private final Scoring scoring;
  private final Punctuality punctuality;
  private final FallbackChain fallbacks;
  private final ThreadLocal<SlateDrawing> drawings = ThreadLocal.withInitial(SlateDrawing::new);

  /** When a version's failure was last told. */
  private final Map<String, Long> toldNanos = new ConcurrentHashMap<>();

  /**
   * A decision that was made.
   *
   * @param items the candidates' features, which the decision does not hold yet
   * @param teams for an interleaved slate, which variant each position counts for; otherwise empty
   */
  record Made(Decision decision, CandidateRows items, List<Integer> teams) {}

  /** Scores the candidates of one request with a version. */
  @FunctionalInterface
  interface Scoring {

    /** Takes the hold over and closes it when the graph has run. */
    CompletionStage<Scored> score(
        Versions.Held held, float[] context, float[] history, CandidateRows items);
  }

  DecisionMaker(
      Versions versions, Scoring scoring, Punctuality punctuality, FallbackChain fallbacks) {
    this.versions = versions;
    this.scoring = scoring;
    this.punctuality = punctuality;
    this.fallbacks = fallbacks;
  }

  /** Decides by the variant's version, by the champion where there is no variant. */
  CompletionStage<Made> decide(Situation situation) {
    return draw(situation).thenApply(drawn -> made(situation, drawn));
  }

  /** Decides without any graph, in microseconds. */
  Made decideWithout(Situation situation, Reason why) {
    return made(situation, byChain(situation, why));
  }

  private Made made(Situation situation, Drawn drawn) {
    Degraded degraded = drawn.scores().degraded();
    if (degraded == null && situation.historyMissing()) {
      degraded = Reason.FEATURES_UNAVAILABLE.mark();
    }
    return new Made(
        DecisionRecord.of(situation, drawn, degraded),
        situation.considered().items(),
        drawn.teams());
  }

  private CompletionStage<Drawn> draw(Situation situation) {
    if (!(situation.question().assigned() instanceof Assigned.ToVariant variant)) {
      return byChampion(situation);
    }
    Arm arm = variant.variant().arm();
    if (arm instanceof Arm.AsGiven) {
      // Where the caller named none there is no order of theirs to imitate.
      Drawn.Manner manner =
          situation.considered().retrieval() == null ? Drawn.Manner.GIVEN : Drawn.Manner.RESORTED;
      return CompletableFuture.completedFuture(
          inOrder(situation, Scores.equal(situation, Arm.AS_GIVEN, null), manner));
    }
    if (arm instanceof Arm.Interleaved) {
      return draft(situation, variant);
    }
    return pinned(situation, variant.version())
        .thenCompose(
            own ->
                own.isPresent()
                    ? CompletableFuture.completedFuture(sampled(situation, own.get()))
                    : byStandIn(situation, variant.version()));
  }

  private Drawn sampled(Situation situation, Scores scores) {
    long from = System.nanoTime();
    Drawn drawn = drawing().sampled(situation, scores);
    situation.question().clock().sampled(from);
    return drawn;
  }

  private Drawn inOrder(Situation situation, Scores scores, Drawn.Manner manner) {
    long from = System.nanoTime();
    Drawn drawn = drawing().inOrder(situation, scores, manner);
    situation.question().clock().sampled(from);
    return drawn;
  }

  /**
   * Where one of the two variants cannot rank, or rules bind the slate, of which a draft knows
   * nothing, the champion's slate is shown, and counts for neither.
   */
  private CompletionStage<Drawn> draft(Situation situation, Assigned.ToVariant assigned) {
    if (!situation.considered().rules().isNone()) {
      return byChampion(situation).thenApply(drawn -> nobodys(situation, drawn));
    }
    List<Variant> teams = assigned.state().declaration().variants();
    String one = assigned.phase().version(teams.get(0).name());
    String other = assigned.phase().version(teams.get(1).name());
    return ranked(situation, one)
        .thenCompose(
            first ->
                ranked(situation, other)
                    .thenCompose(second -> draft(situation, assigned, first, second)));
  }

  private CompletionStage<Drawn> draft(
      Situation situation,
      Assigned.ToVariant assigned,
      Optional<Scores> first,
      Optional<Scores> second) {
    if (first.isPresent() && second.isPresent()) {
      long from = System.nanoTime();
      Drawn drafted = drawing().drafted(situation, assigned.version(), first.get(), second.get());
      situation.question().clock().sampled(from);
      return CompletableFuture.completedFuture(drafted);
    }
    return byStandIn(situation, assigned.version()).thenApply(drawn -> nobodys(situation, drawn));
  }

  private static Drawn nobodys(Situation situation, Drawn drawn) {
    return drawn.withTeams(Collections.nCopies(situation.slateSize(), NO_TEAM));
  }

  private CompletionStage<Optional<Scores>> ranked(Situation situation, String version) {
    return version.equals(Arm.AS_GIVEN)
        ? present(Scores.equal(situation, version, null))
        : pinned(situation, version);
  }

  /** The scores of a version that an experiment pinned; empty where it cannot score. */
  private CompletionStage<Optional<Scores>> pinned(Situation situation, String version) {
    return version.equals(Arm.UNIFORM)
        ? present(Scores.equal(situation, Arm.UNIFORM, null))
        : score(situation, versions.acquire(situation.surface(), version));
  }

  /** Before the first policy nobody prefers anything, and that is nobody's failure. */
  private CompletionStage<Drawn> byChampion(Situation situation) {
    Optional<Versions.Held> champion = versions.acquire(situation.surface());
    if (champion.isEmpty()) {
      return CompletableFuture.completedFuture(
          sampled(situation, Scores.equal(situation, Arm.UNIFORM, null)));
    }
    return score(situation, champion)
        .thenApply(
            scores ->
                scores
                    .map(own -> sampled(situation, own))
                    .orElseGet(() -> byChain(situation, Reason.MODEL_UNAVAILABLE)));
  }

  /** Who answers for a version that cannot: the champion where it is its turn, or the chain. */
  private CompletionStage<Drawn> byStandIn(Situation situation, String version) {
    if (!fallbacks.championFirst(situation.surface(), situation.considered().ids())
        || versions.champion(situation.surface()).filter(version::equals).isPresent()) {
      return CompletableFuture.completedFuture(byChain(situation, Reason.MODEL_UNAVAILABLE));
    }
    return score(situation, versions.acquire(situation.surface()))
        .thenApply(
            scores ->
                scores
                    .map(
                        found ->
                            sampled(
                                situation,
                                found.degraded(
                                    Reason.MODEL_UNAVAILABLE.mark(Surface.Fallback.CHAMPION))))
                    .orElseGet(() -> byChain(situation, Reason.MODEL_UNAVAILABLE)));
  }

  private Drawn byChain(Situation situation, Reason why) {
    StandIn standIn = fallbacks.standIn(situation.surface(), situation.considered().ids());
    Scores scores =
        new Scores(
            standIn.policy(),
            standIn.logits(),
            standIn.exploration(),
            why.mark(standIn.fallback()));
    return standIn.randomises()
        ? sampled(situation, scores)
        : inOrder(situation, scores, Drawn.Manner.RESORTED);
  }

  private CompletionStage<Optional<Scores>> score(
      Situation situation, Optional<Versions.Held> held) {
    if (held.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    Versions.Held version = held.get();
    if (!punctuality.allows(version.version())) {
      version.close();
      return CompletableFuture.completedFuture(Optional.empty());
    }
    DecisionRequest request = situation.request();
    return scoring
        .score(version, request.context(), situation.history(), situation.considered().items())
        .handle(
            (scored, failure) -> {
              if (failure != null) {
                tell(version.version(), request, ProblemMapper.unwrapped(failure));
                return Optional.empty();
              }
              situation.question().clock().scored(scored.scoreMicros());
              punctuality.ran(
                  version.version(),
                  scored.scoreMicros(),
                  situation.surface().surface().deadline());
              return Optional.of(
                  new Scores(version.version(), scored.logits(), version.exploration(), null));
            });
  }

  /** Not every time: a policy that fails fails at every decision, and each one is counted. */
  private void tell(String version, DecisionRequest request, Throwable failure) {
    long now = System.nanoTime();
    Long before = toldNanos.get(version);
    if (before == null || now - before > BETWEEN_LINES_NANOS) {
      toldNanos.put(version, now);
      LOG.errorf("%s cannot score %s: %s", version, request.decisionId(), failure.getMessage());
    }
  }

  private SlateDrawing drawing() {
    return drawings.get();
  }

  private static CompletionStage<Optional<Scores>> present(Scores scores) {
    return CompletableFuture.completedFuture(Optional.of(scores));
  }
}
