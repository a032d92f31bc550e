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
 * current key, between {@link #enter} and {@link #leave}.
 *
 * <p>A decision finds its place from the newest one backwards. What comes in order therefore costs
 * the same however many are kept, and what comes late costs as many steps as it has overtakers.
 * Confined to its task's thread.
 */
final class Timeline {

  private final MapState<String, KeptDecision> decisions;
  private final ValueState<Subject> subjects;
  private final EarlierSubjects earlierSubjects;
  private final boolean restored;

  private @Nullable Subject subject;
  private boolean changed;

  /** The ends of a list that is not empty, in checkpoints of earlier releases. */
  public record Ends(String oldestId, String newestId) {}

  /**
   * @param restored whether there may be state of an earlier release
   */
  Timeline(RuntimeContext context, boolean restored) {
    decisions =
        context.getMapState(
            new MapStateDescriptor<>(
                "decisions", Types.STRING, TypeInformation.of(KeptDecision.class)));
    subjects =
        context.getState(new ValueStateDescriptor<>("subject", TypeInformation.of(Subject.class)));
    earlierSubjects = new EarlierSubjects(context);
    this.restored = restored;
  }

  /** Turns to the subject of the current key. */
  void enter() throws Exception {
    subject = subjects.value();
    changed = false;
    if (subject == null && restored) {
      subject = earlierSubjects.take();
      changed = subject != null;
    }
  }

  /** Keeps what has become of the subject. */
  void leave() throws Exception {
    if (!changed) {
      return;
    }
    if (subject == null) {
      subjects.clear();
    } else {
      subjects.update(subject);
    }
  }

  /** Whether no decision is kept. */
  boolean isEmpty() {
    return subject == null;
  }

  /** Where it stands, which is not empty. */
  Subject subject() {
    return Objects.requireNonNull(subject, "the timeline is empty");
  }

  /** Says where it stands now. */
  void become(Subject now) {
    subject = now;
    changed = true;
  }

  /** Marks a decision that is linked to be looked at again. */
  void touch(KeptDecision decision) {
    subject().touched().add(decision.id());
    changed = true;
  }

  /** The decision of this id; null where it is not kept, and for null. */
  @Nullable KeptDecision get(@Nullable String id) throws Exception {
    return id == null ? null : decisions.get(id);
  }

  /** The first in time; null where none is kept. */
  @Nullable KeptDecision oldest() throws Exception {
    return subject == null ? null : decisions.get(subject.oldestId());
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
    Subject now = subject == null ? Subject.first(decision.id()) : subject;
    KeptDecision later = null;
    KeptDecision earlier = subject == null ? null : decisions.get(now.newestId());
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
    become(
        now.between(
            earlier == null ? placed.id() : now.oldestId(),
            later == null ? placed.id() : now.newestId()));
    return placed;
  }

  /** Lets go of the first in time, which is there. */
  void removeOldest() throws Exception {
    KeptDecision oldest = decisions.get(subject().oldestId());
    decisions.remove(oldest.id());
    KeptDecision following = get(oldest.laterId());
    if (following == null) {
      subject = null;
      changed = true;
      return;
    }
    replace(following.between(null, following.laterId()));
    become(subject().between(following.id(), subject().newestId()));
  }
}
