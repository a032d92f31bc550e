package io.bellwether.trainer.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.report.InvalidDataException;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.trainer.gate.DecisionIds;
import io.bellwether.trainer.gate.EvaluationRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * An evaluation as JSON with stable keys; fields are only ever added, and {@link #schema} says
 * which there are. What could not be computed is null, and {@code reason} says why.
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
    root.set("meta", MetaJson.of(record));
    root.set("gate", gate(record));
    root.set("logged", logged(record));
    ArrayNode estimates = root.putArray("estimates");
    report.estimates().forEach(each -> estimates.add(ValuesJson.estimate(each)));
    ArrayNode comparisons = root.putArray("comparisons");
    report.comparisons().forEach(each -> comparisons.add(ValuesJson.comparison(each)));
    ArrayNode constraints = root.putArray("constraints");
    report.constraints().forEach(each -> constraints.add(ValuesJson.constraint(each)));
    ArrayNode distributions = root.putArray("distributions");
    report.distributions().forEach(each -> distributions.add(ValuesJson.distribution(each)));
    ArrayNode segments = root.putArray("segments");
    report.segments().forEach(each -> segments.add(ValuesJson.segments(each)));
    ArrayNode tuning = root.putArray("tuning");
    report.tuning().forEach(each -> tuning.add(ValuesJson.tuning(each)));
    root.set("choice", ValuesJson.choice(report.choice()));
    if (record.perSession().discount() > 0) {
      root.set("perSession", ValuesJson.perSession(record.perSession()));
    }
    root.set("diagnostics", DiagnosticsJson.of(record));
    ArrayNode validation = root.putArray("validation");
    report
        .validation()
        .forEach(each -> validation.add(DiagnosticsJson.finding(each, record.decisionIds())));
    root.set("sampleSize", ValuesJson.sampleSize(report.sampleSize()));
    return FiniteJson.of(root);
  }

  /** Why there is no report: invalid data, which is no verdict. */
  public static ObjectNode refused(String words) {
    return JSON.createObjectNode()
        .putNull("verdict")
        .put("code", "INVALID_DATA")
        .put("reason", words);
  }

  /** The same, with each finding. */
  public static ObjectNode refused(InvalidDataException refusal) {
    ObjectNode root = refused(String.valueOf(refusal.getMessage()));
    ArrayNode validation = root.putArray("validation");
    refusal
        .findings()
        .forEach(each -> validation.add(DiagnosticsJson.finding(each, DecisionIds.NONE)));
    return root;
  }

  /** The verdict alone, as a policy version keeps it. */
  public static byte[] verdict(EvaluationRecord record) {
    ObjectNode root = JSON.createObjectNode();
    root.put("verdict", record.report().verdict().word());
    root.setAll(gate(record));
    root.set("meta", MetaJson.of(record));
    return bytes(FiniteJson.of(root));
  }

  /** The JSON Schema of a report, draft 2020-12. */
  public static byte[] schema() {
    try (InputStream schema =
        Objects.requireNonNull(ReportJson.class.getResourceAsStream("report.schema.json"))) {
      return schema.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("the schema of reports cannot be read", e);
    }
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
    gate.put("approval", report.gate().approval().name());
    gate.put("approver", report.gate().approver().isEmpty() ? null : report.gate().approver());
    ArrayNode checks = gate.putArray("checks");
    report.diagnostics().checks().forEach(each -> checks.add(DiagnosticsJson.check(each)));
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

  private static byte[] bytes(ObjectNode tree) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values is JSON", e);
    }
  }
}
