package io.bellwether.evaluation.distribution;

import io.bellwether.evaluation.CompensatedSums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The doubly robust distribution function: F(y) is the mean over decisions of g + w·(1{r ≤ y} − q),
 * with a model's chances q of what was shown and g of what the target would show. Unbiased where
 * the weights or the model are right. Immutable.
 *
 * <p>As an estimate F need be neither monotone nor within [0, 1]; its values are put in ascending
 * order and cut, which only brings them closer to the truth (Chernozhukov et al., "Improving Point
 * and Interval Estimators of Monotone Functions by Rearrangement", 2009). Standard errors are those
 * of F before that, robust against several decisions of one unit.
 */
public final class DoublyRobustCdf {
  private static final double ROUNDING = 1e-12;

  private final List<CdfPoint> points;

  private DoublyRobustCdf(List<CdfPoint> points) {
    this.points = List.copyOf(points);
  }

  /**
   * F at some amounts, ascending, in two passes that ask the model for each; empty if there are
   * below two units.
   */
  public static Optional<DoublyRobustCdf> of(
      WeightedValues values, CdfModel model, double... amounts) {
    Means means = new Means(model, amounts);
    values.forEach((decision, unit, weight, value) -> means.add(decision, weight, value));
    if (means.decisions == 0) {
      return Optional.empty();
    }
    Errors errors = new Errors(model, amounts, means.result());
    values.forEach(errors::add);
    errors.closeUnit();
    return errors.units < 2 ? Optional.empty() : Optional.of(errors.rearranged(means));
  }

  /** By amount, ascending in both. */
  public List<CdfPoint> points() {
    return points;
  }

  /** The smallest of the amounts with F at least {@code probability}; empty if none reaches it. */
  public Optional<CdfPoint> quantile(double probability) {
    return points.stream()
        .filter(point -> point.probability() >= probability - ROUNDING)
        .findFirst();
  }

  private static double term(
      CdfModel model, int decision, double weight, double value, double amount) {
    double observed = value <= amount ? 1 : 0;
    return model.expected(decision, amount) + weight * (observed - model.shown(decision, amount));
  }

  private static final class Means {
    private final CdfModel model;
    private final double[] amounts;
    private final CompensatedSums sums;
    private long decisions;

    Means(CdfModel model, double[] amounts) {
      this.model = model;
      this.amounts = amounts;
      sums = new CompensatedSums(amounts.length);
    }

    void add(int decision, double weight, double value) {
      decisions++;
      for (int at = 0; at < amounts.length; at++) {
        sums.add(at, term(model, decision, weight, value, amounts[at]));
      }
    }

    double[] result() {
      double[] means = new double[amounts.length];
      Arrays.setAll(means, at -> sums.get(at) / decisions);
      return means;
    }
  }

  private static final class Errors {
    private final CdfModel model;
    private final double[] amounts;
    private final double[] means;
    private final double[] ofUnit;
    private final CompensatedSums squares;
    private long unit;
    private long units;
    private boolean open;

    Errors(CdfModel model, double[] amounts, double[] means) {
      this.model = model;
      this.amounts = amounts;
      this.means = means;
      ofUnit = new double[amounts.length];
      squares = new CompensatedSums(amounts.length);
    }

    void add(int decision, long unit, double weight, double value) {
      if (open && unit != this.unit) {
        closeUnit();
      }
      open = true;
      this.unit = unit;
      for (int at = 0; at < amounts.length; at++) {
        ofUnit[at] += term(model, decision, weight, value, amounts[at]) - means[at];
      }
    }

    void closeUnit() {
      units++;
      for (int at = 0; at < amounts.length; at++) {
        squares.add(at, ofUnit[at] * ofUnit[at]);
        ofUnit[at] = 0;
      }
    }

    DoublyRobustCdf rearranged(Means all) {
      double[] ascending = means.clone();
      Arrays.sort(ascending);
      List<CdfPoint> points = new ArrayList<>(amounts.length);
      for (int at = 0; at < amounts.length; at++) {
        double error = Math.sqrt(units / (units - 1.0) * squares.get(at)) / all.decisions;
        points.add(new CdfPoint(amounts[at], Math.max(0, Math.min(1, ascending[at])), error));
      }
      return new DoublyRobustCdf(points);
    }
  }
}
