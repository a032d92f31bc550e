package io.bellwether.loadtest.learning;

import static io.bellwether.loadtest.result.Page.words;

import io.bellwether.loadtest.learning.bsim.CellResult.Measured;
import io.bellwether.loadtest.learning.bsim.Ratios;
import io.bellwether.loadtest.learning.bsim.SimulatedFeatures;
import io.bellwether.loadtest.learning.bsim.SimulatedTask;
import io.bellwether.loadtest.learning.online.OnlineCurve;
import io.bellwether.loadtest.learning.statistics.Runs;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What algorithms have to show on the simulated tasks, A1 to A9 of the benchmark's specification.
 * Numbers are interquartile means over all runs. A part of the runs tells nothing for sure, and its
 * rows say how many there were.
 */
final class Acceptance {
  private static final String CLONING = "behaviour-cloning";
  private static final String UNCONSTRAINED = "actor-critic";
  static final String TWO_STAGE = "two-stage";
  static final String PID = "pid";
  static final String SINGLE_CRITIC = "rcpo";
  private static final List<String> SIZES = List.of("1.5", "0.7", "0.35");
  private static final String RISK_AVERSE = "risk-averse";
  private static final String MIXTURE = "mixture";
  private static final String PRUNED = "two-stage-pruned";
  private static final List<String> VALUE_LEARNERS = List.of("iql", "crr", "bcq", "cql");

  private static final double WATCH_OF_CONTROL = 1.85;
  private static final double BROKEN_BY_CONTROL = 0.90;
  private static final int BROKEN_SIGNALS = 3;
  private static final double WATCH_OF_CONSTRAINED = 1.60;
  private static final double SCORE_OF_CONSTRAINED = 1.55;
  private static final double SAFE_SHARE = 0.9;
  static final double IMPROVEMENT = 0.90;
  private static final double SCORE_OF_ANY_SETTING = 1.2;
  private static final double WATCH_OF_VALUE_LEARNER = 1.3;

  private static final int ONLINE_SEEDS = 3;

  private final ChosenRuns runs;
  private final List<OnlineCurve> curves;

  /** {@code curves} of the two-stage learner's policies that went on learning. */
  Acceptance(ChosenRuns runs, List<OnlineCurve> curves) {
    this.runs = runs;
    this.curves = List.copyOf(curves);
  }

  List<Requirement> requirements() {
    List<Requirement> all = new ArrayList<>();
    all.add(imitation());
    all.add(control());
    all.add(constrained("A3", TWO_STAGE));
    all.add(constrained("A4", PID));
    for (String other : List.of(CLONING, UNCONSTRAINED, SINGLE_CRITIC)) {
      all.add(better(other));
    }
    all.add(robust());
    for (String learner : VALUE_LEARNERS) {
      all.add(valueLearner(learner));
    }
    all.add(riskAverse());
    all.add(pruned());
    all.add(mixture());
    all.add(online());
    all.add(beyond());
    return all;
  }

  private Requirement imitation() {
    String name = "A1 a clone is worth what it imitates";
    String required = "totals within 3 % (hate 6 %), divergence at most 0.02 nats";
    if (runs.of(CLONING).isEmpty()) {
      return notRun(name, required);
    }
    double farthest = 0;
    for (int signal = 0; signal < hate(); signal++) {
      farthest = Math.max(farthest, Math.abs(ratio(CLONING, signal) - 1));
    }
    double hate = Math.abs(ratio(CLONING, hate()) - 1);
    double divergence = mean(CLONING, each -> each.outcome().divergence());
    return row(
        name,
        words("within %.1f %% (hate %.1f %%), %.3f nats", 100 * farthest, 100 * hate, divergence),
        required,
        farthest <= 0.03 && hate <= 0.06 && divergence <= 0.02,
        CLONING);
  }

  private Requirement control() {
    String name = "A2 watching alone breaks promises";
    String required = "watch at least 1.85, at least 3 reactions below 0.90";
    if (runs.of(UNCONSTRAINED).isEmpty()) {
      return notRun(name, required);
    }
    int broken = 0;
    for (int signal = 1; signal < hate(); signal++) {
      broken += ratio(UNCONSTRAINED, signal) < BROKEN_BY_CONTROL ? 1 : 0;
    }
    double watch = ratio(UNCONSTRAINED, 0);
    return row(
        name,
        words("watch %.2f, %d below 0.90", watch, broken),
        required,
        watch >= WATCH_OF_CONTROL && broken >= BROKEN_SIGNALS,
        UNCONSTRAINED);
  }

