package io.bellwether.trainer.search;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search found. Immutable.
 *
 * @param split training saw what was decided before
 * @param draws how many were asked for
 * @param looks policies that were judged by the same decisions
 * @param alpha error probability of all answers together, had each policy been asked about
 * @param complete whether the search came to its end
 * @param ranking all that were judged, the best first
 * @param answers what the best one is shown to beat
 */
public record SearchResult(
    Instant split,
    int draws,
    int looks,
    double alpha,
    boolean complete,
    List<Trial> ranking,
    List<Answer> answers) {

  public SearchResult {
    ranking = List.copyOf(ranking);
    answers = List.copyOf(answers);
  }

  /** The best one. */
  public Trial winner() {
    return ranking.get(0);
  }

  /** The error probability of each look. */
  public double correctedAlpha() {
    return alpha / looks;
  }

  /**
   * Whether the winner is shown to be better than something.
   *
   * @param against what it is compared with
   * @param difference of the objective per decision; absent where it is not known
   * @param lower bound of the difference at the corrected level; absent where there is none
   * @param upper bound likewise
   * @param note what a reader should know, or why nothing is known; may be empty
   */
  public record Answer(
      String against,
      @Nullable Double difference,
      @Nullable Double lower,
      @Nullable Double upper,
      String note) {

    /** The logging policy, for {@link #against}. */
    public static final String LOGGED = "what was logged";

    /** Cloning, for {@link #against}. */
    public static final String CLONING = "behaviour cloning";

    /** Whether it is shown to be better. */
    public boolean better() {
      return lower != null && lower > 0;
    }
  }
}
