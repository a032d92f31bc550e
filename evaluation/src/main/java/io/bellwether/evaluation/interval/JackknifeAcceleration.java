package io.bellwether.evaluation.interval;

import io.bellwether.evaluation.CompensatedSums;

/**
 * The acceleration of a {@link BootstrapDistribution} from the values of an estimate with one unit
 * left out at a time: Σd³ / (6(Σd²)^{3/2}), where d is the mean of these values minus the value.
 *
 * <p>Constant memory: values are taken as distances from the whole estimate, which are of the order
 * of d itself, so that their powers can be summed in one pass. Confined to one thread; parts are
 * joined with {@link #merge}.
 */
public final class JackknifeAcceleration {
  private final double theta;
  private final double scale;
  private final CompensatedSums powers = new CompensatedSums(3);
  private long count;
  private boolean undefined;

  /**
   * @param theta the estimate with all units
   * @param units how many there are
   */
  public JackknifeAcceleration(double theta, long units) {
    this.theta = theta;
    scale = units;
  }

  /** Adds the estimate without one of the units; NaN where it has no value. */
  public void add(double leftOut) {
    double distance = (theta - leftOut) * scale;
    count++;
    undefined |= Double.isNaN(distance);
    powers.add(0, distance);
    powers.add(1, distance * distance);
    powers.add(2, distance * distance * distance);
  }

  public void merge(JackknifeAcceleration other) {
    count += other.count;
    undefined |= other.undefined;
    powers.merge(other.powers);
  }

  /** How many values were added. */
  public long units() {
    return count;
  }

  /** 0 where leaving a unit out changes nothing, NaN where it once left no value. */
  public double value() {
    if (undefined) {
      return Double.NaN;
    }
    double mean = powers.get(0) / count;
    double squares = powers.get(1) - count * mean * mean;
    double cubes = powers.get(2) - 3 * mean * powers.get(1) + 2 * count * mean * mean * mean;
    return squares > 0 ? cubes / (6 * squares * Math.sqrt(squares)) : 0;
  }
}
