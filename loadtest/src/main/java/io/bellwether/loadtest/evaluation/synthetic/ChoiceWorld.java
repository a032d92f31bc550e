package io.bellwether.loadtest.evaluation.synthetic;

import java.util.Arrays;

/**
 * Subjects of a few kinds who choose to react to one of a few items, each with a known chance. The
 * arrays are not copied.
 *
 * <p>Where a subject decides more than once, all decisions are of one kind and of one temper: half
 * of the subjects react {@value #KEEN} times as often as their kind, half {@value #RELUCTANT}
 * times, which leaves every value as it is and makes their decisions alike.
 *
 * @param kinds shares of the kinds
 * @param chance of a reaction, {@code [kind][item]}
 * @param logging the logging policy's chances, {@code [kind][item]}
 * @param target as {@code logging}
 * @param model what a reward model takes the chance of a reaction for
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record ChoiceWorld(
    double[] kinds, double[][] chance, double[][] logging, double[][] target, double[][] model) {
  private static final double KEEN = 1.8;
  private static final double RELUCTANT = 0.2;

  /** Six kinds, four items, and a target policy with weights of up to 7.9. */
  public static ChoiceWorld standard() {
    WorldFile file = WorldFile.read("choice-world.json");
    return new ChoiceWorld(
        file.vector("contexts"),
        file.matrix("chance"),
        file.matrix("logging"),
        file.matrix("target"),
        file.matrix("model"));
  }

  public int items() {
    return chance[0].length;
  }

  /** The target policy's value: its mean chance of a reaction. */
  public double targetValue() {
    return value(target);
  }

  public double loggingValue() {
    return value(logging);
  }

  /** The value of any policy. */
  public double value(double[][] policy) {
    double value = 0;
    for (int kind = 0; kind < kinds.length; kind++) {
      for (int item = 0; item < items(); item++) {
        value += kinds[kind] * policy[kind][item] * chance[kind][item];
      }
    }
    return value;
  }

  /** Same chances, other policy. */
  public ChoiceWorld withTarget(double[][] policy) {
    return new ChoiceWorld(kinds, chance, logging, policy, model);
  }

  /** Same chances, other logging policy. */
  public ChoiceWorld withLogging(double[][] policy) {
    return new ChoiceWorld(kinds, chance, policy, target, model);
  }

  /** Same world, other reward model. */
  public ChoiceWorld withModel(double[][] other) {
    return new ChoiceWorld(kinds, chance, logging, target, other);
  }

  /** The two policies mixed: {@code share} of the target, the rest of the logging policy. */
  public double[][] mixed(double share) {
    double[][] mixed = new double[kinds.length][items()];
    for (int kind = 0; kind < kinds.length; kind++) {
      for (int item = 0; item < items(); item++) {
        mixed[kind][item] = share * target[kind][item] + (1 - share) * logging[kind][item];
      }
    }
    return mixed;
  }

  /** The logging policy with {@code share} of its decisions given to what is liked least. */
  public double[][] worsened(double share) {
    double[][] worse = new double[kinds.length][items()];
    for (int kind = 0; kind < kinds.length; kind++) {
      int worst = leastLiked(kind);
      for (int item = 0; item < items(); item++) {
        worse[kind][item] = (1 - share) * logging[kind][item] + (item == worst ? share : 0);
      }
    }
    return worse;
  }

  /** The item that subjects of a kind react to most rarely. */
  public int leastLiked(int kind) {
    int worst = 0;
    for (int item = 1; item < items(); item++) {
      worst = chance[kind][item] < chance[kind][worst] ? item : worst;
    }
    return worst;
  }

  /** A world where items of one cluster are alike, in truth and to the model. */
  public ChoiceWorld clustered(int[] clusterOfItem) {
    return new ChoiceWorld(
        kinds, alike(chance, clusterOfItem), logging, target, alike(model, clusterOfItem));
  }

  private static double[][] alike(double[][] numbers, int[] clusterOfItem) {
    return Arrays.stream(numbers).map(row -> alike(row, clusterOfItem)).toArray(double[][]::new);
  }

  private static double[] alike(double[] row, int[] clusterOfItem) {
    double[] means = new double[row.length];
    for (int item = 0; item < row.length; item++) {
      double sum = 0;
      int count = 0;
      for (int other = 0; other < row.length; other++) {
        if (clusterOfItem[other] == clusterOfItem[item]) {
          sum += row[other];
          count++;
        }
      }
      means[item] = sum / count;
    }
    return means;
  }

  /** A log of subjects with so many decisions each, subject after subject. */
  public Choices draw(int subjects, int decisionsEach, long seed) {
    int rows = subjects * decisionsEach;
    Choices log =
        new Choices(
            new int[rows],
            new double[rows],
            new double[rows][],
            new double[rows][],
            new double[rows][]);
    Draws draws = new Draws(seed);
    for (int subject = 0; subject < subjects; subject++) {
      int kind = draws.index(kinds);
      double temper = decisionsEach == 1 ? 1 : draws.isHeads() ? KEEN : RELUCTANT;
      for (int at = 0; at < decisionsEach; at++) {
        int row = subject * decisionsEach + at;
        int item = draws.index(logging[kind]);
        log.item()[row] = item;
        log.reward()[row] = draws.flag(temper * chance[kind][item]);
        log.logging()[row] = logging[kind];
        log.target()[row] = target[kind];
        log.prediction()[row] = model[kind];
      }
    }
    return log;
  }
}
