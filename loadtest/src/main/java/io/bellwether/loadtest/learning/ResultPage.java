package io.bellwether.loadtest.learning;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.loadtest.learning.bsim.CellResult;
import io.bellwether.loadtest.learning.bsim.CellResult.Measured;
import io.bellwether.loadtest.learning.bsim.SimulatedFeatures;
import io.bellwether.loadtest.learning.bsim.SimulatedTask;
import io.bellwether.loadtest.learning.kuairand.LoggedStudy;
import io.bellwether.loadtest.learning.statistics.Runs;
import io.bellwether.loadtest.learning.tabular.NetworkStudy;
import io.bellwether.loadtest.learning.tabular.TabularStudy;
import io.bellwether.loadtest.result.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A result as a page of tables, in Markdown, with its plots beside it. */
public final class ResultPage {
  /** File of the plot of scores, beside the page. */
  private static final String BARS = "learning-scores.svg";

  /** File of the performance profile, beside the page. */
  private static final String PROFILE = "learning-profile.svg";

  private final LearningResult result;
  private final ChosenRuns runs;
  private final String command;
  private final Page page;

  private ResultPage(LearningResult result, String command, Page page) {
    this.result = result;
    this.runs = result.runs();
    this.command = command;
    this.page = page;
  }

  /**
   * The tables.
   *
   * @param typed the command that made the result
   * @param command the same without options that choose a part of it
   * @param machine what it ran on, a line each
   */
  public static String of(
      LearningResult result, String typed, String command, Map<String, String> machine) {
    Page page = new Page("Learners where the truth is known", result, typed, machine);
    return new ResultPage(result, command, page).text();
  }

  /** The plots that the page shows, by the names of their files. */
  public static SortedMap<String, String> plots(LearningResult result) {
    SortedMap<String, String> plots = new TreeMap<>();
    if (!scored(result.runs()).isEmpty()) {
      plots.put(BARS, ScorePlots.bars(result));
      plots.put(PROFILE, ScorePlots.profile(result));
    }
    return plots;
  }

  private static List<String> scored(ChosenRuns runs) {
    return runs.algorithms().stream().filter(each -> runs.scores(each).isPresent()).toList();
  }

  private String text() {
    page.requirements(result);
    if (!scored(runs).isEmpty()) {
      scores();
      improvements();
      ratios();
      seeds();
    }
    failures();
    result.studies().forEach(this::tabular);
    result.networks().forEach(this::networks);
    logs();
    costs();
    reproduction();
    return page.text();
  }

  private void scores() {
    page.heading("Scores");
    page.line(
        "%d steps of %d rows per run, %,d simulated sessions of each policy. Tasks: %s.",
        result.extent().effort().steps(),
        result.extent().effort().batchSize(),
        result.extent().effort().sessions(),
        result.extent().tasks().stream()
            .map(SimulatedTask::name)
            .collect(Collectors.joining(", ")));
    page.line("");
    page.line("![scores](%s)", BARS);
    page.line("");
    page.line("![performance profile](%s)", PROFILE);
    page.line("");
    page.columns(
        "algorithm", "runs", "score", "95 % interval", "optimality gap", "runs that keep all");
    for (String algorithm : scored(runs)) {
      Runs scores = runs.scores(algorithm).orElseThrow();
      List<Measured> cells = runs.of(algorithm);
      long kept = cells.stream().filter(each -> each.outcome().test().isKept()).count();
      page.row(
          algorithm,
          words("%d", scores.count()),
          words("%.3f", scores.interquartileMean()),
          scores.count() < 2
              ? "–"
              : words(result.bootstrap().interval(scores, Runs::interquartileMean)),
          words("%.3f", ResultJson.gap(runs, algorithm)),
          words("%d of %d", kept, cells.size()));
    }
    page.line("");
    page.line(
        "*Score*: watching over the logging policy's, less five times what is missing from each"
            + " promise (reactions at 0.97,");
    page.line(
        "hate at 1.05); interquartile mean. The logging policy has 1, the best known linear"
            + " ranking that keeps all 2.138.");
    page.line(
        "*Optimality gap*: what normalised scores lack to that ranking's. Of several settings,"
            + " each task and seed takes the best");
    page.line("on validation sessions.");
  }

  private static String words(Interval interval) {
    return words("%.3f to %.3f", interval.lower(), interval.upper());
  }

  private static String words(String format, Object... numbers) {
    return Page.words(format, numbers);
  }

  private void improvements() {
    List<String> ours = new ArrayList<>();
    for (String each : List.of(Acceptance.TWO_STAGE, runs.best().orElse(Acceptance.TWO_STAGE))) {
      if (!ours.contains(each) && runs.scores(each).isPresent()) {
        ours.add(each);
      }
    }
    if (ours.isEmpty()) {
      return;
    }
    page.heading("Probability of improvement");
    List<String> head = new ArrayList<>(List.of("over"));
    head.addAll(ours);
    page.columns(head.toArray(String[]::new));
    for (String other : scored(runs)) {
      List<String> cells = new ArrayList<>(List.of(other));
      ours.forEach(each -> cells.add(each.equals(other) ? "–" : improvement(each, other)));
      page.row(cells.toArray(String[]::new));
    }
  }

  private String improvement(String one, String other) {
    Optional<ChosenRuns.Pair> pair = runs.pair(one, other);
    if (pair.isEmpty()) {
      return "not run";
    }
    if (pair.get().one().count() < 2) {
      return words("%.2f", pair.get().one().improvementOver(pair.get().other()));
    }
    Interval interval =
        result.bootstrap().interval(pair.get().one(), pair.get().other(), Runs::improvementOver);
    return words(
        "%.2f (%.2f to %.2f)",
        pair.get().one().improvementOver(pair.get().other()), interval.lower(), interval.upper());
  }

