package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.report.Bounds;
import io.bellwether.evaluation.report.Certificate;
import io.bellwether.evaluation.report.Comparison;
import io.bellwether.evaluation.report.Constraint;
import io.bellwether.evaluation.report.Distribution;
import io.bellwether.evaluation.report.EstimateInterval;
import io.bellwether.evaluation.report.EstimatorRanking;
import io.bellwether.evaluation.report.RowsNeeded;
import io.bellwether.evaluation.report.SampleSizeNeeded;
import io.bellwether.evaluation.report.Scope;
import io.bellwether.evaluation.report.SegmentTable;
import io.bellwether.evaluation.report.SessionValue;
import io.bellwether.evaluation.report.SessionValues;
import io.bellwether.evaluation.report.SignalEstimate;
import io.bellwether.evaluation.report.TunedFamily;

/** The values of a report as JSON, one method per record. */
final class ValuesJson {

  private ValuesJson() {}

  static ObjectNode estimate(SignalEstimate estimate) {
    ObjectNode node = node();
    node.put("policy", estimate.policy());
    node.put("signal", estimate.signal());
    node.set("scope", scope(estimate.scope()));
    node.put("estimator", estimate.estimator());
    ObjectNode parameters = node.putObject("params");
    estimate.parameters().forEach(parameters::put);
    put(node, estimate.estimate());
    put(node, "interval", estimate.interval());
    ArrayNode intervals = node.putArray("intervals");
    estimate.intervals().forEach(each -> intervals.add(interval(each)));
    node.put("effectiveSampleSize", estimate.effectiveSampleSize());
    if (!estimate.note().isEmpty()) {
      node.put("note", estimate.note());
    }
    ArrayNode warnings = node.putArray("warnings");
    estimate.warnings().forEach(warnings::add);
    return node;
  }

  private static ObjectNode scope(Scope scope) {
    return node()
        .put("kind", scope.kind().name())
        .put("dimension", scope.dimension())
        .put("label", scope.label());
  }

  private static ObjectNode interval(EstimateInterval interval) {
    ObjectNode node = node();
    node.put("method", interval.method().name());
    node.put("level", interval.level());
    node.put("sides", interval.sides().name());
    if (interval.bounds() instanceof Bounds.Within within) {
      node.put("lower", within.interval().lower());
      node.put("upper", within.interval().upper());
    } else if (interval.bounds() instanceof Bounds.Absent absent) {
      node.putNull("lower").putNull("upper").put("reason", absent.reason());
    }
    return node;
  }

  static ObjectNode comparison(Comparison comparison) {
    ObjectNode node = node();
    node.put("against", comparison.against());
    node.put("signal", comparison.signal());
    node.put("estimator", comparison.estimator());
    put(node.putObject("difference"), comparison.difference());
    put(node, "interval", comparison.interval());
    put(node, "simultaneousInterval", comparison.simultaneousInterval());
    put(node.putObject("relativeLift"), comparison.relativeLift());
    put(node, "liftInterval", comparison.liftInterval());
    return node;
  }

  static ObjectNode constraint(Certificate certificate) {
    ObjectNode node = node();
    node.put("signal", certificate.constraint().signal());
    node.put("promise", certificate.constraint().words());
    node.put("side", certificate.constraint().side().name());
    node.put("hard", true);
    node.set("bound", bound(certificate.constraint().bound()));
    node.put("status", certificate.status().name());
    put(node.putObject("estimate"), certificate.value());
    put(node, "estimateInterval", certificate.valueInterval());
    node.put("estimator", certificate.margin().estimator());
    put(node.putObject("margin"), certificate.margin().estimate());
    put(node, "interval", certificate.margin().bounds());
    node.set("rowsNeeded", rowsNeeded(certificate.rowsNeeded()));
    node.put("words", certificate.words());
    return node;
  }

  static ObjectNode bound(Constraint.Bound bound) {
    if (bound instanceof Constraint.Bound.OfBaseline relative) {
      return node().put("kind", "OF_BASELINE").put("value", relative.factor());
    }
    return node().put("kind", "ABSOLUTE").put("value", ((Constraint.Bound.Absolute) bound).value());
  }

  static ObjectNode distribution(Distribution distribution) {
    ObjectNode node = node();
    node.put("signal", distribution.signal());
    if (!distribution.reason().isEmpty()) {
      node.put("reason", distribution.reason());
    }
    ArrayNode quantiles = node.putArray("quantiles");
    for (Distribution.Quantile each : distribution.quantiles()) {
      ObjectNode quantile = quantiles.addObject();
      quantile.put("probability", each.probability()).put("value", each.value());
      put(quantile, "interval", each.interval());
    }
    ArrayNode tails = node.putArray("cvar");
    for (Distribution.Tail each : distribution.tails()) {
      ObjectNode tail = tails.addObject();
      tail.put("end", each.end()).put("share", each.share());
      put(tail, each.mean());
      put(tail, "interval", each.interval());
    }
    ArrayNode grid = node.putArray("cdf");
    distribution
        .cdf()
        .forEach(
            each ->
                grid.addObject()
                    .put("value", each.value())
                    .put("probability", each.probability())
                    .put("se", each.standardError()));
    return node;
  }

