package io.bellwether.loadtest.learning;

import static io.bellwether.loadtest.result.Page.words;

import io.bellwether.loadtest.learning.bsim.CellResult;
import io.bellwether.loadtest.learning.kuairand.LoggedStudy;
import io.bellwether.loadtest.learning.online.OnlineCurve;
import io.bellwether.loadtest.learning.statistics.Runs;
import io.bellwether.loadtest.learning.statistics.StratifiedBootstrap;
import io.bellwether.loadtest.learning.tabular.NetworkStudy;
import io.bellwether.loadtest.learning.tabular.TabularStudy;
import io.bellwether.loadtest.result.Measurement;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Everything that one run of {@link LearningBenchmark} saw. Immutable.
 *
 * @param seed of the resampling; the cells' seeds are 1, 2, ...
 * @param cells that are done
 * @param studies of small processes with known optima, the newest; empty where it was not run
 * @param networks what learners with networks reach on some of them; empty where it was not run
 * @param logs that the user has, and what algorithms would have reached there; empty where there is
 *     none
 * @param curves of policies that went on learning while they served
 * @param costs of learning, as figures with what had to be shown; empty where they were not
 *     measured
 */
public record LearningResult(
    LearningExtent extent,
    long seed,
    List<CellResult> cells,
    List<TabularStudy> studies,
    List<NetworkStudy> networks,
    List<LoggedStudy> logs,
    List<OnlineCurve> curves,
    List<Cost> costs,
    double seconds)
    implements Measurement {

  private static final int RESAMPLES = 2_000;
  private static final double LARGEST_TABULAR_GAP = 0.01;

  /**
   * What learning costs.
   *
   * @param requirement that says what had to be shown of it
   */
  public record Cost(Figure figure, Requirement requirement) {}

  public LearningResult {
    cells = List.copyOf(cells);
    studies = List.copyOf(studies);
    networks = List.copyOf(networks);
    logs = List.copyOf(logs);
    curves = List.copyOf(curves);
    costs = List.copyOf(costs);
  }

  /** The cells by algorithm. */
  ChosenRuns runs() {
    return new ChosenRuns(extent.tasks(), cells);
  }

  /** That all intervals rest on. */
  StratifiedBootstrap bootstrap() {
    return new StratifiedBootstrap(seed, RESAMPLES);
  }

  /** Numbers that are compared between runs; what was not run is missing. */
  public List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    ChosenRuns runs = runs();
    score("two_stage_score", Acceptance.TWO_STAGE, runs).ifPresent(figures::add);
    score("pid_multi_critic_score", Acceptance.PID, runs).ifPresent(figures::add);
    runs.best().flatMap(best -> score("best_score", best, runs)).ifPresent(figures::add);
    runs.pair(Acceptance.TWO_STAGE, Acceptance.SINGLE_CRITIC)
        .ifPresent(
            pair ->
                figures.add(
                    Figure.of(
                        "two_stage_over_rcpo_probability",
                        pair.one().improvementOver(pair.other()),
                        "probability",
                        bootstrap().interval(pair.one(), pair.other(), Runs::improvementOver),
                        words("%d runs of each", pair.one().count()))));
    for (TabularStudy study : studies) {
      figures.add(
          Figure.exact(
              "tabular_worst_gap",
              study.worstGap(TabularStudy.Learner.PID_AVERAGED),
              "share",
              words(
                  "largest of gap and violation, prices with the process known, %d rows",
                  study.rows().size())));
    }
    costs.forEach(cost -> figures.add(cost.figure()));
    return List.copyOf(figures);
  }

  private Optional<Figure> score(String name, String algorithm, ChosenRuns runs) {
    return runs.scores(algorithm)
        .map(
            scores ->
                Figure.of(
                    name,
                    scores.interquartileMean(),
                    "score",
                    bootstrap().interval(scores, Runs::interquartileMean),
                    words("%s, %d runs", algorithm, scores.count())));
  }

  /** Cells that left no policy. */
  List<CellResult.Failed> failed() {
    List<CellResult.Failed> failed = new ArrayList<>();
    for (CellResult cell : cells) {
      if (cell instanceof CellResult.Failed each) {
        failed.add(each);
      }
    }
    return failed;
  }

  @Override
  public List<Requirement> requirements() {
    List<Requirement> all = new ArrayList<>();
    if (!cells.isEmpty() || !curves.isEmpty()) {
      all.addAll(new Acceptance(runs(), curves).requirements());
    }
    if (!cells.isEmpty()) {
      all.add(
          new Requirement(
              "cells that left no policy",
              words("%d of %d, %d planned", failed().size(), cells.size(), planned()),
              "none",
              failed().isEmpty() && cells.size() < planned()
                  ? Status.NOT_KNOWN
                  : Status.of(failed().isEmpty())));
    }
    for (TabularStudy study : studies) {
      double gap = study.worstGap(TabularStudy.Learner.PID_AVERAGED);
      all.add(
          new Requirement(
              "constrained processes, solved by prices with the process known: off the optimum, or"
                  + " over a bound",
              words("%.2f %%", 100 * gap),
              "at most 1 %",
              Status.of(gap <= LARGEST_TABULAR_GAP)));
    }
    networks.forEach(study -> all.addAll(learned(study)));
    costs.forEach(cost -> all.add(cost.requirement()));
    return all;
  }

  private int planned() {
    return extent.cells().size();
  }

  private static List<Requirement> learned(NetworkStudy study) {
    return study.rows().stream()
        .map(NetworkStudy.Row::algorithm)
        .distinct()
        .map(
            algorithm -> {
              double gap = study.worstGap(algorithm);
              return new Requirement(
                  "constrained processes, learned from logs by " + algorithm,
                  words("%.2f %%", 100 * gap),
                  "at most 1 %",
                  Status.of(gap <= LARGEST_TABULAR_GAP));
            })
        .toList();
  }
}
