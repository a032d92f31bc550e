package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.Normal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How a bandit experiment splits its traffic in the next phase: each variant gets a floor, and what
 * is left goes by the chance of being the best (Thompson sampling, with the chances computed and
 * not drawn). Immutable.
 *
 * @param floor basis points of traffic that no variant falls below, so that all can still be
 *     compared
 */
public record Allocation(int floor) {
  /** Basis points in all. */
  public static final int ALL = 10_000;

  /** In standard deviations of each variant: an integrand is smooth between such points. */
  private static final double[] EDGES = {-9, -6, -3, -1.5, 0, 1.5, 3, 6, 9};

  public Allocation {
    if (floor < 0 || floor > ALL / 2) {
      throw new IllegalArgumentException(
          "a floor lies between 0 and %d basis points, found %d".formatted(ALL / 2, floor));
    }
  }

  /**
   * Basis points by variant, {@link #ALL} in all.
   *
   * @param variants what is believed about each variant's value; larger is better
   */
  public int[] shares(List<NormalPosterior> variants) {
    int open = ALL - floor * variants.size();
    if (open < 0) {
      throw new IllegalArgumentException(
          "%d variants of at least %d basis points".formatted(variants.size(), floor));
    }
    double[] chances = chancesToBeBest(variants);
    int[] shares = new int[chances.length];
    double[] lost = new double[chances.length];
    int given = 0;
    for (int variant = 0; variant < chances.length; variant++) {
      double exact = chances[variant] * open;
      int whole = (int) exact;
      shares[variant] = floor + whole;
      lost[variant] = exact - whole;
      given += whole;
    }
    IntStream.range(0, chances.length)
        .boxed()
        .sorted(Comparator.comparingDouble(variant -> -lost[variant]))
        .limit(open - given)
        .forEach(variant -> shares[variant]++);
    return shares;
  }

  /** The chance of each to be above all others, 1 in all: ∫ fᵢ(x) Πⱼ Fⱼ(x) dx over the others j. */
  public static double[] chancesToBeBest(List<NormalPosterior> variants) {
    if (variants.isEmpty()) {
      throw new IllegalArgumentException("no variants");
    }
    double[] chances = new double[variants.size()];
    for (int variant = 0; variant < chances.length; variant++) {
      chances[variant] = chanceToBeBest(variants, variant);
    }
    double total = Arrays.stream(chances).sum();
    for (int variant = 0; variant < chances.length; variant++) {
      chances[variant] /= total;
    }
    return chances;
  }

  private static double chanceToBeBest(List<NormalPosterior> variants, int variant) {
    NormalPosterior own = variants.get(variant);
    return Quadrature.panels(edges(variants, own))
        .integral(
            x -> {
              double z = (x - own.mean()) / own.standardDeviation();
              double product = Math.exp(-z * z / 2);
              for (int other = 0; other < variants.size() && product > 0; other++) {
                product *= other == variant ? 1 : below(variants.get(other), x);
              }
              return product / (own.standardDeviation() * Math.sqrt(2 * Math.PI));
            });
  }

  private static double below(NormalPosterior posterior, double x) {
    return Normal.cumulative((x - posterior.mean()) / posterior.standardDeviation());
  }

  /** Where the own density matters, with the points at which another's function bends. */
  private static double[] edges(List<NormalPosterior> variants, NormalPosterior own) {
    double reach = EDGES[EDGES.length - 1] * own.standardDeviation();
    List<Double> edges = new ArrayList<>();
    for (NormalPosterior posterior : variants) {
      for (double edge : EDGES) {
        edges.add(posterior.mean() + edge * posterior.standardDeviation());
      }
    }
    return edges.stream()
        .mapToDouble(Double::doubleValue)
        .filter(edge -> Math.abs(edge - own.mean()) <= reach * (1 + 1e-9))
        .sorted()
        .distinct()
        .toArray();
  }
}
