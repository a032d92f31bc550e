package io.bellwether.ingestion.session;

import io.bellwether.ingestion.session.SessionLinks.Link;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/**
 * What checkpoints hold in which {@link Subject} was four states: taken over subject by subject,
 * when something happens to it. Confined to its task's thread.
 */
final class EarlierSubjects {

  private final ValueState<Timeline.Ends> ends;
  private final ValueState<String> linkedUntil;
  private final ListState<String> touched;
  private final ValueState<Link> before;

  EarlierSubjects(RuntimeContext context) {
    ends =
        context.getState(
            new ValueStateDescriptor<>("ends", TypeInformation.of(Timeline.Ends.class)));
    linkedUntil = context.getState(new ValueStateDescriptor<>("linked-until", Types.STRING));
    touched = context.getListState(new ListStateDescriptor<>("touched", Types.STRING));
    before = context.getState(new ValueStateDescriptor<>("before", TypeInformation.of(Link.class)));
  }

  /** What is held of the current subject, which is let go here; null where that is nothing. */
  @Nullable Subject take() throws Exception {
    Timeline.Ends kept = ends.value();
    if (kept == null) {
      return null;
    }
    List<String> marked = new ArrayList<>(0);
    touched.get().forEach(marked::add);
    Subject subject =
        new Subject(
            kept.oldestId(),
            kept.newestId(),
            linkedUntil.value(),
            before.value(),
            marked,
            Long.MAX_VALUE);
    ends.clear();
    linkedUntil.clear();
    touched.clear();
    before.clear();
    return subject;
  }
}
