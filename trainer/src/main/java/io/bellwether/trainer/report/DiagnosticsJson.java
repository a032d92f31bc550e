package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.report.Check;
import io.bellwether.evaluation.report.DailyWeights;
import io.bellwether.evaluation.report.Diagnostics;
import io.bellwether.evaluation.report.Finding;
import io.bellwether.evaluation.report.ModelQuality;
import io.bellwether.trainer.gate.DecisionIds;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.LearningCurve;
import java.util.Map;

/** What says whether a log can carry an evaluation, as JSON. */
final class DiagnosticsJson {

  /** Findings there name decisions by hashes. */
  private static final String CANDIDATES = "candidates";

  private DiagnosticsJson() {}

  static ObjectNode of(EvaluationRecord record) {
    Diagnostics diagnostics = record.report().diagnostics();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("effectiveSampleSize", diagnostics.effectiveSampleSize());
    ArrayNode target = node.putArray("targetWeights");
    diagnostics.targetWeights().forEach(each -> target.add(weights(each)));
    ArrayNode baseline = node.putArray("baselineWeights");
    diagnostics.baselineWeights().forEach(each -> baseline.add(weights(each)));
    ArrayNode models = node.putArray("models");
    diagnostics.models().forEach(each -> models.add(model(each)));
    node.set("support", SupportJson.of(diagnostics.support(), record.decisionIds()));
    ArrayNode learning = node.putArray("learning");
    record.learning().forEach(each -> learning.add(curve(each)));
    ArrayNode cumulative = node.putArray("cumulative");
    diagnostics
        .cumulative()
        .forEach(
            each ->
                cumulative
                    .addObject()
                    .put("decisions", each.decisions())
                    .put("timeMicros", each.timeMicros())
                    .put("value", each.value())
                    .put("meanWeight", each.meanWeight()));
    ArrayNode daily = node.putArray("daily");
    diagnostics.daily().forEach(each -> daily.add(day(each)));
    Map<Integer, String> ids = record.decisionIds().byNumber();
    ArrayNode largest = node.putArray("largestWeights");
    diagnostics
        .largestWeights()
        .forEach(
            each ->
                largest
                    .addObject()
                    .put("decision", each.decision())
                    .put("decisionId", ids.get(Math.toIntExact(each.decision())))
                    .put("weight", each.weight())
                    .put("share", each.share())
                    .put("logging", each.logging())
                    .put("target", each.target())
                    .put("reward", each.reward()));
    return node;
  }

  private static ObjectNode weights(WeightDiagnostics weights) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("decisions", weights.decisions());
    node.put("mean", weights.meanWeight());
    node.put("meanZ", weights.meanWeightZ());
    node.put("meanLower", weights.meanWeightInterval().lower());
    node.put("meanUpper", weights.meanWeightInterval().upper());
    node.put("effectiveSampleSize", weights.effectiveSampleSize());
    node.put("largest", weights.largest());
    node.put("largestShare", weights.largestShare());
    node.put("topPercentShare", weights.topPercentShare());
    node.put("median", weights.median());
    node.put("ninetiethPercentile", weights.ninetiethPercentile());
    node.put("ninetyNinthPercentile", weights.ninetyNinthPercentile());
    node.put("zeros", weights.zeros());
    ArrayNode histogram = node.putArray("histogram");
    weights.histogram().forEach(histogram::add);
    return node;
  }

  private static ObjectNode model(ModelQuality model) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("signal", model.signal());
    node.put("rows", model.rows());
    model.figures().forEach(node::put);
    ArrayNode reliability = node.putArray("reliability");
    model
        .reliability()
        .forEach(
            each ->
                reliability
                    .addObject()
                    .put("rows", each.rows())
                    .put("predicted", each.meanPrediction())
                    .put("observed", each.meanReward())
                    .put("se", each.standardError()));
    return node;
  }

  private static ObjectNode curve(LearningCurve curve) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("fold", curve.fold());
    node.put("decisions", curve.decisions());
    ArrayNode points = node.putArray("points");
    curve
        .points()
        .forEach(point -> points.addObject().put("step", point.step()).put("loss", point.loss()));
    return node;
  }

  private static ObjectNode day(DailyWeights day) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("logger", day.logger());
    node.put("day", day.day());
    node.put("decisions", day.decisions());
    node.put("meanWeight", day.meanWeight());
    ValuesJson.put(node, "interval", day.interval());
    node.put("effectiveSampleSize", day.effectiveSampleSize());
    return node;
  }

  static ObjectNode check(Check check) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", check.name())
        .put("observed", check.observed())
        .put("limit", check.limit())
        .put("status", check.status().name());
  }

  static ObjectNode finding(Finding finding, DecisionIds ids) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("code", finding.code().name());
    node.put("severity", finding.severity().name());
    node.put("column", finding.column());
    node.put("count", finding.count());
    ArrayNode examples = node.putArray("examples");
    boolean hashes = finding.column().equals(CANDIDATES);
    finding.examples().forEach(each -> examples.add(hashes ? ids.ofHash(each) : each));
    node.put("words", finding.words());
    return node;
  }
}
