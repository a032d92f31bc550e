package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.StandardError;
import io.bellwether.evaluation.offpolicy.UnitIndex;

/**
 * A discounted value per episode with one influence value ψ per episode (mean zero). Immutable; the
 * array is not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record EpisodeInfluence(double value, double[] rows) {

  /** {@code factor·this + otherFactor·other}, episode by episode. */
  public EpisodeInfluence combine(double factor, EpisodeInfluence other, double otherFactor) {
    double[] combined = new double[rows.length];
    for (int episode = 0; episode < combined.length; episode++) {
      combined[episode] = factor * rows[episode] + otherFactor * other.rows[episode];
    }
    return new EpisodeInfluence(factor * value + otherFactor * other.value, combined);
  }

  /**
   * The value with its standard error, cluster-robust where a unit has several episodes; refused
   * with {@code NOT_FINITE} where products of ratios left the range of a double.
   */
  public Estimate estimate(UnitIndex units) {
    CompensatedSums byUnit = new CompensatedSums(units.count());
    for (int episode = 0; episode < rows.length; episode++) {
      byUnit.add(units.unitOf(episode), rows[episode]);
    }
    CompensatedSums squares = new CompensatedSums(1);
    for (int unit = 0; unit < units.count(); unit++) {
      squares.add(0, byUnit.get(unit) * byUnit.get(unit));
    }
    if (!Double.isFinite(value) || !Double.isFinite(squares.get(0))) {
      return new Estimate.Refused("NOT_FINITE");
    }
    return StandardError.estimate(value, squares.get(0), rows.length, units.count());
  }
}
