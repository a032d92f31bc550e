package io.bellwether.trainer.imports;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What came of an import, or would come of it. Immutable.
 *
 * @param name the import's name
 * @param folder the archive that was written; empty for a dry run
 * @param rejects where the entries that were left out stand with line and reason; empty where there
 *     are none, and for a dry run
 * @param entries what the log holds
 * @param rejected entries that could not be read or used
 * @param duplicates entries with the decision id of an earlier one, which alone was taken
 * @param reasons rejected entries by reason, the most frequent first
 * @param examples the first rejected entries: file, line and reason
 * @param reactionsLeftOut reactions that do not fit their decision or the surface, by reason
 * @param unknownFeatures decisions with a feature that the surface does not declare, by its place
 * @param missingFeatures features that the surface declares and no decision has
 * @param decisions what was taken
 * @param propensities of what was taken
 */
public record ImportSummary(
    String name,
    Optional<Path> folder,
    Optional<Path> rejects,
    long entries,
    long rejected,
    long duplicates,
    Map<String, Long> reasons,
    List<String> examples,
    Map<String, Long> reactionsLeftOut,
    Map<String, Long> unknownFeatures,
    List<String> missingFeatures,
    Decisions decisions,
    Propensities propensities) {

  /**
   * The decisions that were taken.
   *
   * @param sessions 0 for a dry run, which does not sort
   * @param notLearnable of these, for statistics only
   * @param outcomes inside their windows
   * @param outsideWindow outcomes that came too late or too early
   * @param signals how many values there are of each
   * @param kinds decisions by what their propensities are
   */
  public record Decisions(
      long count,
      long sessions,
      long notLearnable,
      long outcomes,
      long outsideWindow,
      Map<String, Long> signals,
      Map<String, Long> kinds,
      Instant first,
      Instant last) {}

  /**
   * The propensities.
   *
   * @param decisions that have some
   * @param min the smallest; 0 where there is none
   * @param tiny of at most 1e-6
   * @param notPositive rejected since they were 0 or less
   * @param aboveOne rejected since they were above 1
   * @param meanInverse mean of 1/p at the first position: where every candidate could be chosen and
   *     the propensities are real, it is near the mean number of candidates
   * @param standardError of that mean
   * @param meanCandidates mean number of candidates
   */
  public record Propensities(
      long decisions,
      double min,
      long tiny,
      long notPositive,
      long aboveOne,
      double meanInverse,
      double standardError,
      double meanCandidates) {

    /**
     * A mean of 1/p off by more than this factor is not that of a logging policy of full support.
     */
    private static final double FACTOR = 2;

    private static final double STANDARD_ERRORS = 4;

    /**
     * What is suspicious about them; empty where nothing is. That mean is not meant to be exact: a
     * policy that never shows some candidates has a smaller one.
     */
    public Optional<String> doubt() {
      double off = Math.abs(meanInverse - meanCandidates);
      if (decisions == 0 || off <= STANDARD_ERRORS * standardError) {
        return Optional.empty();
      }
      if (meanInverse * FACTOR < meanCandidates) {
        return Optional.of(
            "propensities are not credible: the mean of 1/p is %.2f and there are %.2f candidates on average; were they made up, or is this policy nearly deterministic?"
                .formatted(meanInverse, meanCandidates));
      }
      if (meanInverse > FACTOR * meanCandidates) {
        return Optional.of(
            "propensities are not credible: the mean of 1/p is %.2f and there are %.2f candidates on average; are they of whole slates, or are candidates missing?"
                .formatted(meanInverse, meanCandidates));
      }
      return Optional.empty();
    }
  }
}
