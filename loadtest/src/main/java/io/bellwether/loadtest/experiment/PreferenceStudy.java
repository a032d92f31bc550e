package io.bellwether.loadtest.experiment;

import io.bellwether.evaluation.experiment.SignTest;
import io.bellwether.evaluation.experiment.TeamDraft;
import io.bellwether.policy.scoring.CounterRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Whether interleaving two rankings credits none of two that are alike, and the better one of two
 * that are not, and with how many people. People click each shown item with a chance of its own,
 * wherever it stands. Immutable.
 *
 * @param experiments how many
 * @param people each sees one slate
 */
record PreferenceStudy(int experiments, int people, long seed) {
  private static final int ITEMS = 12;
  private static final int SLATE = 6;
  private static final double ALPHA = 0.05;

  /** Tags of {@link CounterRandom}. */
  private static final int WORTH = 97;

  private static final int FIRST = 98;
  private static final int SECOND = 99;
  private static final int COINS = 100;
  private static final int CLICK = 101;

  /**
   * What was seen.
   *
   * @param nullRate how often two rankings of equal worth were told apart
   * @param foundRate how often the better of two was preferred, and shown to be
   */
  record Outcome(double nullRate, double foundRate) {}

  Outcome run() {
    return new Outcome(rate(1, 1), rate(0.2, 1));
  }

  /**
   * @param firstNoise how badly the first ranking knows the items' worth
   */
  private double rate(double firstNoise, double secondNoise) {
    long shown =
        IntStream.range(0, experiments)
            .parallel()
            .filter(experiment -> isPreferred(experiment, firstNoise, secondNoise))
            .count();
    return (double) shown / experiments;
  }

  private boolean isPreferred(int experiment, double firstNoise, double secondNoise) {
    long wins = 0;
    long losses = 0;
    long ties = 0;
    for (int person = 0; person < people; person++) {
      int credit = credit(experiment, person, firstNoise, secondNoise);
      wins += credit > 0 ? 1 : 0;
      losses += credit < 0 ? 1 : 0;
      ties += credit == 0 ? 1 : 0;
    }
    SignTest test = new SignTest(wins, losses, ties);
    return test.pValue().orElse(1) < ALPHA && (firstNoise == secondNoise || wins > losses);
  }

  /** Clicks on the first ranking's items minus those on the second's. */
  private int credit(int experiment, int person, double firstNoise, double secondNoise) {
    double[] worth = draws(WORTH, experiment, person);
    int[] first = ranking(worth, draws(FIRST, experiment, person), firstNoise);
    int[] second = ranking(worth, draws(SECOND, experiment, person), secondNoise);
    long coins = (long) (CounterRandom.uniform(seed, COINS, experiment, person, 0) * (1L << 32));
    TeamDraft.Draft draft = new TeamDraft(first, second, SLATE).draft(coins);
    int credit = 0;
    for (int position = 0; position < draft.items().length; position++) {
      int item = draft.items()[position];
      double chance = 1 / (1 + Math.exp(2 - worth[item]));
      if (CounterRandom.uniform(seed, CLICK, experiment, person, item) < chance) {
        credit += draft.teams()[position] == 0 ? 1 : -1;
      }
    }
    return credit;
  }

  private double[] draws(int tag, int experiment, int person) {
    double[] draws = new double[ITEMS];
    for (int item = 0; item < ITEMS; item++) {
      draws[item] = CounterRandom.normal(seed, tag, experiment, person, item);
    }
    return draws;
  }

  private static int[] ranking(double[] worth, double[] errors, double noise) {
    Integer[] items = new Integer[ITEMS];
    Arrays.setAll(items, item -> item);
    Arrays.sort(items, Comparator.comparingDouble(item -> -(worth[item] + noise * errors[item])));
    return Arrays.stream(items).mapToInt(Integer::intValue).toArray();
  }
}
