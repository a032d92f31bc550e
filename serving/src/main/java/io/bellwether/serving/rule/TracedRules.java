package io.bellwether.serving.rule;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Grouping;
import io.bellwether.ingestion.event.Pin;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.scoring.OpenCandidates;
import io.bellwether.policy.scoring.SlateRules;
import java.nio.FloatBuffer;
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

  /**
   * Whether some position of a slate shows a candidate although one with a higher score might have
   * stood there under the rules.
   */
  public static boolean passOver(Decision decision) {
    FloatBuffer logits = Floats.view(decision.getLogits());
    List<Placement> slate = decision.getSlate();
    OpenCandidates open = new OpenCandidates();
    open.begin(of(decision.getRules()), logits.capacity(), slate.size());
    for (Placement placement : slate) {
      float placed = logits.get(placement.getCandidate());
      for (int i = 0; i < logits.capacity(); i++) {
        if (open.isOpen(i) && logits.get(i) > placed) {
          return true;
        }
      }
      open.place(placement.getCandidate());
    }
    return false;
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
