package io.bellwether.trainer.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.WeightDiagnostics;
import io.bellwether.evaluation.report.Bounds;
import io.bellwether.evaluation.report.Certificate;
import io.bellwether.evaluation.report.Check;
import io.bellwether.evaluation.report.Comparison;
import io.bellwether.evaluation.report.Finding;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.evaluation.report.RowsNeeded;
import io.bellwether.evaluation.report.SessionValue;
import io.bellwether.evaluation.report.SessionValues;
import io.bellwether.evaluation.report.SignalEstimate;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.EvaluationRequest;
import java.util.TreeMap;

/**
 * An evaluation as JSON with stable keys; fields are only ever added. What could not be computed is
 * null, and {@code reason} says why.
 */
public final class ReportJson {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ReportJson() {}

  /** The whole report. */
  public static byte[] report(EvaluationRecord record) {
    return bytes(tree(record));
  }

  /** The whole report as a tree. */
  public static ObjectNode tree(EvaluationRecord record) {
    OffPolicyReport report = record.report();
    ObjectNode root = JSON.createObjectNode();
    root.put("schemaVersion", report.schemaVersion());
    root.put("verdict", report.verdict().word());
    root.set("meta", meta(record));
    root.set("gate", gate(record));
    root.set("logged", logged(record));
    ArrayNode estimates = root.putArray("estimates");
    report.estimates().forEach(each -> estimates.add(estimate(each)));
    ArrayNode comparisons = root.putArray("comparisons");
    report.comparisons().forEach(each -> comparisons.add(comparison(each)));
    ArrayNode constraints = root.putArray("constraints");
    report.constraints().forEach(each -> constraints.add(constraint(each)));
    if (record.perSession().discount() > 0) {
      root.set("perSession", perSession(record.perSession()));
    }
    root.set("diagnostics", diagnostics(report));
    ArrayNode validation = root.putArray("validation");
    report.validation().forEach(each -> validation.add(finding(each)));
    root.set("sampleSize", rowsNeeded(report.rowsNeeded()));
    return root;
  }

  /** The verdict alone, as a policy version keeps it. */
  public static byte[] verdict(EvaluationRecord record) {
    ObjectNode root = JSON.createObjectNode();
    root.put("verdict", record.report().verdict().word());
    root.setAll(gate(record));
    root.set("meta", meta(record));
    return bytes(root);
  }

  private static ObjectNode meta(EvaluationRecord record) {
    EvaluationRequest request = record.request();
    ObjectNode meta = JSON.createObjectNode();
    meta.put("target", record.target());
    meta.put("baseline", record.baseline());
    meta.put("surface", request.surface().name());
    meta.put("surfaceDigest", request.surface().digest());
    meta.put("at", record.at().toString());
    meta.put("codeVersion", record.codeVersion());
    meta.put("alpha", request.alpha());
    meta.put("minLift", request.minLift());
    meta.put("primary", record.report().terms().primary());
    meta.put("seed", request.seed());
    meta.put("modelSteps", request.modelSteps());
    ObjectNode data = meta.putObject("data");
    data.put("source", request.source().words());
    data.put("subjects", request.subjects().words());
    data.put("from", record.data().from().toString());
    data.put("to", record.data().to().toString());
    data.put("read", record.data().read());
    data.put("decisions", record.report().size().decisions());
    data.put("rows", record.report().size().rows());
    data.put("units", record.report().size().units());
    data.put("sha256", record.data().digest());
    ObjectNode leftOut = data.putObject("findings");
    new TreeMap<>(record.data().findings())
        .forEach((finding, count) -> leftOut.put(finding.name(), count));
    return meta;
  }

  private static ObjectNode gate(EvaluationRecord record) {
    OffPolicyReport report = record.report();
    ObjectNode gate = JSON.createObjectNode();
    gate.put("verdict", report.verdict().word());
    gate.put("code", report.verdict().code().name());
    ArrayNode reasons = gate.putArray("reasons");
    report.gate().reasons().forEach(reasons::add);
    ArrayNode warnings = gate.putArray("warnings");
    record.warnings().forEach(warnings::add);
    gate.put("effectiveSampleSize", report.diagnostics().effectiveSampleSize());
    ArrayNode checks = gate.putArray("checks");
    report.diagnostics().checks().forEach(each -> checks.add(check(each)));
    return gate;
  }

  private static ObjectNode logged(EvaluationRecord record) {
    ObjectNode logged = JSON.createObjectNode();
    record
        .logged()
        .forEach(
            (signal, mean) ->
                logged
                    .putObject(signal)
                    .put("mean", mean.mean())
                    .put("se", mean.standardError())
                    .put("decisions", mean.decisions())
                    .put("events", mean.events()));
    return logged;
  }

