package io.bellwether.serving.decision;

import io.bellwether.evaluation.experiment.TeamDraft;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.policy.scoring.SlateSampler;
import java.util.ArrayList;
import java.util.List;

/** Draws slates from scores. Mutable inside (memory that is reused) and confined to one thread. */
final class SlateDrawing {

  /** Keeps the coins of drafts apart from other draws under the same seed. */
  private static final long COIN_TAG = 2;

  private final MixedWeights weights = new MixedWeights();
  private final SlateSampler sampler = new SlateSampler();

  /** A slate sampled from the scores as they say it is to be explored. */
  Drawn sampled(Situation situation, Scores scores) {
    weights.set(scores.logits(), 0, scores.logits().length, scores.exploration());
    Slate slate =
        sampler.sample(
            weights,
            situation.considered().rules(),
            situation.question().seed(),
            situation.slateSize());
    return new Drawn(scores, weights.uniform(), slate, Drawn.Manner.SAMPLED, List.of());
  }

  /** The candidates in the order in which the caller gave them, as far as rules allow. */
  Drawn inOrder(Situation situation, Scores scores, Drawn.Manner manner) {
    Slate slate =
        sampler.inOrder(
            situation.considered().rules(), situation.candidates(), situation.slateSize());
    return new Drawn(scores, 0, slate, manner, List.of());
  }

  /**
   * Two rankings by their own scores, without exploration, draft a slate in turns.
   *
   * @param version as which it is logged
   */
  Drawn drafted(Situation situation, String version, Scores first, Scores second) {
    int size = situation.slateSize();
    TeamDraft.Draft drafted =
        new TeamDraft(Ranking.best(first.logits(), size), Ranking.best(second.logits(), size), size)
            .draft(CounterRandom.hash(situation.question().seed(), COIN_TAG, 0, 0, 0));
    return new Drawn(
        new Scores(version, first.logits(), first.exploration(), null),
        0,
        new Slate(drafted.items(), drafted.propensities()),
        Drawn.Manner.DRAFTED,
        listOf(drafted.teams()));
  }

  private static List<Integer> listOf(int[] teams) {
    List<Integer> list = new ArrayList<>(teams.length);
    for (int team : teams) {
      list.add(team);
    }
    return list;
  }
}
