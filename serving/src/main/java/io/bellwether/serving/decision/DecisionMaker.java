package io.bellwether.serving.decision;

import io.bellwether.evaluation.experiment.TeamDraft;
import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.policy.scoring.ScoringException;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.policy.scoring.SlateSampler;
import io.bellwether.serving.experiment.Arm;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.Variant;
import io.bellwether.serving.policy.Versions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Computes a decision from a request, the subject's history and the variant that it was assigned:
 * scores, draws, and writes down what it did. Touches nothing outside but the open versions.
 * Mutable inside (buffers that are reused) and confined to one thread.
 */
final class DecisionMaker {

  static final String DEFERRED = "DEFERRED";
  private static final String ACTIVE = "ACTIVE";
  private static final String MODEL_UNAVAILABLE = "MODEL_UNAVAILABLE";

  /** Keeps the coins of drafts apart from other draws under the same seed. */
  private static final long COIN_TAG = 2;

  /** A position that counts for neither team. */
  private static final int NO_TEAM = -1;

  private static final Logger LOG = Logger.getLogger(DecisionMaker.class);
  private static final long BETWEEN_LINES_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Versions versions;
  private final MixedWeights weights = new MixedWeights();
  private final SlateSampler sampler = new SlateSampler();
  private final Map<FeatureSchema, ScoringBatch> batches = new HashMap<>();

  /** When a version's failure was last told. */
  private final Map<String, Long> toldNanos = new HashMap<>();

  /**
   * A decision that was made.
   *
   * @param teams for an interleaved slate, which variant each position counts for; otherwise empty
   */
  record Made(Decision decision, List<Integer> teams) {}

  /** Who scored, what came out, and why it is less than full. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Scores(
      String version, float[] logits, Exploration exploration, @Nullable Degraded degraded) {}

  /** How a slate came about, and so what may be concluded from its propensities. */
  private enum Manner {
    /** Sampled from the logged scores: a replay draws it again. */
    SAMPLED("ONLINE", "EXACT", true),
    /**
     * Drafted from two rankings of which only one is logged: exact, and nothing to learn a policy
     * from.
     */
    DRAFTED("ONLINE", "EXACT", false),
    /** The caller's order, which could not have been another: good to imitate. */
    GIVEN("APPRENTICE", "DETERMINISTIC", true);

    private final String mode;
    private final String propensityKind;
    private final boolean learnable;

    Manner(String mode, String propensityKind, boolean learnable) {
      this.mode = mode;
      this.propensityKind = propensityKind;
      this.learnable = learnable;
    }
  }

  /**
   * A slate with all that is logged of its making.
   *
   * @param uniform share of the uniform distribution, as used
   */
  private record Drawn(
      Scores scores, double uniform, Slate slate, Manner manner, List<Integer> teams) {

    Drawn withTeams(List<Integer> others) {
      return new Drawn(scores, uniform, slate, manner, others);
    }
  }

  DecisionMaker(Versions versions) {
    this.versions = versions;
  }

  /**
   * Decides.
   *
   * @param now the decision's time
   */
  Made decide(DecisionRequest request, Recalled recalled, Assigned assigned, Instant now) {
    float[] history = history(request, recalled, micros(now));
    long seed = DecisionSeed.seedOf(request.decisionId());
    Drawn drawn = draw(request, history, seed, assigned);
    Degraded degraded = drawn.scores().degraded();
    if (degraded == null && request.wantsHistory() && !recalled.available()) {
      degraded = new Degraded("FEATURES_UNAVAILABLE", null);
    }
    Decision decision = record(request, history, now, seed, drawn, degraded);
    if (assigned instanceof Assigned.ToVariant variant) {
      decision.setAssignment(assignment(variant));
    }
    return new Made(decision, drawn.teams());
  }

  private static float[] history(DecisionRequest request, Recalled recalled, long nowMicros) {
    FeatureLayout layout = request.surface().layout();
    float[] rows = new float[layout.historyLength() * layout.historyWidth()];
    if (request.wantsHistory()) {
      recalled
          .get(request.historyKey())
          .map(bytes -> SubjectHistory.fromBytes(bytes, layout))
          .orElse(SubjectHistory.EMPTY)
          .encode(layout, nowMicros, rows, 0);
    }
    return rows;
  }

