package io.bellwether.trainer.difference;

import java.util.List;
import java.util.Map;

/**
 * How two versions behave on the same decisions under the same seeds. Immutable.
 *
 * @param first version
 * @param second version
 * @param surface on which they decide
 * @param sampleSha256 names the decisions
 * @param decisions that were compared
 * @param changedSlates of these, with another slate
 * @param reordered of these, with the same items in another order
 * @param itemsReplaced items of first slates that are not in the second ones
 * @param itemsShown items of first slates
 * @param equalScores decisions in which every score is equal to the bit
 * @param firstPosition share of chance that moves between candidates at the first position (total
 *     variation distance), in [0, 1]
 * @param positions 0-based, in order
 * @param segments by feature, then by label
 * @param gains items by how much their mean chance to come first rises, the most first
 * @param losses the same for chances that fall
 * @param skipped decisions that were not compared, by reason
 */
public record PolicyDifference(
    String first,
    String second,
    String surface,
    String sampleSha256,
    long decisions,
    long changedSlates,
    long reordered,
    long itemsReplaced,
    long itemsShown,
    long equalScores,
    Spread firstPosition,
    List<Position> positions,
    List<Segment> segments,
    List<ItemMove> gains,
    List<ItemMove> losses,
    Map<String, Long> skipped) {

  public PolicyDifference {
    positions = List.copyOf(positions);
    segments = List.copyOf(segments);
    gains = List.copyOf(gains);
    losses = List.copyOf(losses);
    skipped = Map.copyOf(skipped);
  }

  /** Share of the compared decisions with another slate; 0 where none was compared. */
  public double changedShare() {
    return decisions == 0 ? 0 : (double) changedSlates / decisions;
  }

  /**
   * A position of the slates.
   *
   * @param decisions whose slates reach it
   * @param changed of these, with another item here
   * @param propensity by how much the chance of the first version's item differs, both times after
   *     the first version's earlier items
   */
  public record Position(int position, long decisions, long changed, Spread propensity) {}

  /**
   * Decisions of one kind.
   *
   * @param feature of the context, or {@code candidates}
   * @param label value, or range of values
   * @param firstPosition mean total variation distance at the first position
   */
  public record Segment(
      String feature, String label, long decisions, long changedSlates, double firstPosition) {}

  /**
   * An item whose chance to come first changes.
   *
   * @param before mean chance over all decisions, 0 where it is no candidate
   */
  public record ItemMove(String item, double before, double after) {}
}
