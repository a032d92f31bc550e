package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.StandardError;
import io.bellwether.evaluation.offpolicy.UnitIndex;

/**
 * A discounted value per episode with one influence value ψ per episode (mean zero). Immutable; the
 * array is not copied.
 *
 * @param bias estimated systematic error of the value, with its sign; 0 where none is estimated
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record EpisodeInfluence(double value, double bias, double[] rows) {

  static EpisodeInfluence unbiased(double value, double[] rows) {
    return new EpisodeInfluence(value, 0, rows);
  }

  /** The same value, known to be off by about so much. */
  public EpisodeInfluence withBias(double other) {
    return new EpisodeInfluence(value, other, rows);
  }

  /** {@code factor·this + otherFactor·other}, episode by episode. */
  public EpisodeInfluence combine(double factor, EpisodeInfluence other, double otherFactor) {
    double[] combined = new double[rows.length];
    for (int episode = 0; episode < combined.length; episode++) {
      combined[episode] = factor * rows[episode] + otherFactor * other.rows[episode];
    }
    return new EpisodeInfluence(
        factor * value + otherFactor * other.value,
        factor * bias + otherFactor * other.bias,
        combined);
  }

  /**
   * The value with its standard error, cluster-robust where a unit has several episodes; refused
   * with {@code NOT_FINITE} where products of ratios left the range of a double.
   */
  public Estimate estimate(UnitIndex units) {
    return estimate(units, 0);
  }

  /**
   * The same where a model is part of the value.
   *
   * @param modelVariance how far the value would move with another sample to learn from, squared
   * @return with the root of the episodes' variance, the model's and the squared bias as the error
   */
  public Estimate estimate(UnitIndex units, double modelVariance) {
    CompensatedSums byUnit = new CompensatedSums(units.count());
    for (int episode = 0; episode < rows.length; episode++) {
      byUnit.add(units.unitOf(episode), rows[episode]);
    }
    CompensatedSums squares = new CompensatedSums(1);
    for (int unit = 0; unit < units.count(); unit++) {
      squares.add(0, byUnit.get(unit) * byUnit.get(unit));
    }
    double systematic = bias * bias + modelVariance;
    if (!Double.isFinite(value) || !Double.isFinite(squares.get(0) + systematic)) {
      return new Estimate.Refused("NOT_FINITE");
    }
    Estimate estimate = StandardError.estimate(value, squares.get(0), rows.length, units.count());
    return systematic > 0 && estimate instanceof Estimate.Estimated known
        ? new Estimate.Estimated(
            value,
            Math.sqrt(known.standardError() * known.standardError() + systematic),
            known.errorKind(),
            known.decisions(),
            known.units())
        : estimate;
  }
}