  private Requirement constrained(String id, String algorithm) {
    String name = id + " " + algorithm + " keeps every promise";
    String required =
        "watch at least 1.60, reactions 0.97, hate at most 1.05, safely for 90 % of seeds, score"
            + " 1.55";
    List<Measured> cells = runs.of(algorithm);
    if (cells.isEmpty()) {
      return notRun(name, required);
    }
    double least = Double.POSITIVE_INFINITY;
    for (int signal = 1; signal < hate(); signal++) {
      least = Math.min(least, ratio(algorithm, signal));
    }
    double watch = ratio(algorithm, 0);
    double hate = ratio(algorithm, hate());
    double score = mean(algorithm, Measured::score);
    double safe =
        (double) cells.stream().filter(each -> each.outcome().test().isSafelyKept()).count()
            / cells.size();
    return row(
        name,
        words(
            "watch %.2f, reactions %.2f, hate %.2f, safely for %.0f %%, score %.2f",
            watch, least, hate, 100 * safe, score),
        required,
        watch >= WATCH_OF_CONSTRAINED
            && least >= Ratios.LEAST
            && hate <= Ratios.MOST_HATE
            && safe >= SAFE_SHARE
            && score >= SCORE_OF_CONSTRAINED,
        algorithm);
  }

  private Requirement better(String other) {
    String name = "A5 " + TWO_STAGE + " beats " + other;
    String required = "probability of improvement at least 0.90";
    Optional<ChosenRuns.Pair> pair = runs.pair(TWO_STAGE, other);
    if (pair.isEmpty()) {
      return notRun(name, required);
    }
    double probability = pair.get().one().improvementOver(pair.get().other());
    return row(
        name, words("%.2f", probability), required, probability >= IMPROVEMENT, TWO_STAGE, other);
  }

  private Requirement robust() {
    String name = "A6 " + TWO_STAGE + " in any setting";
    String required = "no run of Λ 1.5, 0.7 and 0.35 scores below 1.2";
    List<Measured> cells =
        SIZES.stream().flatMap(size -> runs.ofSetting(TWO_STAGE + "-" + size).stream()).toList();
    if (cells.isEmpty()) {
      return notRun(name, required);
    }
    double least = cells.stream().mapToDouble(Measured::score).min().orElseThrow();
    int whole = SimulatedTask.ALL.size() * LearningExtent.SEEDS;
    if (SIZES.stream().anyMatch(size -> runs.ofSetting(TWO_STAGE + "-" + size).size() < whole)) {
      return new Requirement(
          name,
          words("lowest score %.2f, of %d of %d runs", least, cells.size(), SIZES.size() * whole),
          required,
          Status.NOT_KNOWN);
    }
    return row(
        name,
        words("lowest score %.2f", least),
        required,
        least >= SCORE_OF_ANY_SETTING,
        TWO_STAGE);
  }

  private Requirement valueLearner(String algorithm) {
    String name = "A7 " + algorithm + " on watching alone";
    String required = "watch at least 1.3";
    if (runs.of(algorithm).isEmpty()) {
      return notRun(name, required);
    }
    double watch = ratio(algorithm, 0);
    return row(
        name,
        words("watch %.2f, score %.2f", watch, mean(algorithm, Measured::score)),
        required,
        watch >= WATCH_OF_VALUE_LEARNER,
        algorithm);
  }

  private Requirement riskAverse() {
    String name = "A8 averse to the sessions with the most hate";
    String required = "hate there at most 0.9 of A3's, watch at least 0.9 (dense)";
    double[] averse = onDense(RISK_AVERSE);
    double[] usual = onDense(TWO_STAGE);
    if (averse.length == 0 || usual.length == 0) {
      return notRun(name, required);
    }
    double hate = averse[0] / usual[0];
    double watch = averse[1] / usual[1];
    return row(
        name,
        words("hate %.2f, watch %.2f", hate, watch),
        required,
        hate <= 0.9 && watch >= 0.9,
        RISK_AVERSE,
        TWO_STAGE);
  }

  /** Worst hate and watching on the dense tasks; empty where they were not run. */
  private double[] onDense(String algorithm) {
    List<double[]> hate = new ArrayList<>();
    List<double[]> watch = new ArrayList<>();
    for (SimulatedTask task : SimulatedTask.ALL) {
      List<Measured> cells = runs.of(algorithm, task);
      if (task.profile() == Profile.DENSE && !cells.isEmpty()) {
        hate.add(cells.stream().mapToDouble(each -> each.outcome().test().worstHate()).toArray());
        watch.add(
            cells.stream().mapToDouble(each -> each.outcome().test().watch().mean()).toArray());
      }
    }
    return hate.isEmpty()
        ? new double[0]
        : new double[] {Runs.of(hate).interquartileMean(), Runs.of(watch).interquartileMean()};
  }

