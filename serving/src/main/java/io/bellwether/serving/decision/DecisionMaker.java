package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Degraded;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.SubjectHistory;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.LivePolicy;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.policy.scoring.ScoringException;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.policy.scoring.SlateSampler;
import io.bellwether.serving.policy.Champions;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Computes a decision from a request and the subject's history: scores, samples, and writes down
 * what it did. Touches nothing outside but the clock. Mutable inside (buffers that are reused) and
 * confined to one thread.
 */
final class DecisionMaker {

  /** The version that answers where there is no policy: all logits are 0. */
  static final String UNIFORM = "uniform";

  private static final Logger LOG = Logger.getLogger(DecisionMaker.class);
  private static final String ONLINE = "ONLINE";

  private final Champions champions;
  private final Clock clock;
  private final MixedWeights weights = new MixedWeights();
  private final SlateSampler sampler = new SlateSampler();
  private final Map<FeatureSchema, ScoringBatch> batches = new HashMap<>();

  /** Who scored, what came out, and why it is less than full. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Scores(
      String version, float[] logits, Exploration exploration, @Nullable Degraded degraded) {}

  DecisionMaker(Champions champions, Clock clock) {
    this.champions = champions;
    this.clock = clock;
  }

  /** Decides. */
  Decision decide(DecisionRequest request, Recalled recalled) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    float[] history = history(request, recalled, micros(now));
    Scores scores = score(request, history);
    long seed = DecisionSeed.seedOf(request.decisionId());
    weights.set(scores.logits(), 0, scores.logits().length, scores.exploration());
    Slate slate = sampler.sample(weights, seed, request.slateSize());
    Degraded degraded =
        recalled.available() || !request.wantsHistory()
            ? scores.degraded()
            : new Degraded("FEATURES_UNAVAILABLE", null);
    return record(request, history, now, seed, scores, slate, degraded);
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

  private Scores score(DecisionRequest request, float[] history) {
    Optional<LivePolicy.Use> champion = champions.acquire(request.surface());
    if (champion.isEmpty()) {
      return uniform(request, null);
    }
    try (LivePolicy.Use use = champion.get()) {
      ScoringBatch batch = batches.computeIfAbsent(use.scorer().schema(), ScoringBatch::new);
      batch.clear();
      batch.add(request.context(), history, request.items());
      float[] logits = use.scorer().score(batch).logits();
      if (allFinite(logits)) {
        return new Scores(
            use.version(), logits, champions.exploration(request.surface(), use.version()), null);
      }
      LOG.errorf("%s gave scores that are not finite; answered uniformly", use.version());
    } catch (ScoringException e) {
      LOG.errorf(e, "%s could not be scored; answered uniformly", request.decisionId());
    }
    return uniform(request, new Degraded("MODEL_UNAVAILABLE", "UNIFORM"));
  }

  private static boolean allFinite(float[] logits) {
    for (float logit : logits) {
      if (!Float.isFinite(logit)) {
        return false;
      }
    }
    return true;
  }

  private static Scores uniform(DecisionRequest request, @Nullable Degraded degraded) {
    return new Scores(
        UNIFORM,
        new float[request.candidateIds().size()],
        Champions.declared(request.surface()),
        degraded);
  }

  private Decision record(
      DecisionRequest request,
      float[] history,
      Instant now,
      long seed,
      Scores scores,
      Slate slate,
      @Nullable Degraded degraded) {
    Surface surface = request.surface().surface();
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
    decision.setUniform(weights.uniform());
    decision.setPolicyName(surface.name());
    decision.setPolicyVersion(scores.version());
    decision.setMode(ONLINE);
    decision.setDegraded(degraded);
    decision.setPropensityKind("EXACT");
    decision.setLearnable(true);
    decision.setSampleWeight(1.0);
    decision.setRequestDigest(request.digest());
    return decision;
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
