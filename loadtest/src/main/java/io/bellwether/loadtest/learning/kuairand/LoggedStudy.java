package io.bellwether.loadtest.learning.kuairand;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.evaluation.interval.BootstrapDistribution;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.DoublyRobust;
import io.bellwether.evaluation.offpolicy.EffectiveSampleSize;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.UnitBootstrap;
import io.bellwether.evaluation.offpolicy.Weighting;
import io.bellwether.loadtest.learning.bsim.LearningMethod;
import io.bellwether.loadtest.learning.bsim.ServedForm;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.trainer.algorithm.Algorithm;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.RewardModel;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.algorithm.TrainingPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What algorithms would have reached on a log of KuaiRand: learned from the rows before a moment,
 * estimated on the rows after it, per decision.
 *
 * <p>The recommender's chances were not logged. A clone of it, learned before the split, stands for
 * them everywhere, as does one reward model, so that all algorithms are judged alike. Intervals are
 * by the bootstrap over people.
 *
 * @param trainRows rows to learn from
 * @param testRows rows on which estimates rest
 * @param users of the test rows
 * @param videos that every row could have shown
 */
public record LoggedStudy(List<Line> lines, int trainRows, int testRows, int users, int videos) {
  private static final Exploration SERVED = Exploration.asUsed(1, 0);
  private static final double LARGEST_WEIGHT = 10;

  /** Less is rounding, and would make one row count for a thousand. */
  private static final double LEAST_PROPENSITY = 1e-4;

  private static final double LEVEL = 0.95;
  private static final int REPLICATES = 2_000;

  /** Of all rows before the split: that of the published comparison. */
  private static final double TRAIN_SHARE = 450_000.0 / 480_385;

  /**
   * How much is done.
   *
   * @param videos that are kept, the most viewed ones
   * @param rows at most on each side of the split: every row has all videos as candidates
   * @param seeds of each algorithm
   */
  public record Extent(int videos, int rows, int seeds, long steps, int batchSize) {
    /** The published choice of videos, in a log that fits into a gigabyte. */
    public static final Extent FULL = new Extent(150, 40_000, 5, 10_000, 256);

    public static final Extent QUICK = new Extent(150, 5_000, 1, 300, 128);
  }

  /** An estimate per decision, in the signal's unit, with its 95 % interval. */
  public record Estimate(double value, double low, double high) {}

  /**
   * One signal under one algorithm's policy.
   *
   * @param effectiveShare effective sample size over rows, of weights without a cap
   * @param capped normalised, weights cut off at 10 (NCIS)
   * @param normalised with the weights as they are (SNIPS)
   * @param doublyRobust with the reward model
   */
  public record Line(
      String method,
      long seed,
      String signal,
      double effectiveShare,
      Optional<Estimate> capped,
      Optional<Estimate> normalised,
      Optional<Estimate> doublyRobust) {}

  public LoggedStudy {
    lines = List.copyOf(lines);
  }

  /**
   * Learns and estimates.
   *
   * @param folder with {@code log_standard*.csv}
   * @param methods over the signals of the simulated tasks, whose order is the same
   * @param seed of the resampling
   */
  public static LoggedStudy run(
      Path folder,
      List<LearningMethod> methods,
      Extent extent,
      long seed,
      Consumer<String> progress)
      throws IOException {
    progress.accept("Reading " + folder);
    KuaiRandLog log = KuaiRandLog.read(folder, extent.videos, TRAIN_SHARE);
    KuaiRandData data = KuaiRandData.of(log, extent.rows);
    Trainer trainer = new Trainer(data, extent);
    progress.accept(
        "Cloning the recommender on %,d rows, judging on %,d"
            .formatted(data.train().rows(), data.test().rows()));
    TrainedPolicy clone = trainer.train(BehaviourCloning.DEFAULT, trainer.plan(1));
    setPropensities(data.train(), clone);
    setPropensities(data.test(), clone);
    float[] model =
        CandidateScores.of(trainer.train(new RewardModel(), trainer.plan(1)), data.test(), SERVED)
            .values();
    List<Line> lines = new ArrayList<>();
    for (LearningMethod method : methods) {
      if (method.form() != ServedForm.WHOLE) {
        // other forms of a graph are compared on the simulated tasks
        continue;
      }
      for (long each = 1; each <= extent.seeds; each++) {
        progress.accept("%s, seed %d of %d".formatted(method.name(), each, extent.seeds));
        TrainedPolicy trained =
            trainer.train(method.algorithm().get(), method.plan().apply(trainer.plan(each)));
        float[] chances = CandidateScores.of(trained, data.test(), SERVED).chances();
        lines.addAll(new Judge(data, model, seed).lines(method.name(), each, chances));
      }
    }
    return new LoggedStudy(
        lines,
        data.train().rows(),
        data.test().rows(),
        (int) Arrays.stream(data.users()).distinct().count(),
        log.videos().size());
  }

