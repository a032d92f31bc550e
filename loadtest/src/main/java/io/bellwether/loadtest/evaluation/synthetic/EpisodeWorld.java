package io.bellwether.loadtest.evaluation.synthetic;

/**
 * A process with known chances of the next state and of a reward, run for a fixed number of steps.
 * The arrays are not copied.
 *
 * @param start chances of the first state
 * @param transition {@code [state][action][next]}
 * @param reward chance of a reward of 1, {@code [state][action]}
 * @param logging chances {@code [state][action]}
 * @param target as {@code logging}
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
public record EpisodeWorld(
    int length,
    double discount,
    double[] start,
    double[][][] transition,
    double[][] reward,
    double[][] logging,
    double[][] target) {

  /** How well the model knows the values: this share of them. */
  private static final double MODEL = 0.8;

  /** Four states, two actions, six steps. */
  public static EpisodeWorld standard() {
    WorldFile file = WorldFile.read("episode-world.json");
    return new EpisodeWorld(
        (int) file.number("length"),
        file.number("discount"),
        file.vector("start"),
        file.cube("transition"),
        file.matrix("reward"),
        file.matrix("logging"),
        file.matrix("target"));
  }

  /** The target policy's discounted value per episode. */
  public double targetValue() {
    double[][] first = values()[0];
    double value = 0;
    for (int state = 0; state < start.length; state++) {
      value += start[state] * mean(target[state], first[state]);
    }
    return value;
  }

  /** Of the target policy from a step on, {@code [step][state][action]}. */
  private double[][][] values() {
    double[][][] values = new double[length][start.length][target[0].length];
    for (int step = length - 1; step >= 0; step--) {
      for (int state = 0; state < start.length; state++) {
        for (int action = 0; action < target[state].length; action++) {
          values[step][state][action] = reward[state][action];
          for (int next = 0; next < start.length && step + 1 < length; next++) {
            values[step][state][action] +=
                discount
                    * transition[state][action][next]
                    * mean(target[next], values[step + 1][next]);
          }
        }
      }
    }
    return values;
  }

  private static double mean(double[] chances, double[] values) {
    double mean = 0;
    for (int at = 0; at < chances.length; at++) {
      mean += chances[at] * values[at];
    }
    return mean;
  }

  /** A log of episodes, a subject each, with a model that knows part of the values. */
  public Episodes draw(int episodes, long seed) {
    int rows = episodes * length;
    double[][][] model = values();
    for (double[][] ofStep : model) {
      for (double[] ofState : ofStep) {
        for (int action = 0; action < ofState.length; action++) {
          ofState[action] *= MODEL;
        }
      }
    }
    Episodes log =
        new Episodes(
            episodes,
            length,
            new int[rows],
            new int[rows],
            new double[rows],
            new double[rows],
            new double[rows][],
            new double[rows][],
            discount);
    Draws draws = new Draws(seed);
    for (int episode = 0; episode < episodes; episode++) {
      int state = draws.index(start);
      for (int step = 0; step < length; step++) {
        int row = episode * length + step;
        int action = draws.index(logging[state]);
        log.state()[row] = state;
        log.action()[row] = action;
        log.reward()[row] = draws.flag(reward[state][action]);
        log.propensity()[row] = logging[state][action];
        log.target()[row] = target[state];
        log.values()[row] = model[step][state];
        state = draws.index(transition[state][action]);
      }
    }
    return log;
  }
}
