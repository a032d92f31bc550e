package io.bellwether.serving.outcome;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.serving.log.EventIds;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Turns one JSON object into an {@link Outcome}, or refuses it. An outcome names its decision and
 * not its surface; unless it names that too, its signal is looked for on every surface, and its
 * value must be in bounds on one of them. Thread-safe.
 */
@Singleton
final class OutcomeReader {

  private static final Set<String> FIELDS =
      Set.of(
          "outcomeId",
          "decisionId",
          "surface",
          "itemId",
          "signal",
          "value",
          "occurredAt",
          "properties",
          "slotId",
          "subjectId");

  private static final Duration LOOKBACK = Duration.ofDays(Limits.STANDARD.outcomeLookbackDays());
  private static final Duration LEAD = Duration.ofMinutes(Limits.STANDARD.outcomeLeadMinutes());

  private final Surfaces surfaces;
  private final EventIds ids;
  private final Clock clock;

  OutcomeReader(Surfaces surfaces, EventIds ids, Clock clock) {
    this.surfaces = surfaces;
    this.ids = ids;
    this.clock = clock;
  }

  /** Reads an object; where {@code violations} is not empty afterwards, the result is unusable. */
  Outcome read(JsonNode node, String pointer, List<Violation> violations) {
    JsonFields fields =
        JsonFields.of(node, pointer, violations).only(FIELDS).notYet("slotId", "subjectId");
    Instant now = clock.instant();
    Outcome outcome = new Outcome();
    outcome.setOutcomeId(fields.foreignId("outcomeId").orElseGet(ids::next));
    outcome.setDecisionId(decisionId(fields));
    outcome.setItemId(fields.foreignId("itemId").orElse(null));
    outcome.setSignal(fields.requiredText("signal"));
    outcome.setValue(value(fields));
    outcome.setOccurredAtMicros(micros(occurredAt(fields, now)));
    outcome.setReceivedAtMicros(micros(now));
    outcome.setProperties(properties(fields));
    if (violations.isEmpty()) {
      checkSignal(fields, outcome);
    }
    return outcome;
  }

  private static String decisionId(JsonFields fields) {
    if (!fields.has("decisionId")) {
      fields.refuse("decisionId", "is missing, must be the id of the decision that this is about");
    }
    return fields.resourceId("decisionId").orElse("");
  }

  private static double value(JsonFields fields) {
    JsonNode value = fields.get("value");
    if (!value.isNumber()) {
      fields.refuse("value", "is " + JsonFields.found(value) + ", must be a number");
    } else if (!Double.isFinite(value.doubleValue())) {
      outOfRange(fields, "value", "is " + JsonFields.found(value) + ", must be finite");
    }
    return value.doubleValue() + 0.0;
  }

  private static Instant occurredAt(JsonFields fields, Instant now) {
    Optional<String> text = fields.text("occurredAt");
    if (text.isEmpty()) {
      return now;
    }
    try {
      Instant at = OffsetDateTime.parse(text.get()).toInstant();
      if (at.isAfter(now.plus(LEAD)) || at.isBefore(now.minus(LOOKBACK))) {
        outOfRange(
            fields,
            "occurredAt",
            "is %s, must be from %s (%d days ago) to %s (%d minutes ahead)"
                .formatted(
                    text.get(),
                    now.minus(LOOKBACK),
                    LOOKBACK.toDays(),
                    now.plus(LEAD),
                    LEAD.toMinutes()));
        return now;
      }
      return at;
    } catch (DateTimeException e) {
      fields.refuse(
          "occurredAt",
          "is "
              + JsonFields.found(fields.get("occurredAt"))
              + ", must be an RFC 3339 time with its offset, such as 2026-11-30T04:00:00Z");
      return now;
    }
  }

  private static Map<String, String> properties(JsonFields fields) {
    Map<String, String> properties = new HashMap<>();
    if (!fields.has("properties")) {
      return properties;
    }
    fields.object("properties");
    Iterator<Map.Entry<String, JsonNode>> each = fields.get("properties").properties().iterator();
    while (each.hasNext()) {
      Map.Entry<String, JsonNode> property = each.next();
      if (property.getValue().isContainerNode()) {
        fields.refuse(
            "properties/" + JsonFields.escaped(property.getKey()),
            "is " + JsonFields.found(property.getValue()) + ", must be a text, number or flag");
      } else if (!property.getValue().isNull()) {
        properties.put(property.getKey(), property.getValue().asText());
      }
    }
    return properties;
  }

  private void checkSignal(JsonFields fields, Outcome outcome) {
    Optional<String> name = fields.text("surface");
    if (name.isPresent() && surfaces.find(name.get()).isEmpty()) {
      fields.refuse("surface", "is '" + name.get() + "'; " + surfaces.known());
      return;
    }
    Collection<DeclaredSurface> among =
        name.flatMap(surfaces::find)
            .map(List::of)
            .<Collection<DeclaredSurface>>map(one -> one)
            .orElseGet(surfaces::all);
    List<Signal> signals =
        among.stream().flatMap(s -> s.surface().signal(outcome.getSignal()).stream()).toList();
    if (signals.isEmpty()) {
      fields.refuse("signal", "is '" + outcome.getSignal() + "'; declared are " + known(among));
    } else if (signals.stream().noneMatch(signal -> signal.accepts(outcome.getValue()))) {
      outOfRange(
          fields,
          "value",
          "is %s, must be %s".formatted(outcome.getValue(), range(signals.get(0))));
    }
  }

  private static String range(Signal signal) {
    if (signal.isSilence()) {
      return "left out: it follows from the silence of " + String.join(", ", signal.silenceOf());
    }
    return signal.type() == Signal.Type.FLAG
        ? "0 or 1"
        : "from " + signal.min() + " to " + signal.max();
  }

  private static String known(Collection<DeclaredSurface> among) {
    return String.join(
        ", ",
        among.stream()
            .flatMap(s -> s.surface().signals().stream())
            .map(Signal::name)
            .distinct()
            .sorted()
            .toList());
  }

  private static void outOfRange(JsonFields fields, String field, String detail) {
    fields
        .violations()
        .add(new Violation(Slug.VALUE_OUT_OF_RANGE.text(), fields.pointer(field), detail));
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
