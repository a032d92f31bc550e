package io.bellwether.trainer.gate;

import io.bellwether.trainer.data.Finding;
import io.bellwether.trainer.data.Selection;
import io.bellwether.trainer.survey.Survey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an evaluation has read, and what it left out. The same transitions give the same data,
 * whatever came later. Immutable.
 *
 * @param asOf what was joined later was not looked at: the time that the request names, or when the
 *     last transition was joined
 * @param read transitions that were known then
 * @param decisions decisions that are used
 * @param rows positions of these decisions
 * @param from time of the first decision
 * @param to time of the last decision
 * @param digest SHA-256 of each used transition, added up, hex: equal data in any order has equal
 *     digests
 * @param outOfRange transitions of decisions that were made outside the time range
 * @param restated used decisions whose transition is not the first one
 * @param findings what was left out or noticed, and how often
 * @param loggers used decisions per policy version that made them
 * @param degraded used decisions that were answered with less than the policy, by reason
 */
public record EvaluatedData(
    Instant asOf,
    long read,
    long decisions,
    long rows,
    Instant from,
    Instant to,
    String digest,
    long outOfRange,
    long restated,
    Map<Finding, Long> findings,
    SortedMap<String, Long> loggers,
    SortedMap<String, Long> degraded) {

  public EvaluatedData {
    EnumMap<Finding, Long> ordered = new EnumMap<>(Finding.class);
    ordered.putAll(findings);
    findings = Collections.unmodifiableMap(ordered);
    loggers = Collections.unmodifiableSortedMap(new TreeMap<>(loggers));
    degraded = Collections.unmodifiableSortedMap(new TreeMap<>(degraded));
  }

  static EvaluatedData of(Survey survey, Selection selection) {
    return new EvaluatedData(
        selection.asOf() == null ? instant(survey.lastJoinedMicros()) : selection.asOf(),
        survey.read(),
        survey.decisions(),
        survey.rows(),
        instant(survey.firstMicros()),
        instant(survey.lastMicros()),
        survey.digest(),
        survey.outOfRange(),
        survey.restated(),
        survey.findings(),
        survey.loggers(),
        survey.degraded());
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** Share of the used decisions that were answered with less than the policy, in [0, 1]. */
  public double degradedShare() {
    long count = degraded.values().stream().mapToLong(Long::longValue).sum();
    return decisions == 0 ? 0 : (double) count / decisions;
  }
}