  private static void setPropensities(LearnerData data, TrainedPolicy clone) {
    double[] chances = CandidateScores.of(clone, data, SERVED).ofLogged(data);
    for (int row = 0; row < chances.length; row++) {
      data.propensity()[row] = Math.max(LEAST_PROPENSITY, chances[row]);
    }
  }

  /** All that training needs but the algorithm. */
  private record Trainer(KuaiRandData data, Extent extent) {
    TrainingPlan plan(long seed) {
      return TrainingPlan.of(seed, extent.steps)
          .withBatchSize(extent.batchSize)
          .withExploration(SERVED);
    }

    TrainedPolicy train(Algorithm algorithm, TrainingPlan plan) {
      return new Learner(OrtEnvironment.getEnvironment())
          .train(algorithm, data.schema(), data.train(), plan, ProgressListener.NONE);
    }
  }

  /** The same rows and the same model for every policy. */
  @SuppressWarnings("ArrayRecordComponent") // shared, not compared
  private record Judge(KuaiRandData data, float[] model, long seed) {

    List<Line> lines(String method, long trained, float[] chances) {
      LoggedDecisions plain = decisions(chances, Double.POSITIVE_INFINITY);
      LoggedDecisions capped = decisions(chances, LARGEST_WEIGHT);
      List<Line> lines = new ArrayList<>();
      for (String signal : KuaiRandLog.SIGNALS) {
        DecisionColumns columns = plain.underTarget(signal, Weighting.PREFIX);
        List<Estimator> estimators = List.of(new Snips(), new DoublyRobust());
        List<Optional<Estimate>> found = estimates(estimators, columns, plain);
        double size = EffectiveSampleSize.of(estimators.subList(0, 1), columns)[0];
        lines.add(
            new Line(
                method,
                trained,
                signal,
                size / data.test().rows(),
                estimates(
                        estimators.subList(0, 1),
                        capped.underTarget(signal, Weighting.PREFIX),
                        capped)
                    .get(0),
                found.get(0),
                found.get(1)));
      }
      return lines;
    }

    private List<Optional<Estimate>> estimates(
        List<Estimator> estimators, DecisionColumns columns, LoggedDecisions log) {
      return new UnitBootstrap(seed, REPLICATES)
          .of(estimators, columns, log.units()).stream()
              .map(distribution -> distribution.map(Judge::estimate))
              .toList();
    }

    private static Estimate estimate(BootstrapDistribution distribution) {
      Interval interval = distribution.percentile(LEVEL);
      return new Estimate(distribution.theta(), interval.lower(), interval.upper());
    }

    private LoggedDecisions decisions(float[] chances, double cap) {
      LearnerData test = data.test();
      int rows = test.rows();
      int signals = KuaiRandLog.SIGNALS.size();
      int[] decision = new int[rows];
      double[] target = new double[rows];
      double[][] reward = new double[signals][rows];
      double[][] prediction = new double[signals][rows];
      double[][] direct = new double[signals][rows];
      for (int row = 0; row < rows; row++) {
        int first = test.itemOffsets()[row];
        int logged = first + test.action()[row];
        decision[row] = row;
        target[row] = Math.min(chances[logged], cap * test.propensity()[row]);
        for (int signal = 0; signal < signals; signal++) {
          reward[signal][row] = test.rewards()[row * signals + signal];
          prediction[signal][row] = model[logged * signals + signal];
          for (int place = first; place < test.itemOffsets()[row + 1]; place++) {
            direct[signal][row] += chances[place] * (double) model[place * signals + signal];
          }
        }
      }
      LoggedDecisions.Builder builder =
          LoggedDecisions.builder()
              .decisions(decision, new int[rows], data.users())
              .logging(test.propensity())
              .target(target);
      for (int signal = 0; signal < signals; signal++) {
        builder.signal(
            KuaiRandLog.SIGNALS.get(signal),
            LoggedDecisions.Signal.modelled(reward[signal], prediction[signal], direct[signal]));
      }
      return builder.build();
    }
  }
}
