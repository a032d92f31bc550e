package io.bellwether.ingestion.attribution;

import java.util.List;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/**
 * What checkpoints hold in which {@link Gathered} was four states: taken over key by key, when
 * something happens to the key. Confined to its task's thread.
 */
final class EarlierJoins {

  private final ValueState<JoinState> join;
  private final MapState<String, Observed> observed;
  private final ListState<Parked> parked;
  private final ValueState<Integer> taken;

  EarlierJoins(RuntimeContext context) {
    join =
        context.getState(new ValueStateDescriptor<>("join", TypeInformation.of(JoinState.class)));
    observed =
        context.getMapState(
            new MapStateDescriptor<>("observed", Types.STRING, TypeInformation.of(Observed.class)));
    parked =
        context.getListState(new ListStateDescriptor<>("parked", TypeInformation.of(Parked.class)));
    taken = context.getState(new ValueStateDescriptor<>("taken", Types.INT));
  }

  /** What is held of the current key, which is let go here; null where that is nothing. */
  @Nullable Gathered take() throws Exception {
    JoinState state = join.value();
    List<Parked> waiting = Gathered.nothing().parked();
    parked.get().forEach(waiting::add);
    if (state == null && waiting.isEmpty()) {
      return null;
    }
    Gathered all = new Gathered(state, Gathered.nothing().observed(), waiting);
    observed.values().forEach(all.observed()::add);
    join.clear();
    observed.clear();
    parked.clear();
    taken.clear();
    return all;
  }
}
