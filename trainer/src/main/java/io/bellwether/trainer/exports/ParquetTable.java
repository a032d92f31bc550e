package io.bellwether.trainer.exports;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;

/**
 * A flat table, one row per shown item: plain columns that every tool reads, features as JSON. A
 * column {@code signal_NAME} holds the item's own value, {@code slate_NAME} that of the slate as a
 * whole; null where nothing was observed, and a propensity is null where there is none.
 */
final class ParquetTable implements ExportFile {

  private final ParquetWriter<GenericRecord> rows;
  private final Schema schema;
  private final LoggedJson json;
  private final List<String> signals;

  ParquetTable(Path file, Surface surface) throws IOException {
    this.json = new LoggedJson(surface);
    this.signals = surface.signals().stream().map(Signal::name).toList();
    this.schema = schema(signals);
    this.rows =
        AvroParquetWriter.<GenericRecord>builder(new LocalOutputFile(file))
            .withSchema(schema)
            .withDataModel(GenericData.get())
            .withConf(new PlainParquetConfiguration())
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .build();
  }

  private static Schema schema(List<String> signals) {
    Schema time = LogicalTypes.timestampMicros().addToSchema(Schema.create(Schema.Type.LONG));
    SchemaBuilder.FieldAssembler<Schema> fields =
        SchemaBuilder.record("ShownItem")
            .namespace("io.bellwether")
            .fields()
            .requiredString("decision_id")
            .requiredString("subject_id")
            .name("decided_at")
            .type(time)
            .noDefault()
            .requiredString("policy_version")
            .requiredInt("position")
            .requiredString("item_id")
            .optionalDouble("propensity")
            .requiredString("propensity_kind")
            .requiredInt("candidates")
            .requiredBoolean("learnable")
            .requiredDouble("sample_weight")
            .requiredString("session_id")
            .requiredInt("step")
            .requiredBoolean("terminated")
            .requiredBoolean("truncated")
            .requiredString("context")
            .requiredString("item");
    for (String signal : signals) {
      fields = fields.optionalDouble(column("signal_", signal));
      fields = fields.optionalDouble(column("slate_", signal));
    }
    return fields.endRecord();
  }

  /** Avro's names have no hyphens. */
  private static String column(String prefix, String signal) {
    return prefix + signal.replace('-', '_');
  }

  @Override
  public Optional<String> write(Transition transition) throws IOException {
    Decision decision = transition.getDecision();
    if (decision.getSlate().isEmpty()) {
      return Optional.of("shows nothing");
    }
    String context = json.context(decision).toString();
    List<ObjectNode> features = json.features(decision);
    for (int position = 0; position < decision.getSlate().size(); position++) {
      Placement placement = decision.getSlate().get(position);
      GenericRecord row = new GenericData.Record(schema);
      row.put("decision_id", decision.getDecisionId());
      row.put("subject_id", decision.getSubjectId());
      row.put("decided_at", decision.getDecidedAtMicros());
      row.put("policy_version", decision.getPolicyVersion());
      row.put("position", position);
      row.put("item_id", placement.getItemId());
      if (!decision.getPropensityKind().equals("NONE")) {
        row.put("propensity", placement.getPropensity());
      }
      row.put("propensity_kind", decision.getPropensityKind());
      row.put("candidates", decision.getCandidateIds().size());
      row.put("learnable", decision.getLearnable());
      row.put("sample_weight", decision.getSampleWeight());
      row.put("session_id", transition.getSessionId());
      row.put("step", transition.getStep());
      row.put("terminated", transition.getTerminated());
      row.put("truncated", transition.getTruncated());
      row.put("context", context);
      row.put("item", features.get(placement.getCandidate()).toString());
      for (SignalValue value : transition.getSignals()) {
        if (!signals.contains(value.getSignal())) {
          continue; // No longer declared.
        }
        if (value.getPosition() == position) {
          row.put(column("signal_", value.getSignal()), value.getValue());
        } else if (value.getPosition() < 0) {
          row.put(column("slate_", value.getSignal()), value.getValue());
        }
      }
      rows.write(row);
    }
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
