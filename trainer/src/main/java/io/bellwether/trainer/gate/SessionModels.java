package io.bellwether.trainer.gate;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.evaluation.episode.Episodes;
import io.bellwether.evaluation.episode.FittedValueException;
import io.bellwether.evaluation.episode.ModelledEpisodes;
import io.bellwether.evaluation.episode.StepValues;
import io.bellwether.evaluation.report.SessionValues;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.algorithm.DivergedException;
import io.bellwether.trainer.algorithm.FittedCritic;
import io.bellwether.trainer.algorithm.FittedQ;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.TrainingPlan;
import io.bellwether.trainer.data.DataSet;
import io.bellwether.trainer.data.LearnerColumns;
import io.bellwether.trainer.data.LinkedRows;
import io.bellwether.trainer.data.SignalOrder;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.data.TrainingRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * What sessions are worth under target and baseline, by fitted-Q evaluation in folds of subjects:
 * each fold's values come from a network that has not seen its subjects, and how far the networks
 * differ says what values owe to the luck of one. Folds and sample are functions of the subjects
 * alone. Uses all cores; thread-safe.
 *
 * <p>A slate's position is a chain of its own, as for the learner: its value is what that position
 * brings from here on, with the earlier positions as logged, and those of all positions add up.
 * Where the logging policy is the baseline and only its placed items' propensities are known, its
 * next action is the logged one.
 */
final class SessionModels {

  private static final long SAMPLE_TAG = 904;
  private static final long FOLD_TAG = 903;
  private static final int FOLDS = 2;

  /** Fewer sessions in a fold teach a network nothing. */
  private static final int LEAST_SESSIONS = 20;

  /** More rows make the values little surer and the wait long. */
  private static final int MOST_ROWS = 20_000;

  /** Floats of the sample's items; each network that learns has a copy of its part. */
  private static final long MOST_ITEM_FLOATS = 1L << 25;

  /**
   * Steps of the first regression, and of all rounds: some fifteen looks at each row where there
   * are most. With many more the network knows the rows' luck by heart, and doubly robust values
   * get less sure.
   */
  private static final long STEPS = 300;

  private final Surface surface;
  private final long mostSteps;
  private final long seed;
  private final Consumer<String> progress;

  /**
   * @param mostSteps of each network's first regression, and of its rounds together
   * @param seed of the networks
   * @param progress takes a line
   */
  SessionModels(Surface surface, long mostSteps, long seed, Consumer<String> progress) {
    this.surface = surface;
    this.mostSteps = mostSteps;
    this.seed = seed;
    this.progress = progress;
  }

  /**
   * The values of a sample of the sessions.
   *
   * @param target the target's chances per decision, {@code [candidates]} each
   * @param baseline the champion's; empty where the logging policy is the baseline
   */
  SessionValues.Model of(
      List<EvaluatedDecision> decisions, List<double[]> target, List<double[]> baseline) {
    Sample sample = sample(decisions);
    for (int fold = 0; fold < FOLDS; fold++) {
      if (sample.sessions(fold) < LEAST_SESSIONS) {
        return new SessionValues.Model.Missing("TOO_FEW_SESSIONS");
      }
    }
    Chances chances = new Chances(decisions, target, baseline);
    Part all = Part.of(sample.decisions(-1), chances);
    try {
      List<FittedCritic.Values> values =
          IntStream.range(0, FOLDS)
              .parallel()
              .mapToObj(fold -> fit(Part.of(sample.decisions(fold), chances)))
              .map(critic -> critic.of(OrtEnvironment.getEnvironment(), all.data, all.chances))
              .toList();
      progress.accept(
          "values of %d sessions by fitted-Q evaluation".formatted(sample.episodes.length));
      return new SessionValues.Model.Fitted(assembled(sample, chances, all, values));
    } catch (FittedValueException | DivergedException diverged) {
      progress.accept("no values of sessions: " + diverged.getMessage());
      return new SessionValues.Model.Missing(FittedValueException.REASON);
    }
  }

  private FittedCritic fit(Part part) {
    return new FittedQ(OrtEnvironment.getEnvironment())
        .fit(
            SurfaceSchema.network(surface),
            part.data,
            part.chances,
            surface.objective().discount(),
            TrainingPlan.of(seed, Math.min(mostSteps, STEPS)));
  }