  private Requirement pruned() {
    String name = "A9 " + TWO_STAGE + " with a fifth of its units";
    String required = "score at most 0.05 lower";
    Optional<ChosenRuns.Pair> pair = runs.pair(PRUNED, TWO_STAGE);
    if (pair.isEmpty()) {
      return notRun(name, required);
    }
    double loss = pair.get().other().interquartileMean() - pair.get().one().interquartileMean();
    return row(name, words("%.3f lower", loss), required, loss <= 0.05, PRUNED, TWO_STAGE);
  }

  private Requirement mixture() {
    String name = "A9 a mixture of policies";
    String required = "scores at least as well as its best member that keeps all promises";
    // of the members, the policies of single signals are not measured by themselves
    if (runs.of(MIXTURE).isEmpty() || runs.of(CLONING).isEmpty()) {
      return notRun(name, required);
    }
    double score = mean(MIXTURE, Measured::score);
    double best = mean(CLONING, Measured::score);
    if (!runs.of(UNCONSTRAINED).isEmpty()
        && runs.of(UNCONSTRAINED).stream().allMatch(each -> each.outcome().test().isKept())) {
      best = Math.max(best, mean(UNCONSTRAINED, Measured::score));
    }
    return new Requirement(
        name,
        words("%.2f, the best member that was measured %.2f", score, best),
        required,
        Status.NOT_KNOWN);
  }

  private Requirement online() {
    String name = "A10 learning goes on while serving";
    String required = "never below 0.95 of its start, ends 2 % above";
    if (curves.isEmpty()) {
      return notRun(name, required);
    }
    double worst = curves.stream().mapToDouble(OnlineCurve::worstShare).min().orElseThrow();
    double gain = curves.stream().mapToDouble(OnlineCurve::gain).min().orElseThrow();
    boolean met = curves.stream().allMatch(OnlineCurve::isAccepted);
    return new Requirement(
        name,
        words(
            "%d seeds: at least %.3f of its start, ends %.1f %% above",
            curves.size(), worst, 100 * gain),
        required,
        curves.size() >= ONLINE_SEEDS ? Status.of(met) : Status.NOT_KNOWN);
  }

  /** The best learner of all is above both classics, task by task. */
  private Requirement beyond() {
    String name = "a learner above " + TWO_STAGE + " and " + PID + " on every task";
    String required = "both margins above 0 on all four tasks";
    Optional<String> best = runs.best();
    if (best.isEmpty() || runs.of(TWO_STAGE).isEmpty() || runs.of(PID).isEmpty()) {
      return notRun(name, required);
    }
    double least = Double.POSITIVE_INFINITY;
    for (SimulatedTask task : SimulatedTask.ALL) {
      double[] scores =
          List.of(best.get(), TWO_STAGE, PID).stream()
              .map(each -> runs.of(each, task))
              .filter(cells -> !cells.isEmpty())
              .mapToDouble(Acceptance::score)
              .toArray();
      if (scores.length == 3) {
        least = Math.min(least, scores[0] - Math.max(scores[1], scores[2]));
      }
    }
    if (least == Double.POSITIVE_INFINITY) {
      return notRun(name, required);
    }
    return row(
        name,
        words("%s, smallest margin %.3f", best.get(), least),
        required,
        least > 0,
        best.get(),
        TWO_STAGE,
        PID);
  }

  private static double score(List<Measured> cells) {
    double[] scores = cells.stream().mapToDouble(Measured::score).toArray();
    return new Runs(new double[][] {scores}).interquartileMean();
  }

  private static int hate() {
    return SimulatedFeatures.SIGNALS.size() - 1;
  }

  private double ratio(String algorithm, int signal) {
    return mean(algorithm, each -> each.outcome().test().signals().get(signal).mean());
  }

  private double mean(String algorithm, ToDoubleFunction<Measured> number) {
    return runs.runs(algorithm, number).orElseThrow().interquartileMean();
  }

  static Requirement notRun(String name, String required) {
    return new Requirement(name, "not run", required, Status.NOT_KNOWN);
  }

  private Requirement row(
      String name, String observed, String required, boolean met, String... algorithms) {
    if (Arrays.stream(algorithms).allMatch(runs::isWhole)) {
      return new Requirement(name, observed, required, Status.of(met));
    }
    int count = Arrays.stream(algorithms).mapToInt(each -> runs.of(each).size()).min().orElse(0);
    return new Requirement(
        name,
        words(
            "%s so far, with %d of %d runs: %s",
            met ? "met" : "not met",
            count,
            SimulatedTask.ALL.size() * LearningExtent.SEEDS,
            observed),
        required,
        Status.NOT_KNOWN);
  }
}