  private Drawn draw(DecisionRequest request, float[] history, long seed, Assigned assigned) {
    if (!(assigned instanceof Assigned.ToVariant variant)) {
      return sample(champion(request, history), seed, request.slateSize());
    }
    Arm arm = variant.variant().arm();
    if (arm instanceof Arm.AsGiven) {
      return asGiven(request);
    }
    if (arm instanceof Arm.Interleaved) {
      return draft(request, history, seed, variant);
    }
    Scores own = pinned(request, history, variant.version());
    return sample(
        own == null ? standIn(request, history, variant.version()) : own,
        seed,
        request.slateSize());
  }

  private Drawn sample(Scores scores, long seed, int size) {
    weights.set(scores.logits(), 0, scores.logits().length, scores.exploration());
    Slate slate = sampler.sample(weights, seed, size);
    return new Drawn(scores, weights.uniform(), slate, Manner.SAMPLED, List.of());
  }

  private static Drawn asGiven(DecisionRequest request) {
    int[] order = new int[request.slateSize()];
    double[] propensities = new double[order.length];
    for (int position = 0; position < order.length; position++) {
      order[position] = position;
      propensities[position] = 1;
    }
    return new Drawn(
        unscored(request, Arm.AS_GIVEN, null),
        0,
        new Slate(order, propensities),
        Manner.GIVEN,
        List.of());
  }

  /**
   * Two variants' rankings by their own scores, without exploration, draft a slate in turns. Where
   * one of them cannot rank, the champion's slate is shown, and counts for neither.
   */
  private Drawn draft(
      DecisionRequest request, float[] history, long seed, Assigned.ToVariant assigned) {
    List<Variant> teams = assigned.state().declaration().variants();
    int size = request.slateSize();
    Scores first = ranked(request, history, assigned.phase().version(teams.get(0).name()));
    Scores second = ranked(request, history, assigned.phase().version(teams.get(1).name()));
    if (first == null || second == null) {
      return sample(standIn(request, history, assigned.version()), seed, size)
          .withTeams(Collections.nCopies(size, NO_TEAM));
    }
    TeamDraft.Draft drafted =
        new TeamDraft(Ranking.best(first.logits(), size), Ranking.best(second.logits(), size), size)
            .draft(CounterRandom.hash(seed, COIN_TAG, 0, 0, 0));
    return new Drawn(
        new Scores(assigned.version(), first.logits(), first.exploration(), null),
        0,
        new Slate(drafted.items(), drafted.propensities()),
        Manner.DRAFTED,
        listOf(drafted.teams()));
  }

  private static List<Integer> listOf(int[] teams) {
    List<Integer> list = new ArrayList<>(teams.length);
    for (int team : teams) {
      list.add(team);
    }
    return list;
  }

  private @Nullable Scores ranked(DecisionRequest request, float[] history, String version) {
    return version.equals(Arm.AS_GIVEN)
        ? unscored(request, version, null)
        : pinned(request, history, version);
  }

  /** The scores of a version that an experiment pinned; null where it cannot score. */
  private @Nullable Scores pinned(DecisionRequest request, float[] history, String version) {
    return version.equals(Arm.UNIFORM)
        ? unscored(request, Arm.UNIFORM, null)
        : score(request, history, versions.acquire(request.surface(), version));
  }

  private Scores champion(DecisionRequest request, float[] history) {
    Optional<Versions.Held> champion = versions.acquire(request.surface());
    if (champion.isEmpty()) {
      return unscored(request, Arm.UNIFORM, null);
    }
    Scores scores = score(request, history, champion);
    return scores == null ? lastResort(request) : scores;
  }

  /** Who answers for a version that cannot: the champion, or else nobody in particular. */
  private Scores standIn(DecisionRequest request, float[] history, String version) {
    Optional<Versions.Held> champion = versions.acquire(request.surface());
    if (champion.isPresent() && champion.get().version().equals(version)) {
      champion.get().close();
      return lastResort(request);
    }
    Scores scores = score(request, history, champion);
    return scores == null
        ? lastResort(request)
        : new Scores(
            scores.version(),
            scores.logits(),
            scores.exploration(),
            new Degraded(MODEL_UNAVAILABLE, "CHAMPION"));
  }

