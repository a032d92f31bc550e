package io.bellwether.serving.rule;

import io.bellwether.ingestion.event.Grouping;
import io.bellwether.ingestion.event.Pin;
import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.policy.scoring.SlateRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules that a slate had to keep to, read from what was logged of them. Stateless. */
public final class TracedRules {

  private TracedRules() {}

  /** The rules of a trace; {@link SlateRules#NONE} where there is none. */
  public static SlateRules of(@Nullable RuleTrace trace) {
    if (trace == null || (trace.getPins().isEmpty() && trace.getGroupings().isEmpty())) {
      return SlateRules.NONE;
    }
    List<SlateRules.Pin> pins = new ArrayList<>();
    for (Pin pin : trace.getPins()) {
      pins.add(new SlateRules.Pin(pin.getPosition(), pin.getCandidate()));
    }
    List<SlateRules.Grouping> groupings = new ArrayList<>();
    for (Grouping grouping : trace.getGroupings()) {
      groupings.add(
          new SlateRules.Grouping(
              grouping.getRule(),
              ints(grouping.getGroups()),
              grouping.getAtMost(),
              grouping.getApart(),
              ints(grouping.getAtLeast())));
    }
    return new SlateRules(pins, groupings);
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
