package io.bellwether.ingestion.recall;

import java.util.List;

/**
 * How far the histories that decisions were made with agree with what the archive says.
 *
 * @param decisions of the surface, all those below together
 * @param firsts nothing was known of their subject, to serving or to the archive
 * @param equal serving used what the archive says
 * @param late serving used what the archive says of a short time before
 * @param different neither
 * @param unavailable made without a history, and marked as such
 * @param unreadable encoded by another layout than today's
 * @param changedItems rows of registered items with other features than when they were shown
 * @param examples some of those that were late or different
 */
public record Agreement(
    long decisions,
    long firsts,
    long equal,
    long late,
    long different,
    long unavailable,
    long unreadable,
    long changedItems,
    List<Example> examples) {

  public Agreement {
    examples = List.copyOf(examples);
  }

  /**
   * A decision whose history was not what the archive says now.
   *
   * @param late otherwise different
   * @param what is wrong with it
   */
  public record Example(String decisionId, boolean late, String what) {}

  /** Different ones among all that could be compared; 0 where there are none. */
  public double shareDifferent() {
    long compared = equal + late + different;
    return compared == 0 ? 0 : (double) different / compared;
  }
}
