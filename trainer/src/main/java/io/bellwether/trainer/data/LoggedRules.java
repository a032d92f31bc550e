package io.bellwether.trainer.data;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Grouping;
import io.bellwether.ingestion.event.Pin;
import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.policy.scoring.SlateRules;
import java.util.ArrayList;
import java.util.List;

/** The rules that a decision's slate had to keep to, read from its log. Stateless. */
public final class LoggedRules {

  private LoggedRules() {}

  /**
   * The rules of a decision; {@link SlateRules#NONE} where its log has none.
   *
   * @throws IllegalArgumentException where what is logged are no rules
   */
  public static SlateRules of(Decision decision) {
    RuleTrace trace = decision.getRules();
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
