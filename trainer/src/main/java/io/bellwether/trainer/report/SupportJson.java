package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.support.ActionOverlap;
import io.bellwether.evaluation.support.Calibration;
import io.bellwether.evaluation.support.LoggerDay;
import io.bellwether.evaluation.support.Support;
import io.bellwether.trainer.gate.DecisionIds;
import java.util.OptionalDouble;

/** What the probabilities of all candidates say about a log, as JSON. */
final class SupportJson {

  private SupportJson() {}

  static ObjectNode of(Support support, DecisionIds ids) {
    ObjectNode node = node();
    node.put("decisions", support.decisions());
    node.put("used", support.used());
    node.put("unsupportedMass", support.unsupportedMass());
    ArrayNode actions = node.putArray("actions");
    support.actions().forEach(each -> actions.add(action(each)));
    node.set("calibration", calibration(support.calibration()));
    ArrayNode bins = node.putArray("propensityBins");
    support
        .propensityBins()
        .forEach(
            each ->
                bins.addObject()
                    .put("lower", each.lower())
                    .put("upper", each.upper())
                    .put("candidates", each.candidates())
                    .put("meanPropensity", each.meanPropensity())
                    .put("observedShare", each.observedShare())
                    .put("expected", each.expected())
                    .put("z", each.z())
                    .put("warns", each.warns()));
    ArrayNode days = node.putArray("days");
    support.days().forEach(each -> days.add(day(each)));
    node.put("decisionsOnOtherDays", support.decisionsOnOtherDays());
    ArrayNode findings = node.putArray("findings");
    support
        .findings()
        .forEach(
            each -> {
              ObjectNode finding = findings.addObject();
              finding.put("code", each.code().name());
              finding.put("severity", each.severity().name());
              finding.put("count", each.count());
              ArrayNode examples = finding.putArray("examples");
              each.examples().forEach(hash -> examples.add(ids.ofHash(hash)));
              finding.put("words", each.code().words());
            });
    return node;
  }

  private static ObjectNode action(ActionOverlap action) {
    return node()
        .put("item", action.item())
        .put("shown", action.shown())
        .put("loggingMass", action.loggingMass())
        .put("targetMass", action.targetMass())
        .put("targetShare", action.targetShare())
        .put("meanWeight", action.meanWeight())
        .put("effectiveSampleSize", action.effectiveSampleSize())
        .put("smallestPropensity", action.smallestPropensity())
        .put("warns", action.warns());
  }

  private static ObjectNode calibration(Calibration calibration) {
    ObjectNode node = node();
    if (calibration instanceof Calibration.Tested tested) {
      node.put("statistic", tested.statistic());
      node.put("degreesOfFreedom", tested.degreesOfFreedom());
      node.put("pValue", tested.pValue());
      node.put("totalVariation", tested.totalVariation());
    } else if (calibration instanceof Calibration.Untested untested) {
      node.putNull("pValue").put("reason", untested.reason());
    }
    return node;
  }

  private static ObjectNode day(LoggerDay day) {
    ObjectNode node = node();
    node.put("logger", day.logger());
    node.put("day", day.day().toString());
    node.put("decisions", day.decisions());
    node.put("meanWeight", day.meanWeight());
    node.put("se", day.standardError());
    node.put("totalVariation", day.totalVariation());
    node.put("stabilityIndex", day.stabilityIndex());
    node.put("explained", day.isExplained());
    OptionalDouble chance = day.chance();
    chance.ifPresentOrElse(x -> node.put("chance", x), () -> node.putNull("chance"));
    node.put("warns", day.warns());
    node.put("refuses", day.refuses());
    return node;
  }

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
