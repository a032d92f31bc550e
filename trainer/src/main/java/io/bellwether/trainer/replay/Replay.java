package io.bellwether.trainer.replay;

import io.bellwether.ingestion.event.Assignment;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.ScoredBatch;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.policy.scoring.SlateSampler;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.LoggedRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Recomputes logged decisions: give it transitions with {@link #add}, then ask for the {@link
 * #result}. A decision that comes several times (restated, or a copy) is checked once.
 *
 * <p>Scores are recomputed in batches per policy version, where the version can be opened. Owns the
 * scorers that it opens. Confined to one thread.
 */
public final class Replay implements AutoCloseable {

  private static final double SCORE_TOLERANCE = 1e-5;
  private static final int BATCH = 64;

  /** The variant of what two variants drafted; no declared variant has this name. */
  private static final String INTERLEAVED = "interleaved";

  private static final int DIFFERENCES = 10;

  private final Function<String, Optional<Scorer>> scorers;
  private final Function<String, List<Scorer>> smallerForms;
  private final Map<String, Optional<Rescoring>> versions = new HashMap<>();
  private final Set<Long> seen = new HashSet<>();
  private final Map<String, Long> skipped = new TreeMap<>();
  private final List<String> differences = new ArrayList<>();
  private final MixedWeights weights = new MixedWeights();
  private final SlateSampler sampler = new SlateSampler();
  private long checked;
  private long equal;
  private long rescored;
  private long scoresWithin;
  private long scoresBitEqual;

  /**
   * @param scorers opens the graph of a policy version; empty where the store does not have it
   */
  public Replay(Function<String, Optional<Scorer>> scorers) {
    this(scorers, version -> List.of());
  }

  /**
   * @param smallerForms opens the smaller forms that a version's graph has: a surface may have
   *     served one of them, and the log does not say which it was
   */
  Replay(Function<String, Optional<Scorer>> scorers, Function<String, List<Scorer>> smallerForms) {
    this.scorers = scorers;
    this.smallerForms = smallerForms;
  }

  /** A replay with the versions of a store. */
  public static Replay with(PolicyStore store) {
    Set<String> known = new HashSet<>();
    store.names().forEach(name -> store.versions(name).forEach(v -> known.add(v.id().value())));
    return new Replay(
        version ->
            known.contains(version)
                ? Optional.of(store.open(new VersionId(version)))
                : Optional.empty(),
        version -> smallerForms(store, new VersionId(version)));
  }

  private static List<Scorer> smallerForms(PolicyStore store, VersionId version) {
    PolicyManifest manifest = store.manifest(version);
    return PolicyManifest.SMALLER_GRAPHS.stream()
        .filter(manifest::hasFile)
        .map(form -> Scorer.open(store.file(version, form), manifest.features()))
        .toList();
  }

  /** Checks a transition's decision. */
  public void add(Transition transition) {
    Decision decision = transition.getDecision();
    if (!seen.add(DecisionSeed.seedOf(decision.getDecisionId()))) {
      return;
    }
    String reason = reasonToSkip(decision);
    if (!reason.isEmpty()) {
      skipped.merge(reason, 1L, Long::sum);
      return;
    }
    checked++;
    String difference = difference(decision);
    if (difference.isEmpty()) {
      equal++;
    } else {
      note(decision, difference);
    }
    versions
        .computeIfAbsent(
            decision.getPolicyVersion(),
            v -> scorers.apply(v).map(scorer -> new Rescoring(scorer, smallerForms.apply(v))))
        .ifPresent(rescoring -> rescoring.add(decision));
  }

  /** What was found in all that was added. */
  public ReplayResult result() {
    versions.values().forEach(version -> version.ifPresent(Rescoring::compare));
    return new ReplayResult(
        checked, equal, rescored, scoresWithin, scoresBitEqual, skipped, differences);
  }

  @Override
  public void close() {
    versions.values().forEach(version -> version.ifPresent(Rescoring::close));
  }

  private static String reasonToSkip(Decision decision) {
    if (decision.getMode().equals("IMPORTED")) {
      return "imported: made elsewhere, without a seed and scores of ours";
    }
    if (decision.getMode().equals("FLAG")) {
      return "a flag: no slate was ranked";
    }
    if (isInterleaved(decision)) {
      return "interleaved: drafted from two rankings, of which one is logged";
    }
    if (!decision.getPropensityKind().equals("EXACT")) {
      return "not sampled: its propensity is " + decision.getPropensityKind();
    }
    return decision.getSlate().isEmpty() ? "empty: nothing was shown" : "";
  }

  private static boolean isInterleaved(Decision decision) {
    Assignment assignment = decision.getAssignment();
    return assignment != null
        && assignment.getVariant().equals(INTERLEAVED)
        && !decision.getLearnable();
  }

  private String difference(Decision decision) {
    float[] logits = Floats.of(decision.getLogits());
    List<Placement> logged = decision.getSlate();
    if (logits.length != decision.getCandidateIds().size()) {
      return logits.length + " scores for " + decision.getCandidateIds().size() + " candidates";
    }
    try {
      weights.set(
          logits,
          0,
          logits.length,
          Exploration.asUsed(decision.getTemperature(), decision.getUniform()));
      return difference(decision, logged);
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private String difference(Decision decision, List<Placement> logged) {
    Slate slate =
        sampler.sample(weights, LoggedRules.of(decision), decision.getSeed(), logged.size());
    for (int position = 0; position < logged.size(); position++) {
      Placement placement = logged.get(position);
      if (position >= slate.size() || placement.getCandidate() != slate.candidates()[position]) {
        return "position " + position + " shows another item";
      }
      if (!placement.getItemId().equals(decision.getCandidateIds().get(placement.getCandidate()))) {
        return "position " + position + " names an item that is not its candidate";
      }
      if (placement.getPropensity() != slate.propensities()[position]) {
        return "position %d logged propensity %s, recomputed %s"
            .formatted(position, placement.getPropensity(), slate.propensities()[position]);
      }
    }
    return "";
  }

  private void note(Decision decision, String difference) {
    if (differences.size() < DIFFERENCES) {
      differences.add(decision.getDecisionId() + ": " + difference);
    }
  }

  /**
   * Recomputes the scores of one version's decisions, a batch at a time: by the full graph, and
   * where that gives others by the first smaller form that does not.
   */
  private final class Rescoring {

    private final Scorer scorer;
    private final List<Scorer> smaller;
    private final ScoringBatch batch;
    private final List<Decision> waiting = new ArrayList<>();

    Rescoring(Scorer scorer, List<Scorer> smaller) {
      this.scorer = scorer;
      this.smaller = smaller;
      this.batch = new ScoringBatch(scorer.schema());
    }

    void add(Decision decision) {
      FeatureSchema schema = scorer.schema();
      if (!schema.digest().equals(decision.getFeatureDigest())) {
        note(decision, "encoded to another layout than its policy version reads");
        rescored++;
        return;
      }
      batch.add(
          Floats.of(decision.getContext()),
          Floats.of(decision.getHistory()),
          Floats.of(decision.getItems()));
      waiting.add(decision);
      if (waiting.size() == BATCH) {
        compare();
      }
    }

    void compare() {
      ScoredBatch full = scorer.score(batch);
      List<ScoredBatch> others = new ArrayList<>();
      for (int i = 0; i < waiting.size(); i++) {
        Decision decision = waiting.get(i);
        ScoredBatch by = full;
        for (int form = 0; form < smaller.size() && !isWithin(decision, by, i); form++) {
          if (form == others.size()) {
            others.add(smaller.get(form).score(batch));
          }
          by = others.get(form);
        }
        by = isWithin(decision, by, i) ? by : full;
        compare(decision, by, i);
      }
      batch.clear();
      waiting.clear();
    }

    void close() {
      scorer.close();
      smaller.forEach(Scorer::close);
    }

    private static boolean isWithin(Decision decision, ScoredBatch scored, int request) {
      float[] logged = Floats.of(decision.getLogits());
      for (int i = 0; i < logged.length; i++) {
        if (!isClose(scored.logits()[scored.from(request) + i], logged[i])) {
          return false;
        }
      }
      return true;
    }

    private static boolean isClose(float again, float logged) {
      return Math.abs((double) again - logged) <= SCORE_TOLERANCE * Math.max(1, Math.abs(logged));
    }

    private void compare(Decision decision, ScoredBatch scored, int request) {
      float[] logged = Floats.of(decision.getLogits());
      boolean within = true;
      boolean bitEqual = true;
      for (int i = 0; i < logged.length; i++) {
        float again = scored.logits()[scored.from(request) + i];
        bitEqual &= Float.floatToIntBits(again) == Float.floatToIntBits(logged[i]);
        boolean close = isClose(again, logged[i]);
        if (within && !close) {
          note(decision, "candidate " + i + " logged score " + logged[i] + ", recomputed " + again);
        }
        within &= close;
      }
      rescored++;
      scoresWithin += within ? 1 : 0;
      scoresBitEqual += bitEqual ? 1 : 0;
    }
  }
}