  private static ObjectNode estimate(SignalEstimate estimate) {
    ObjectNode node = JSON.createObjectNode();
    node.put("policy", estimate.policy());
    node.put("signal", estimate.signal());
    node.put("estimator", estimate.estimator());
    put(node, estimate.estimate());
    put(node, "interval", estimate.interval());
    if (!estimate.note().isEmpty()) {
      node.put("note", estimate.note());
    }
    return node;
  }

  private static void put(ObjectNode node, Estimate estimate) {
    estimate.point().ifPresentOrElse(x -> node.put("value", x), () -> node.putNull("value"));
    estimate.error().ifPresentOrElse(x -> node.put("se", x), () -> node.putNull("se"));
    if (estimate instanceof Estimate.Estimated estimated) {
      node.put("seKind", estimated.errorKind().name());
      node.put("n", estimated.decisions());
    } else if (estimate instanceof Estimate.ValueOnly valueOnly) {
      node.put("reason", valueOnly.reason());
    } else if (estimate instanceof Estimate.Refused refused) {
      node.put("reason", refused.reason());
    }
  }

  private static void put(ObjectNode node, String name, Bounds bounds) {
    if (bounds instanceof Bounds.Within within) {
      node.putObject(name)
          .put("method", within.interval().method().name())
          .put("level", within.interval().level())
          .put("lower", within.interval().lower())
          .put("upper", within.interval().upper());
    } else if (bounds instanceof Bounds.Absent absent) {
      node.putNull(name);
      node.put(name + "Reason", absent.reason());
    }
  }

  private static ObjectNode comparison(Comparison comparison) {
    ObjectNode node = JSON.createObjectNode();
    node.put("signal", comparison.signal());
    node.put("estimator", comparison.estimator());
    put(node.putObject("difference"), comparison.difference());
    put(node.putObject("relativeLift"), comparison.relativeLift());
    return node;
  }

  private static ObjectNode constraint(Certificate certificate) {
    ObjectNode node = JSON.createObjectNode();
    node.put("signal", certificate.constraint().signal());
    node.put("promise", certificate.constraint().words());
    node.put("side", certificate.constraint().side().name());
    node.put("status", certificate.status().name());
    node.put("estimator", certificate.margin().estimator());
    put(node.putObject("margin"), certificate.margin().estimate());
    put(node, "interval", certificate.margin().bounds());
    node.set("rowsNeeded", rowsNeeded(certificate.rowsNeeded()));
    node.put("words", certificate.words());
    return node;
  }

  private static ObjectNode perSession(SessionValues sessions) {
    ObjectNode node = JSON.createObjectNode();
    node.put("advisory", true);
    node.put("estimator", "wpdis");
    node.put("discount", sessions.discount());
    node.put("sessions", sessions.sessions());
    node.put("cutOff", sessions.cutOff());
    ArrayNode sizes = node.putArray("effectiveSampleSizes");
    sessions.effectiveSampleSizes().forEach(sizes::add);
    ArrayNode values = node.putArray("values");
    for (SessionValue each : sessions.values()) {
      ObjectNode value = values.addObject();
      value.put("policy", each.policy());
      value.put("signal", each.signal());
      put(value, each.estimate());
      put(value, "interval", each.interval());
      value.put("thinShare", each.thinShare());
    }
    return node;
  }

  private static ObjectNode diagnostics(OffPolicyReport report) {
    ObjectNode node = JSON.createObjectNode();
    ArrayNode target = node.putArray("targetWeights");
    report.diagnostics().targetWeights().forEach(each -> target.add(weights(each)));
    ArrayNode baseline = node.putArray("baselineWeights");
    report.diagnostics().baselineWeights().forEach(each -> baseline.add(weights(each)));
    return node;
  }

  private static ObjectNode weights(WeightDiagnostics weights) {
    ObjectNode node = JSON.createObjectNode();
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

  private static ObjectNode check(Check check) {
    return JSON.createObjectNode()
        .put("name", check.name())
        .put("observed", check.observed())
        .put("limit", check.limit())
        .put("status", check.status().name());
  }

  private static ObjectNode finding(Finding finding) {
    ObjectNode node = JSON.createObjectNode();
    node.put("code", finding.code().name());
    node.put("severity", finding.severity().name());
    node.put("column", finding.column());
    node.put("count", finding.count());
    ArrayNode examples = node.putArray("examples");
    finding.examples().forEach(examples::add);
    node.put("words", finding.words());
    return node;
  }

  private static ObjectNode rowsNeeded(RowsNeeded needed) {
    ObjectNode node = JSON.createObjectNode();
    if (needed instanceof RowsNeeded.Known known) {
      node.put("decisions", known.decisions()).put("effect", known.effect());
    } else if (needed instanceof RowsNeeded.Unknown unknown) {
      node.putNull("decisions").put("reason", unknown.reason());
    }
    return node;
  }

  private static byte[] bytes(ObjectNode tree) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values is JSON", e);
    }
  }
}
