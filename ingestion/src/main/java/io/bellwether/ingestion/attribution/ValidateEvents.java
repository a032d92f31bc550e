package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.erasure.ErasureFeed;
import io.bellwether.ingestion.erasure.ErasureTopic;
import io.bellwether.ingestion.event.DecisionHead;
import io.bellwether.ingestion.event.DecisionHead.Placed;
import io.bellwether.ingestion.event.DecisionHeads;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.ingestion.surface.Surface;
import java.time.Clock;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.SerializableSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decodes records and lets through what is an event of a plausible time; everything else becomes a
 * dead letter, before it can move event time. What was decided for a subject that is to be
 * forgotten goes nowhere, so that reading the log again does not bring anybody back. Confined to
 * its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
final class ValidateEvents extends ProcessFunction<Received, Event> {

  static final OutputTag<DeadLetter> REFUSED =
      new OutputTag<>("refused", TypeInformation.of(DeadLetter.class));

  /** As long as outcomes are looked back for by the API. */
  static final Duration LOOKBACK = Duration.ofDays(30);

  /** As far as the API lets a sender's clock run ahead. */
  static final Duration AHEAD = Duration.ofMinutes(5);

  private static final long serialVersionUID = 1L;

  private final SerializableSupplier<List<Surface>> surfaces;
  private final Clock clock;
  private final SerializableSupplier<ErasureFeed> erasures;

  private transient Set<String> surfaceNames;
  private transient DecisionHeads decisions;
  private transient EventCodec<Outcome> outcomes;
  private transient EventCodec<Exposure> exposures;
  private transient ErasureFeed erased;
  private transient Counter forgotten;

  ValidateEvents(SerializableSupplier<List<Surface>> surfaces, Clock clock) {
    this(surfaces, clock, ErasureTopic.NONE);
  }

  /**
   * @param erasures who is to be forgotten
   */
  ValidateEvents(
      SerializableSupplier<List<Surface>> surfaces,
      Clock clock,
      SerializableSupplier<ErasureFeed> erasures) {
    this.surfaces = surfaces;
    this.clock = clock;
    this.erasures = erasures;
  }

  @Override
  public void open(OpenContext context) {
    surfaceNames = surfaces.get().stream().map(Surface::name).collect(Collectors.toSet());
    decisions = new DecisionHeads();
    outcomes = EventCodec.of(Outcome.class);
    exposures = EventCodec.of(Exposure.class);
    erased = erasures.get();
    forgotten = getRuntimeContext().getMetricGroup().counter("erasedEvents");
  }

  @Override
  public void close() {
    if (erased != null) {
      erased.close();
    }
  }

  @Override
  public void processElement(Received record, Context context, Collector<Event> out) {
    try {
      Event event = event(record);
      if (event == null) {
        forgotten.inc();
      } else {
        out.collect(event);
      }
    } catch (RefusedException e) {
      context.output(REFUSED, DeadLetter.of(record, e));
    }
  }

  /** The event of a record; null where its subject is to be forgotten. */
  private @Nullable Event event(Received record) throws RefusedException {
    byte[] value = record.value();
    if (value == null) {
      throw new RefusedException(Reason.UNDECODABLE, "the record has no value");
    }
    try {
      if (record.topic().equals(Topics.DECISIONS)) {
        DecisionHead decision = decisions.read(value);
        check(decision);
        if (isForgotten(decision.subjectId(), decision.decidedAtMicros())) {
          return null;
        }
        return new Event(decision.decisionId(), millis(decision.decidedAtMicros()), record);
      }
      if (record.topic().equals(Topics.EXPOSURES)) {
        Exposure exposure = exposures.decode(value);
        check(exposure);
        if (isForgotten(exposure.getSubjectId(), exposure.getDecidedAtMicros())) {
          return null;
        }
        long progress =
            exposure.getKind() == ExposureKind.SHADOW
                ? Event.NO_PROGRESS
                : millis(exposure.getExposedAtMicros());
        return new Event(exposure.getDecisionId(), progress, record);
      }
      Outcome outcome = outcomes.decode(value);
      check(outcome);
      return new Event(outcome.getDecisionId(), millis(outcome.getReceivedAtMicros()), record);
    } catch (UndecodableEventException e) {
      throw new RefusedException(Reason.UNDECODABLE, String.valueOf(e.getMessage()));
    }
  }

  private boolean isForgotten(String subjectId, long decidedAtMicros) {
    return erased.subjects().covers(subjectId, decidedAtMicros);
  }

