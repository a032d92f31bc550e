package io.bellwether.ingestion.session;

import java.util.Objects;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/**
 * One subject's kept decisions in the order of time: a doubly linked list in the state of the
 * current key.
 *
 * <p>A decision finds its place from the newest one backwards. What comes in order therefore costs
 * the same however many are kept, and what comes late costs as many steps as it has overtakers.
 * Confined to its task's thread.
 */
final class Timeline {

  private final MapState<String, KeptDecision> decisions;
  private final ValueState<Ends> ends;

  /**
   * The ends of a list that is not empty: state, public so that Flink serializes it as a record.
   */
  public record Ends(String oldestId, String newestId) {}

  Timeline(RuntimeContext context) {
    decisions =
        context.getMapState(
            new MapStateDescriptor<>(
                "decisions", Types.STRING, TypeInformation.of(KeptDecision.class)));
    ends = context.getState(new ValueStateDescriptor<>("ends", TypeInformation.of(Ends.class)));
  }

  /** The decision of this id; null where it is not kept, and for null. */
  @Nullable KeptDecision get(@Nullable String id) throws Exception {
    return id == null ? null : decisions.get(id);
  }

  /** The first in time; null where none is kept. */
  @Nullable KeptDecision oldest() throws Exception {
    Ends now = ends.value();
    return now == null ? null : decisions.get(now.oldestId());
  }

  /** Replaces a decision that is kept, at the same place. */
  void replace(KeptDecision decision) throws Exception {
    decisions.put(decision.id(), decision);
  }

  /**
   * Adds a decision that is not kept.
   *
   * @return the same with its neighbours
   */
  KeptDecision insert(KeptDecision decision) throws Exception {
    Ends now = ends.value();
    KeptDecision later = null;
    KeptDecision earlier = now == null ? null : decisions.get(now.newestId());
    while (earlier != null && decision.isBefore(earlier)) {
      later = earlier;
      earlier = get(earlier.earlierId());
    }
    KeptDecision placed =
        decision.between(earlier == null ? null : earlier.id(), later == null ? null : later.id());
    decisions.put(placed.id(), placed);
    if (earlier != null) {
      replace(earlier.between(earlier.earlierId(), placed.id()));
    }
    if (later != null) {
      replace(later.between(placed.id(), later.laterId()));
    }
    ends.update(
        new Ends(
            earlier == null ? placed.id() : Objects.requireNonNull(now).oldestId(),
            later == null ? placed.id() : Objects.requireNonNull(now).newestId()));
    return placed;
  }

  /** Lets go of the first in time, which is there. */
  void removeOldest() throws Exception {
    Ends now = ends.value();
    KeptDecision oldest = decisions.get(now.oldestId());
    decisions.remove(oldest.id());
    KeptDecision following = get(oldest.laterId());
    if (following == null) {
      ends.clear();
      return;
    }
    replace(following.between(null, following.laterId()));
    ends.update(new Ends(following.id(), now.newestId()));
  }
}
