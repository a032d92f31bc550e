package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.evaluation.report.Looks;
import io.bellwether.evaluation.report.Objective;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.Selection;
import io.bellwether.trainer.gate.EvaluatedData;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.EvaluationRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was asked and of which data, as JSON: all that is needed to repeat an evaluation. */
final class MetaJson {

  private MetaJson() {}

  static ObjectNode of(EvaluationRecord record) {
    EvaluationRequest request = record.request();
    OffPolicyReport.Terms terms = record.report().terms();
    ObjectNode meta = JsonNodeFactory.instance.objectNode();
    meta.put("target", record.target());
    meta.put("baseline", record.baseline());
    meta.put("surface", request.surface().name());
    meta.put("surfaceDigest", request.surface().digest());
    meta.put("at", record.at().toString());
    meta.put("codeVersion", record.codeVersion());
    meta.put("fingerprint", record.fingerprint());
    meta.set("objective", objective(terms.objective()));
    meta.put("alpha", request.alpha());
    meta.put("minLift", request.minLift());
    meta.put("primary", terms.primary());
    meta.put("looks", terms.looks());
    meta.put("plannedUnits", plannedUnits(request.looks()));
    meta.put("largestWeight", declared(request.largestWeight()));
    meta.put("simultaneous", terms.simultaneous());
    meta.set("estimators", texts(request.estimators()));
    meta.set("segments", texts(request.segments()));
    meta.put("clusterFeature", request.clusterFeature());
    meta.put("replicates", request.replicates());
    meta.set("loggers", texts(terms.loggers()));
    meta.put("seed", request.seed());
    meta.put("modelSteps", request.modelSteps());
    meta.set("data", data(record));
    return meta;
  }

  /** Absent where the report is made once. */
  private static @Nullable Long plannedUnits(Looks looks) {
    return looks instanceof Looks.Repeated repeated ? repeated.plannedUnits() : null;
  }

  /** Absent where no weight is declared to be the largest. */
  private static @Nullable Double declared(double largestWeight) {
    return Double.isInfinite(largestWeight) ? null : largestWeight;
  }

  private static ObjectNode objective(Objective objective) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("signal", objective.signal())
        .put("direction", objective.direction().name())
        .put("minLift", objective.minLift())
        .put("relative", objective.relative());
  }

  private static ObjectNode data(EvaluationRecord record) {
    EvaluatedData read = record.data();
    Selection selection = record.request().selection();
    OffPolicyReport.Size size = record.report().size();
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("source", record.request().source().words());
    if (record.request().source() instanceof ArchiveSource archive) {
      data.put("archive", archive.root().toString());
    }
    data.put("subjects", record.request().subjects().words());
    data.put("askedFrom", text(selection.from()));
    data.put("askedTo", text(selection.to()));
    data.put("from", read.from().toString());
    data.put("to", read.to().toString());
    data.put("asOf", read.asOf().toString());
    data.put("read", read.read());
    data.put("decisions", size.decisions());
    data.put("rows", size.rows());
    data.put("units", size.units());
    data.put("positions", size.positions());
    data.put("outOfRange", read.outOfRange());
    data.put("restated", read.restated());
    data.put("degradedShare", read.degradedShare());
    data.set("degraded", counts(read.degraded()));
    data.set("loggers", counts(read.loggers()));
    data.put("sha256", read.digest());
    ObjectNode leftOut = data.putObject("findings");
    new TreeMap<>(read.findings()).forEach((finding, count) -> leftOut.put(finding.name(), count));
    return data;
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static ArrayNode texts(List<String> texts) {
    ArrayNode node = JsonNodeFactory.instance.arrayNode();
    texts.forEach(node::add);
    return node;
  }

  private static ObjectNode counts(Map<String, Long> counts) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    counts.forEach(node::put);
    return node;
  }
}