  private void ratios() {
    page.heading("Totals of a session over the logging policy's");
    List<String> head = new ArrayList<>(List.of("algorithm"));
    SimulatedFeatures.SIGNALS.forEach(signal -> head.add(SimulatedFeatures.word(signal)));
    head.add("divergence, nats");
    head.add("training, s");
    page.columns(head.toArray(String[]::new));
    for (String algorithm : scored(runs)) {
      List<String> cells = new ArrayList<>(List.of(algorithm));
      for (int signal = 0; signal < SimulatedFeatures.SIGNALS.size(); signal++) {
        int index = signal;
        cells.add(
            words(
                "%.3f",
                runs.runs(algorithm, each -> each.outcome().test().signals().get(index).mean())
                    .orElseThrow()
                    .interquartileMean()));
      }
      cells.add(
          words(
              "%.3f",
              runs.runs(algorithm, each -> each.outcome().divergence())
                  .orElseThrow()
                  .interquartileMean()));
      cells.add(
          words(
              "%.0f",
              runs.runs(algorithm, each -> each.outcome().trainingSeconds())
                  .orElseThrow()
                  .interquartileMean()));
      page.row(cells.toArray(String[]::new));
    }
  }

  private void seeds() {
    page.heading("Every seed");
    page.columns("algorithm", "task", "score of seed 1, 2, ...", "made by");
    for (String algorithm : scored(runs)) {
      for (SimulatedTask task : result.extent().tasks()) {
        List<Measured> cells = runs.of(algorithm, task);
        if (!cells.isEmpty()) {
          page.row(
              algorithm,
              task.name(),
              cells.stream()
                  .map(each -> words("%.3f", each.score()))
                  .collect(Collectors.joining(" ")),
              words(
                  "`%s --only bsim --task %s --algorithm %s --seeds %d`",
                  command, task.name(), algorithm, result.extent().seeds()));
        }
      }
    }
  }

  private void failures() {
    if (result.failed().isEmpty()) {
      return;
    }
    page.heading("Without a policy");
    page.columns("cell", "reason");
    for (CellResult.Failed each : result.failed()) {
      page.row(each.cell().words(), each.reason());
    }
  }

  private void tabular(TabularStudy study) {
    page.heading("Constrained processes with known optima");
    page.columns("task", "learner", "value", "optimum", "gap", "violation");
    for (TabularStudy.Row row : study.rows()) {
      page.row(
          row.task(),
          row.learner().name().toLowerCase(Locale.ROOT).replace('_', ' '),
          words("%.4f", row.value()),
          words("%.4f", row.optimum()),
          words("%.2f %%", 100 * row.gapShare()),
          words("%.2f %%", 100 * row.violationShare()));
    }
  }

  private void networks(NetworkStudy study) {
    page.heading("Learned from logs of such processes, with networks");
    page.columns("task", "algorithm", "seed", "value", "optimum", "gap", "violation");
    for (NetworkStudy.Row row : study.rows()) {
      page.row(
          row.task(),
          row.algorithm(),
          words("%d", row.seed()),
          words("%.4f", row.value()),
          words("%.4f", row.optimum()),
          words("%.2f %%", 100 * row.gapShare()),
          words("%.2f %%", 100 * row.violationShare()));
    }
  }

  private void logs() {
    page.heading("On the log of KuaiRand");
    if (result.logs().isEmpty()) {
      page.line(
          "Not run: its files are not part of Bellwether. `--kuairand FOLDER` names them. Of the"
              + " published comparison, Wide&Deep, DeepFM and Pareto are not built.");
    }
    for (LoggedStudy log : result.logs()) {
      page.line(
          "Learned from %,d rows, judged on the %,d after them of %,d people, %d videos. Per"
              + " decision, with 95 %% intervals over",
          log.trainRows(), log.testRows(), log.users(), log.videos());
      page.line(
          "people. A clone of the recommender stands for its chances, which were not logged.");
      page.line("");
      page.columns("algorithm", "seed", "signal", "effective share", "NCIS", "SNIPS", "DR");
      for (LoggedStudy.Line line : log.lines()) {
        page.row(
            line.method(),
            words("%d", line.seed()),
            line.signal(),
            words("%.3f", line.effectiveShare()),
            estimate(line.capped()),
            estimate(line.normalised()),
            estimate(line.doublyRobust()));
      }
    }
  }

  private static String estimate(Optional<LoggedStudy.Estimate> estimate) {
    return estimate
        .map(found -> words("%.5g (%.4g to %.4g)", found.value(), found.low(), found.high()))
        .orElse("no overlap");
  }

  private void costs() {
    if (result.costs().isEmpty()) {
      return;
    }
    page.heading("What learning costs");
    page.columns("", "", "");
    for (LearningResult.Cost cost : result.costs()) {
      Figure figure = cost.figure();
      page.row(
          cost.requirement().name(),
          words("%.3g %s", figure.value(), figure.unit()),
          figure.note());
    }
  }

  private void reproduction() {
    page.heading("Once more");
    page.line("- constrained processes: `%s --only tabular`", command);
    page.line("- learning while serving: `%s --only online`", command);
    page.line("- what learning costs: `%s --only speed`", command);
    page.line("- all simulated runs: `%s --only bsim`; finished ones are kept", command);
  }
}
