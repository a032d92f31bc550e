package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** A made-up report in which every part has something to show. */
final class SampleReport {

  private SampleReport() {}

  /** A tree of one's own, to be changed at will. */
  static ObjectNode tree() {
    try (InputStream json =
        Objects.requireNonNull(SampleReport.class.getResourceAsStream("sample-report.json"))) {
      return (ObjectNode) new ObjectMapper().readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static StoredReport report() {
    return new StoredReport(tree());
  }
}
