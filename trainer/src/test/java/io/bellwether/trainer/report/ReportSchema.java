package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.ByteArrayInputStream;
import java.util.List;

/** The published schema, as anybody's validator reads it. */
final class ReportSchema {

  private static final JsonSchema SCHEMA =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
          .getSchema(new ByteArrayInputStream(ReportJson.schema()));

  private ReportSchema() {}

  /** What is wrong with a report; empty where nothing is. */
  static List<String> violations(JsonNode report) {
    return SCHEMA.validate(report).stream().map(ValidationMessage::getMessage).sorted().toList();
  }
}
