package io.bellwether.trainer.network;

import io.bellwether.trainer.graph.Tensor;

/**
 * Two towers that meet in an inner product only, so that items can be embedded beforehand: {@code
 * <W h, e> / √d}, where {@code h} is a state tower's output and {@code e} an item tower's. It is an
 * {@link Actor} without what mixes states and items, its weights have the actor's names, and it
 * starts from the actor's. Immutable.
 */
public final class RetrievalNetwork {

  /** The counter generator's number of this network; actor and critic have 0 and 1. */
  private static final int NETWORK = 2;

  private final StateTower state;
  private final ItemTower item;
  private final Dense query;
  private final ParameterLayout layout;
  private final float scale;

  public RetrievalNetwork(NetworkSchema schema, NetworkConfig config, Normalisation normalisation) {
    state = new StateTower("actor.state", schema, config, normalisation, false);
    item = new ItemTower("actor.item", schema, config.withConditioned(false), normalisation, false);
    query = Dense.output("actor.query", config.hidden(), config.embedding());
    ParameterLayout.Builder builder = new ParameterLayout.Builder();
    state.declare(builder);
    item.declare(builder);
    query.declare(builder);
    layout = builder.build();
    scale = (float) (1 / Math.sqrt(config.embedding()));
  }

  public ParameterLayout layout() {
    return layout;
  }

  /** First weights: the actor's where they have the same shape, otherwise drawn by the seed. */
  public Parameters initial(long seed, Parameters actor) {
    Parameters first = layout.initial(seed, NETWORK);
    for (String name : layout.names()) {
      if (actor.layout().shape(name).equals(layout.shape(name))) {
        first = first.with(name, actor.get(name));
      }
    }
    return first;
  }

  /** What each state looks for: {@code [r, embedding]}. */
  public Tensor query(Weights weights, StateRows states) {
    return query.apply(weights, state.apply(weights, states)).mul(scale);
  }

  /** Where raw items {@code [n, Di]} are: {@code [n, embedding]}. */
  public Tensor embedding(Weights weights, Tensor items) {
    return item.apply(weights, items);
  }
}
