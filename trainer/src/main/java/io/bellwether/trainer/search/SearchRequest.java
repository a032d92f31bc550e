package io.bellwether.trainer.search;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.algorithm.Algorithms;
import io.bellwether.trainer.data.TransitionSource;
import io.bellwether.trainer.job.TrainingMethod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is looked for, and how long.
 *
 * @param surface that the policies are for
 * @param source of the logged transitions
 * @param algorithms words of the catalogue, one of which each draw takes
 * @param draws how many are drawn, at least 1
 * @param limit no trial begins later than this
 * @param seed of the draws and of every training
 * @param judgedShare share of the decisions, the latest ones, that judge; in (0, 1)
 * @param modelSteps training steps of each fold's reward model; 0 for none
 * @param alpha error probability of what is said in the end, in (0, 0.5)
 * @param parallelism of what reads the log; changes nothing but the speed
 * @param champion that a winner would replace; absent where there is none
 * @param folder where finished trials are kept
 */
public record SearchRequest(
    Surface surface,
    TransitionSource source,
    List<String> algorithms,
    int draws,
    Duration limit,
    long seed,
    double judgedShare,
    long modelSteps,
    double alpha,
    int parallelism,
    @Nullable VersionId champion,
    Path folder) {

  public SearchRequest {
    algorithms = algorithms.stream().distinct().sorted().toList();
    algorithms.forEach(Algorithms::of);
    if (algorithms.isEmpty() || draws < 1 || parallelism < 1 || modelSteps < 0) {
      throw new IllegalArgumentException(
          "a search has algorithms, draws and readers, found %s, %d and %d"
              .formatted(algorithms, draws, parallelism));
    }
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("a search takes time, not " + limit);
    }
    if (!(judgedShare > 0 && judgedShare < 1) || !(alpha > 0 && alpha < 0.5)) {
      throw new IllegalArgumentException(
          "judged share %s and error probability %s".formatted(judgedShare, alpha));
    }
  }

  /** All algorithms but cloning, which every search tries anyway. */
  public static List<String> everyAlgorithm() {
    return Algorithms.all().stream()
        .map(Algorithms.Entry::word)
        .filter(word -> !word.equals(TrainingMethod.BEHAVIOUR_CLONING.word()))
        .toList();
  }
}