  private void check(DecisionHead decision) throws RefusedException {
    checkPresent("decisionId", decision.decisionId());
    checkPresent("subjectId", decision.subjectId());
    checkTime("decidedAt", decision.decidedAtMicros());
    checkDeclared(decision.surface());
    BitSet shown = new BitSet();
    for (Placed placed : decision.slate()) {
      check(placed, decision.candidates());
      if (shown.get(placed.candidate())) {
        throw new RefusedException(
            Reason.INVALID, "the slate shows item '" + placed.itemId() + "' twice");
      }
      shown.set(placed.candidate());
    }
  }

  private static void check(Placed placed, int candidates) throws RefusedException {
    String candidateId = placed.candidateId();
    if (candidateId == null) {
      throw new RefusedException(
          Reason.INVALID, "the slate names candidate " + placed.candidate() + " of " + candidates);
    }
    if (!placed.itemId().equals(candidateId)) {
      throw new RefusedException(
          Reason.INVALID,
          "the slate calls candidate "
              + placed.candidate()
              + " '"
              + placed.itemId()
              + "', the candidates call it '"
              + candidateId
              + "'");
    }
    double propensity = placed.propensity();
    // Such a decision would have an infinite or a negative weight in every estimate.
    if (!(propensity > 0 && propensity <= 1)) {
      throw new RefusedException(
          Reason.VALUE_OUT_OF_RANGE,
          "the propensity of item '" + placed.itemId() + "' is " + propensity + ", outside (0, 1]");
    }
  }

  private void check(Outcome outcome) throws RefusedException {
    checkPresent("outcomeId", outcome.getOutcomeId());
    checkPresent("decisionId", outcome.getDecisionId());
    checkTime("occurredAt", outcome.getOccurredAtMicros());
    checkTime("receivedAt", outcome.getReceivedAtMicros());
    if (!Double.isFinite(outcome.getValue())) {
      throw new RefusedException(
          Reason.VALUE_OUT_OF_RANGE, outcome.getSignal() + " is " + outcome.getValue());
    }
  }

  private void check(Exposure exposure) throws RefusedException {
    checkPresent("exposureId", exposure.getExposureId());
    checkPresent("experiment", exposure.getExperiment());
    checkPresent("variant", exposure.getVariant());
    checkPresent("subjectId", exposure.getSubjectId());
    checkPresent("unit", exposure.getUnit());
    checkPresent("decisionId", exposure.getDecisionId());
    checkTime("decidedAt", exposure.getDecidedAtMicros());
    checkTime("exposedAt", exposure.getExposedAtMicros());
    checkDeclared(exposure.getSurface());
    // Not only garbage: such a number would spoil a sum for good.
    checkShare("agreement", exposure.getAgreement());
    checkShare("distance", exposure.getDistance());
    if (exposure.getPreperiodMicros() < 0) {
      throw new RefusedException(
          Reason.VALUE_OUT_OF_RANGE,
          "preperiodMicros is " + exposure.getPreperiodMicros() + ", expected at least 0");
    }
  }

  private void checkDeclared(String surface) throws RefusedException {
    if (!surfaceNames.contains(surface)) {
      throw new RefusedException(
          Reason.UNKNOWN_SURFACE, "surface '" + surface + "' is none of " + surfaceNames);
    }
  }

  private static void checkShare(String field, double value) throws RefusedException {
    if (!(value >= 0 && value <= 1)) {
      throw new RefusedException(
          Reason.VALUE_OUT_OF_RANGE, field + " is " + value + ", outside [0, 1]");
    }
  }

  private static void checkPresent(String field, String value) throws RefusedException {
    if (value.isBlank()) {
      throw new RefusedException(Reason.INVALID, field + " is blank");
    }
  }

  /** Units are the usual mistake: seconds or milliseconds where microseconds belong. */
  private void checkTime(String field, long micros) throws RefusedException {
    long nowMillis = clock.millis();
    long earliest = (nowMillis - LOOKBACK.toMillis()) * 1000;
    long latest = (nowMillis + AHEAD.toMillis()) * 1000;
    if (micros < earliest || micros > latest) {
      throw new RefusedException(
          Reason.OUTSIDE_LOOKBACK,
          field + " is " + micros + ", outside [" + earliest + ", " + latest + "] microseconds");
    }
  }

  private static long millis(long micros) {
    return Math.floorDiv(micros, 1000);
  }
}
