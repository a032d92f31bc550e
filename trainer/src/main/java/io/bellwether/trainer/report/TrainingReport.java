package io.bellwether.trainer.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.algorithm.PolicyDiagnosis;
import io.bellwether.trainer.algorithm.Progress;
import io.bellwether.trainer.algorithm.PromiseOutcome;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How a training run went, for whoever has to decide whether to believe it: as JSON, and as one
 * page that loads nothing and runs nothing. A function of the run: no clock enters it. Immutable.
 *
 * @param title what was trained
 * @param policy with its history and its promises
 * @param diagnosis how it stands to its log
 */
public record TrainingReport(String title, TrainedPolicy policy, PolicyDiagnosis diagnosis) {

  /** The files under which a version keeps it. */
  public static final String JSON = "training-report.json";

  public static final String PAGE = "training-report.html";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  // Limits of ALGORITHMS' gates and alarms: beyond them a reader should know why.
  private static final double LARGEST_OVERESTIMATION = 0.2;
  private static final double SMALLEST_EFFECTIVE_SHARE = 0.05;
  private static final double LARGEST_DIVERGENCE = 1.5;
  private static final double SMALLEST_ENTROPY = 0.02;

  /** What a reader has to know before all numbers; empty where nothing is odd. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (diagnosis.effectiveShare() < SMALLEST_EFFECTIVE_SHARE) {
      warnings.add(
          "Only %s of the log still speaks about this policy (effective sample size): estimates rest on few rows."
              .formatted(Figures.percent(diagnosis.effectiveShare())));
    }
    if (diagnosis.divergence() > LARGEST_DIVERGENCE) {
      warnings.add(
          "The policy is %s nats away from what was logged; beyond %s nobody has seen what it does."
              .formatted(
                  Figures.number(diagnosis.divergence()), Figures.number(LARGEST_DIVERGENCE)));
    }
    if (diagnosis.entropyShare() < SMALLEST_ENTROPY) {
      warnings.add(
          "The policy hardly leaves anything to chance (entropy %s of the most there is): what it logs will teach little."
              .formatted(Figures.percent(diagnosis.entropyShare())));
    }
    for (PolicyDiagnosis.OfSignal signal : diagnosis.signals()) {
      PolicyDiagnosis.OfCritic critic = signal.critic();
      if (critic != null && Math.abs(critic.overestimation()) > LARGEST_OVERESTIMATION) {
        warnings.add(
            "The critic of %s says %s where %s was returned."
                .formatted(
                    signal.signal(),
                    Figures.number(critic.predicted()),
                    Figures.number(critic.returned())));
      }
    }
    for (PromiseOutcome outcome : policy.promises()) {
      if (outcome.hopeless()) {
        warnings.add(
            (outcome.multiplier() > 0
                    ? "The promise about %s cannot be kept: its price stayed at its cap."
                    : "The promise about %s is not kept by anything that was tried.")
                .formatted(signal(outcome)));
      }
    }
    return warnings;
  }

  private String signal(PromiseOutcome outcome) {
    return policy.networks().schema().signals().get(outcome.promise().signal());
  }

  /** The report for programs, UTF-8. */
  public byte[] json() {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("title", title);
    ArrayNode warnings = json.putArray("warnings");
    warnings().forEach(warnings::add);
    ObjectNode distance = json.putObject("distance");
    distance.put("rows", diagnosis.rows());
    distance.put("divergence", diagnosis.divergence());
    distance.put("totalVariation", diagnosis.totalVariation());
    distance.put("entropyShare", diagnosis.entropyShare());
    distance.put("effectiveShare", diagnosis.effectiveShare());
    distance.put("largestShare", diagnosis.largestShare());
    distance.put("clippedShare", diagnosis.clippedShare());
    ArrayNode signals = json.putArray("signals");
    diagnosis.signals().forEach(each -> signals.add(json(each)));
    ArrayNode promises = json.putArray("promises");
    for (PromiseOutcome outcome : policy.promises()) {
      promises
          .addObject()
          .put("signal", signal(outcome))
          .put("sense", outcome.promise().sense().name())
          .put("bound", outcome.bound())
          .put("estimate", outcome.estimate())
          .put("standardError", outcome.standardError())
          .put("multiplier", outcome.multiplier())
          .put("hopeless", outcome.hopeless());
    }
    ArrayNode history = json.putArray("history");
    for (Progress progress : policy.history()) {
      ObjectNode row = history.addObject().put("step", progress.step());
      ObjectNode gauges = row.putObject("gauges");
      progress.gauges().forEach(gauges::put);
    }
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(FiniteJson.of(json));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("a training report cannot be written", e);
    }
  }

  private static ObjectNode json(PolicyDiagnosis.OfSignal signal) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("signal", signal.signal());
    json.put("logged", signal.logged());
    json.put("estimate", signal.estimate());
    json.put("standardError", signal.standardError());
    PolicyDiagnosis.OfCritic critic = signal.critic();
    if (critic != null) {
      ObjectNode said = json.putObject("critic");
      said.put("rows", critic.rows());
      said.put("predicted", critic.predicted());
      said.put("returned", critic.returned());
      said.put("underPolicy", critic.underPolicy());
      said.put("overestimation", critic.overestimation());
      ArrayNode groups = said.putArray("calibration");
      for (PolicyDiagnosis.Group group : critic.calibration()) {
        groups
            .addObject()
            .put("rows", group.rows())
            .put("predicted", group.predicted())
            .put("returned", group.returned())
            .put("standardError", group.standardError());
      }
    }
    return json;
  }

  /** The report for people, UTF-8. */
  public byte[] page() {
    Html html = new Html();
    html.raw("<header>\n").element("h1", title);
    List<String> warnings = warnings();
    html.paragraph(
        warnings.isEmpty()
            ? "Nothing odd was found. Whether the policy is better is for an evaluation on held-out"
                + " people to say, not for this page."
            : "Before anything else:");
    html.list(warnings).raw("</header>\n<main>\n");
    signals(html);
    promises(html);
    distance(html);
    curves(html);
    calibration(html);
    html.raw("</main>\n");
    return PageFrame.around(title, html);
  }

  private void signals(Html html) {
    Table table = Table.of("signal", "imitating the log #", "this policy #", "± #");
    for (PolicyDiagnosis.OfSignal each : diagnosis.signals()) {
      table.row(
          each.signal(),
          Figures.number(each.logged()),
          Figures.number(each.estimate()),
          Figures.number(1.96 * each.standardError()));
    }
    html.raw("<section>\n").element("h2", "Beside imitation");
    html.paragraph(
        "Mean of each signal per row as it was logged, which is what imitation reaches, and under"
            + " this policy by weighting the same rows it was trained on: optimistic, since it"
            + " chose them.");
    html.table(table).raw("</section>\n");
  }

  private void promises(Html html) {
    if (policy.promises().isEmpty()) {
      return;
    }
    Table table =
        Table.of("promise", "bound #", "estimate #", "± #", "slack #", "multiplier #", "");
    for (PromiseOutcome outcome : policy.promises()) {
      boolean atLeast = outcome.promise().sense().name().equals("AT_LEAST");
      double slack = outcome.estimate() - outcome.bound();
      table.styled(
          outcome.hopeless() ? "refused" : "",
          signal(outcome) + (atLeast ? " at least" : " at most"),
          Figures.number(outcome.bound()),
          Figures.number(outcome.estimate()),
          Figures.number(1.96 * outcome.standardError()),
          Figures.number(atLeast ? slack : -slack),
          Figures.number(outcome.multiplier()),
          outcome.hopeless() ? "cannot be kept" : "");
    }
    html.raw("<section>\n").element("h2", "Promises");
    html.table(table).raw("</section>\n");
  }

  private void distance(Html html) {
    Table table = Table.of("", "#");
    table.row("rows looked at", Figures.count(diagnosis.rows()));
    table.row("divergence from the log, nats", Figures.number(diagnosis.divergence()));
    table.row("total variation", Figures.number(diagnosis.totalVariation()));
    table.row("entropy, of the most there is", Figures.percent(diagnosis.entropyShare()));
    table.row("effective sample size, of the rows", Figures.percent(diagnosis.effectiveShare()));
    table.row("largest share of one row", Figures.percent(diagnosis.largestShare()));
    table.row("rows with a weight above 10", Figures.percent(diagnosis.clippedShare()));
    html.raw("<section>\n").element("h2", "How far from the log");
    html.table(table).raw("</section>\n");
  }

  /** One plot per kind of gauge, with a line per network or signal. */
  private void curves(Html html) {
    html.raw("<section>\n").element("h2", "How training went");
    grouped()
        .forEach(
            (kind, names) -> {
              List<LinePlot.Line> lines = new ArrayList<>();
              for (String name : names) {
                lines.add(line(name, lines.isEmpty() ? "main" : "other"));
              }
              html.element("h3", kind);
              html.raw(LinePlot.svg(kind + " over steps", lines, List.of(), "steps"));
            });
    html.raw("</section>\n");
  }

  private Map<String, List<String>> grouped() {
    SortedSet<String> names = new TreeSet<>();
    policy.history().forEach(progress -> names.addAll(progress.gauges().keySet()));
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (String name : names) {
      groups.computeIfAbsent(kind(name), k -> new ArrayList<>()).add(name);
    }
    return groups;
  }

  private static String kind(String gauge) {
    if (gauge.startsWith("multiplier.")) {
      return "Multipliers";
    }
    return gauge.endsWith(".gradientNorm") ? "Gradient norms" : gauge;
  }

  private LinePlot.Line line(String gauge, String style) {
    List<Progress> known =
        policy.history().stream()
            .filter(progress -> Double.isFinite(progress.gauges().getOrDefault(gauge, Double.NaN)))
            .toList();
    return LinePlot.Line.of(
        gauge,
        known.stream().mapToDouble(Progress::step).toArray(),
        known.stream().mapToDouble(progress -> progress.gauges().get(gauge)).toArray(),
        style);
  }

  private void calibration(Html html) {
    List<PolicyDiagnosis.OfSignal> judged =
        diagnosis.signals().stream().filter(signal -> signal.critic() != null).toList();
    if (judged.isEmpty()) {
      return;
    }
    html.raw("<section>\n").element("h2", "Whether the critics say what happened");
    Table table =
        Table.of("signal", "predicted #", "returned #", "off by #", "under this policy #");
    for (PolicyDiagnosis.OfSignal each : judged) {
      PolicyDiagnosis.OfCritic critic = Objects.requireNonNull(each.critic());
      table.row(
          each.signal(),
          Figures.number(critic.predicted()),
          Figures.number(critic.returned()),
          Figures.percent(critic.overestimation()),
          Figures.number(critic.underPolicy()));
    }
    html.paragraph(
        "Of logged actions, over rows whose episode is known to its end. A critic that is"
            + " bootstrapped under this policy may rightly say more than the log returned.");
    html.table(table);
    for (PolicyDiagnosis.OfSignal each : judged) {
      html.element("h3", each.signal());
      List<ReliabilityPlot.Point> points = new ArrayList<>();
      for (PolicyDiagnosis.Group group : Objects.requireNonNull(each.critic()).calibration()) {
        points.add(
            new ReliabilityPlot.Point(group.predicted(), group.returned(), group.standardError()));
      }
      html.raw(
          ReliabilityPlot.svg(
              "returns of " + each.signal() + " by what was predicted", points, "predicted"));
    }
    html.raw("</section>\n");
  }
}
