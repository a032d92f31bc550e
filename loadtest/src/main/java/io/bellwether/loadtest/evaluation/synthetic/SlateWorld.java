package io.bellwether.loadtest.evaluation.synthetic;

import io.bellwether.evaluation.slate.PlackettLuce;
import java.util.Arrays;

/**
 * Subjects of a few kinds who read slates from the top: whether they click on an item depends on
 * the items above it and on nothing below (a cascade). Every value is known by enumeration.
 *
 * <p>An item is clicked with its attraction, less {@value #WEARINESS} of it for each more
 * attractive item above.
 *
 * @param attraction {@code [kind][item]}, kinds are equally frequent
 * @param loggingScores of Plackett and Luce's law, as {@code attraction}
 * @param targetScores as {@code loggingScores}
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record SlateWorld(
    double[][] attraction, double[][] loggingScores, double[][] targetScores, int positions) {
  private static final double WEARINESS = 0.3;

  /** How well the model knows the values: this share of them. */
  private static final double MODEL = 0.8;

  /** Three kinds, five items, three positions. */
  public static SlateWorld standard() {
    return new SlateWorld(
        new double[][] {
          {0.5, 0.4, 0.3, 0.2, 0.1}, {0.1, 0.5, 0.2, 0.4, 0.3}, {0.3, 0.1, 0.4, 0.2, 0.5}
        },
        new double[][] {
          {0.0, 0.3, 0.1, 0.4, 0.2}, {0.4, 0.0, 0.2, 0.1, 0.3}, {0.1, 0.3, 0.0, 0.4, 0.2}
        },
        new double[][] {
          {0.9, 0.6, 0.2, 0.1, 0.0}, {0.0, 0.9, 0.1, 0.6, 0.3}, {0.3, 0.0, 0.7, 0.2, 0.9}
        },
        3);
  }

  /** Expected clicks per slate under the target policy. */
  public double targetValue() {
    double value = 0;
    for (int kind = 0; kind < attraction.length; kind++) {
      int of = kind;
      double[] sum = new double[1];
      new PlackettLuce(targetScores[kind], positions)
          .forEach((slate, probability) -> sum[0] += probability * clicks(of, slate));
      value += sum[0] / attraction.length;
    }
    return value;
  }

  private double clicks(int kind, int[] slate) {
    double clicks = 0;
    for (int at = 0; at < positions; at++) {
      clicks += chance(kind, slate, at);
    }
    return clicks;
  }

  private double chance(int kind, int[] slate, int at) {
    double own = attraction[kind][slate[at]];
    double chance = own;
    for (int above = 0; above < at; above++) {
      chance *= attraction[kind][slate[above]] > own ? 1 - WEARINESS : 1;
    }
    return chance;
  }

  /** A log of slates, a subject each. */
  public Slates draw(int slates, long seed) {
    Draws draws = new Draws(seed);
    double[][] logging = new double[slates][];
    double[][] target = new double[slates][];
    int[][] items = new int[slates][];
    double[][] clicks = new double[slates][positions];
    double[][][] toGo = new double[slates][][];
    double[][][] ofKind = new double[attraction.length][][];
    Arrays.setAll(ofKind, this::toGo);
    for (int slate = 0; slate < slates; slate++) {
      int kind = (int) draws.below(attraction.length);
      logging[slate] = loggingScores[kind];
      target[slate] = targetScores[kind];
      items[slate] = ranked(loggingScores[kind], draws);
      for (int at = 0; at < positions; at++) {
        clicks[slate][at] = draws.flag(chance(kind, items[slate], at));
      }
      toGo[slate] = ofKind[kind];
    }
    return new Slates(logging, target, items, clicks, toGo);
  }

  private int[] ranked(double[] scores, Draws draws) {
    boolean[] used = new boolean[scores.length];
    int[] slate = new int[positions];
    for (int at = 0; at < positions; at++) {
      slate[at] = draws.index(Slates.choice(scores, used));
      used[slate[at]] = true;
    }
    return slate;
  }

  /** A model that looks at the item and its position only, which is not all that there is. */
  private double[][] toGo(int kind) {
    double mean = Arrays.stream(attraction[kind]).average().orElse(0);
    double[][] values = new double[positions][attraction[kind].length];
    for (int at = 0; at < positions; at++) {
      for (int item = 0; item < values[at].length; item++) {
        values[at][item] = MODEL * (attraction[kind][item] + (positions - 1 - at) * mean);
      }
    }
    return values;
  }
}
