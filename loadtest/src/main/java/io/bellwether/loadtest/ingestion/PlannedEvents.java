package io.bellwether.loadtest.ingestion;

import io.bellwether.ingestion.attribution.Received;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Topics;
import java.util.List;

/** The records of a plan, made one by one at the price of a copy. Confined to one thread. */
final class PlannedEvents {

  private final EventPlan plan;
  private final EventBytes decisions;
  private final EventBytes[] outcomes = new EventBytes[EventPlan.OUTCOMES];
  private final int[] valuesAt = new int[EventPlan.OUTCOMES];

  PlannedEvents(EventPlan plan) {
    this.plan = plan;
    Decision decision = plan.decision();
    decisions =
        new EventBytes(
            EventCodec.of(Decision.class).encode(decision),
            List.of(EventBytes.id('d', 0), EventBytes.id('s', 0)),
            decision.getDecidedAtMicros(),
            decision.getOutcomesUntilMicros());
    for (int i = 0; i < outcomes.length; i++) {
      Outcome outcome =
          Outcome.newBuilder(plan.outcome(new EventPlan.Planned(0, i, false)))
              .setOutcomeId(EventBytes.id('o', 0))
              .setValue(Math.PI)
              .setOccurredAtMicros(plan.startMicros())
              .setReceivedAtMicros(plan.startMicros() + 1)
              .build();
      outcomes[i] =
          new EventBytes(
              EventCodec.of(Outcome.class).encode(outcome),
              List.of(EventBytes.id('o', 0), EventBytes.id('d', 0)),
              outcome.getOccurredAtMicros(),
              outcome.getReceivedAtMicros());
      valuesAt[i] = valueAt(outcomes[i].copy());
    }
  }

  /** The record at this place. */
  Received at(long place) {
    EventPlan.Planned planned = plan.at(place);
    long decision = planned.decision();
    return new Received(
        planned.outcome() < 0 ? Topics.DECISIONS : Topics.OUTCOMES,
        (int) (decision % EventPlan.PARTITIONS),
        place,
        Math.floorDiv(plan.decidedAtMicros(decision), 1_000),
        EventBytes.idBytes('d', decision),
        planned.outcome() < 0 ? decision(decision) : outcome(planned));
  }

  private byte[] decision(long number) {
    byte[] copy = decisions.copy();
    decisions.setId(copy, 0, number);
    decisions.setId(copy, 1, EventPlan.subject(number));
    decisions.setTime(copy, 0, plan.decidedAtMicros(number));
    decisions.setTime(copy, 1, plan.outcomesUntilMicros(number));
    return copy;
  }

  private byte[] outcome(EventPlan.Planned planned) {
    int kind = planned.outcome();
    EventBytes template = outcomes[kind];
    byte[] copy = template.copy();
    template.setId(copy, 0, EventPlan.outcomeNumber(planned));
    template.setId(copy, 1, planned.decision());
    template.setTime(copy, 0, plan.occurredAtMicros(planned.decision(), kind));
    template.setTime(copy, 1, plan.receivedAtMicros(planned));
    long value = Double.doubleToRawLongBits(plan.value(planned.decision(), kind));
    for (int i = 0; i < Long.BYTES; i++) {
      copy[valuesAt[kind] + i] = (byte) (value >>> 8 * i);
    }
    return copy;
  }

  /** Where pi stands, which is nowhere else. */
  private static int valueAt(byte[] outcome) {
    long wanted = Double.doubleToRawLongBits(Math.PI);
    for (int at = 0; at + Long.BYTES <= outcome.length; at++) {
      long found = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        found |= (outcome[at + i] & 0xFFL) << 8 * i;
      }
      if (found == wanted) {
        return at;
      }
    }
    throw new IllegalStateException("an outcome without its value");
  }
}
