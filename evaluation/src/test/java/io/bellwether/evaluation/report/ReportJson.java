package io.bellwether.evaluation.report;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** A report written as plain JSON, as whoever stores it does. */
final class ReportJson {
  private ReportJson() {}

  static String of(OffPolicyReport report) {
    try {
      return new ObjectMapper().writeValueAsString(report);
    } catch (JsonProcessingException e) {
      throw new AssertionError("a report is plain data", e);
    }
  }

  static void assertNumbersOnly(OffPolicyReport report) {
    String json = of(report);
    assertFalse(json.contains("NaN"), json);
    assertFalse(json.contains("Infinity"), json);
  }
}
