package io.bellwether.loadtest.evaluation.synthetic;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.slate.PlackettLuce;
import io.bellwether.evaluation.slate.PseudoInverseWeight;
import io.bellwether.evaluation.slate.SlateMoments;
import io.bellwether.evaluation.slate.SlotMarginals;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Slates ranked by Plackett and Luce's law, with the scores by which both policies rank. The arrays
 * are not copied; slates that share their score arrays are cheap.
 *
 * @param loggingScores {@code [slate][item]}
 * @param targetScores as {@code loggingScores}
 * @param items shown, {@code [slate][position]}
 * @param clicks {@code [slate][position]}
 * @param toGo a model's value of this position and all later ones under the target policy, {@code
 *     [slate][position][item]}
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record Slates(
    double[][] loggingScores,
    double[][] targetScores,
    int[][] items,
    double[][] clicks,
    double[][][] toGo) {
  public static final String CLICK = "click";

  /** How a policy ranks one slate. */
  public interface Law {
    PlackettLuce of(int slate);
  }

  /** A number by slate and position. */
  public interface OfRow {
    double at(int slate, int position);
  }

  public int size() {
    return items.length;
  }

  public int positions() {
    return items[0].length;
  }

  public PlackettLuce loggingLaw(int slate) {
    return new PlackettLuce(loggingScores[slate], positions());
  }

  public PlackettLuce targetLaw(int slate) {
    return new PlackettLuce(targetScores[slate], positions());
  }

  /** One number per row, slate after slate. */
  public double[] ofRows(OfRow number) {
    double[] rows = new double[size() * positions()];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = number.at(row / positions(), row % positions());
    }
    return rows;
  }

  public double[] pseudoInverseWeights() {
    Map<double[], PseudoInverseWeight> known = new IdentityHashMap<>();
    double[] weights = new double[size()];
    for (int slate = 0; slate < weights.length; slate++) {
      int each = slate;
      weights[slate] =
          known
              .computeIfAbsent(
                  loggingScores[slate],
                  scores ->
                      PseudoInverseWeight.of(
                              SlateMoments.of(loggingLaw(each)), SlateMoments.of(targetLaw(each)))
                          .orElseThrow())
              .of(items[slate]);
    }
    return weights;
  }

  /** Columns with a subject for each slate and all weights of slates. */
  public LoggedDecisions.Builder columns() {
    Map<double[], SlotMarginals> logging = new IdentityHashMap<>();
    Map<double[], SlotMarginals> target = new IdentityHashMap<>();
    int positions = positions();
    int rows = size() * positions;
    return cascade()
        .slotWeight(
            ofRows(
                (slate, at) ->
                    marginals(target, targetScores[slate]).chance(at, items[slate][at])
                        / marginals(logging, loggingScores[slate]).chance(at, items[slate][at])))
        .slateWeight(pseudoInverseWeights())
        .decisions(
            IntStream.range(0, rows).map(row -> row / positions).toArray(),
            IntStream.range(0, rows).map(row -> row % positions).toArray(),
            IntStream.range(0, rows).mapToLong(row -> row / positions).toArray());
  }

  private SlotMarginals marginals(Map<double[], SlotMarginals> known, double[] scores) {
    return known.computeIfAbsent(
        scores, each -> SlotMarginals.of(new PlackettLuce(each, positions())));
  }

  /** Chances given the positions before, and the model's values for the cascade. */
  private LoggedDecisions.Builder cascade() {
    int positions = positions();
    int rows = size() * positions;
    double[] logging = new double[rows];
    double[] target = new double[rows];
    double[] click = new double[rows];
    double[] prediction = new double[rows];
    double[] direct = new double[rows];
    for (int slate = 0; slate < size(); slate++) {
      boolean[] used = new boolean[loggingScores[slate].length];
      for (int at = 0; at < positions; at++) {
        int row = slate * positions + at;
        int item = items[slate][at];
        double[] wanted = choice(targetScores[slate], used);
        logging[row] = choice(loggingScores[slate], used)[item];
        target[row] = wanted[item];
        click[row] = clicks[slate][at];
        prediction[row] = toGo[slate][at][item];
        for (int each = 0; each < wanted.length; each++) {
          direct[row] += wanted[each] * toGo[slate][at][each];
        }
        used[item] = true;
      }
    }
    return LoggedDecisions.builder()
        .logging(logging)
        .target(target)
        .signal(CLICK, LoggedDecisions.Signal.modelled(click, prediction, direct));
  }

  /** Softmax over the items that are not used yet. */
  static double[] choice(double[] scores, boolean[] used) {
    double[] chance = new double[scores.length];
    double total = 0;
    for (int item = 0; item < scores.length; item++) {
      chance[item] = used[item] ? 0 : Math.exp(scores[item]);
      total += chance[item];
    }
    double sum = total;
    Arrays.setAll(chance, item -> chance[item] / sum);
    return chance;
  }
}
