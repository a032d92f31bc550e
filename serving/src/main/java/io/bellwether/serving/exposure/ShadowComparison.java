package io.bellwether.serving.exposure;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.policy.scoring.ScoringException;
import io.bellwether.policy.scoring.SlateRules;
import io.bellwether.policy.scoring.SlateSampler;
import io.bellwether.serving.experiment.Arm;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.rule.TracedRules;
import io.bellwether.serving.surface.DeclaredSurface;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * How another version would have made a decision: it scores the features of the decision's record
 * and samples with the decision's seed. Mutable inside (buffers that are reused) and confined to
 * one thread.
 */
final class ShadowComparison {

  /** A version that takes longer would not have answered. */
  static final Duration TIMEOUT = Duration.ofMillis(500);

  private static final Logger LOG = Logger.getLogger(ShadowComparison.class);

  /** No candidate. */
  private static final int NOWHERE = -1;

  private final Versions versions;
  private final Map<FeatureSchema, ScoringBatch> batches = new HashMap<>();
  private final MixedWeights shown = new MixedWeights();
  private final MixedWeights own = new MixedWeights();
  private final SlateSampler sampler = new SlateSampler();

  ShadowComparison(Versions versions) {
    this.versions = versions;
  }

  /** Scores a decision by another version, which sees what the decision saw. */
  ShadowScore score(DeclaredSurface surface, Decision decision, String version) {
    long from = System.nanoTime();
    if (version.equals(Arm.AS_GIVEN)) {
      int[] slate = inOrder(decision);
      return compared(decision, slate, slate[0], from);
    }
    int candidates = decision.getCandidateIds().size();
    if (version.equals(Arm.UNIFORM)) {
      own.set(new float[candidates], 0, candidates, Versions.declared(surface));
      return compared(decision, sampled(decision), NOWHERE, from);
    }
    Optional<Versions.Held> found = versions.acquire(surface, version);
    if (found.isEmpty()) {
      return ShadowScore.failed("MODEL_UNAVAILABLE", 0);
    }
    try (Versions.Held held = found.get()) {
      ScoringBatch batch = batches.computeIfAbsent(held.scorer().schema(), ScoringBatch::new);
      batch.clear();
      batch.add(
          Floats.of(decision.getContext()),
          Floats.of(decision.getHistory()),
          Floats.of(decision.getItems()));
      own.set(held.scorer().score(batch).logits(), 0, candidates, held.exploration());
      return compared(decision, sampled(decision), NOWHERE, from);
    } catch (ScoringException | IllegalArgumentException e) {
      LOG.debugf(e, "%s could not score %s", version, decision.getDecisionId());
      return ShadowScore.failed("MODEL_UNAVAILABLE", micros(from));
    }
  }

  private int[] sampled(Decision decision) {
    return sampler
        .sample(own, rules(decision), decision.getSeed(), decision.getSlate().size())
        .candidates();
  }

  private int[] inOrder(Decision decision) {
    return sampler
        .inOrder(rules(decision), decision.getCandidateIds().size(), decision.getSlate().size())
        .candidates();
  }

  private static SlateRules rules(Decision decision) {
    return TracedRules.of(decision.getRules());
  }

  /**
   * @param point the candidate that certainly comes first; {@link #NOWHERE} where it is drawn
   */
  private ShadowScore compared(Decision decision, int[] slate, int point, long from) {
    long micros = micros(from);
    return micros > TIMEOUT.toNanos() / 1000
        ? ShadowScore.failed("DEADLINE_EXCEEDED", micros)
        : new ShadowScore(null, micros, agreement(decision, slate), distance(decision, point));
  }

  private static long micros(long from) {
    return (System.nanoTime() - from) / 1000;
  }

  private static double agreement(Decision decision, int[] slate) {
    List<Placement> placements = decision.getSlate();
    int same = 0;
    for (int position = 0; position < placements.size(); position++) {
      same += placements.get(position).getCandidate() == slate[position] ? 1 : 0;
    }
    return (double) same / placements.size();
  }

  /** Half the sum of differences between the two chances of each candidate to come first. */
  private double distance(Decision decision, int point) {
    if (decision.getPropensityKind().equals("DETERMINISTIC")) {
      int first = decision.getSlate().get(0).getCandidate();
      if (point != NOWHERE) {
        return point == first ? 0 : 1;
      }
      return 1 - first(own, decision)[first];
    }
    float[] logits = Floats.of(decision.getLogits());
    shown.set(
        logits,
        0,
        logits.length,
        Exploration.asUsed(decision.getTemperature(), decision.getUniform()));
    double[] ofShown = first(shown, decision);
    if (point != NOWHERE) {
      return 1 - ofShown[point];
    }
    double[] ofOwn = first(own, decision);
    double sum = 0;
    for (int candidate = 0; candidate < logits.length; candidate++) {
      sum += Math.abs(ofOwn[candidate] - ofShown[candidate]);
    }
    return Math.min(1, sum / 2);
  }

  private double[] first(MixedWeights weights, Decision decision) {
    return sampler.first(weights, rules(decision), decision.getSlate().size());
  }
}
