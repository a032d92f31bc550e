package io.bellwether.evaluation.distribution;

import io.bellwether.evaluation.interval.ChiSquare;
import io.bellwether.evaluation.offpolicy.Estimate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A signal's values in the segments of one dimension, which was declared beforehand.
 *
 * @param dimension for instance {@code country}
 * @param groups the {@value #MOST} with the most decisions at most, those first
 * @param leftOut how many segments are not shown
 */
public record Subgroups(String dimension, List<Subgroup> groups, int leftOut) {
  public static final int MOST = 20;

  /**
   * Whether values differ by more than chance: Q = Σ(V_g − V̄)²/SE_g² against χ², with V̄ weighted
   * by 1/SE². For segments with independent units; positions of one slate are not, and then it errs
   * either way.
   *
   * @param groups how many segments had a value with a standard error above 0
   */
  public record Heterogeneity(double q, int groups, double pooled, double pValue) {}

  public Subgroups {
    groups = List.copyOf(groups);
  }

  /** Keeps the largest. */
  public static Subgroups of(String dimension, List<Subgroup> all) {
    List<Subgroup> largest =
        all.stream()
            .sorted(
                Comparator.comparingLong((Subgroup each) -> -each.decisions())
                    .thenComparing(Subgroup::label))
            .limit(MOST)
            .toList();
    return new Subgroups(dimension, largest, all.size() - largest.size());
  }

  /** Empty if below two segments can be compared. */
  public Optional<Heterogeneity> heterogeneity() {
    List<Estimate.Estimated> values =
        groups.stream()
            .map(Subgroup::estimate)
            .filter(Estimate.Estimated.class::isInstance)
            .map(Estimate.Estimated.class::cast)
            .filter(each -> each.standardError() > 0)
            .toList();
    if (values.size() < 2) {
      return Optional.empty();
    }
    double precision = values.stream().mapToDouble(Subgroups::precision).sum();
    double pooled =
        values.stream().mapToDouble(each -> precision(each) * each.value()).sum() / precision;
    double q =
        values.stream()
            .mapToDouble(
                each -> precision(each) * (each.value() - pooled) * (each.value() - pooled))
            .sum();
    return Optional.of(
        new Heterogeneity(q, values.size(), pooled, ChiSquare.survival(q, values.size() - 1)));
  }

  private static double precision(Estimate.Estimated estimate) {
    return 1 / (estimate.standardError() * estimate.standardError());
  }
}