  /** Sessions of the subjects with the smallest hashes, as many as are bearable. */
  private Sample sample(List<EvaluatedDecision> decisions) {
    Episodes episodes = SessionEpisodes.of(decisions);
    long[] hash = new long[episodes.count()];
    Arrays.setAll(
        hash,
        episode -> {
          long unit = decisions.get(episodes.decision()[episodes.first()[episode]]).unit();
          return CounterRandom.hash(unit, SAMPLE_TAG, 0, 0, 0);
        });
    List<Integer> order =
        IntStream.range(0, episodes.count())
            .boxed()
            .sorted(Comparator.comparingLong(episode -> hash[episode]))
            .toList();
    int rows = 0;
    long floats = 0;
    List<Integer> taken = new ArrayList<>();
    for (int episode : order) {
      int first = episodes.first()[episode];
      for (int step = first; step < episodes.first()[episode + 1]; step++) {
        EvaluatedDecision decision = decisions.get(episodes.decision()[step]);
        rows += decision.rows().size();
        floats += (long) decision.rows().size() * decision.items().length;
      }
      if (rows > MOST_ROWS || floats > MOST_ITEM_FLOATS) {
        break;
      }
      taken.add(episode);
    }
    return new Sample(decisions, episodes, taken.stream().mapToInt(Integer::intValue).toArray());
  }

  private static int foldOf(EvaluatedDecision decision) {
    return (int) (FOLDS * CounterRandom.uniform(decision.unit(), FOLD_TAG, 0, 0, 0));
  }

  /** The sessions that are modelled. */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  private record Sample(List<EvaluatedDecision> decisions, Episodes all, int[] episodes) {

    EvaluatedDecision decision(int episode, int step) {
      return decisions.get(all.decision()[all.first()[episode] + step]);
    }

    long sessions(int fold) {
      return IntStream.of(episodes).filter(each -> foldOf(decision(each, 0)) == fold).count();
    }

    /** All that are in no session of a fold. */
    List<EvaluatedDecision> decisions(int without) {
      List<EvaluatedDecision> others = new ArrayList<>();
      for (int episode : episodes) {
        for (int step = 0; step < all.steps(episode); step++) {
          EvaluatedDecision decision = decision(episode, step);
          if (foldOf(decision) != without) {
            others.add(decision);
          }
        }
      }
      return others;
    }
  }

  /** Both policies' chances at every position. */
  private static final class Chances {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<EvaluatedDecision> decisions;
    private final List<double[]> target;
    private final List<double[]> baseline;
    private final RowChances rows = new RowChances();

    Chances(List<EvaluatedDecision> decisions, List<double[]> target, List<double[]> baseline) {
      this.decisions = decisions;
      this.target = target;
      this.baseline = baseline;
      for (int number = 0; number < decisions.size(); number++) {
        numbers.put(decisions.get(number).id(), number);
      }
    }

    private int number(String decisionId) {
      Integer number = numbers.get(decisionId);
      if (number == null) {
        throw new IllegalArgumentException("no chances of decision " + decisionId);
      }
      return number;
    }

    double[] ofTarget(EvaluatedDecision decision) {
      return rows.ofSlate(decision.rules(), target.get(number(decision.id())), decision.slate());
    }

    /** The propensities where the logging policy is the baseline. */
    double[] ofBaseline(EvaluatedDecision decision) {
      return baseline.isEmpty()
          ? decision.rows().stream().mapToDouble(TrainingRow::propensity).toArray()
          : rows.ofSlate(decision.rules(), baseline.get(number(decision.id())), decision.slate());
    }

    void targetOfRow(TrainingRow row, float[] to, int at) {
      leftOver(target.get(number(row.decisionId())), row, to, at);
    }

    void baselineOfRow(TrainingRow row, float[] to, int at) {
      int number = number(row.decisionId());
      double[] logging = decisions.get(number).logging();
      if (!baseline.isEmpty()) {
        leftOver(baseline.get(number), row, to, at);
      } else if (logging.length > 0) {
        leftOver(logging, row, to, at);
      } else {
        to[at + row.action()] = 1;
      }
    }

    /** A candidate's chance over the chances of those that could stand there. */
    private static void leftOver(double[] chances, TrainingRow row, float[] to, int at) {
      double[] open = chances.clone();
      for (int closed : row.closed()) {
        open[closed] = 0;
      }
      double left = 0;
      for (double chance : open) {
        left += chance;
      }
      for (int candidate = 0; candidate < chances.length; candidate++) {
        to[at + candidate] = left > 0 ? (float) (open[candidate] / left) : 0;
      }
    }
  }

  /** Rows as a learner takes them, with target's and baseline's chances. */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  private record Part(LearnerData data, float[][] chances) {

    static Part of(List<EvaluatedDecision> decisions, Chances chances) {
      DataSet set = new DataSet();
      decisions.forEach(decision -> decision.rows().forEach(set::add));
      LinkedRows linked = set.link();
      LearnerData data = LearnerColumns.of(linked);
      float[][] ofRows = new float[2][data.itemOffsets()[data.rows()]];
      for (int row = 0; row < data.rows(); row++) {
        int at = data.itemOffsets()[row];
        chances.targetOfRow(linked.rows().get(row), ofRows[0], at);
        chances.baselineOfRow(linked.rows().get(row), ofRows[1], at);
      }
      return new Part(data, ofRows);
    }

    int row(TrainingRow wanted) {
      return Arrays.binarySearch(data.rowId(), wanted.rowId());
    }
  }

