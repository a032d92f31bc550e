package io.bellwether.serving.fallback;

import io.bellwether.ingestion.surface.Surface.Fallback;
import io.bellwether.serving.experiment.Arm;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.retrieval.Popularity;
import io.bellwether.serving.surface.DeclaredSurface;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/**
 * A surface's fallbacks in their order: the first that can answer does. It takes microseconds and
 * waits for nothing, so that it can be asked when there is no time left. Thread-safe.
 */
@Singleton
public final class FallbackChain {

  /** The word of popularity among policies. */
  public static final String POPULARITY = "popularity";

  private final Popularity popularity;

  FallbackChain(Popularity popularity) {
    this.popularity = popularity;
  }

  /**
   * Whether the champion's turn comes before that of the one whom {@link #standIn} finds. It is for
   * the caller to ask it, which takes a worker: not where the champion itself has failed, and not
   * where there is no time.
   */
  public boolean championFirst(DeclaredSurface surface, List<String> candidateIds) {
    for (Fallback link : surface.surface().fallback()) {
      if (link == Fallback.CHAMPION) {
        return true;
      }
      if (find(link, surface, candidateIds).isPresent()) {
        return false;
      }
    }
    return false;
  }

  /**
   * Who answers when no graph can. Where the chain ends without anybody, it is chance: everybody
   * may then stand anywhere.
   *
   * @param candidateIds at least one, in the caller's order
   */
  public StandIn standIn(DeclaredSurface surface, List<String> candidateIds) {
    for (Fallback link : surface.surface().fallback()) {
      Optional<StandIn> found = find(link, surface, candidateIds);
      if (found.isPresent()) {
        return found.get();
      }
    }
    return unscored(Fallback.UNIFORM, Arm.UNIFORM, surface, candidateIds);
  }

  private Optional<StandIn> find(
      Fallback link, DeclaredSurface surface, List<String> candidateIds) {
    return switch (link) {
      case CHAMPION -> Optional.empty();
      case POPULARITY -> popular(surface, candidateIds);
      case AS_GIVEN ->
          Optional.of(unscored(Fallback.AS_GIVEN, Arm.AS_GIVEN, surface, candidateIds));
      case UNIFORM -> Optional.of(unscored(Fallback.UNIFORM, Arm.UNIFORM, surface, candidateIds));
    };
  }

  /** Empty where nobody is known to have liked any of the candidates. */
  private Optional<StandIn> popular(DeclaredSurface surface, List<String> candidateIds) {
    Popularity.Scores scores = popularity.scores(surface);
    if (!scores.any()) {
      return Optional.empty();
    }
    return Popular.logits(candidateIds, scores::of)
        .map(
            logits ->
                new StandIn(Fallback.POPULARITY, POPULARITY, logits, Versions.declared(surface)));
  }

  private static StandIn unscored(
      Fallback link, String policy, DeclaredSurface surface, List<String> candidateIds) {
    return new StandIn(link, policy, new float[candidateIds.size()], Versions.declared(surface));
  }
}
