package io.bellwether.evaluation.report;

/** What a finding does to the report, from nothing to everything. */
public enum Severity {
  /** Printed. */
  INFO,
  /** Printed next to the values. */
  WARN,
  /** Diagnostics are computed, values that rest on it are not, and the gate cannot pass. */
  REFUSE,
  /** The data is invalid: there is no report. */
  ERROR
}
