package io.bellwether.evaluation.report;

import java.util.List;
import java.util.stream.Collectors;

/** The log cannot be evaluated: a refusal, not a verdict. Whoever built the columns causes it. */
public final class InvalidDataException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Finding> findings;

  public InvalidDataException(List<Finding> findings) {
    super(
        findings.stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .map(finding -> finding.words() + ", first at " + finding.examples())
            .collect(Collectors.joining("; ")));
    this.findings = List.copyOf(findings);
  }

  /** All findings, the ones that stopped the report among them. */
  public List<Finding> findings() {
    return findings;
  }
}
