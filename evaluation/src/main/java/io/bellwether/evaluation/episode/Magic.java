package io.bellwether.evaluation.episode;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.interval.Normal;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import java.util.Arrays;

/**
 * A signal's discounted value per episode as the blend of partial returns with the least estimated
 * squared error: weighted doubly robust up to a step, the model from there on.
 *
 * <p>Source: Thomas and Brunskill, "Data-Efficient Off-Policy Policy Evaluation for Reinforcement
 * Learning", 2016. Differences: the bias of a partial return is its distance to the 50 % normal
 * interval of the longest one; covariances are of sums by unit; of more than {@link #MOST_RETURNS}
 * returns, evenly spread ones are blended. The arrays are not copied.
 *
 * @param steps per return, the step up to which the log counts; -1 is the model alone
 * @param returns their values
 * @param covariance of the returns' means
 * @param bias estimated bias of each, 0 inside the interval
 * @param weights of each in the blend, at least 0, sum 1
 * @param meanSquaredError {@code xᵀ(Ω + bbᵀ)x}, estimated
 * @param influence the blend, with the weights held fixed and the bias that they leave
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record Magic(
    int[] steps,
    double[] returns,
    double[][] covariance,
    double[] bias,
    double[] weights,
    double meanSquaredError,
    EpisodeInfluence influence) {

  /*
   * Symbols as in EpisodeEstimator; T steps, j from -1 to T - 1, t(p) the step of a place.
   *
   *   g_j^i = Σ_{t(p) <= j} d_p (u_ip x_ip + u_{i,p-1} V̂_ip) + Σ_{t(p) = j+1} d_p u_{i,p-1} V̂_ip
   *   g_j   = mean_i g_j^i;  g_{-1} is the model's value, g_{T-1} weighted doubly robust
   *   Ω     = C/(C-1) / n² Σ_c (Σ_{i∈c} g^i - g)(Σ_{i∈c} g^i - g)ᵀ
   *   x     = argmin xᵀ(Ω + bbᵀ)x on the simplex;  value = xᵀg
   *   ψ_i   = Σ_j x_j ψ_j^i, ψ_j as for weighted doubly robust
   */

  /** Blending more costs the square of their number per episode and changes nothing one reads. */
  static final int MOST_RETURNS = 64;

  /** Half the width of a normal distribution's middle half, in standard deviations. */
  private static final double MIDDLE_HALF = Normal.quantile(0.75);

  /**
   * The blend for a signal.
   *
   * @throws IllegalArgumentException when there are no episodes or no model
   */
  public static Magic of(EpisodeSteps steps, StepSignal signal) {
    if (steps.episodes() == 0 || !signal.hasModel()) {
      throw new IllegalArgumentException("magic needs episodes and a model");
    }
    int[] horizons = horizons(steps.steps());
    Blend blend = new Blend(steps, signal, horizons);
    double[] returns = blend.means();
    double[][] covariance = blend.covariance(returns);
    double[] bias = bias(returns, covariance);
    double[][] error = new double[returns.length][returns.length];
    for (int j = 0; j < returns.length; j++) {
      for (int k = 0; k < returns.length; k++) {
        error[j][k] = covariance[j][k] + bias[j] * bias[k];
      }
    }
    double[] weights = SimplexQuadratic.minimise(error);
    double squared = 0;
    double off = 0;
    CompensatedSums value = new CompensatedSums(1);
    for (int j = 0; j < weights.length; j++) {
      value.add(0, weights[j] * returns[j]);
      off += weights[j] * bias[j];
      for (int k = 0; k < weights.length; k++) {
        squared += weights[j] * error[j][k] * weights[k];
      }
    }
    EpisodeInfluence influence = new EpisodeInfluence(value.get(0), off, blend.influences(weights));
    return new Magic(horizons, returns, covariance, bias, weights, Math.max(0, squared), influence);
  }

  public double value() {
    return influence.value();
  }

  /** -1 and T - 1, and what lies between them evenly. */
  private static int[] horizons(int steps) {
    int count = Math.min(steps + 1, MOST_RETURNS);
    int[] horizons = new int[count];
    for (int j = 0; j < count; j++) {
      horizons[j] = (int) ((long) j * steps / (count - 1)) - 1;
    }
    return horizons;
  }

  private static double[] bias(double[] returns, double[][] covariance) {
    int last = returns.length - 1;
    double half = MIDDLE_HALF * Math.sqrt(covariance[last][last]);
    double[] bias = new double[returns.length];
    for (int j = 0; j < last; j++) {
      double distance = returns[j] - returns[last];
      bias[j] = distance > half ? distance - half : distance < -half ? distance + half : 0;
    }
    return bias;
  }

  /** The episodes' parts of every return. Confined to one thread. */
  private static final class Blend {
    private final EpisodeSteps steps;
    private final StepSignal signal;
    private final int[] horizons;
    private final EpisodeSteps.Reader reader;
    private final double[] parts;

    Blend(EpisodeSteps steps, StepSignal signal, int[] horizons) {
      this.steps = steps;
      this.signal = signal;
      this.horizons = horizons;
      this.reader = steps.reader();
      this.parts = new double[horizons.length];
    }

    double[] means() {
      CompensatedSums sums = new CompensatedSums(horizons.length);
      for (int episode = 0; episode < steps.episodes(); episode++) {
        read(episode);
        for (int j = 0; j < parts.length; j++) {
          sums.add(j, parts[j]);
        }
      }
      double[] means = new double[horizons.length];
      for (int j = 0; j < means.length; j++) {
        means[j] = sums.get(j) / steps.episodes();
      }
      return means;
    }

    double[][] covariance(double[] means) {
      int count = means.length;
      UnitIndex units = steps.units();
      int[] ordered = byUnit(units);
      CompensatedSums sums = new CompensatedSums(count * count);
      double[] ofUnit = new double[count];
      for (int at = 0; at < ordered.length; at++) {
        read(ordered[at]);
        for (int j = 0; j < count; j++) {
          ofUnit[j] += parts[j] - means[j];
        }
        boolean last = at + 1 == ordered.length;
        if (last || units.unitOf(ordered[at + 1]) != units.unitOf(ordered[at])) {
          for (int j = 0; j < count; j++) {
            for (int k = 0; k <= j; k++) {
              sums.add(j * count + k, ofUnit[j] * ofUnit[k]);
            }
          }
          Arrays.fill(ofUnit, 0);
        }
      }
      double n = steps.episodes();
      double c = Math.max(2, units.count());
      double[][] covariance = new double[count][count];
      for (int j = 0; j < count; j++) {
        for (int k = 0; k <= j; k++) {
          covariance[j][k] = c / (c - 1) * sums.get(j * count + k) / n / n;
          covariance[k][j] = covariance[j][k];
        }
      }
      return covariance;
    }

    private static int[] byUnit(UnitIndex units) {
      int[] from = new int[units.count() + 1];
      for (int episode = 0; episode < units.decisions(); episode++) {
        from[units.unitOf(episode) + 1]++;
      }
      for (int unit = 0; unit < units.count(); unit++) {
        from[unit + 1] += from[unit];
      }
      int[] ordered = new int[units.decisions()];
      for (int episode = 0; episode < ordered.length; episode++) {
        ordered[from[units.unitOf(episode)]++] = episode;
      }
      return ordered;
    }

    /** Sets each return's part of one episode. */
    private void read(int episode) {
      reader.read(episode, signal);
      double before = 1;
      double logged = 0;
      int place = 0;
      int j = 0;
      for (int step = 0; j < horizons.length; step++) {
        double weight = before;
        double ofStep = 0;
        double onlyModel = 0;
        for (int position = 0; position < steps.positions(); position++, place++) {
          double discount = steps.discount(place);
          double expected = discount * weight * reader.direct(place);
          weight = reader.relative(place);
          ofStep +=
              expected + discount * weight * (reader.reward(place) - reader.prediction(place));
          onlyModel += expected;
        }
        if (horizons[j] == step - 1) {
          parts[j++] = logged + onlyModel;
        }
        logged += ofStep;
        before = weight;
      }
    }

    /** ψ of the blend: linear in each place's terms, so one pass suffices. */
    double[] influences(double[] weights) {
      double[] unexplainedShare = new double[steps.places()];
      double[] expectedShare = new double[steps.places()];
      shares(weights, unexplainedShare, expectedShare);
      CompensatedSums sums = new CompensatedSums(2 * steps.places());
      for (int episode = 0; episode < steps.episodes(); episode++) {
        reader.read(episode, signal);
        double before = 1;
        for (int place = 0; place < steps.places(); place++) {
          double weight = reader.relative(place);
          sums.add(2 * place, weight * (reader.reward(place) - reader.prediction(place)));
          sums.add(2 * place + 1, before * reader.direct(place));
          before = weight;
        }
      }
      double n = steps.episodes();
      double[] rows = new double[steps.episodes()];
      for (int episode = 0; episode < rows.length; episode++) {
        reader.read(episode, signal);
        double before = 1;
        for (int place = 0; place < steps.places(); place++) {
          double weight = reader.relative(place);
          double unexplained = reader.reward(place) - reader.prediction(place);
          rows[episode] +=
              unexplainedShare[place] * weight * (unexplained - sums.get(2 * place) / n)
                  + expectedShare[place]
                      * before
                      * (reader.direct(place) - sums.get(2 * place + 1) / n);
          before = weight;
        }
      }
      return rows;
    }

    /** The discount of each place times the weight of the returns that hold it. */
    private void shares(double[] weights, double[] unexplained, double[] expected) {
      for (int place = 0; place < steps.places(); place++) {
        int step = place / steps.positions();
        for (int j = 0; j < weights.length; j++) {
          if (horizons[j] >= step) {
            unexplained[place] += weights[j] * steps.discount(place);
          }
          if (horizons[j] >= step - 1) {
            expected[place] += weights[j] * steps.discount(place);
          }
        }
      }
    }
  }
}