  private static Scores lastResort(DecisionRequest request) {
    return unscored(request, Arm.UNIFORM, new Degraded(MODEL_UNAVAILABLE, "UNIFORM"));
  }

  private @Nullable Scores score(
      DecisionRequest request, float[] history, Optional<Versions.Held> held) {
    if (held.isEmpty()) {
      return null;
    }
    try (Versions.Held version = held.get()) {
      ScoringBatch batch = batches.computeIfAbsent(version.scorer().schema(), ScoringBatch::new);
      batch.clear();
      batch.add(request.context(), history, request.items());
      float[] logits = version.scorer().score(batch).logits();
      if (allFinite(logits)) {
        return new Scores(version.version(), logits, version.exploration(), null);
      }
      tell(version.version(), request, "scores that are not finite");
    } catch (ScoringException e) {
      tell(held.get().version(), request, String.valueOf(e.getMessage()));
    }
    return null;
  }

  /** Not every time: a policy that fails fails at every decision, and each one is counted. */
  private void tell(String version, DecisionRequest request, String what) {
    long now = System.nanoTime();
    Long before = toldNanos.get(version);
    if (before == null || now - before > BETWEEN_LINES_NANOS) {
      toldNanos.put(version, now);
      LOG.errorf("%s cannot score %s: %s", version, request.decisionId(), what);
    }
  }

  private static boolean allFinite(float[] logits) {
    for (float logit : logits) {
      if (!Float.isFinite(logit)) {
        return false;
      }
    }
    return true;
  }

  private static Scores unscored(
      DecisionRequest request, String version, @Nullable Degraded degraded) {
    return new Scores(
        version,
        new float[request.candidateIds().size()],
        Versions.declared(request.surface()),
        degraded);
  }

  private static Assignment assignment(Assigned.ToVariant assigned) {
    return new Assignment(
        assigned.state().name(),
        assigned.phase().number(),
        assigned.variant().name(),
        assigned.unit(),
        assigned.bucket(),
        assigned.share(),
        assigned.forced());
  }

  private static Decision record(
      DecisionRequest request,
      float[] history,
      Instant now,
      long seed,
      Drawn drawn,
      @Nullable Degraded degraded) {
    Surface surface = request.surface().surface();
    Scores scores = drawn.scores();
    Slate slate = drawn.slate();
    List<Placement> placements = new ArrayList<>();
    for (int position = 0; position < slate.size(); position++) {
      int candidate = slate.candidates()[position];
      placements.add(
          new Placement(
              candidate, request.candidateIds().get(candidate), slate.propensities()[position]));
    }
    Decision decision = new Decision();
    decision.setDecisionId(request.decisionId());
    decision.setSurface(surface.name());
    decision.setSubjectId(request.subjectId());
    decision.setDecidedAtMicros(micros(now));
    decision.setOutcomesUntilMicros(micros(now.plus(surface.longestWindow())));
    decision.setSurfaceDigest(surface.digest());
    decision.setFeatureDigest(request.surface().layout().digest());
    decision.setContext(Floats.toBytes(request.context(), request.context().length));
    decision.setHistory(Floats.toBytes(history, history.length));
    decision.setItems(Floats.toBytes(request.items(), request.items().length));
    decision.setRawContext(request.rawContext());
    decision.setRawItems(request.rawItems());
    decision.setCandidateIds(request.candidateIds());
    decision.setLogits(Floats.toBytes(scores.logits(), scores.logits().length));
    decision.setSlate(placements);
    decision.setSeed(seed);
    decision.setTemperature(scores.exploration().temperature());
    decision.setUniform(drawn.uniform());
    decision.setPolicyName(surface.name());
    decision.setPolicyVersion(scores.version());
    decision.setMode(drawn.manner().mode);
    decision.setDegraded(degraded);
    decision.setPropensityKind(drawn.manner().propensityKind);
    decision.setLearnable(drawn.manner().learnable && !request.deferred());
    decision.setSampleWeight(1.0);
    decision.setRequestDigest(request.digest());
    decision.setActivation(request.deferred() ? DEFERRED : ACTIVE);
    return decision;
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