  static ObjectNode segments(SegmentTable table) {
    ObjectNode node = node();
    node.put("dimension", table.dimension());
    node.put("signal", table.signal());
    node.put("estimator", table.estimator());
    ArrayNode rows = node.putArray("rows");
    for (SegmentTable.Row each : table.rows()) {
      ObjectNode row = rows.addObject();
      row.put("label", each.label());
      row.put("decisions", each.decisions());
      row.put("effectiveSampleSize", each.effectiveSampleSize());
      row.put("meanWeight", each.meanWeight());
      put(row, each.estimate());
      put(row, "interval", each.interval());
      put(row.putObject("logged"), each.loggingMean());
    }
    node.putObject("heterogeneity")
        .put("q", table.heterogeneity().q())
        .put("groups", table.heterogeneity().groups())
        .put("pValue", table.heterogeneity().pValue());
    return node;
  }

  static ObjectNode tuning(TunedFamily family) {
    ObjectNode node = node();
    node.put("signal", family.signal());
    node.put("family", family.family());
    node.put("method", family.method());
    node.put("selected", family.selected());
    node.put("selectedBySlope", family.selectedBySlope());
    node.set("unlimited", candidate(family.unlimited()));
    ArrayNode candidates = node.putArray("candidates");
    family.candidates().forEach(each -> candidates.add(candidate(each)));
    return node;
  }

  private static ObjectNode candidate(TunedFamily.Candidate candidate) {
    return node()
        .put("parameter", candidate.parameter())
        .put("value", candidate.value())
        .put("se", candidate.standardError())
        .put("estimatedBias", candidate.estimatedBias())
        .put("meanSquaredError", candidate.meanSquaredError());
  }

  static ObjectNode choice(EstimatorRanking ranking) {
    ObjectNode node = node();
    node.put("advisory", true);
    node.put("signal", ranking.signal());
    if (ranking.selected().isEmpty()) {
      node.putNull("selected").put("reason", ranking.reason());
    } else {
      node.put("selected", ranking.selected());
    }
    node.put("splits", ranking.splits());
    ArrayNode ranked = node.putArray("ranked");
    ranking
        .ranked()
        .forEach(
            each ->
                ranked
                    .addObject()
                    .put("estimator", each.estimator())
                    .put("meanSquaredError", each.meanSquaredError()));
    return node;
  }

  static ObjectNode perSession(SessionValues sessions) {
    ObjectNode node = node();
    node.put("advisory", true);
    node.put("estimator", sessions.deciding().isEmpty() ? "wpdis" : sessions.deciding());
    ArrayNode unmet = node.putArray("unmet");
    sessions.unmet().forEach(unmet::add);
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
      value.put("estimator", each.estimator());
      put(value, each.estimate());
      put(value, "interval", each.interval());
      value.put("thinShare", each.thinShare());
    }
    return node;
  }

  /** The hoped-for lift's decisions stand at the top, as in the first version of the schema. */
  static ObjectNode sampleSize(SampleSizeNeeded needed) {
    ObjectNode node = rowsNeeded(needed.hoped());
    node.put("spread", needed.spread());
    node.put("power", needed.power());
    node.set("observed", rowsNeeded(needed.observed()));
    return node;
  }

  static ObjectNode rowsNeeded(RowsNeeded needed) {
    ObjectNode node = node();
    if (needed instanceof RowsNeeded.Known known) {
      node.put("decisions", known.decisions()).put("effect", known.effect());
    } else if (needed instanceof RowsNeeded.Unknown unknown) {
      node.putNull("decisions").put("reason", unknown.reason());
    }
    return node;
  }

  static void put(ObjectNode node, Estimate estimate) {
    estimate.point().ifPresentOrElse(x -> node.put("value", x), () -> node.putNull("value"));
    estimate.error().ifPresentOrElse(x -> node.put("se", x), () -> node.putNull("se"));
    if (estimate instanceof Estimate.Estimated estimated) {
      node.put("seKind", estimated.errorKind().name());
      node.put("n", estimated.decisions());
      node.put("units", estimated.units());
    } else if (estimate instanceof Estimate.ValueOnly valueOnly) {
      node.put("reason", valueOnly.reason());
    } else if (estimate instanceof Estimate.Refused refused) {
      node.put("reason", refused.reason());
    }
  }

  static void put(ObjectNode node, String name, Bounds bounds) {
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

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
