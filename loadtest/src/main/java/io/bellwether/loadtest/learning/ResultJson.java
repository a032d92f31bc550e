package io.bellwether.loadtest.learning;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.loadtest.learning.bsim.CellResult;
import io.bellwether.loadtest.learning.bsim.CellResult.Measured;
import io.bellwether.loadtest.learning.bsim.Ratios;
import io.bellwether.loadtest.learning.bsim.SimulatedFeatures;
import io.bellwether.loadtest.learning.kuairand.LoggedStudy;
import io.bellwether.loadtest.learning.statistics.Runs;
import io.bellwether.loadtest.learning.tabular.NetworkStudy;
import io.bellwether.loadtest.learning.tabular.TabularStudy;
import io.bellwether.loadtest.result.Figures;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A result as JSON: the numbers that are compared between runs first, with stable names, and once
 * more as figures with their units and intervals; then all that they rest on below {@code details}.
 */
public final class ResultJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The numbers that every result names, null where they were not measured. */
  private static final String[] NAMES = {
    "two_stage_score",
    "pid_multi_critic_score",
    "best_score",
    "two_stage_over_rcpo_probability",
    "tabular_worst_gap",
    "updates_per_second_over_pytorch",
    "small_updates_per_second_over_pytorch",
    "updates_gemm_peak_share",
    "feeding_over_empty_pipeline"
  };

  private ResultJson() {}

  /**
   * The numbers.
   *
   * @param at when it was measured
   * @param machine what it ran on
   * @param versions of what was measured
   */
  public static ObjectNode of(
      LearningResult result,
      Instant at,
      Map<String, String> machine,
      Map<String, String> versions) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("bench", "learning").put("at", at.toString());
    json.set("machine", MAPPER.valueToTree(machine));
    json.set("versions", MAPPER.valueToTree(versions));
    json.put("seed", result.seed()).put("seconds", result.seconds());
    for (String name : NAMES) {
      Figures.put(json, name, value(result, name));
    }
    ArrayNode figures = json.putArray("figures");
    result.figures().forEach(figure -> figures.add(node(figure)));
    ObjectNode details = Figures.details(json, result);
    details
        .putObject("extent")
        .put("tasks", result.extent().tasks().size())
        .put("seeds", result.extent().seeds())
        .put("steps", result.extent().effort().steps())
        .put("batch", result.extent().effort().batchSize())
        .put("sessions", result.extent().effort().sessions());
    algorithms(result, details.putArray("algorithms"));
    ArrayNode cells = details.putArray("cells");
    result.cells().forEach(cell -> cells.add(node(cell)));
    ArrayNode tabular = details.putArray("tabular");
    result.studies().forEach(study -> study.rows().forEach(row -> tabular.add(node(row))));
    ArrayNode networks = details.putArray("tabular_networks");
    result.networks().forEach(study -> study.rows().forEach(row -> networks.add(node(row))));
    ArrayNode logs = details.putArray("logs");
    for (LoggedStudy log : result.logs()) {
      ObjectNode node =
          logs.addObject()
              .put("train_rows", log.trainRows())
              .put("test_rows", log.testRows())
              .put("users", log.users())
              .put("videos", log.videos());
      ArrayNode lines = node.putArray("lines");
      log.lines().forEach(line -> lines.add(node(line)));
    }
    return json;
  }

  private static ObjectNode node(LoggedStudy.Line line) {
    ObjectNode node =
        MAPPER
            .createObjectNode()
            .put("algorithm", line.method())
            .put("seed", line.seed())
            .put("signal", line.signal())
            .put("effective_share", line.effectiveShare());
    put(node, "ncis", line.capped());
    put(node, "snips", line.normalised());
    put(node, "dr", line.doublyRobust());
    return node;
  }

  /** Value and interval; null where there is no overlap. */
  private static void put(ObjectNode node, String name, Optional<LoggedStudy.Estimate> estimate) {
    if (estimate.isEmpty()) {
      node.putNull(name);
      return;
    }
    LoggedStudy.Estimate found = estimate.get();
    node.putArray(name).add(found.value()).add(found.low()).add(found.high());
  }

  private static ObjectNode node(NetworkStudy.Row row) {
    return MAPPER
        .createObjectNode()
        .put("task", row.task())
        .put("algorithm", row.algorithm())
        .put("seed", row.seed())
        .put("value", row.value())
        .put("optimum", row.optimum())
        .put("gap", row.gapShare())
        .put("violation", row.violationShare());
  }

  private static OptionalDouble value(LearningResult result, String name) {
    return result.figures().stream()
        .filter(figure -> figure.name().equals(name))
        .mapToDouble(Figure::value)
        .findFirst();
  }

  private static ObjectNode node(Figure figure) {
    return MAPPER
        .createObjectNode()
        .put("name", figure.name())
        .put("value", figure.value())
        .put("unit", figure.unit())
        .put("low", figure.low())
        .put("high", figure.high())
        .put("note", figure.note());
  }

  private static void algorithms(LearningResult result, ArrayNode array) {
    ChosenRuns runs = result.runs();
    for (String algorithm : runs.algorithms()) {
      runs.scores(algorithm)
          .ifPresent(
              scores -> {
                Interval interval = result.bootstrap().interval(scores, Runs::interquartileMean);
                array
                    .addObject()
                    .put("name", algorithm)
                    .put("runs", scores.count())
                    .put("score", scores.interquartileMean())
                    .put("low", interval.lower())
                    .put("high", interval.upper())
                    .put("optimality_gap", gap(runs, algorithm));
              });
    }
  }

  /** Of normalised scores, to the constrained reference. */
  static double gap(ChosenRuns runs, String algorithm) {
    return runs.runs(algorithm, each -> Ratios.normalised(each.score()))
        .orElseThrow()
        .optimalityGap(1);
  }

  private static ObjectNode node(CellResult result) {
    ObjectNode node =
        MAPPER
            .createObjectNode()
            .put("task", result.cell().task().name())
            .put("algorithm", result.cell().method().group())
            .put("setting", result.cell().method().name())
            .put("seed", result.cell().seed());
    if (result instanceof Measured measured) {
      Ratios test = measured.outcome().test();
      node.put("score", test.score())
          .put("validation_score", measured.outcome().validation().score());
      ObjectNode ratios = node.putObject("ratios");
      for (int i = 0; i < test.signals().size(); i++) {
        ratios.put(
            SimulatedFeatures.word(SimulatedFeatures.SIGNALS.get(i)), test.signals().get(i).mean());
      }
      node.put("worst_hate", test.worstHate())
          .put("divergence", measured.outcome().divergence())
          .put("training_seconds", measured.outcome().trainingSeconds());
    } else if (result instanceof CellResult.Failed failed) {
      node.put("failed", failed.reason());
    }
    return node;
  }

  private static ObjectNode node(TabularStudy.Row row) {
    return MAPPER
        .createObjectNode()
        .put("task", row.task())
        .put("learner", row.learner().name().toLowerCase(Locale.ROOT))
        .put("value", row.value())
        .put("optimum", row.optimum())
        .put("gap", row.gapShare())
        .put("violation", row.violationShare());
  }
}
