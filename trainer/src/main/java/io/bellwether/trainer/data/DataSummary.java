package io.bellwether.trainer.data;

import java.time.Instant;
import java.util.Map;

/**
 * What a data set is, for the manifest of what is trained on it. Immutable.
 *
 * @param read transitions that were read
 * @param decisions decisions that are used
 * @param rows positions of these decisions
 * @param from time of the first decision
 * @param to time of the last decision
 * @param digest SHA-256, hex, over the rows in canonical order: equal data has equal digests
 * @param findings what was left out or noticed, and how often
 */
public record DataSummary(
    long read,
    long decisions,
    long rows,
    Instant from,
    Instant to,
    String digest,
    Map<Finding, Long> findings) {

  public DataSummary {
    findings = Map.copyOf(findings);
  }
}
