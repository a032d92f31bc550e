package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Tensor;

/**
 * The network that estimates returns: per signal {@code Q(s, a)} and {@code V(s)}, in units of the
 * signal's scale.
 *
 * <p>Shares nothing with the actor; Q and V share the state tower. A layer norm stands in front of
 * every rectifier, which keeps bootstrapped values from drifting. Immutable.
 */
public final class Critic {
  private final StateTower state;
  private final ItemTower item;
  private final Mixing mixing;
  private final Dense actionValues;
  private final Dense stateValues;
  private final ParameterLayout layout;

  /** {@code heads}: outputs per signal, signal by signal. */
  Critic(NetworkSchema schema, NetworkConfig config, Normalisation normalisation, int heads) {
    int outputs = schema.signals().size() * heads;
    state = new StateTower("critic.state", schema, config, normalisation, true);
    item = new ItemTower("critic.item", schema, config, normalisation, true);
    mixing = new Mixing("critic.mixing", config, true);
    actionValues = Dense.output("critic.q", config.hidden(), outputs);
    stateValues = Dense.output("critic.v", config.hidden(), outputs);
    ParameterLayout.Builder builder = new ParameterLayout.Builder();
    state.declare(builder);
    item.declare(builder);
    mixing.declare(builder);
    actionValues.declare(builder);
    stateValues.declare(builder);
    layout = builder.build();
  }

  public ParameterLayout layout() {
    return layout;
  }

  /** Encoded states {@code h [r, hidden]}, from which both kinds of values are read. */
  public Tensor encode(Weights weights, StateRows states) {
    return state.apply(weights, states);
  }

  /** {@code V(s)} per output, {@code [r, S]}, from encoded states. */
  public Tensor stateValues(Weights weights, Tensor encodedStates) {
    return stateValues.apply(weights, encodedStates);
  }

  /** {@code Q(s, a)} per output, {@code [n, S]}, of raw items {@code [n, Di]} in encoded states. */
  public Tensor actionValues(
      Weights weights, Tensor encodedStates, Tensor items, Candidates candidates) {
    Tensor e = item.apply(weights, items, encodedStates, candidates);
    return actionValues.apply(weights, mixing.apply(weights, encodedStates, e, candidates));
  }
}
