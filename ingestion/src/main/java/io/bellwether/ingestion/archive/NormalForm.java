package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The form in which an archive keeps what it has compacted: of each decision its newest transition
 * alone, with revision 0, in the order of times and then of ids. Equal facts have equal bytes in
 * it, however they came. A restatement that comes later has a revision above 0 and so still counts.
 */
public final class NormalForm {

  /** By the time of the decision, then by its id. */
  static final Comparator<Transition> ORDER =
      Comparator.comparingLong((Transition each) -> each.getDecision().getDecidedAtMicros())
          .thenComparing(each -> each.getDecision().getDecisionId());

  private NormalForm() {}

  /** A copy of a transition as it stands in a compacted file. */
  public static Transition of(Transition transition) {
    return Transition.newBuilder(transition).setRevision(0).build();
  }

  /** What is left of these transitions once they are compacted, in order. */
  public static List<Transition> of(Collection<Transition> transitions) {
    EventCodec<Transition> codec = EventCodec.of(Transition.class);
    Comparator<Transition> newest =
        Comparator.comparing(Copy::of)
            .thenComparing((a, b) -> Arrays.compare(codec.encode(a), codec.encode(b)));
    Map<String, Transition> kept = new HashMap<>();
    for (Transition each : transitions) {
      kept.merge(
          each.getDecision().getDecisionId(), each, (a, b) -> newest.compare(a, b) >= 0 ? a : b);
    }
    List<Transition> normal = new ArrayList<>();
    kept.values().forEach(each -> normal.add(of(each)));
    normal.sort(ORDER);
    return List.copyOf(normal);
  }

  /** The bytes of transitions, one after the other, for comparisons. */
  public static byte[] bytes(List<Transition> transitions) {
    EventCodec<Transition> codec = EventCodec.of(Transition.class);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    transitions.forEach(each -> bytes.writeBytes(codec.encode(each)));
    return bytes.toByteArray();
  }
}
