package io.bellwether.evaluation.distribution;

import io.bellwether.evaluation.Golden;
import java.util.Arrays;

/** Undiscounted returns of the golden episodes, with the weights of their whole trajectories. */
final class EpisodeReturns {
  private EpisodeReturns() {}

  static WeightedValues read() {
    Golden.Table csv = Golden.csv("episode_synthetic.csv");
    double[] episode = csv.column("episode");
    int count = (int) episode[episode.length - 1] + 1;
    double[] weight = new double[count];
    double[] total = new double[count];
    Arrays.fill(weight, 1);
    for (int step = 0; step < episode.length; step++) {
      int number = (int) episode[step];
      double target = csv.column("pi_e_" + (int) csv.column("action")[step])[step];
      weight[number] *= target / csv.column("propensity")[step];
      total[number] += csv.column("reward")[step];
    }
    return WeightedValues.of(weight, total);
  }
}