  private ModelledEpisodes assembled(
      Sample sample, Chances chances, Part all, List<FittedCritic.Values> values) {
    Columns columns = new Columns(sample, all.data.rows());
    for (int index = 0; index < sample.episodes.length; index++) {
      int episode = sample.episodes[index];
      for (int step = 0; step < sample.all.steps(episode); step++) {
        EvaluatedDecision decision = sample.decision(episode, step);
        columns.add(
            decision,
            chances.ofTarget(decision),
            chances.ofBaseline(decision),
            decision.rows().stream().mapToInt(all::row).toArray());
      }
      columns.endEpisode(index, sample.decision(episode, 0), sample.all.cutOff()[episode]);
    }
    List<String> names = SignalOrder.of(surface);
    Map<String, ModelledEpisodes.Signal> signals = new HashMap<>();
    for (int signal = 0; signal < names.size(); signal++) {
      int of = signal;
      signals.put(
          names.get(signal),
          new ModelledEpisodes.Signal(
              columns.reward(signal),
              columns.expected(signal, fold -> values.get(fold)),
              values.stream().map(each -> columns.expected(of, fold -> each)).toList()));
    }
    return columns.result(signals);
  }

  /** The sample's columns while they are filled. Confined to one thread. */
  private static final class Columns {
    private final int[] first;
    private final int[] firstRow;
    private final long[] unit;
    private final int[] foldOfEpisode;
    private final boolean[] cutOff;
    private final double[] logging;
    private final double[] target;
    private final double[] baseline;
    private final TrainingRow[] ofRow;
    private final int[] learned;
    private int steps;
    private int rows;

    Columns(Sample sample, int rowCount) {
      int episodes = sample.episodes.length;
      int stepCount = IntStream.of(sample.episodes).map(sample.all::steps).sum();
      first = new int[episodes + 1];
      firstRow = new int[stepCount + 1];
      unit = new long[episodes];
      foldOfEpisode = new int[episodes];
      cutOff = new boolean[episodes];
      logging = new double[rowCount];
      target = new double[rowCount];
      baseline = new double[rowCount];
      ofRow = new TrainingRow[rowCount];
      learned = new int[rowCount];
    }

    /** {@code learnedRows}: where the decision's positions stand in the learners' rows. */
    void add(
        EvaluatedDecision decision, double[] ofTarget, double[] ofBaseline, int[] learnedRows) {
      for (int position = 0; position < learnedRows.length; position++) {
        ofRow[rows] = decision.rows().get(position);
        logging[rows] = ofRow[rows].propensity();
        target[rows] = ofTarget[position];
        baseline[rows] = ofBaseline[position];
        learned[rows] = learnedRows[position];
        rows++;
      }
      firstRow[++steps] = rows;
    }

    void endEpisode(int episode, EvaluatedDecision begin, boolean cut) {
      first[episode + 1] = steps;
      unit[episode] = begin.unit();
      foldOfEpisode[episode] = foldOf(begin);
      cutOff[episode] = cut;
    }

    double[] reward(int signal) {
      double[] reward = new double[rows];
      Arrays.setAll(reward, row -> ofRow[row].rewards()[signal]);
      return reward;
    }

    /** {@code byFold}: whose values an episode of the fold gets. */
    ModelledEpisodes.Expected expected(int signal, IntFunction<FittedCritic.Values> byFold) {
      return new ModelledEpisodes.Expected(values(0, signal, byFold), values(1, signal, byFold));
    }

    private StepValues values(int policy, int signal, IntFunction<FittedCritic.Values> byFold) {
      double[] prediction = new double[rows];
      double[] direct = new double[rows];
      double[] beyond = new double[unit.length];
      for (int episode = 0; episode < unit.length; episode++) {
        FittedCritic.Values values = byFold.apply(foldOfEpisode[episode]);
        int end = firstRow[first[episode + 1]];
        for (int row = firstRow[first[episode]]; row < end; row++) {
          prediction[row] = values.logged()[policy][signal][learned[row]];
          direct[row] = values.expected()[policy][signal][learned[row]];
        }
        // a session that was cut off goes on from its last state, the best guess at the next one
        for (int row = firstRow[first[episode + 1] - 1]; cutOff[episode] && row < end; row++) {
          beyond[episode] += direct[row];
        }
      }
      return StepValues.of(prediction, direct, beyond);
    }

    ModelledEpisodes result(Map<String, ModelledEpisodes.Signal> signals) {
      return new ModelledEpisodes(first, firstRow, unit, logging, target, baseline, signals);
    }
  }
}
